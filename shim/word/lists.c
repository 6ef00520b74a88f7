/** Lists of integers, doubles, Scalars, devices, texts, tensors and values. */
#include "word/lists.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "word/objects.h"

static size_t entry_size(uint32_t kind) {
  switch (kind) {
    case RT_CTORCH_KIND_TEXT:
      return 1;
    case RT_CTORCH_KIND_SCALARS:
      return sizeof(ctorch_scalar);
    case RT_CTORCH_KIND_DEVICES:
      return sizeof(ctorch_device);
    default:
      return 8;  // int64_t, double, pointers
  }
}

void word_texts_destroy(void *object) {
  const word_buffer *texts = object;
  for (size_t i = 0; i < texts->len; i++) {
    free(((char **)texts->data)[i]);
  }
  word_buffer_free(object);
}

void word_tensors_destroy(void *object) {
  const word_buffer *tensors = object;
  for (size_t i = 0; i < tensors->len; i++) {
    ctorch_tensor_release(((ctorch_tensor **)tensors->data)[i]);
  }
  word_buffer_free(object);
}

void word_values_destroy(void *object) {
  const word_buffer *values = object;
  for (size_t i = 0; i < values->len; i++) {
    ctorch_value_release(((ctorch_value **)values->data)[i]);
  }
  word_buffer_free(object);
}

/* Changing and reading */

bool word_append(word_call *call, const char *name, int64_t list, uint32_t kind, const void *entries, size_t count) {
  word_buffer *buffer = word_handle(call, name, list, kind);
  if (buffer == NULL) {
    return false;
  }
  if (!word_change(call, name, list)) {
    return false;
  }
  bool fits = word_buffer_append(buffer, entries, count, entry_size(kind));
  word_handle_share(list);
  if (!fits) {
    word_fail_memory(call);
  }
  return fits;
}

size_t word_index(word_call *call, int64_t index, size_t len) {
  if (index < 0 || (uint64_t)index >= len) {
    word_fail(call, CTORCH_ERROR_INDEX, "index: %" PRId64 " is not between 0 and %zu", index, len);
    return 0;
  }
  return (size_t)index;
}

int64_t word_from_entries(word_call *call, uint32_t kind, const void *entries, size_t count) {
  word_buffer *list = call->error == NULL ? word_buffer_new() : NULL;
  if (list != NULL && word_buffer_append(list, entries, count, entry_size(kind))) {
    return word_from_handle(call, kind, list);
  }
  if (list != NULL) {
    word_buffer_free(list);
  }
  word_fail_memory(call);
  return 0;
}

int64_t word_from_ints(word_call *call, const int64_t *values, size_t len) {
  return values == NULL && len > 0 ? 0 : word_from_entries(call, RT_CTORCH_KIND_INTS, values, len);
}

int64_t word_from_tensors(word_call *call, const ctorch_tensor *const *tensors, size_t len) {
  if (call->error != NULL || (tensors == NULL && len > 0)) {
    return 0;
  }
  for (size_t i = 0; i < len; i++) {
    ctorch_tensor_retain(tensors[i]);
  }
  int64_t list = word_from_entries(call, RT_CTORCH_KIND_TENSORS, tensors, len);
  for (size_t i = 0; i < len && list == 0; i++) {
    ctorch_tensor_release((ctorch_tensor *)tensors[i]);
  }
  return list;
}

static int64_t new_list(const char *function, uint32_t kind) {
  word_call call = word_begin(function);
  return word_end_new(&call, word_from_entries(&call, kind, NULL, 0));
}

static int64_t length(const char *function, int64_t list, uint32_t kind) {
  word_call call = word_begin(function);
  const word_buffer *buffer = word_handle(&call, "list", list, kind);
  return word_end(&call, buffer == NULL ? 0 : (int64_t)buffer->len);
}

const void *word_entry(word_call *call, int64_t list, uint32_t kind, int64_t index) {
  const word_buffer *buffer = word_handle(call, "list", list, kind);
  if (buffer == NULL) {
    return NULL;
  }
  size_t at = word_index(call, index, buffer->len);
  return call->error == NULL ? (const char *)buffer->data + at * entry_size(kind) : NULL;
}

/* Arguments */

word_list word_entries(word_call *call, const char *name, int64_t word, uint32_t kind) {
  const word_buffer *buffer = word_handle(call, name, word, kind | WORD_OPTIONAL);
  return buffer == NULL ? (word_list){NULL, 0} : (word_list){buffer->data, buffer->len};
}

