/* The trainer beside the same loop written out, its callbacks, its end and what it refuses. tests/trainer compares it with
 * Python's loops. */
#include <unistd.h>

#include "harness/values.h"

enum { LEN = 20, BATCH = 4, BATCHES = LEN / BATCH, EPOCHS = 3, EVENTS = CTORCH_TRAINER_EVENT_END + 1 };

struct training {
  ctorch_module *model, *loss;
  ctorch_optimizer *optimizer;
  ctorch_loader *loader;
  ctorch_trainer *trainer;
};

/* y = 2 x + 1, which one linear layer learns. */
static ctorch_loader *batches(void) {
  ctorch_tensor *parts[2] = {NULL, NULL};
  ctorch_dataset *dataset = NULL;
  ctorch_loader *loader = NULL;
  ck_ok(ctorch_aten_arange(&parts[0], CTORCH_INT(LEN), &(ctorch_dtype){CTORCH_DTYPE_FLOAT32}, NULL, NULL, NULL));
  ck_ok(ctorch_aten_div_Scalar(&parts[0], parts[0], CTORCH_INT(LEN)));
  ck_ok(ctorch_aten_reshape(&parts[0], parts[0], CTORCH_INTS(LEN, 1)));
  ck_ok(ctorch_aten_mul_Scalar(&parts[1], parts[0], CTORCH_INT(2)));
  ck_ok(ctorch_aten_add_Scalar(&parts[1], parts[1], CTORCH_INT(1), NULL));
  ck_ok(ctorch_data_TensorDataset(&dataset, (const ctorch_tensor *const *)parts, 2));
  ck_ok(ctorch_data_DataLoader(
      &loader, dataset, &(int64_t){BATCH}, true, NULL, NULL, 0, false, false, 0, NULL, NULL, false, true));
  return loader;
}

static struct training begin(void) {
  struct training self = {0};
  ctorch_tensor_list *parameters = NULL;
  ck_ok(ctorch_random_manual_seed(1));
  ck_ok(ctorch_nn_Linear(&self.model, 1, 1, true, NULL, NULL));
  ck_ok(ctorch_nn_MSELoss(&self.loss, "mean"));
  ck_ok(ctorch_module_parameters(&parameters, self.model, true));
  ck_ok(ctorch_optim_SGD(&self.optimizer, CTORCH_LIST(parameters), 0.1, 0.9, 0, 0, false, false, NULL, false, NULL));
  self.loader = batches();
  ck_ok(ctorch_trainer_new(&self.trainer, self.model, self.optimizer));
  ck_ok(ctorch_trainer_set_loss(self.trainer, self.loss));
  ck_ok(ctorch_trainer_set_length(self.trainer, EPOCHS, 0));
  ck_ok(ctorch_random_manual_seed(2));
  return self;
}

static double metric_at(const ctorch_trainer *trainer, size_t epoch, const char *name) {
  ctorch_value *history = NULL, *metrics = NULL, *value = NULL;
  double number = 0;
  ck_ok(ctorch_trainer_history(&history, trainer));
  ck_ok(ctorch_value_get(&metrics, history, epoch));
  ck_ok(ctorch_value_dict_at(&value, metrics, name));
  ck_ok(ctorch_value_to_double(&number, value));
  return number;
}

static size_t history_len(const ctorch_trainer *trainer) {
  ctorch_value *history = NULL;
  ck_ok(ctorch_trainer_history(&history, trainer));
  return ctorch_value_len(history);
}

/* One epoch of the loop written out; its mean loss. */
static double epoch(const struct training *self) {
  ctorch_iterator *iterator = NULL;
  double sum = 0;
  ck_ok(ctorch_loader_iterate(&iterator, self->loader));
  for (int i = 0; i < BATCHES; i++) {
    ctorch_value *batch = NULL, *parts[2];
    ctorch_tensor *x = NULL, *y = NULL, *found = NULL, *loss = NULL;
    double number = 0;
    ck_ok(ctorch_iterator_next(&batch, iterator));
    ck_ok(ctorch_value_get(&parts[0], batch, 0));
    ck_ok(ctorch_value_get(&parts[1], batch, 1));
    ck_ok(ctorch_value_to_tensor(&x, parts[0]));
    ck_ok(ctorch_value_to_tensor(&y, parts[1]));
    ck_ok(ctorch_module_forward(&found, self->model, x));
    ck_ok(ctorch_nn_MSELoss_forward(&loss, self->loss, found, y));
    ck_ok(ctorch_tensor_backward(loss, NULL, NULL, false));
    ck_ok(ctorch_optimizer_step(self->optimizer));
    ck_ok(ctorch_optimizer_zero_grad(self->optimizer, true));
    ck_ok(ctorch_tensor_item_double(&number, loss));
    sum += number;
  }
  return sum / BATCHES;
}

