/* The summary of a model: a dry run between hooks that note what each module gives, and a table of it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/hooks.h"
#include "module/walk.h"
#include "nn_utils/flops.h"

/* What is known of a module; numbers are its own until add_inner. */
struct row {
  const ctorch_named_modules *all;
  size_t index;
  bool was_evaluating;
  ctorch_hook *hook;
  ctorch_value *shape; /* NULL until it was applied */
  int64_t calls, parameters, trainable, bytes, flops;
};

struct summary {
  const char *function;
  ctorch_named_modules *all;
  struct row *rows; /* one for each of `all` */
};

static ctorch_module *module_of(const struct row *row) { return row->all->data[row->index].module; }
static const char *name_of(const struct row *row) { return row->all->data[row->index].name; }

/* The dry run. */

/* Sizes of a tensor, or those of all in a tuple or list. */
static ctorch_error *shape_of(ctorch_value **out, const ctorch_value *value, int depth) {
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  if (kind == CTORCH_VALUE_TENSOR) {
    ctorch_tensor *tensor = NULL;
    CTORCH_TRY(ctorch_value_to_tensor(&tensor, value));
    ctorch_error *error =
        ctorch_tensor_is_nested(tensor)
            ? ctorch_value_from_none(out)
            : ctorch_value_from_ints(out, ctorch_tensor_sizes(tensor), (size_t)ctorch_tensor_ndim(tensor));
    ctorch_tensor_release(tensor);
    return error;
  }
  size_t len = ctorch_value_len(value);
  if ((kind != CTORCH_VALUE_TUPLE && kind != CTORCH_VALUE_LIST) || depth == 16) {
    return ctorch_value_from_none(out);
  }
  ctorch_value **shapes = calloc(len + 1, sizeof *shapes);
  if (shapes == NULL) {
    return error_memory("", (len + 1) * sizeof *shapes);
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *entry = NULL;
    error = ctorch_value_get(&entry, value, i);
    THEN(error, shape_of(&shapes[i], entry, depth + 1));
    ctorch_value_release(entry);
  }
  THEN(error, ctorch_value_from_tuple(out, (const ctorch_value *const *)shapes, len));
  for (size_t i = 0; i < len; i++) {
    ctorch_value_release(shapes[i]);
  }
  free(shapes);
  return error;
}

static ctorch_callback_status note(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    const ctorch_value *output,
    ctorch_error **error,
    void *payload) {
  struct row *row = payload;
  ctorch_value *shape = NULL;
  int64_t flops = 0;
  (void)out;
  *error = module_flops(&flops, module, args, kwargs, output);
  THEN(*error, shape_of(&shape, output, 0));
  if (*error != NULL) {
    return 0;
  }
  ctorch_value_release(row->shape);
  row->shape = shape;
  row->calls++;
  row->flops = flops_plus(row->flops, flops);
  return CTORCH_CALLBACK_OK;
}

static void set_evaluating(ctorch_module *module, bool evaluating) {
  module->is_evaluating = evaluating;
  if (module_class_of(module)->trained != NULL) {
    module_class_of(module)->trained(module);
  }
}

/* Whether there are parameters, and all are on the device "meta". */
static ctorch_error *is_on_meta(bool *out, const ctorch_module *self) {
  ctorch_tensor_list *parameters = NULL;
  CTORCH_TRY(ctorch_module_parameters(&parameters, self, true));
  size_t len = ctorch_tensor_list_len(parameters);
  ctorch_error *error = NULL;
  *out = len > 0;
  for (size_t i = 0; error == NULL && *out && i < len; i++) {
    ctorch_tensor *parameter = NULL;
    ctorch_device device = {0};
    error = ctorch_tensor_list_get(&parameter, parameters, i);
    THEN(error, ctorch_tensor_device(&device, parameter));
    *out = device.type == CTORCH_DEVICE_TYPE_META;
    ctorch_tensor_release(parameter);
  }
  ctorch_tensor_list_release(parameters);
  return error;
}

/* A value with the tensor that it holds, if it is one, on "meta". */
static ctorch_error *moved(ctorch_value **out, const ctorch_value *value) {
  static const ctorch_device meta = {.type = CTORCH_DEVICE_TYPE_META, .index = -1};
  ctorch_tensor *tensor = NULL, *there = NULL;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_TENSOR) {
    ctorch_value_retain(value);
    *out = (ctorch_value *)value;
    return NULL;
  }
  CTORCH_TRY(ctorch_value_to_tensor(&tensor, value));
  ctorch_error *error = ctorch_tensor_to(&there, tensor, NULL, &meta, false, false, NULL);
  THEN(error, ctorch_value_from_tensor(out, there));
  ctorch_tensor_release(tensor);
  ctorch_tensor_release(there);
  return error;
}

