/* Arrays that grow by one entry at a time. */
#include "array.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"

ctorch_error *array_grow(const char *function, void *array, size_t len, size_t size) {
  void *data = NULL;
  memcpy(&data, array, sizeof data);
  if ((len & (len - 1)) != 0) {
    return NULL;
  }
  size_t bytes = (len == 0 ? 1 : 2 * len) * size;
  data = realloc(data, bytes);
  if (data == NULL) {
    return error_memory(function, bytes);
  }
  memcpy(array, &data, sizeof data);
  return NULL;
}

void *array_new(size_t len, size_t size) {
  size_t capacity = 1;
  while (capacity < len) {
    capacity *= 2;
  }
  return calloc(capacity, size);
}