/** The tensors of a TENSORS or a TENSOR_LIST. */
static word_list read_tensors(word_call *call, const char *name, int64_t word) {
  uint32_t kind;
  const void *object = word_any(call, name, word, &kind);
  if (kind == RT_CTORCH_KIND_TENSOR_LIST) {
    return (word_list){ctorch_tensor_list_data(object), ctorch_tensor_list_len(object)};
  }
  if (kind == RT_CTORCH_KIND_TENSORS) {
    return (word_list){((const word_buffer *)object)->data, ((const word_buffer *)object)->len};
  }
  word_fail_kind(call, name, RT_CTORCH_KIND_TENSORS, kind);
  return (word_list){NULL, 0};
}

word_list word_tensors(word_call *call, const char *name, int64_t word) {
  return word == 0 ? (word_list){NULL, 0} : read_tensors(call, name, word);
}

/** The entries one by one as another type, in memory of the call. */
static word_list converted(
    word_call *call,
    const char *name,
    int64_t word,
    size_t size,
    void (*convert)(word_call *, const char *, int64_t, void *)) {
  word_list ints = word_entries(call, name, word, RT_CTORCH_KIND_INTS);
  if (ints.data == NULL || ints.len > SIZE_MAX / size) {
    return (word_list){NULL, 0};
  }
  char *room = word_memory(call, ints.len * size);
  for (size_t i = 0; i < ints.len && call->error == NULL; i++) {
    convert(call, name, ((const int64_t *)ints.data)[i], room + i * size);
  }
  return (word_list){room, ints.len};
}

static void to_int32(word_call *call, const char *name, int64_t value, void *room) {
  *(int32_t *)room = word_int32(call, name, value);
}

static void to_bool(word_call *call, const char *name, int64_t value, void *room) {
  *(bool *)room = word_flag(call, name, value);
}

word_list word_int32s(word_call *call, const char *name, int64_t word) {
  return converted(call, name, word, sizeof(int32_t), to_int32);
}

word_list word_bools(word_call *call, const char *name, int64_t word) {
  return converted(call, name, word, sizeof(bool), to_bool);
}

word_list word_handles(word_call *call, const char *name, int64_t word, uint32_t kind) {
  word_list ints = word_entries(call, name, word, RT_CTORCH_KIND_INTS);
  if (ints.data == NULL || ints.len > SIZE_MAX / sizeof(void *)) {
    return (word_list){NULL, 0};
  }
  void **room = word_memory(call, ints.len * sizeof *room);
  for (size_t i = 0; i < ints.len && call->error == NULL; i++) {
    room[i] = word_handle(call, name, ((const int64_t *)ints.data)[i], kind);
  }
  return (word_list){room, ints.len};
}

/* Integers */

int64_t rt_ctorch_ints_new(void) { return new_list("rt_ctorch_ints_new", RT_CTORCH_KIND_INTS); }

int64_t rt_ctorch_ints_push(int64_t list, int64_t item) {
  word_call call = word_begin("rt_ctorch_ints_push");
  word_append(&call, "list", list, RT_CTORCH_KIND_INTS, &item, 1);
  return word_end_done(&call);
}

int64_t rt_ctorch_ints_push_number(int64_t list, int64_t item) {
  word_call call = word_begin("rt_ctorch_ints_push_number");
  int64_t value = 0;
  if (word_optional_int64(&call, "item", item, &value) == NULL) {
    word_fail(&call, CTORCH_ERROR_INVALID_HANDLE, "item: 0 is no number word");
  }
  word_append(&call, "list", list, RT_CTORCH_KIND_INTS, &value, 1);
  return word_end_done(&call);
}

int64_t rt_ctorch_ints_len(int64_t list) { return length("rt_ctorch_ints_len", list, RT_CTORCH_KIND_INTS); }

int64_t rt_ctorch_ints_get(int64_t list, int64_t index) {
  word_call call = word_begin("rt_ctorch_ints_get");
  const int64_t *entry = word_entry(&call, list, RT_CTORCH_KIND_INTS, index);
  return word_end_new(&call, entry == NULL ? 0 : word_from_int(&call, *entry));
}

int64_t rt_ctorch_ints_of(int64_t count, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g) {
  word_call call = word_begin("rt_ctorch_ints_of");
  size_t len = (size_t)word_unsigned(&call, "count", count, 7);
  const int64_t entries[] = {a, b, c, d, e, f, g};
  return word_end_new(&call, call.error == NULL ? word_from_ints(&call, entries, len) : 0);
}