/* A list, or a dict with the keys of another, whose tensors are on "meta"; NULL stays. */
static ctorch_error *move_all(ctorch_value **out, const ctorch_value *from, const ctorch_value *keys) {
  size_t len = ctorch_value_len(from);
  ctorch_value *all = NULL;
  CTORCH_TRY(keys == NULL ? ctorch_value_from_list(&all, NULL, 0) : ctorch_value_from_dict(&all, NULL, 0, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *value = NULL, *there = NULL, *key = NULL;
    error = ctorch_value_get(&value, from, i);
    THEN(error, moved(&there, value));
    if (error == NULL && keys != NULL) {
      error = ctorch_value_get(&key, keys, i);
      THEN(error, ctorch_value_dict_set(all, key, there));
    } else if (error == NULL) {
      error = ctorch_value_list_append(all, there);
    }
    ctorch_value_release(value);
    ctorch_value_release(there);
    ctorch_value_release(key);
  }
  if (error != NULL) {
    ctorch_value_release(all);
    return error;
  }
  *out = all;
  return NULL;
}

static ctorch_error *call_on_meta(
    const char *function,
    ctorch_value **out,
    ctorch_module *self,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  ctorch_value *positional = NULL, *keys = NULL, *values = NULL, *named = NULL;
  ctorch_error *error = args == NULL ? NULL : move_all(&positional, args, NULL);
  if (error == NULL && kwargs != NULL) {
    error = ctorch_value_dict_keys(&keys, kwargs);
    THEN(error, ctorch_value_dict_values(&values, kwargs));
    THEN(error, move_all(&named, values, keys));
  }
  THEN(error, module_call(function, out, self, positional, named));
  ctorch_value_release(positional);
  ctorch_value_release(keys);
  ctorch_value_release(values);
  ctorch_value_release(named);
  return error;
}

/* Apply the model with the hooks, in evaluation mode and without a graph; all of that is undone. */
static ctorch_error *dry_run(
    struct summary *self, ctorch_module *model, const ctorch_value *args, const ctorch_value *kwargs) {
  ctorch_value *output = NULL;
  bool on_meta = false;
  CTORCH_TRY(is_on_meta(&on_meta, model));
  ctorch_error *error = ctorch_grad_mode_push(false);
  bool is_pushed = error == NULL;
  for (size_t i = 0; error == NULL && i < self->all->len; i++) {
    struct row *row = &self->rows[i];
    error = ctorch_module_register_forward_hook(&row->hook, module_of(row), note, false, false, NULL, row);
  }
  for (size_t i = 0; error == NULL && i < self->all->len; i++) {
    set_evaluating(module_of(&self->rows[i]), true);
  }
  THEN(error, (on_meta ? call_on_meta : module_call)(self->function, &output, model, args, kwargs));
  for (size_t i = 0; i < self->all->len; i++) {
    struct row *row = &self->rows[i];
    if (module_of(row)->is_evaluating != row->was_evaluating) {
      set_evaluating(module_of(row), row->was_evaluating);
    }
    ctorch_hook_remove(row->hook);
    ctorch_hook_release(row->hook);
    row->hook = NULL;
  }
  ctorch_value_release(output);
  return is_pushed ? ctorch_error_first(error, ctorch_grad_mode_pop()) : error;
}

/* Numbers. */

static ctorch_error *add_bytes(int64_t *bytes, ctorch_error *listed, ctorch_tensor_list *tensors) {
  ctorch_error *error = listed;
  for (size_t i = 0; error == NULL && i < ctorch_tensor_list_len(tensors); i++) {
    ctorch_tensor *tensor = NULL;
    error = ctorch_tensor_list_get(&tensor, tensors, i);
    *bytes = flops_plus(*bytes, (int64_t)ctorch_tensor_nbytes(tensor));
    ctorch_tensor_release(tensor);
  }
  ctorch_tensor_list_release(tensors);
  return error;
}

static ctorch_error *count(struct row *row) {
  const ctorch_module *module = module_of(row);
  ctorch_tensor_list *tensors = NULL;
  CTORCH_TRY(ctorch_module_num_parameters(&row->parameters, module, false));
  CTORCH_TRY(ctorch_module_num_parameters(&row->trainable, module, true));
  ctorch_error *listed = ctorch_module_parameters(&tensors, module, true);
  CTORCH_TRY(add_bytes(&row->bytes, listed, tensors));
  tensors = NULL;
  listed = ctorch_module_buffers(&tensors, module, true);
  return add_bytes(&row->bytes, listed, tensors);
}

static bool is_inside(const char *name, const char *outer) {
  size_t len = strlen(outer);
  return len == 0 ? name[0] != '\0' : strncmp(name, outer, len) == 0 && name[len] == '.';
}

/* To the FLOPs of each module those of what is inside it: rows behind it, until one is not. */
static void add_inner(struct summary *self) {
  for (size_t i = 0; i < self->all->len; i++) {
    for (size_t j = i + 1; j < self->all->len && is_inside(name_of(&self->rows[j]), name_of(&self->rows[i])); j++) {
      self->rows[i].flops = flops_plus(self->rows[i].flops, self->rows[j].flops);
    }
  }
}

static void summary_free(struct summary *self) {
  for (size_t i = 0; self->rows != NULL && i < self->all->len; i++) {
    ctorch_value_release(self->rows[i].shape);
  }
  free(self->rows);
  ctorch_named_modules_release(self->all);
}

/* To be freed, also after an error. */
static ctorch_error *summary_make(
    struct summary *self, ctorch_module *model, const ctorch_value *args, const ctorch_value *kwargs) {
  CTORCH_TRY(ctorch_module_named_modules(&self->all, model, NULL, true));
  self->rows = calloc(self->all->len, sizeof *self->rows);
  if (self->rows == NULL) {
    return error_memory(self->function, self->all->len * sizeof *self->rows);
  }
  for (size_t i = 0; i < self->all->len; i++) {
    self->rows[i] = (struct row){.all = self->all, .index = i};
    self->rows[i].was_evaluating = module_of(&self->rows[i])->is_evaluating;
  }
  CTORCH_TRY(dry_run(self, model, args, kwargs));
  for (size_t i = 0; i < self->all->len; i++) {
    CTORCH_TRY(count(&self->rows[i]));
  }
  add_inner(self);
  return NULL;
}

/* What comes of it. */

enum { LAYER, CLASS, SHAPE, PARAMETERS, FLOPS, COLUMNS };

static const char *const titles[COLUMNS] = {"Layer", "Class", "Output shape", "Parameters", "FLOPs"};

/* One cell; NULL is the title. */
static void add_cell(struct text *text, const struct row *row, int column) {
  if (row == NULL) {
    text_add(text, "%s", titles[column]);
  } else if (column == LAYER) {
    text_add(text, "%s", name_of(row));
  } else if (column == CLASS) {
    text_add(text, "%s", module_name(module_of(row)));
  } else if (column == SHAPE && row->shape != NULL) {
    text_value(text, row->shape);
  } else if (column == SHAPE) {
    text_add(text, "-");
  } else {
    text_add(text, "%" PRId64, column == PARAMETERS ? row->parameters : row->flops);
  }
}

/* Names on the left, numbers on the right; no blanks at the end. */
static void add_line(struct text *text, const struct row *row, const size_t *widths) {
  for (int column = 0; column < COLUMNS; column++) {
    struct text cell = {.function = text->function};
    add_cell(&cell, row, column);
    int gap = (int)(widths[column] - cell.len);
    text_add(text, "%s", column > 0 ? "  " : "");
    text_add(text, "%*s", column >= PARAMETERS ? gap : 0, "");
    text_bytes(text, text_data(&cell), cell.len);
    text_add(text, "%*s", column < PARAMETERS ? gap : 0, "");
    text->error = ctorch_error_first(text->error, text_end(&cell));
  }
  text_add(text, "\n");
}

static ctorch_error *table(ctorch_string **out, const struct summary *self) {
  struct text text = {.function = self->function};
  size_t widths[COLUMNS] = {0};
  for (size_t i = 0; i <= self->all->len; i++) {
    for (int column = 0; column < COLUMNS; column++) {
      struct text cell = {.function = self->function};
      add_cell(&cell, i == self->all->len ? NULL : &self->rows[i], column);
      widths[column] = cell.len > widths[column] ? cell.len : widths[column];
      text.error = ctorch_error_first(text.error, text_end(&cell));
    }
  }
  add_line(&text, NULL, widths);
  for (size_t i = 0; i < self->all->len; i++) {
    add_line(&text, &self->rows[i], widths);
  }
  const struct row *model = &self->rows[0];
  text_add(
      &text, "Parameters: %" PRId64 ", %" PRId64 " of them trainable\nFLOPs: %" PRId64 "\nSize: %" PRId64 " bytes\n",
      model->parameters, model->trainable, model->flops, model->bytes);
  ctorch_error *error = text.error == NULL ? string_give(self->function, out, text_data(&text), text.len) : NULL;
  return ctorch_error_first(text_end(&text), error);
}

/* `error` is what came of making the value, which is given up. */
static ctorch_error *put(ctorch_value *dict, const char *key, ctorch_error *error, ctorch_value *value) {
  THEN(error, ctorch_value_dict_put(dict, key, value));
  ctorch_value_release(value);
  return error;
}

static ctorch_error *put_int(ctorch_value *dict, const char *key, int64_t number) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_int(&value, number);
  return put(dict, key, error, value);
}

