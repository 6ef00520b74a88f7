/* Values in files of torch.save: those that are written at once, and the beginnings of all others. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "pt/save.h"

static void save_int(struct pt_save *self, const ctorch_value *value) {
  struct pickle *pickle = &self->pickle;
  int64_t number = 0;
  ctorch_error *error = ctorch_value_to_int(&number, value);
  if (ctorch_error_kind_of(error) != CTORCH_ERROR_VALUE) {
    pickle_fail(pickle, error);
    pickle_int(pickle, number);
    return;
  }
  ctorch_error_release(error);
  ctorch_value *bytes = NULL;
  pickle_fail(pickle, ctorch_value_to_int_bytes(&bytes, value));
  size_t len = ctorch_value_len(bytes);
  unsigned char *data = bytes == NULL ? NULL : malloc(len);
  if (data != NULL) {
    pickle_fail(pickle, ctorch_value_read_bytes(bytes, data, len));
    if (len <= UINT8_MAX || pt_save_may_write(self, "an int of more than 255 bytes")) {
      pickle_long(pickle, data, len);
    }
  } else {
    pickle_fail(pickle, error_memory(pickle->function, len));
  }
  free(data);
  ctorch_value_release(bytes);
}

static void save_string(struct pt_save *self, const ctorch_value *value) {
  const char *data = NULL;
  size_t len = 0;
  ctorch_error *error = ctorch_value_to_string(&data, &len, value);
  pickle_fail(&self->pickle, error);
  if (error == NULL && !pickle_text(&self->pickle, data, len)) {
    pt_save_refuse(self, "a text that is not UTF-8");
  }
}

static void save_complex(struct pt_save *self, const ctorch_value *value) {
  struct pickle *pickle = &self->pickle;
  double real = 0, imaginary = 0;
  pickle_fail(pickle, ctorch_value_to_complex(&real, &imaginary, value));
  pickle_global(pickle, "builtins", "complex");
  pickle_float(pickle, real);
  pickle_float(pickle, imaginary);
  pickle_tuple(pickle, 2);
  pickle_op(pickle, OP_REDUCE);
  pickle_number(pickle);
}

static void save_device(struct pt_save *self, const ctorch_device *device) {
  struct pickle *pickle = &self->pickle;
  pickle_global(pickle, "torch", "device");
  pickle_new_text(pickle, ctorch_device_type_name(device->type), NULL);
  if (device->index >= 0) {
    pickle_int(pickle, device->index);
  }
  pickle_tuple(pickle, device->index >= 0 ? 2 : 1);
  pickle_op(pickle, OP_REDUCE);
  pickle_number(pickle);
}

/* Python has bytes as a text of the same characters; none at all, which weights_only=True does not take so, as
 * nothing. */
static void save_bytes(struct pt_save *self, const ctorch_value *value, const void *identity) {
  struct pickle *pickle = &self->pickle;
  size_t len = ctorch_value_len(value);
  if (len == 0 && (self->flags & CTORCH_SAVE_ANY) != 0) {
    pickle_global(pickle, "builtins", "bytes");
    pickle_op(pickle, OP_EMPTY_TUPLE);
  } else {
    unsigned char *data = malloc(len == 0 ? 1 : len);
    if (data == NULL) {
      pickle_fail(pickle, error_memory(pickle->function, len));
      return;
    }
    pickle_fail(pickle, ctorch_value_read_bytes(value, data, len));
    pickle_global(pickle, "_codecs", "encode");
    pickle_latin1(pickle, data, len);
    free(data);
    pickle_word(pickle, "latin1");
    pickle_tuple(pickle, 2);
  }
  pickle_op(pickle, OP_REDUCE);
  pickle_remember(pickle, identity);
}

