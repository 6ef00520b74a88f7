/* The module object: its class, its entries, and its end. */
#include "module/module.h"

#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/hooks.h"

void *module_new(const module_class *type) { return object_new(&type->object); }

const module_class *module_class_of(const ctorch_module *self) { return (const module_class *)object_class_of(self); }

const char *module_name(const ctorch_module *self) {
  const char *name = module_hooks_name(self->hooks);
  return name != NULL ? name : module_class_name(self);
}

const char *module_class_name(const ctorch_module *self) {
  const char *name = module_hooks_class_name(self->hooks);
  if (name != NULL) {
    return name;
  }
  const module_class *type = module_class_of(self);
  return type->name_of != NULL ? type->name_of(self) : type->name;
}

static void clear_tensors(struct module_tensors *self) {
  for (size_t i = 0; i < self->len; i++) {
    free(self->data[i].name);
    tensor_unref(self->data[i].tensor);
    object_unref(self->data[i].computed);
  }
  name_index_forget(&self->index);
  free(self->data);
}

static void clear_children(struct module_children *self) {
  for (size_t i = 0; i < self->len; i++) {
    free(self->data[i].name);
    object_unref(self->data[i].module);
  }
  name_index_forget(&self->index);
  free(self->data);
}

/* Children whose parent went while another's were being given up: they wait, so that a chain of any length needs no
 * deeper stack than one of two. */
struct waiting {
  struct waiting *next;
  struct module_children children;
};

static void give_up_children(struct module_children *children) {
  static _Thread_local struct waiting *waiting;
  static _Thread_local bool is_giving_up;
  struct waiting *one = is_giving_up ? malloc(sizeof *one) : NULL;
  if (one != NULL) {
    *one = (struct waiting){waiting, *children};
    waiting = one;
    return;
  }
  bool is_outermost = !is_giving_up; /* or there is no memory to wait in */
  is_giving_up = true;
  clear_children(children);
  while (is_outermost && waiting != NULL) {
    struct waiting *next = waiting;
    waiting = next->next;
    clear_children(&next->children);
    free(next);
  }
  is_giving_up = !is_outermost;
}

void module_clear(ctorch_module *self) {
  module_hooks_free(self->hooks);
  clear_tensors(&self->parameters);
  clear_tensors(&self->buffers);
  if (self->children.len > 0) {
    give_up_children(&self->children);
  } else {
    free(self->children.data);
  }
  object_unref(self->options);
  self->hooks = NULL;
  self->options = NULL;
  self->parameters = self->buffers = (struct module_tensors){0};
  self->children = (struct module_children){0};
}

void module_finalize(void *self) { module_clear(self); }

/* Entries. */

struct module_tensor *module_find_tensor(const struct module_tensors *self, const char *name) {
  const size_t i = name_index_find(&self->index, self->data, self->len, sizeof *self->data, name);
  return i == self->len ? NULL : &self->data[i];
}

struct module_child *module_find_child(const ctorch_module *self, const char *name) {
  const struct module_children *all = &self->children;
  const size_t i = name_index_find(&all->index, all->data, all->len, sizeof *all->data, name);
  return i == all->len ? NULL : &all->data[i];
}

ctorch_tensor *module_parameter(const ctorch_module *self, const char *name) {
  struct module_tensor *entry = module_find_tensor(&self->parameters, name);
  return entry == NULL ? NULL : entry->tensor;
}

ctorch_tensor *module_buffer(const ctorch_module *self, const char *name) {
  struct module_tensor *entry = module_find_tensor(&self->buffers, name);
  return entry == NULL ? NULL : entry->tensor;
}

ctorch_module *module_child(const ctorch_module *self, const char *name) {
  struct module_child *entry = module_find_child(self, name);
  return entry == NULL ? NULL : entry->module;
}

void module_replace(struct module_tensor *entry, const ctorch_tensor *tensor) {
  ctorch_tensor *before = entry->tensor;
  entry->tensor = tensor_ref(tensor);
  tensor_unref(before);
}

ctorch_error *module_give(const char *function, ctorch_module **out, ctorch_module *self, ctorch_error *error) {
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  return object_give(function, out, self);
}

/* What is exported. */

void ctorch_module_retain(const ctorch_module *self) { object_retain(self); }

void ctorch_module_release(ctorch_module *self) { object_release(self); }

const char *ctorch_module_name(const ctorch_module *self) { return self == NULL ? NULL : module_name(self); }

bool ctorch_module_training(const ctorch_module *self) { return self != NULL && module_is_training(self); }