/** A list of the 8-byte entries whose memory a text holds. */
static int64_t from_text(const char *function, int64_t bytes, uint32_t kind) {
  word_call call = word_begin(function);
  word_list memory = word_bytes(&call, "bytes", bytes, false);
  if (memory.len % 8 != 0) {
    word_fail(&call, CTORCH_ERROR_INVALID_ARGUMENT, "bytes: %zu bytes are no multiple of 8", memory.len);
  }
  return word_end_new(&call, call.error == NULL ? word_from_entries(&call, kind, memory.data, memory.len / 8) : 0);
}

int64_t rt_ctorch_ints_from_text(int64_t bytes) {
  return from_text("rt_ctorch_ints_from_text", bytes, RT_CTORCH_KIND_INTS);
}

/* Doubles */

int64_t rt_ctorch_doubles_new(void) { return new_list("rt_ctorch_doubles_new", RT_CTORCH_KIND_DOUBLES); }

int64_t rt_ctorch_doubles_push(int64_t list, int64_t item) {
  word_call call = word_begin("rt_ctorch_doubles_push");
  double value = word_double(&call, "item", item);
  word_append(&call, "list", list, RT_CTORCH_KIND_DOUBLES, &value, 1);
  return word_end_done(&call);
}

int64_t rt_ctorch_doubles_len(int64_t list) { return length("rt_ctorch_doubles_len", list, RT_CTORCH_KIND_DOUBLES); }

int64_t rt_ctorch_doubles_get(int64_t list, int64_t index) {
  word_call call = word_begin("rt_ctorch_doubles_get");
  const double *entry = word_entry(&call, list, RT_CTORCH_KIND_DOUBLES, index);
  return word_end_new(&call, entry == NULL ? 0 : word_from_double(&call, *entry));
}

int64_t rt_ctorch_doubles_from_text(int64_t bytes) {
  return from_text("rt_ctorch_doubles_from_text", bytes, RT_CTORCH_KIND_DOUBLES);
}

/* Scalars */

int64_t rt_ctorch_scalars_new(void) { return new_list("rt_ctorch_scalars_new", RT_CTORCH_KIND_SCALARS); }

int64_t rt_ctorch_scalars_push(int64_t list, int64_t item) {
  word_call call = word_begin("rt_ctorch_scalars_push");
  ctorch_scalar value;
  (void)word_scalar(&call, "item", item, false, &value);
  word_append(&call, "list", list, RT_CTORCH_KIND_SCALARS, &value, 1);
  return word_end_done(&call);
}

int64_t rt_ctorch_scalars_len(int64_t list) { return length("rt_ctorch_scalars_len", list, RT_CTORCH_KIND_SCALARS); }

int64_t rt_ctorch_scalars_get(int64_t list, int64_t index) {
  word_call call = word_begin("rt_ctorch_scalars_get");
  const ctorch_scalar *entry = word_entry(&call, list, RT_CTORCH_KIND_SCALARS, index);
  return word_end_new(&call, entry == NULL ? 0 : word_from_scalar(&call, entry));
}

/* Devices */

int64_t rt_ctorch_devices_new(void) { return new_list("rt_ctorch_devices_new", RT_CTORCH_KIND_DEVICES); }

int64_t rt_ctorch_devices_push(int64_t list, int64_t item) {
  word_call call = word_begin("rt_ctorch_devices_push");
  ctorch_device device;
  (void)word_device(&call, "item", item, false, &device);
  word_append(&call, "list", list, RT_CTORCH_KIND_DEVICES, &device, 1);
  return word_end_done(&call);
}

int64_t rt_ctorch_devices_len(int64_t list) { return length("rt_ctorch_devices_len", list, RT_CTORCH_KIND_DEVICES); }

int64_t rt_ctorch_devices_get(int64_t list, int64_t index) {
  word_call call = word_begin("rt_ctorch_devices_get");
  const ctorch_device *entry = word_entry(&call, list, RT_CTORCH_KIND_DEVICES, index);
  return word_end(&call, entry == NULL ? 0 : word_from_device(&call, entry));
}

/* Texts */

int64_t rt_ctorch_texts_new(void) { return new_list("rt_ctorch_texts_new", RT_CTORCH_KIND_TEXTS); }