static void save_memory_format(struct pt_save *self, const ctorch_value *value) {
  static const char *const names[] = {
      [CTORCH_MEMORY_FORMAT_CONTIGUOUS] = "contiguous_format",
      [CTORCH_MEMORY_FORMAT_PRESERVE] = "preserve_format",
      [CTORCH_MEMORY_FORMAT_CHANNELS_LAST] = "channels_last",
      [CTORCH_MEMORY_FORMAT_CHANNELS_LAST_3D] = "channels_last_3d"};
  ctorch_memory_format format = 0;
  pickle_fail(&self->pickle, ctorch_value_to_memory_format(&format, value));
  if (pt_save_may_write(self, "memory formats")) {
    pickle_global(&self->pickle, "torch", names[format]);
  }
}

static void save_generator(struct pt_save *self, const ctorch_value *value, const void *identity) {
  struct pickle *pickle = &self->pickle;
  ctorch_generator *generator = NULL;
  ctorch_tensor *state = NULL;
  ctorch_device device = {0};
  uint64_t seed = 0, offset = 0;
  if (!pt_save_may_write(self, "generators")) {
    return;
  }
  pickle_fail(pickle, ctorch_value_to_generator(&generator, value));
  if (generator != NULL) {
    pickle_fail(pickle, ctorch_generator_device(&device, generator));
    pickle_fail(pickle, ctorch_generator_initial_seed(&seed, generator));
    pickle_fail(pickle, ctorch_generator_get_state(&state, generator));
    if (device.type != CTORCH_DEVICE_TYPE_CPU) {
      pickle_fail(pickle, ctorch_generator_get_offset(&offset, generator));
    }
  }
  pickle_global(pickle, "torch._C", "Generator");
  save_device(self, &device);
  pickle_tuple(pickle, 1);
  pickle_op(pickle, OP_REDUCE);
  pickle_remember(pickle, identity);
  pickle_unsigned(pickle, seed);
  if (device.type != CTORCH_DEVICE_TYPE_CPU) {
    pickle_unsigned(pickle, offset);
  } else {
    pickle_op(pickle, OP_NONE);
  }
  if (state != NULL) {
    pt_save_tensor(self, state, false);
    pickle_number(pickle);
  }
  pickle_tuple(pickle, 3);
  pickle_op(pickle, OP_BUILD);
  ctorch_tensor_release(state);
  ctorch_generator_release(generator);
}

static void save_tensor(struct pt_save *self, const ctorch_value *value, const void *identity) {
  ctorch_tensor *tensor = NULL;
  pickle_fail(&self->pickle, ctorch_value_to_tensor(&tensor, value));
  if (tensor != NULL) {
    const char *class = ctorch_value_python_name(value);
    if (class != NULL && strcmp(class, "Parameter") == 0) {
      pt_save_parameter(self, tensor, identity);
    } else {
      pt_save_tensor(self, tensor, ctorch_tensor_requires_grad(tensor));
      pickle_remember(&self->pickle, identity);
    }
    ctorch_tensor_release(tensor);
  }
}

static void save_enumerator(struct pt_save *self, const ctorch_value *value, ctorch_value_kind kind) {
  struct pickle *pickle = &self->pickle;
  if (kind == CTORCH_VALUE_DTYPE) {
    ctorch_dtype dtype = 0;
    pickle_fail(pickle, ctorch_value_to_dtype(&dtype, value));
    pickle_global(pickle, "torch", ctorch_dtype_name(dtype));
  } else if (kind == CTORCH_VALUE_LAYOUT) {
    ctorch_layout layout = 0;
    pickle_fail(pickle, ctorch_value_to_layout(&layout, value));
    pt_save_layout(self, layout);
  } else if (kind == CTORCH_VALUE_DEVICE) {
    ctorch_device device = {0};
    pickle_fail(pickle, ctorch_value_to_device(&device, value));
    save_device(self, &device);
  } else {
    save_memory_format(self, value);
  }
}

