/* Arrays that grow by one entry at a time. */
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"

ctorch_error *array_grow(const char *function, void *array, size_t len, size_t size) {
  if ((len & (len - 1)) != 0) {
    return NULL;
  }
  size_t bytes = (len == 0 ? 1 : 2 * len) * size;
  void *before = NULL;
  memcpy(&before, array, sizeof before);
  void *after = realloc(before, bytes);
  if (after == NULL) {
    return error_memory(function, bytes);
  }
  memcpy(array, &after, sizeof after);
  return NULL;
}

void *array_new(size_t len, size_t size) {
  size_t capacity = 1;
  while (capacity < len) {
    capacity *= 2;
  }
  return calloc(capacity, size);
}
