/* Walks through a module and all that is inside it, and where a call is in it. */
#include "module/walk.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/c/error.h"
#include "core/c/object.h"

enum { DEEPEST = 1000 }; /* as Python's limit of recursion, which is a RuntimeError too */

/* Sets of pointers. */

static size_t slot_of(const struct pointer_set *self, const void *pointer) {
  size_t slot = (size_t)(((uintptr_t)pointer >> 4) * 0x9E3779B97F4A7C15u) & (self->capacity - 1);
  while (self->data[slot].pointer != NULL && self->data[slot].pointer != pointer) {
    slot = (slot + 1) & (self->capacity - 1);
  }
  return slot;
}

bool pointer_set_add(struct pointer_set *self, const char *function, const void *pointer, ctorch_error **error) {
  if (*error != NULL) {
    return false;
  }
  if (2 * (self->len + 1) > self->capacity) {
    struct pointer_set larger = {.len = self->len, .capacity = self->capacity == 0 ? 16 : 2 * self->capacity};
    larger.data = calloc(larger.capacity, sizeof *larger.data);
    if (larger.data == NULL) {
      *error = error_memory(function, larger.capacity * sizeof *larger.data);
      return false;
    }
    for (size_t i = 0; i < self->capacity; i++) {
      if (self->data[i].pointer != NULL) {
        larger.data[slot_of(&larger, self->data[i].pointer)] = self->data[i];
      }
    }
    free(self->data);
    *self = larger;
  }
  size_t slot = slot_of(self, pointer);
  if (self->data[slot].pointer != NULL) {
    return false;
  }
  self->data[slot] = (struct pointer_slot){pointer, self->len++};
  return true;
}

size_t pointer_set_find(const struct pointer_set *self, const void *pointer) {
  const struct pointer_slot *slot = self->len == 0 ? NULL : &self->data[slot_of(self, pointer)];
  return slot == NULL || slot->pointer == NULL ? self->len : slot->number;
}

void pointer_set_free(struct pointer_set *self) { free(self->data); }

/* Walks. */

/* The three as one text; NULL is out of memory. */
static char *joined(const char *first, const char *second, const char *third) {
  const size_t sizes[] = {strlen(first), strlen(second), strlen(third) + 1};
  char *text = malloc(sizes[0] + sizes[1] + sizes[2]);
  if (text != NULL) {
    memcpy(text, first, sizes[0]);
    memcpy(text + sizes[0], second, sizes[1]);
    memcpy(text + sizes[0] + sizes[1], third, sizes[2]);
  }
  return text;
}

char *module_suffixed(const char *name, const char *suffix) { return joined(name, suffix, ""); }

char *module_join(const char *prefix, const char *name) {
  return joined(prefix, prefix[0] != '\0' && name[0] != '\0' ? "." : "", name);
}

static void finalize_modules(void *object) {
  ctorch_named_modules *self = object;
  for (size_t i = 0; i < self->len; i++) {
    free(self->data[i].name);
    object_unref(self->data[i].module);
  }
  free(self->data);
}

static const object_class named_modules_class = {"named_modules", sizeof(ctorch_named_modules), finalize_modules};

/* Takes the name over. */
static ctorch_error *add_module(
    const char *function, ctorch_named_modules *self, char *name, const ctorch_module *module) {
  ctorch_error *error = name == NULL ? error_memory(function, strlen(module_name(module)) + 1)
                                     : array_grow(function, &self->data, self->len, sizeof *self->data);
  if (error != NULL) {
    free(name);
    return error;
  }
  self->data[self->len++] = (struct named_module){name, object_ref(module)};
  return NULL;
}

/* One walk. */
struct walk {
  const char *function;
  ctorch_named_modules *found;
  struct pointer_set seen;
  bool recurse, remove_duplicate;
};

static ctorch_error *visit(struct walk *walk, const ctorch_module *module, char *name, int depth) {
  ctorch_error *error = NULL;
  if (walk->remove_duplicate && !pointer_set_add(&walk->seen, walk->function, module, &error)) {
    free(name);
    return error;
  }
  size_t place = walk->found->len;
  CTORCH_TRY(add_module(walk->function, walk->found, name, module));
  if (depth == DEEPEST) {
    return error_make(walk->function, CTORCH_ERROR_RUNTIME, "modules are nested deeper than %d", DEEPEST);
  }
  for (size_t i = 0; walk->recurse && i < module->children.len; i++) {
    const struct module_child *child = &module->children.data[i];
    if (child->module != NULL) {
      char *full = module_join(walk->found->data[place].name, child->name);
      CTORCH_TRY(visit(walk, child->module, full, depth + 1));
    }
  }
  return NULL;
}

