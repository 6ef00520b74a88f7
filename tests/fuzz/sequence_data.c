/* What the callbacks of datasets, samplers, iterators and loaders do in a sequence; some run on workers' threads. */
#include "fuzz/sequence.h"

/* A number, now and then nothing: the end. */
ctorch_callback_status run_iterator_next_callback(ctorch_value **out, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  if (s != NULL && draw_below(s, 4) != 0) {
    *error = ctorch_value_from_int(out, (int64_t)draw_below(s, 4));
  }
  return *error == NULL ? act(error, payload) : 0;
}

ctorch_callback_status run_iterator_save_callback(ctorch_value **out, ctorch_error **error, void *payload) {
  *error = ctorch_value_from_none(out);
  return *error == NULL ? act(error, payload) : 0;
}

ctorch_callback_status run_iterator_load_callback(const ctorch_value *state, ctorch_error **error, void *payload) {
  (void)state;
  return act(error, payload);
}

ctorch_callback_status run_dataset_get_callback(
    ctorch_value **out, int64_t index, ctorch_error **error, void *payload) {
  *error = ctorch_value_from_int(out, index);
  return *error == NULL ? act(error, payload) : 0;
}

ctorch_callback_status run_dataset_iterate_callback(ctorch_iterator **out, ctorch_error **error, void *payload) {
  *error = ctorch_iterator_from_callback(out, run_iterator_next_callback, NULL, payload);
  return *error == NULL ? act(error, payload) : 0;
}

ctorch_callback_status run_sampler_iterate_callback(ctorch_iterator **out, ctorch_error **error, void *payload) {
  return run_dataset_iterate_callback(out, error, payload);
}

ctorch_callback_status run_loader_iterate_callback(ctorch_iterator **out, ctorch_error **error, void *payload) {
  return run_dataset_iterate_callback(out, error, payload);
}

ctorch_callback_status run_transform_callback(
    ctorch_value **out, const ctorch_value *input, ctorch_generator *generator, ctorch_error **error, void *payload) {
  (void)generator;
  *error = ctorch_value_copy(out, input);
  return *error == NULL ? act(error, payload) : 0;
}

/* A loss with a graph, or none. */
ctorch_callback_status run_trainer_step_callback(
    ctorch_tensor **out,
    ctorch_trainer *trainer,
    ctorch_module *module,
    const ctorch_value *batch,
    ctorch_error **error,
    void *payload) {
  ctorch_tensor *leaf = NULL;
  (void)trainer, (void)module, (void)batch;
  *error = ctorch_aten_ones(&leaf, (const int64_t[]){2}, 1, NULL, NULL, NULL, NULL);
  *error = *error != NULL ? *error : ctorch_tensor_set_requires_grad(leaf, true);
  *error = *error != NULL ? *error : ctorch_aten_sum(out, leaf, NULL);
  ctorch_tensor_release(leaf);
  return *error == NULL ? act(error, payload) : 0;
}

ctorch_callback_status run_trainer_metric_callback(
    double *out, const ctorch_value *output, const ctorch_value *batch, ctorch_error **error, void *payload) {
  (void)output, (void)batch;
  *out = 1;
  return act(error, payload);
}

ctorch_callback_status run_trainer_event_callback(
    ctorch_trainer *trainer, ctorch_trainer_event event, ctorch_error **error, void *payload) {
  (void)event;
  ctorch_trainer_stop(trainer);
  return act(error, payload);
}

ctorch_callback_status run_loader_collate_callback(
    ctorch_value **out, const ctorch_value *samples, ctorch_error **error, void *payload) {
  *error = ctorch_value_copy(out, samples);
  return *error == NULL ? act(error, payload) : 0;
}

ctorch_callback_status run_loader_worker_callback(int64_t worker, ctorch_error **error, void *payload) {
  (void)worker;
  return act(error, payload);
}
