#include "array.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  ctorch_dtype dtype;
} datatypes[] = {
    {"BOOL", CTORCH_DTYPE_BOOL},     {"UINT8", CTORCH_DTYPE_UINT8},   {"UINT16", CTORCH_DTYPE_UINT16},
    {"UINT32", CTORCH_DTYPE_UINT32}, {"UINT64", CTORCH_DTYPE_UINT64}, {"INT8", CTORCH_DTYPE_INT8},
    {"INT16", CTORCH_DTYPE_INT16},   {"INT32", CTORCH_DTYPE_INT32},   {"INT64", CTORCH_DTYPE_INT64},
    {"FP16", CTORCH_DTYPE_FLOAT16},  {"BF16", CTORCH_DTYPE_BFLOAT16}, {"FP32", CTORCH_DTYPE_FLOAT32},
    {"FP64", CTORCH_DTYPE_FLOAT64},
};

enum { DATATYPES = sizeof datatypes / sizeof *datatypes };

const char *array_datatype(ctorch_dtype dtype) {
  for (int i = 0; i < DATATYPES; i++) {
    if (datatypes[i].dtype == dtype) {
      return datatypes[i].name;
    }
  }
  return NULL;
}

bool array_dtype_of(ctorch_dtype *out, const char *name) {
  for (int i = 0; i < DATATYPES; i++) {
    if (strcmp(datatypes[i].name, name) == 0) {
      *out = datatypes[i].dtype;
      return true;
    }
  }
  return false;
}

/* A size at `*text`, which then stands behind it. */
static bool size_parse(int64_t *out, const char **text) {
  char *end = NULL;
  if (**text == '?') {
    *out = -1;
    *text += 1;
    return true;
  }
  *out = strtoll(*text, &end, 10);
  const bool is_size = isdigit((unsigned char)**text) && *out <= INT32_MAX;
  *text = end;
  return is_size;
}

bool array_form_parse(array_form *out, const char *text) {
  char name[8];
  const char *colon = strchr(text, ':');
  const size_t len = colon != NULL ? (size_t)(colon - text) : strlen(text);
  array_form form = {.ndim = 1, .sizes = {-1}};
  if (len >= sizeof name) {
    return false;
  }
  memcpy(name, text, len);
  name[len] = '\0';
  if (!array_dtype_of(&form.dtype, name)) {
    return false;
  }
  for (const char *at = colon; at != NULL && *at != '\0';) {
    at++;
    if (form.ndim == ARRAY_MAX_DIMS || !size_parse(&form.sizes[form.ndim++], &at) || (*at != '\0' && *at != ',')) {
      return false;
    }
  }
  *out = form;
  return true;
}

bool array_form_fits(const array_form *form, const array_form *allowed) {
  bool fits = form->dtype == allowed->dtype && form->ndim == allowed->ndim;
  for (size_t i = 0; fits && i < form->ndim; i++) {
    fits = allowed->sizes[i] == -1 || form->sizes[i] == allowed->sizes[i];
  }
  return fits;
}

bool array_form_stacks(const array_form *form, const array_form *other) {
  return form->dtype == other->dtype && form->ndim == other->ndim &&
         memcmp(form->sizes + 1, other->sizes + 1, (form->ndim - 1) * sizeof *form->sizes) == 0;
}

bool array_form_nbytes(size_t *out, const array_form *form) {
  size_t nbytes = ctorch_dtype_itemsize(form->dtype);
  for (size_t i = 0; i < form->ndim; i++) {
    if (form->sizes[i] < 0 || __builtin_mul_overflow(nbytes, (size_t)form->sizes[i], &nbytes)) {
      return false;
    }
  }
  *out = nbytes;
  return true;
}
