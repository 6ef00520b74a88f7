/* What parametrizations computed, kept for a while. */
#include "module/parametrize_cached.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/walk.h"

struct cached {
  const ctorch_module *module; /* a reference, so that no other one gets its address */
  char *name;
  ctorch_tensor *tensor;
};

/* Of a thread, which has one between its first push and its last pop. */
struct cache {
  size_t depth, len;
  struct cached *data;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static void cache_free(void *cache) {
  struct cache *self = cache;
  for (size_t i = 0; i < self->len; i++) {
    object_unref((void *)self->data[i].module);
    free(self->data[i].name);
    tensor_unref(self->data[i].tensor);
  }
  free(self->data);
  free(self);
}

static void make_key(void) { has_key = pthread_key_create(&key, cache_free) == 0; }

static struct cache *of_this_thread(void) {
  pthread_once(&once, make_key);
  return has_key ? pthread_getspecific(key) : NULL;
}

bool parametrize_cached_find(ctorch_tensor **out, const ctorch_module *module, const char *name) {
  const struct cache *self = of_this_thread();
  for (size_t i = 0; self != NULL && i < self->len; i++) {
    if (self->data[i].module == module && strcmp(self->data[i].name, name) == 0) {
      *out = self->data[i].tensor;
    }
  }
  return self != NULL;
}

ctorch_error *parametrize_cached_add(
    const char *function, const ctorch_module *module, const char *name, const ctorch_tensor *tensor) {
  struct cache *self = of_this_thread();
  if (self == NULL) { /* whatever computed it ended the last scope */
    return NULL;
  }
  CTORCH_TRY(array_grow(function, &self->data, self->len, sizeof *self->data));
  char *own = module_join(name, "");
  if (own == NULL) {
    return error_memory(function, strlen(name) + 1);
  }
  self->data[self->len++] = (struct cached){object_ref(module), own, tensor_ref(tensor)};
  return NULL;
}

ctorch_error *ctorch_module_cached_push(void) {
  CTORCH_TRY(error_refusal(__func__));
  struct cache *self = of_this_thread();
  if (self == NULL) {
    self = calloc(1, sizeof *self);
    if (self == NULL || !has_key || pthread_setspecific(key, self) != 0) {
      free(self);
      return error_memory(__func__, sizeof *self);
    }
  }
  self->depth++;
  return NULL;
}

ctorch_error *ctorch_module_cached_pop(void) {
  CTORCH_TRY(error_refusal(__func__));
  struct cache *self = of_this_thread();
  if (self == NULL) {
    return error_make(__func__, CTORCH_ERROR_RUNTIME, "nothing was pushed on this thread");
  }
  if (--self->depth == 0) {
    pthread_setspecific(key, NULL);
    cache_free(self);
  }
  return NULL;
}