/* What is written at once. False for a container. */
static bool save_scalar(struct pt_save *self, const ctorch_value *value, const void *identity) {
  struct pickle *pickle = &self->pickle;
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  switch (kind) {
    case CTORCH_VALUE_NONE:
      pickle_op(pickle, OP_NONE);
      return true;
    case CTORCH_VALUE_TENSOR:
      save_tensor(self, value, identity);
      return true;
    case CTORCH_VALUE_INT:
      save_int(self, value);
      return true;
    case CTORCH_VALUE_DOUBLE: {
      double number = 0;
      pickle_fail(pickle, ctorch_value_to_double(&number, value));
      pickle_float(pickle, number);
      return true;
    }
    case CTORCH_VALUE_BOOL: {
      bool truth = false;
      pickle_fail(pickle, ctorch_value_to_bool(&truth, value));
      pickle_bool(pickle, truth);
      return true;
    }
    case CTORCH_VALUE_COMPLEX:
      save_complex(self, value);
      return true;
    case CTORCH_VALUE_STRING:
      save_string(self, value);
      return true;
    case CTORCH_VALUE_BYTES:
      save_bytes(self, value, identity);
      return true;
    case CTORCH_VALUE_DEVICE:
    case CTORCH_VALUE_DTYPE:
    case CTORCH_VALUE_LAYOUT:
    case CTORCH_VALUE_MEMORY_FORMAT:
      save_enumerator(self, value, kind);
      return true;
    case CTORCH_VALUE_GENERATOR:
      save_generator(self, value, identity);
      return true;
    case CTORCH_VALUE_STORAGE: {
      ctorch_storage *storage = NULL;
      pickle_fail(pickle, ctorch_value_to_storage(&storage, value));
      if (storage != NULL) {
        pt_save_storage(self, storage);
        ctorch_storage_release(storage);
      }
      return true;
    }
    case CTORCH_VALUE_LIST:
    case CTORCH_VALUE_TUPLE:
    case CTORCH_VALUE_DICT:
    case CTORCH_VALUE_SET:
    case CTORCH_VALUE_PYTHON_OBJECT:
      return false;
    default:
      pt_save_refuse(self, "a %s", ctorch_value_kind_name(kind));
      return true;
  }
}

/* Keep a value as long as its address is known; consumed. False, after an error, if there is no memory for that. */
static bool keep(struct pt_save *self, ctorch_value *value) {
  ctorch_error *error = array_grow(self->pickle.function, &self->kept, self->kept_len, sizeof *self->kept);
  if (error != NULL) {
    pickle_fail(&self->pickle, error);
    ctorch_value_release(value);
    return false;
  }
  self->kept[self->kept_len++] = value;
  return true;
}

/* Write a value that is no container, or begin one; consumed. NULL, after an error, is allowed. */
static void begin(struct pt_save *self, ctorch_value *value) {
  struct pickle *pickle = &self->pickle;
  const void *identity = value_identity(value);
  if (pickle->error != NULL || (identity != NULL && pickle_recall(pickle, identity))) {
    ctorch_value_release(value);
    return;
  }
  if (identity == NULL) {
    if (!save_scalar(self, value, NULL)) {
      pt_save_begin_object(self, value); /* a class itself */
    }
    ctorch_value_release(value);
    return;
  }
  if (!keep(self, value) || save_scalar(self, value, identity)) {
    return;
  }
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  if (kind == CTORCH_VALUE_PYTHON_OBJECT) {
    pt_save_begin_object(self, value);
  } else if (kind == CTORCH_VALUE_SET) {
    pt_save_begin_set(self, value, identity);
  } else if (kind == CTORCH_VALUE_TUPLE && ctorch_value_len(value) == 0) {
    pickle_op(pickle, OP_EMPTY_TUPLE);
  } else if (kind == CTORCH_VALUE_TUPLE) {
    pt_save_begin_tuple(self, value, identity);
  } else {
    pickle_op(pickle, kind == CTORCH_VALUE_LIST ? OP_EMPTY_LIST : OP_EMPTY_DICT);
    pickle_remember(pickle, identity);
    pt_save_begin_entries(self, value, false);
  }
}

void pt_save_value(struct pt_save *self, const ctorch_value *value) {
  self->begin = begin;
  pickler_begin(&self->pickle);
  ctorch_value_retain(value);
  begin(self, (ctorch_value *)value);
  pt_save_go_on(self);
  pickler_end(&self->pickle);
}
