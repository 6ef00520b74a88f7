/* The text of modules, as Python prints them. */
#include <stdlib.h>
#include <string.h>

#include "base/callback.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/hooks.h"
#include "module/module.h"
#include "module/repr.h"
#include "module/walk.h"

/* A text with all lines but the first one further in; blank ones stay empty. */
void repr_indented(struct text *text, const char *lines) {
  for (const char *line = lines; *line != '\0';) {
    size_t len = strcspn(line, "\n");
    if (line != lines && strspn(line, " \t") < len) {
      text_add(text, "  ");
    }
    if (line == lines || strspn(line, " \t") < len) {
      text_bytes(text, line, len);
    }
    line += len;
    if (*line == '\n') {
      text_add(text, "\n");
      line++;
    }
  }
}

static void write_children(struct text *text, const ctorch_module *module) {
  for (size_t i = 0; i < module->children.len; i++) {
    const struct module_child *child = &module->children.data[i];
    struct text inner = {.function = text->function};
    if (child->module == NULL) {
      text_add(&inner, "None");
    } else {
      repr_write(&inner, child->module);
    }
    text_add(text, "\n  (%s): ", child->name);
    repr_indented(text, text_data(&inner));
    text->error = ctorch_error_first(text->error, text_end(&inner));
  }
}

void repr_ask(
    struct text *text,
    const char *name,
    const ctorch_module *module,
    ctorch_module_value_callback callback,
    void *payload) {
  ctorch_value *value = NULL;
  ctorch_error *failure = NULL;
  if (text->error != NULL) {
    return;
  }
  ctorch_callback_status status = callback(&value, (ctorch_module *)module, &failure, payload);
  text->error = callback_error(text->function, name, status, failure);
  if (text->error == NULL && value == NULL) {
    text->error =
        error_make(text->function, CTORCH_ERROR_CALLBACK, "the callback %s answered success, but gave no result", name);
  }
  if (text->error == NULL && ctorch_value_kind_of(value) != CTORCH_VALUE_STRING) {
    text->error = error_make(
        text->function, CTORCH_ERROR_TYPE, "the callback %s gave %s, no text", name,
        ctorch_value_kind_name(ctorch_value_kind_of(value)));
  }
  if (text->error == NULL) {
    const char *data = NULL;
    size_t len = 0;
    text->error = ctorch_value_to_string(&data, &len, value);
    if (text->error == NULL) {
      text_bytes(text, data, strlen(data));
    }
  }
  ctorch_value_release(value);
}

/* Whether a callback gave the whole text. */
static bool write_own(struct text *text, const ctorch_module *module) {
  struct module_own *own = module_hooks_repr(module->hooks);
  if (own != NULL) {
    object_ref(own); /* it may put another in its place */
    repr_ask(text, "repr", module, own->text, own->payload);
    object_unref(own);
  }
  return own != NULL;
}

/* What stands between the parentheses. */
static void write_extra(struct text *text, const ctorch_module *module) {
  const module_class *type = module_class_of(module);
  struct module_own *own = module_hooks_extra_repr(module->hooks);
  if (own != NULL) {
    object_ref(own);
    repr_ask(text, "extra_repr", module, own->text, own->payload);
    object_unref(own);
  } else if (type->extra_repr != NULL) {
    type->extra_repr(module, text);
  }
}

static void write_of_class(struct text *text, const ctorch_module *module) {
  const module_class *type = module_class_of(module);
  if (type->children_repr != NULL && type->children_repr(module, text)) {
    return;
  }
  struct text extra = {.function = text->function};
  write_extra(&extra, module);
  const char *line = text_data(&extra);
  text_add(text, "%s(", module_name(module));
  if (module->children.len == 0 && strchr(line, '\n') == NULL) {
    text_add(text, "%s)", line);
  } else {
    while (*line != '\0') {
      size_t len = strcspn(line, "\n");
      text_add(text, "\n  %.*s", (int)len, line);
      line += len + (line[len] == '\n' ? 1 : 0);
    }
    write_children(text, module);
    text_add(text, "\n)");
  }
  text->error = ctorch_error_first(text->error, text_end(&extra));
}

void repr_write(struct text *text, const ctorch_module *module) {
  if (!write_own(text, module)) {
    write_of_class(text, module);
  }
}

bool repr_list(const ctorch_module *self, struct text *text) {
  size_t len = self->children.len;
  text_add(text, "%s(", module_name(self));
  struct text before = {.function = text->function};
  size_t first = 0;
  for (size_t i = 0; i <= len; i++) {
    struct text one = {.function = text->function};
    if (i < len && self->children.data[i].module != NULL) {
      repr_write(&one, self->children.data[i].module);
    } else if (i < len) {
      text_add(&one, "None");
    }
    if (i > 0 && (i == len || strcmp(text_data(&one), text_data(&before)) != 0)) {
      if (first + 1 == i) {
        text_add(text, "\n  (%zu): ", first);
      } else {
        text_add(text, "\n  (%zu-%zu): %zu x ", first, i - 1, i - first);
      }
      repr_indented(text, text_data(&before));
      first = i;
    }
    text->error = ctorch_error_first(text->error, text_end(&before));
    before = one;
  }
  text->error = ctorch_error_first(text->error, text_end(&before));
  text_add(text, len > 0 ? "\n)" : ")");
  return true;
}

static ctorch_error *repr(
    const char *function,
    ctorch_string **out,
    const ctorch_module *self,
    void (*write)(struct text *text, const ctorch_module *module)) {
  CTORCH_TRY(error_refusal(function));
  if (out == NULL || self == NULL) {
    return error_null(function, out == NULL ? "out" : "self");
  }
  ctorch_named_modules *all = NULL; /* refuses what is nested too deep */
  CTORCH_TRY(module_walk(function, &all, self, NULL, true, true));
  object_unref(all);
  struct text text = {.function = function};
  write(&text, self);
  THEN(text.error, string_give(function, out, text_data(&text), text.len));
  return text_end(&text);
}

ctorch_error *ctorch_module_repr(ctorch_string **out, const ctorch_module *self) {
  return repr(__func__, out, self, repr_write);
}

ctorch_error *ctorch_module_repr_of_class(ctorch_string **out, const ctorch_module *self) {
  return repr(__func__, out, self, write_of_class);
}