START_TEST(it_learns_what_the_loop_learns) {
  const struct training ours = begin();
  ck_ok(ctorch_trainer_fit(ours.trainer, ours.loader));
  const struct training theirs = begin();
  for (size_t i = 0; i < EPOCHS; i++) {
    ck_assert_double_eq(metric_at(ours.trainer, i, "loss"), epoch(&theirs));
  }
  ck_assert_int_eq(ctorch_trainer_epoch(ours.trainer), EPOCHS);
  ck_assert_int_eq(ctorch_trainer_step(ours.trainer), EPOCHS * BATCHES);
  ck_assert(!ctorch_trainer_stopped(ours.trainer));
  ck_assert(metric_at(ours.trainer, EPOCHS - 1, "loss") < metric_at(ours.trainer, 0, "loss"));
}
END_TEST

/* Callbacks --------------------------------------------------------------------------------------------------------- */

struct seen {
  int events[EVENTS], metrics, destroyed;
  int failing; /* an event, or -1 */
};

static void destroy(void *payload) { ((struct seen *)payload)->destroyed++; }

static ctorch_callback_status see(
    ctorch_trainer *trainer, ctorch_trainer_event event, ctorch_error **error, void *payload) {
  struct seen *seen = payload;
  (void)trainer;
  seen->events[event]++;
  if (event == seen->failing) {
    ck_ok(ctorch_error_new(error, CTORCH_ERROR_VALUE, "broken"));
    return 0;
  }
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status one(
    double *out, const ctorch_value *output, const ctorch_value *batch, ctorch_error **error, void *payload) {
  (void)output, (void)batch, (void)error;
  ((struct seen *)payload)->metrics++;
  *out = 1;
  return CTORCH_CALLBACK_OK;
}

static struct training watched(struct seen *seen) {
  struct training self = begin();
  for (ctorch_trainer_event event = 0; event < EVENTS; event++) {
    ck_ok(ctorch_trainer_add_callback(self.trainer, event, see, destroy, seen));
  }
  ck_ok(ctorch_trainer_add_metric(self.trainer, "one", one, destroy, seen));
  ck_ok(ctorch_trainer_set_validation(self.trainer, self.loader, 0));
  return self;
}

START_TEST(callbacks_are_called_at_each_point) {
  struct seen seen = {.failing = -1};
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  const struct training self = watched(&seen);
  ck_ok(ctorch_trainer_fit(self.trainer, self.loader));
  const int expected[EVENTS] = {1, EPOCHS, EPOCHS * BATCHES, EPOCHS * BATCHES, EPOCHS * BATCHES, EPOCHS, EPOCHS, 0, 1};
  for (int event = 0; event < EVENTS; event++) {
    ck_assert_int_eq(seen.events[event], expected[event]);
  }
  ck_assert_int_eq(seen.metrics, 2 * EPOCHS * BATCHES);
  ck_assert_double_eq(metric_at(self.trainer, 0, "one"), 1);
  ck_assert_double_eq(metric_at(self.trainer, 0, "val_one"), 1);
  ck_assert_int_eq(seen.destroyed, 0);
  ctorch_scope_end(scope);
  ck_assert_int_eq(seen.destroyed, EVENTS + 1);
}
END_TEST

/* SNAPSHOT does not happen here. */
START_TEST(a_callback_that_fails_ends_the_loop_which_may_go_on) {
  struct seen seen = {.failing = _i};
  const struct training self = watched(&seen);
  ck_fails(ctorch_trainer_fit(self.trainer, self.loader), CTORCH_ERROR_VALUE, "broken");
  seen.failing = -1;
  ck_ok(ctorch_trainer_fit(self.trainer, self.loader));
  ck_assert_int_eq(ctorch_trainer_epoch(self.trainer), EPOCHS);
}
END_TEST

static ctorch_callback_status stop(
    ctorch_trainer *trainer, ctorch_trainer_event event, ctorch_error **error, void *payload) {
  (void)event, (void)error;
  if (ctorch_trainer_step(trainer) == *(const int64_t *)payload) {
    ctorch_trainer_stop(trainer);
  }
  return CTORCH_CALLBACK_OK;
}

START_TEST(a_run_that_was_stopped_goes_on_from_its_snapshot) {
  char folder[] = "/tmp/check_trainer_XXXXXX", command[64];
  int64_t at = BATCHES + 2;
  ck_assert_ptr_nonnull(mkdtemp(folder));
  const struct training whole = begin();
  ck_ok(ctorch_trainer_fit(whole.trainer, whole.loader));
  for (int run = 0; run < 2; run++) {
    ctorch_snapshots *snapshots = NULL;
    const struct training self = begin();
    ck_ok(ctorch_snapshots_open(&snapshots, folder));
    ck_ok(ctorch_trainer_set_snapshots(self.trainer, snapshots, 0, NULL));
    if (run == 0) {
      ck_ok(ctorch_trainer_add_callback(self.trainer, CTORCH_TRAINER_EVENT_STEP, stop, NULL, &at));
    }
    ck_ok(ctorch_trainer_fit(self.trainer, self.loader));
    ck_assert(ctorch_trainer_stopped(self.trainer) == (run == 0));
    ck_assert_int_eq(ctorch_trainer_step(self.trainer), run == 0 ? at : EPOCHS * BATCHES);
    for (size_t i = 0; i < history_len(self.trainer); i++) {
      ck_assert_double_eq(metric_at(self.trainer, i, "loss"), metric_at(whole.trainer, i, "loss"));
    }
  }
  snprintf(command, sizeof command, "rm -r %s", folder);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(settings_together) {
  const struct training self = begin();
  ctorch_lr_scheduler *scheduler = NULL;
  ctorch_value *metrics = NULL;
  ck_ok(ctorch_lr_scheduler_StepLR(&scheduler, self.optimizer, 1, 0.5, -1));
  ck_ok(ctorch_trainer_set_lr_scheduler(self.trainer, scheduler, false, NULL));
  ck_ok(ctorch_trainer_set_accumulation(self.trainer, 2));
  ck_ok(ctorch_trainer_set_clipping(self.trainer, 1, 2, 0.5));
  ck_ok(
      ctorch_trainer_set_autocast(self.trainer, CTORCH_DEVICE_TYPE_CPU, true, &(ctorch_dtype){CTORCH_DTYPE_BFLOAT16}));
  ck_ok(ctorch_trainer_set_validation(self.trainer, self.loader, 2));
  ck_ok(ctorch_trainer_set_early_stopping(self.trainer, "val_loss", true, 0, 0)); /* which becomes less */
  ck_ok(ctorch_trainer_fit(self.trainer, self.loader));
  ck_assert_int_eq(ctorch_trainer_epoch(self.trainer), 2);
  ck_assert_int_eq(ctorch_trainer_step(self.trainer), 2 * (BATCHES / 2 + 1));
  ck_assert(ctorch_trainer_stopped(self.trainer));
  ck_ok(ctorch_trainer_evaluate(&metrics, self.trainer, self.loader));
  ck_assert_uint_eq(ctorch_value_len(metrics), 1);
}
END_TEST

START_TEST(what_is_refused) {
  const struct training self = begin();
  ctorch_trainer *made = NULL;
  ck_call_fails(ctorch_trainer_new, (&made, NULL, self.optimizer), CTORCH_ERROR_NULL_ARGUMENT, "module");
  ck_call_fails(ctorch_trainer_new, (&made, self.model, NULL), CTORCH_ERROR_NULL_ARGUMENT, "optimizer");
  ck_call_fails(ctorch_trainer_set_length, (self.trainer, 0, 0), CTORCH_ERROR_INVALID_ARGUMENT, NULL);
  ck_call_fails(ctorch_trainer_set_length, (self.trainer, -1, 1), CTORCH_ERROR_INVALID_ARGUMENT, "epochs");
  ck_call_fails(ctorch_trainer_set_accumulation, (self.trainer, 0), CTORCH_ERROR_INVALID_ARGUMENT, "batches");
  ck_call_fails(ctorch_trainer_set_clipping, (self.trainer, -1, 2, 0), CTORCH_ERROR_INVALID_ARGUMENT, "max_norm");
  ck_call_fails(
      ctorch_trainer_add_callback, (self.trainer, EVENTS, see, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "event");
  ck_call_fails(ctorch_trainer_fit, (self.trainer, NULL), CTORCH_ERROR_NULL_ARGUMENT, "loader");
  ck_ok(ctorch_trainer_new(&made, self.model, self.optimizer));
  ck_call_fails(ctorch_trainer_fit, (made, self.loader), CTORCH_ERROR_VALUE, "loss");
  ck_assert_int_eq(ctorch_trainer_epoch(NULL), 0);
  ctorch_trainer_stop(NULL);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("trainer");
  ck_scoped_case(suite, it_learns_what_the_loop_learns);
  ck_scoped_case(suite, callbacks_are_called_at_each_point);
  ck_scoped_case_loop(suite, a_callback_that_fails_ends_the_loop_which_may_go_on, CTORCH_TRAINER_EVENT_SNAPSHOT);
  ck_scoped_case(suite, a_run_that_was_stopped_goes_on_from_its_snapshot);
  ck_scoped_case(suite, settings_together);
  ck_scoped_case(suite, what_is_refused);
  return ck_main(suite);
}