static ctorch_error *put_text(ctorch_value *dict, const char *key, const char *text) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_string(&value, text);
  return put(dict, key, error, value);
}

static ctorch_error *fill(ctorch_value *dict, const struct row *row) {
  ctorch_value *none = NULL;
  CTORCH_TRY(put_text(dict, "name", name_of(row)));
  CTORCH_TRY(put_text(dict, "class", module_name(module_of(row))));
  CTORCH_TRY(put_int(dict, "calls", row->calls));
  if (row->shape != NULL) {
    CTORCH_TRY(ctorch_value_dict_put(dict, "output_shape", row->shape));
  } else {
    ctorch_error *error = ctorch_value_from_none(&none);
    CTORCH_TRY(put(dict, "output_shape", error, none));
  }
  CTORCH_TRY(put_int(dict, "parameters", row->parameters));
  CTORCH_TRY(put_int(dict, "trainable_parameters", row->trainable));
  CTORCH_TRY(put_int(dict, "bytes", row->bytes));
  return put_int(dict, "flops", row->flops);
}

static ctorch_error *rows_of(ctorch_value **out, const struct summary *self) {
  ctorch_value *list = NULL;
  ctorch_error *error = ctorch_value_from_list(&list, NULL, 0);
  for (size_t i = 0; error == NULL && i < self->all->len; i++) {
    ctorch_value *dict = NULL;
    error = ctorch_value_from_dict(&dict, NULL, 0, NULL, 0);
    THEN(error, fill(dict, &self->rows[i]));
    THEN(error, ctorch_value_list_append(list, dict));
    ctorch_value_release(dict);
  }
  if (error != NULL) {
    ctorch_value_release(list);
    return error;
  }
  *out = list;
  return NULL;
}