int64_t rt_ctorch_texts_push(int64_t list, int64_t item) {
  word_call call = word_begin("rt_ctorch_texts_push");
  const char *text = word_text(&call, "item", item, false);
  char *copy = call.error == NULL ? strdup(text) : NULL;
  if (copy == NULL) {
    word_fail_memory(&call);
  }
  if (!word_append(&call, "list", list, RT_CTORCH_KIND_TEXTS, &copy, 1)) {
    free(copy);
  }
  return word_end_done(&call);
}

int64_t rt_ctorch_texts_len(int64_t list) { return length("rt_ctorch_texts_len", list, RT_CTORCH_KIND_TEXTS); }

int64_t rt_ctorch_texts_get(int64_t list, int64_t index) {
  word_call call = word_begin("rt_ctorch_texts_get");
  char *const *entry = word_entry(&call, list, RT_CTORCH_KIND_TEXTS, index);
  return word_end_new(&call, entry == NULL ? 0 : word_from_text(&call, *entry));
}

/* Tensors */

int64_t rt_ctorch_tensors_new(void) { return new_list("rt_ctorch_tensors_new", RT_CTORCH_KIND_TENSORS); }

int64_t rt_ctorch_tensors_push(int64_t list, int64_t item) {
  word_call call = word_begin("rt_ctorch_tensors_push");
  ctorch_tensor *tensor = word_handle(&call, "item", item, RT_CTORCH_KIND_TENSOR | WORD_OPTIONAL);
  ctorch_tensor_retain(tensor);
  if (!word_append(&call, "list", list, RT_CTORCH_KIND_TENSORS, &tensor, 1)) {
    ctorch_tensor_release(tensor);
  }
  return word_end_done(&call);
}

int64_t rt_ctorch_tensors_len(int64_t list) {
  word_call call = word_begin("rt_ctorch_tensors_len");
  return word_end(&call, (int64_t)read_tensors(&call, "list", list).len);
}

int64_t rt_ctorch_tensors_get(int64_t list, int64_t index) {
  word_call call = word_begin("rt_ctorch_tensors_get");
  word_list tensors = read_tensors(&call, "list", list);
  size_t at = word_index(&call, index, tensors.len);
  ctorch_tensor *tensor = call.error == NULL ? ((ctorch_tensor *const *)tensors.data)[at] : NULL;
  ctorch_tensor_retain(tensor);
  return word_end_new(&call, word_from_handle(&call, RT_CTORCH_KIND_TENSOR, tensor));
}

int64_t rt_ctorch_tensors_of(
    int64_t count, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g) {
  word_call call = word_begin("rt_ctorch_tensors_of");
  size_t len = (size_t)word_unsigned(&call, "count", count, 7);
  const int64_t words[] = {a, b, c, d, e, f, g};
  const char *const names[] = {"a", "b", "c", "d", "e", "f", "g"};
  const ctorch_tensor *tensors[7];
  for (size_t i = 0; i < len; i++) {
    tensors[i] = word_handle(&call, names[i], words[i], RT_CTORCH_KIND_TENSOR | WORD_OPTIONAL);
  }
  return word_end_new(&call, word_from_tensors(&call, tensors, len));
}

/* Values */

int64_t rt_ctorch_values_new(void) { return new_list("rt_ctorch_values_new", RT_CTORCH_KIND_VALUES); }

int64_t rt_ctorch_values_push(int64_t list, int64_t item) {
  word_call call = word_begin("rt_ctorch_values_push");
  ctorch_value *value = word_handle(&call, "item", item, RT_CTORCH_KIND_VALUE | WORD_OPTIONAL);
  ctorch_value_retain(value);
  if (!word_append(&call, "list", list, RT_CTORCH_KIND_VALUES, &value, 1)) {
    ctorch_value_release(value);
  }
  return word_end_done(&call);
}

int64_t rt_ctorch_values_len(int64_t list) { return length("rt_ctorch_values_len", list, RT_CTORCH_KIND_VALUES); }

int64_t rt_ctorch_values_get(int64_t list, int64_t index) {
  word_call call = word_begin("rt_ctorch_values_get");
  ctorch_value *const *entry = word_entry(&call, list, RT_CTORCH_KIND_VALUES, index);
  ctorch_value *value = entry == NULL ? NULL : *entry;
  ctorch_value_retain(value);
  return word_end_new(&call, word_from_handle(&call, RT_CTORCH_KIND_VALUE, value));
}
