/* Products of groups of matrices, and of matrices of small floats with scales: torch.nn.functional. */
#include <string.h>

#include "constructors/functional.h"
#include "core/c/error.h"

ctorch_error *functional_grouped_mm(
    const char *function, ctorch_tensor **out, const struct functional_grouped_mm_options *options) {
  (void)function;
  return ctorch_aten__grouped_mm(out, options->mat_a, options->mat_b, options->offs, options->bias, options->out_dtype);
}

/* Python's ScalingType and SwizzleType, by their numbers. */
static const char *const recipes[] = {"TensorWise",    "RowWise",        "BlockWise1x16",
                                      "BlockWise1x32", "BlockWise1x128", "BlockWise128x128"};
static const char *const swizzles[] = {"NO_SWIZZLE", "SWIZZLE_32_4_4"};

enum { MOST = 16 };

struct numbers {
  int64_t values[MOST];
  size_t len;
};

/* The number of the name between `text` and `end`; -1 if there is none. */
static int64_t number_of(const char *const *names, size_t len, const char *text, const char *end) {
  for (size_t i = 0; i < len; i++) {
    if (strlen(names[i]) == (size_t)(end - text) && memcmp(names[i], text, (size_t)(end - text)) == 0) {
      return (int64_t)i;
    }
  }
  return -1;
}

/* Names separated by commas, with blanks around them, as numbers; NULL is none. */
static ctorch_error *read_names(
    const char *function,
    struct numbers *out,
    const char *argument,
    const char *const *names,
    size_t names_len,
    const char *text) {
  out->len = 0;
  while (text != NULL) {
    const char *comma = strchr(text, ',');
    const char *end = comma == NULL ? text + strlen(text) : comma;
    while (text < end && *text == ' ') {
      text++;
    }
    while (text < end && end[-1] == ' ') {
      end--;
    }
    int64_t number = number_of(names, names_len, text, end);
    if (number < 0) {
      return error_make(
          function, CTORCH_ERROR_VALUE, "%s: expected names such as '%s', separated by commas, got '%.*s'", argument,
          names[0], end - text > 64 ? 64 : (int)(end - text), text);
    }
    if (out->len == MOST) {
      return error_make(function, CTORCH_ERROR_VALUE, "%s: expected at most %d names", argument, MOST);
    }
    out->values[out->len++] = number;
    text = comma == NULL ? NULL : comma + 1;
  }
  return NULL;
}

/* The enumerations of a product; the options of both functions have the same names. */
struct names {
  struct numbers recipe_a, recipe_b, swizzle_a, swizzle_b;
  ctorch_dtype dtype;
};

#define RECIPES recipes, sizeof recipes / sizeof *recipes
#define SWIZZLES swizzles, sizeof swizzles / sizeof *swizzles

#define READ_NAMES(names, options)                                                                              \
  do {                                                                                                          \
    CTORCH_TRY(read_names(function, &(names)->recipe_a, "scale_recipe_a", RECIPES, (options)->scale_recipe_a)); \
    CTORCH_TRY(read_names(function, &(names)->recipe_b, "scale_recipe_b", RECIPES, (options)->scale_recipe_b)); \
    CTORCH_TRY(read_names(function, &(names)->swizzle_a, "swizzle_a", SWIZZLES, (options)->swizzle_a));         \
    CTORCH_TRY(read_names(function, &(names)->swizzle_b, "swizzle_b", SWIZZLES, (options)->swizzle_b));         \
    (names)->dtype = (options)->output_dtype == NULL ? CTORCH_DTYPE_BFLOAT16 : *(options)->output_dtype;        \
  } while (false)

ctorch_error *functional_scaled_mm(
    const char *function, ctorch_tensor **out, const struct functional_scaled_mm_options *options) {
  struct names n;
  READ_NAMES(&n, options);
  return ctorch_aten__scaled_mm_v2(
      out, options->mat_a, options->mat_b, options->scale_a, options->scale_a_len, n.recipe_a.values, n.recipe_a.len,
      n.swizzle_a.values, n.swizzle_a.len, options->scale_b, options->scale_b_len, n.recipe_b.values, n.recipe_b.len,
      n.swizzle_b.values, n.swizzle_b.len, options->bias, &n.dtype, options->contraction_dim,
      options->contraction_dim_len, options->use_fast_accum);
}

ctorch_error *functional_scaled_grouped_mm(
    const char *function, ctorch_tensor **out, const struct functional_scaled_grouped_mm_options *options) {
  struct names n;
  READ_NAMES(&n, options);
  return ctorch_aten__scaled_grouped_mm_v2(
      out, options->mat_a, options->mat_b, options->scale_a, options->scale_a_len, n.recipe_a.values, n.recipe_a.len,
      n.swizzle_a.values, n.swizzle_a.len, options->scale_b, options->scale_b_len, n.recipe_b.values, n.recipe_b.len,
      n.swizzle_b.values, n.swizzle_b.len, options->offs, options->bias, &n.dtype, options->contraction_dim,
      options->contraction_dim_len, options->use_fast_accum);
}