static ctorch_error *check(
    const char *function,
    const void *out,
    const ctorch_module *self,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  CTORCH_TRY(error_refusal(function));
  if (out == NULL || self == NULL) {
    return error_null(function, out == NULL ? "out" : "self");
  }
  ctorch_value_kind kind = args == NULL ? CTORCH_VALUE_TUPLE : ctorch_value_kind_of(args);
  if (kind != CTORCH_VALUE_TUPLE && kind != CTORCH_VALUE_LIST) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "args: expected a tuple or list, found %s", ctorch_value_kind_name(kind));
  }
  kind = kwargs == NULL ? CTORCH_VALUE_DICT : ctorch_value_kind_of(kwargs);
  return kind == CTORCH_VALUE_DICT
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_TYPE, "kwargs: expected a dict, found %s", ctorch_value_kind_name(kind));
}

ctorch_error *ctorch_module_summary(
    ctorch_string **out, ctorch_module *self, const ctorch_value *args, const ctorch_value *kwargs) {
  struct summary summary = {.function = __func__};
  CTORCH_TRY(check(__func__, out, self, args, kwargs));
  ctorch_error *error = summary_make(&summary, self, args, kwargs);
  THEN(error, table(out, &summary));
  summary_free(&summary);
  return error;
}

ctorch_error *ctorch_module_summary_rows(
    ctorch_value **out, ctorch_module *self, const ctorch_value *args, const ctorch_value *kwargs) {
  struct summary summary = {.function = __func__};
  CTORCH_TRY(check(__func__, out, self, args, kwargs));
  ctorch_error *error = summary_make(&summary, self, args, kwargs);
  THEN(error, rows_of(out, &summary));
  summary_free(&summary);
  return error;
}
