/* data.SequentialSampler, RandomSampler, SubsetRandomSampler and WeightedRandomSampler. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "constructors/data.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/generator.h"
#include "core/c/tensor.h"
#include "data/dataset.h"
#include "data/sampler.h"

struct sampler {
  ctorch_sampler sampler;
  ctorch_dataset *dataset; /* a reference; NULL for none */
  int64_t *indices;        /* of a subset */
  size_t indices_len;
  ctorch_tensor *weights; /* float64, a reference; NULL for none */
  bool replacement;
  int64_t num_samples;         /* -1: as many as the dataset has */
  ctorch_generator *generator; /* the user's, a reference; NULL for none */
};

static void finalize(void *self) {
  struct sampler *sampler = self;
  object_unref(sampler->dataset);
  tensor_unref(sampler->weights);
  free(sampler->indices);
  generator_unref(sampler->generator);
}

static ctorch_generator *generator_of(const ctorch_sampler *self) { return ((const struct sampler *)self)->generator; }

/* Indices that were drawn and are handed out one by one. */
struct place {
  ctorch_tensor *drawn; /* int64, contiguous, taken; NULL for none */
  const int64_t *data;
  int64_t at, len;
  int64_t given; /* before those */
  bool has_drawn;
};

static void end(void *place) { tensor_unref(((struct place *)place)->drawn); }

/* Hand the first `len` of these out; the tensor is consumed. */
static ctorch_error *place_fill(const char *function, struct place *self, ctorch_tensor *drawn, int64_t len) {
  const void *data = NULL;
  tensor_unref(self->drawn);
  self->drawn = tensor_take(drawn);
  CTORCH_TRY(error_of(function, ctorch_tensor_const_data(&data, drawn)));
  self->given += self->len;
  self->data = data;
  self->len = len;
  self->at = 0;
  self->has_drawn = true;
  return NULL;
}

static struct sampler *sampler_new(const sampler_class *class, ctorch_generator *generator) {
  struct sampler *self = object_new(&class->object);
  if (self != NULL) {
    self->generator = generator_ref(generator);
  }
  return self;
}

static ctorch_error *give(const char *function, ctorch_sampler **out, struct sampler *self, ctorch_error *error) {
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  return object_give(function, out, self);
}

static ctorch_error *keep_dataset(const char *function, struct sampler *self, ctorch_dataset *dataset) {
  int64_t len = 0;
  CTORCH_TRY(dataset_len(function, dataset, &len));
  self->dataset = object_ref(dataset);
  return NULL;
}

static ctorch_error *samples_len(const char *function, const ctorch_sampler *self, int64_t *out) {
  const struct sampler *sampler = (const struct sampler *)self;
  if (sampler->num_samples < 0) {
    return dataset_len(function, sampler->dataset, out);
  }
  *out = sampler->num_samples;
  return NULL;
}

/* In order --------------------------------------------------------------------------------------------------------- */

static ctorch_error *sequential_next(
    const char *function, struct sampler_cursor *cursor, struct indices *out, bool *more) {
  int64_t len = 0;
  CTORCH_TRY(samples_len(function, cursor->sampler, &len));
  *more = cursor->yielded < len;
  return *more ? indices_add(function, out, cursor->yielded) : NULL;
}

static const sampler_class sequential_class = {
    .object = SAMPLER_OBJECT(struct sampler, finalize),
    .name = "SequentialSampler",
    .len = samples_len,
    .next = sequential_next};

ctorch_error *data_SequentialSampler(
    const char *function, ctorch_sampler **out, const struct data_SequentialSampler_options *options) {
  struct sampler *self = sampler_new(&sequential_class, NULL);
  if (self == NULL) {
    return object_give(function, out, NULL);
  }
  self->num_samples = -1;
  return give(function, out, self, keep_dataset(function, self, options->data_source));
}

/* At random -------------------------------------------------------------------------------------------------------- */

enum { AT_ONCE = 32 }; /* indices that Python draws at once with replacement */

static ctorch_error *permutation(const char *function, ctorch_tensor **out, int64_t n, ctorch_generator *generator) {
  const ctorch_dtype int64 = CTORCH_DTYPE_INT64;
  return error_of(function, ctorch_aten_randperm_generator(out, n, generator, &int64, NULL, NULL, NULL));
}