ctorch_error *module_walk(
    const char *function,
    ctorch_named_modules **out,
    const ctorch_module *self,
    const char *prefix,
    bool recurse,
    bool remove_duplicate) {
  struct walk walk = {function, object_new(&named_modules_class), {0}, recurse, remove_duplicate};
  if (walk.found == NULL) {
    return error_memory(function, sizeof *walk.found);
  }
  ctorch_error *error = visit(&walk, self, module_join(prefix == NULL ? "" : prefix, ""), 0);
  pointer_set_free(&walk.seen);
  if (error != NULL) {
    object_unref(walk.found);
    return error;
  }
  *out = walk.found;
  return NULL;
}

ctorch_error *module_walk_children(const char *function, ctorch_named_modules **out, const ctorch_module *self) {
  ctorch_named_modules *list = object_new(&named_modules_class);
  struct pointer_set seen = {0};
  ctorch_error *error = list == NULL ? error_memory(function, sizeof *list) : NULL;
  for (size_t i = 0; error == NULL && i < self->children.len; i++) {
    const struct module_child *child = &self->children.data[i];
    if (child->module != NULL && pointer_set_add(&seen, function, child->module, &error)) {
      error = add_module(function, list, module_join(child->name, ""), child->module);
    }
  }
  pointer_set_free(&seen);
  if (error != NULL) {
    object_unref(list);
    return error;
  }
  *out = list;
  return NULL;
}

ctorch_error *module_contains(const char *function, bool *out, const ctorch_module *self, const ctorch_module *other) {
  if (self->children.len == 0) { /* most are layers */
    *out = self == other;
    return NULL;
  }
  ctorch_named_modules *all = NULL;
  CTORCH_TRY(module_walk(function, &all, self, NULL, true, true));
  bool found = false;
  for (size_t i = 0; i < all->len; i++) {
    found = found || all->data[i].module == other;
  }
  *out = found;
  object_unref(all);
  return NULL;
}

/* Where a call is. */

static _Thread_local const struct module_frame *innermost;

ctorch_error *module_enter(const char *function, struct module_frame *frame, const ctorch_module *module) {
  *frame = (struct module_frame){module, innermost, innermost == NULL ? 1 : innermost->depth + 1};
  if (frame->depth > DEEPEST) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "calls of modules are nested deeper than %d", DEEPEST);
  }
  object_ref(module); /* a callback may give it up */
  innermost = frame;
  return NULL;
}

/* The dotted name of a module inside another, each of which was looked at once, in front of a path; NULL if it is not
 * inside. To be freed. */
static char *path_inside(
    struct pointer_set *seen, const ctorch_module *outer, const ctorch_module *inner, const char *path) {
  char *found = NULL;
  for (size_t i = 0; found == NULL && i < outer->children.len; i++) {
    if (outer->children.data[i].module == inner) {
      found = module_join(outer->children.data[i].name, path);
    }
  }
  for (size_t i = 0; found == NULL && i < outer->children.len; i++) {
    const struct module_child *child = &outer->children.data[i];
    ctorch_error *error = NULL;
    char *rest = NULL;
    if (child->module != NULL && pointer_set_add(seen, "", child->module, &error)) {
      rest = path_inside(seen, child->module, inner, path);
    }
    ctorch_error_release(error); /* out of memory: an error without its path */
    if (rest != NULL) {
      found = module_join(child->name, rest);
      free(rest);
    }
  }
  return found;
}

static ctorch_error *with_path(const struct module_frame *frame, ctorch_error *error) {
  char *path = NULL;
  for (const struct module_frame *at = frame; at->outer != NULL; at = at->outer) {
    struct pointer_set seen = {0};
    char *longer = path_inside(&seen, at->outer->module, at->module, path == NULL ? "" : path);
    pointer_set_free(&seen);
    if (longer != NULL) { /* one that is not registered has no name */
      free(path);
      path = longer;
    }
  }
  if (path != NULL) {
    error = error_at(error, "%s", path);
    free(path);
  }
  return error;
}

ctorch_error *module_leave(const struct module_frame *frame, ctorch_error *error) {
  innermost = frame->outer;
  bool is_a_callers_own = error != NULL && ctorch_error_function(error)[0] == '\0'; /* a callback made it */
  error = !is_a_callers_own && error_take_place(error) ? with_path(frame, error) : error;
  object_unref((void *)(uintptr_t)frame->module);
  return error;
}
