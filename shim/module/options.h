/** What modules remember of their constructors' arguments. The generated constructors record them. */
#ifndef CTORCH_SHIM_MODULE_OPTIONS_H
#define CTORCH_SHIM_MODULE_OPTIONS_H

#include "module/module.h"

/** An object, which copies of the module share: it is replaced, never changed. */
struct module_options;

/** Options on their way into a module; what fails is in `error`, and the rest does nothing. */
struct module_record {
  const char *function;
  struct module_options *options;
  ctorch_error *error;
};

/** Begin with what the module has recorded, which stays: later entries of the same name do nothing. */
void record_begin(struct module_record *self, const char *function, const ctorch_module *module);

/** `name` is kept as it is. NULL is None. */
void record_int(struct module_record *self, const char *name, const int64_t *value);
void record_double(struct module_record *self, const char *name, const double *value);
void record_bool(struct module_record *self, const char *name, const bool *value);
void record_text(struct module_record *self, const char *name, const char *value);
void record_scalar(struct module_record *self, const char *name, const ctorch_scalar *value);

/** A tuple; NULL is None. */
void record_ints(struct module_record *self, const char *name, const int64_t *values, size_t len);
void record_doubles(struct module_record *self, const char *name, const double *values, size_t len);

/** Give them to the module; an error gives the module up, and leaves NULL. */
ctorch_error *record_end(struct module_record *self, ctorch_module **module) __attribute__((warn_unused_result));

/** An option that a module's constructor derives, or that is known after construction: it replaces what is there. */
ctorch_error *module_record_int(const char *function, ctorch_module *self, const char *name, int64_t value)
    __attribute__((warn_unused_result));

/** Record an option of floats as the int that it was given as, if it was: `value` is an argument, NULL where it is
 * absent. An error releases the module, and leaves NULL. */
ctorch_error *module_record_given(
    const char *function, ctorch_module **module, const char *name, const ctorch_value *value)
    __attribute__((warn_unused_result));

/** A number of a module's options, for its text: as an int if it was given as one, else as a float. */
struct text;
void text_option(struct text *text, const ctorch_module *module, const char *name, double value);

/** Whether a module has an option of this name. */
bool module_has_option(const ctorch_module *self, const char *name);

#endif
