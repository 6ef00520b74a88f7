/* What the source of a compiled model, which lies beside its library, tells of inputs and constants.
 *
 * AOTInductor writes it line by line in forms of its own, of which those are known here that say what an input is to
 * be. Each stands for itself: a line in another form says nothing. What a line says twice and differently, it does not
 * say. */
#ifndef CTORCH_SHIM_EXPORT_COMPILED_SOURCE_H
#define CTORCH_SHIM_EXPORT_COMPILED_SOURCE_H

#include <ctorch.h>

enum { SOURCE_UNKNOWN = -1, SOURCE_MOST_DIMS = 64 };

/* A size or stride as the source has it: a number, a sum of products of symbols, or something else. */
struct source_dim {
  int64_t size, stride; /* SOURCE_UNKNOWN */
  int64_t least, most;  /* of the size */
  char *size_text, *stride_text;
};

struct source_input {
  char *name; /* NULL if it is not known, and with it nothing is */
  ctorch_dtype dtype;
  ctorch_device_type device_type;
  struct source_dim *dims;
  size_t dims_len;
  bool has_ndim;     /* dims are all; else there may be more */
  bool is_ambiguous; /* texts of its sizes and strides are not to be used */
};

/* What a symbol stands for: a size or stride of an input. */
struct source_symbol {
  char *name;
  size_t input, dim;
  bool is_stride, is_ambiguous;
};

struct source_constant {
  char *name; /* in Python; NULL if it is not known */
  ctorch_dtype dtype;
  int64_t sizes[SOURCE_MOST_DIMS], strides[SOURCE_MOST_DIMS];
  size_t sizes_len, strides_len; /* equal, or the sizes are not known */
};

struct compiled_source {
  struct source_input *inputs;
  size_t inputs_len;
  struct source_symbol *symbols;
  size_t symbols_len;
  struct source_constant *constants;
  size_t constants_len;
};

/* Read it; `text` ends with NUL. What self holds is freed by compiled_source_end, also after a failure. */
ctorch_error *compiled_source_read(const char *function, struct compiled_source *self, const char *text)
    __attribute__((warn_unused_result));
void compiled_source_end(struct compiled_source *self);

/* NULL if it is not known. */
const struct source_constant *compiled_source_constant(const struct compiled_source *self, const char *name);

/* That tensors are such inputs. */
ctorch_error *compiled_source_check(
    const char *function, const struct compiled_source *self, const ctorch_tensor *const *inputs, size_t inputs_len)
    __attribute__((warn_unused_result));

#endif
