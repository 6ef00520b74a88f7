/* Hooks of modules. */
#include "module_hooks.h"

bool module_has_hooks(const ctorch_module *self) { return self->hooks != NULL; }

void module_hooks_free(struct module_hooks *self) { (void)self; }

ctorch_error *module_hooks_copy(const char *function, struct module_hooks **out, struct module_hooks *self) {
  (void)function;
  *out = self;
  return NULL;
}

ctorch_error *module_run_hooked(
    const char *function,
    ctorch_value **out,
    ctorch_module *self,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  return module_run(function, out, self, args, kwargs);
}
