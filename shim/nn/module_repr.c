/* The text of modules, as Python prints them. */
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "module.h"
#include "module_repr.h"
#include "module_walk.h"

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

void repr_write(struct text *text, const ctorch_module *module) {
  const module_class *type = module_class_of(module);
  if (type->children_repr != NULL && type->children_repr(module, text)) {
    return;
  }
  struct text extra = {.function = text->function};
  if (type->extra_repr != NULL) {
    type->extra_repr(module, &extra);
  }
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

ctorch_error *ctorch_module_repr(ctorch_string **out, const ctorch_module *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  ctorch_named_modules *all = NULL; /* refuses what is nested too deep */
  CTORCH_TRY(module_walk(__func__, &all, self, NULL, true, true));
  object_unref(all);
  struct text text = {.function = __func__};
  repr_write(&text, self);
  if (text.error == NULL) {
    text.error = string_give(__func__, out, text_data(&text), text.len);
  }
  return text_end(&text);
}