/* The next indices of a random sampler: how many are still to come is what has not been given. */
static ctorch_error *draw(const char *function, struct sampler_cursor *cursor, struct place *place) {
  const struct sampler *sampler = (const struct sampler *)cursor->sampler;
  const ctorch_dtype int64 = CTORCH_DTYPE_INT64;
  int64_t n = 0, total = 0;
  ctorch_tensor *drawn = NULL;
  CTORCH_TRY(dataset_len(function, sampler->dataset, &n));
  CTORCH_TRY(samples_len(function, cursor->sampler, &total));
  if (!place->has_drawn) {
    CTORCH_TRY(
        sampler->generator == NULL ? cursor_draw_from_own(function, cursor)
                                   : cursor_draw_from(function, cursor, sampler->generator));
  }
  int64_t left = total - place->given - place->len;
  if (sampler->replacement) {
    const int64_t size[] = {left < AT_ONCE ? left : AT_ONCE};
    CTORCH_TRY(error_of(
        function, ctorch_aten_randint_generator(&drawn, n, size, 1, cursor->generator, &int64, NULL, NULL, NULL)));
    return place_fill(function, place, drawn, size[0]);
  }
  if (n == 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "data_source: the dataset has no samples");
  }
  CTORCH_TRY(permutation(function, &drawn, n, cursor->generator));
  return place_fill(function, place, drawn, left < n ? left : n);
}

/* Python ends with a permutation of which it takes what is left, also if that is nothing. */
static ctorch_error *draw_last(const char *function, struct sampler_cursor *cursor, struct place *place) {
  const struct sampler *sampler = (const struct sampler *)cursor->sampler;
  int64_t n = 0;
  ctorch_tensor *drawn = NULL;
  CTORCH_TRY(dataset_len(function, sampler->dataset, &n));
  if (sampler->replacement || place->len != n) {
    return NULL;
  }
  CTORCH_TRY(permutation(function, &drawn, n, cursor->generator));
  return place_fill(function, place, drawn, 0);
}

static ctorch_error *random_next(const char *function, struct sampler_cursor *cursor, struct indices *out, bool *more) {
  struct place *place = cursor->place;
  int64_t total = 0;
  if (place->at == place->len) {
    CTORCH_TRY(samples_len(function, cursor->sampler, &total));
    if (cursor->yielded >= total) {
      return draw_last(function, cursor, place);
    }
    CTORCH_TRY(draw(function, cursor, place));
  }
  *more = true;
  return indices_add(function, out, place->data[place->at++]);
}

static const sampler_class random_class = {
    .object = SAMPLER_OBJECT(struct sampler, finalize),
    .name = "RandomSampler",
    .place_size = sizeof(struct place),
    .len = samples_len,
    .next = random_next,
    .end = end,
    .generator = generator_of};

static ctorch_error *check_num_samples(const char *function, int64_t num_samples) {
  if (num_samples < 1) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "num_samples should be a positive integer value, but got num_samples=%" PRId64,
        num_samples);
  }
  return NULL;
}

ctorch_error *data_RandomSampler(
    const char *function, ctorch_sampler **out, const struct data_RandomSampler_options *options) {
  int64_t num_samples = 0;
  if (options->num_samples != NULL) {
    num_samples = *options->num_samples;
  } else {
    CTORCH_TRY(dataset_len(function, options->data_source, &num_samples));
  }
  CTORCH_TRY(check_num_samples(function, num_samples));
  struct sampler *self = sampler_new(&random_class, options->generator);
  if (self == NULL) {
    return object_give(function, out, NULL);
  }
  self->num_samples = options->num_samples != NULL ? num_samples : -1;
  self->replacement = options->replacement;
  return give(function, out, self, keep_dataset(function, self, options->data_source));
}

/* All at once ------------------------------------------------------------------------------------------------------ */

static ctorch_error *count(const char *function, const ctorch_sampler *self, int64_t *out) {
  (void)function;
  *out = ((const struct sampler *)self)->num_samples;
  return NULL;
}

static ctorch_error *draw_all(const char *function, struct sampler_cursor *cursor, struct place *place) {
  const struct sampler *sampler = (const struct sampler *)cursor->sampler;
  ctorch_tensor *drawn = NULL;
  CTORCH_TRY(cursor_draw_from(function, cursor, sampler->generator));
  if (sampler->weights == NULL) {
    CTORCH_TRY(permutation(function, &drawn, sampler->num_samples, cursor->generator));
  } else {
    CTORCH_TRY(error_of(
        function, ctorch_aten_multinomial(
                      &drawn, sampler->weights, sampler->num_samples, sampler->replacement, cursor->generator)));
  }
  return place_fill(function, place, drawn, sampler->num_samples);
}

static ctorch_error *all_next(const char *function, struct sampler_cursor *cursor, struct indices *out, bool *more) {
  const struct sampler *sampler = (const struct sampler *)cursor->sampler;
  struct place *place = cursor->place;
  if (!place->has_drawn) {
    CTORCH_TRY(draw_all(function, cursor, place));
  }
  if (place->at == place->len) {
    return NULL;
  }
  int64_t index = place->data[place->at++];
  *more = true;
  return indices_add(function, out, sampler->indices != NULL ? sampler->indices[index] : index);
}

static const sampler_class subset_class = {
    .object = SAMPLER_OBJECT(struct sampler, finalize),
    .name = "SubsetRandomSampler",
    .place_size = sizeof(struct place),
    .len = count,
    .next = all_next,
    .end = end,
    .generator = generator_of};

ctorch_error *data_SubsetRandomSampler(
    const char *function, ctorch_sampler **out, const struct data_SubsetRandomSampler_options *options) {
  struct sampler *self = sampler_new(&subset_class, options->generator);
  if (self == NULL) {
    return object_give(function, out, NULL);
  }
  size_t size = options->indices_len * sizeof(*options->indices);
  self->indices = malloc(size > 0 ? size : 1);
  if (self->indices == NULL) {
    return give(function, out, self, error_memory(function, size));
  }
  if (size > 0) {
    memcpy(self->indices, options->indices, size);
  }
  self->num_samples = (int64_t)options->indices_len;
  return object_give(function, out, self);
}

static const sampler_class weighted_class = {
    .object = SAMPLER_OBJECT(struct sampler, finalize),
    .name = "WeightedRandomSampler",
    .place_size = sizeof(struct place),
    .len = count,
    .next = all_next,
    .end = end,
    .generator = generator_of};

/* Of weights that are given up. */
static ctorch_error *weighted(
    const char *function,
    ctorch_sampler **out,
    ctorch_tensor *weights,
    int64_t num_samples,
    bool replacement,
    ctorch_generator *generator) {
  struct sampler *self = sampler_new(&weighted_class, generator);
  if (self != NULL) {
    self->weights = tensor_ref(weights);
    self->num_samples = num_samples;
    self->replacement = replacement;
  }
  ctorch_tensor_release(weights);
  return object_give(function, out, self);
}

ctorch_error *data_WeightedRandomSampler(
    const char *function, ctorch_sampler **out, const struct data_WeightedRandomSampler_options *options) {
  ctorch_tensor *weights = NULL;
  const int64_t sizes[] = {(int64_t)options->weights_len};
  CTORCH_TRY(check_num_samples(function, options->num_samples));
  CTORCH_TRY(error_of(
      function,
      ctorch_tensor_from_data(
          &weights, options->weights, options->weights_len * sizeof(double), sizes, 1, CTORCH_DTYPE_FLOAT64)));
  return weighted(function, out, weights, options->num_samples, options->replacement, options->generator);
}

ctorch_error *data_WeightedRandomSampler_tensor(
    const char *function, ctorch_sampler **out, const struct data_WeightedRandomSampler_tensor_options *options) {
  ctorch_tensor *weights = NULL;
  CTORCH_TRY(check_num_samples(function, options->num_samples));
  if (ctorch_tensor_ndim(options->weights) != 1) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "weights should be a 1d sequence but given weights have %" PRId64 " dimensions",
        ctorch_tensor_ndim(options->weights));
  }
  CTORCH_TRY(error_of(
      function,
      ctorch_tensor_to(&weights, options->weights, &(ctorch_dtype){CTORCH_DTYPE_FLOAT64}, NULL, false, false, NULL)));
  return weighted(function, out, weights, options->num_samples, options->replacement, options->generator);
}
