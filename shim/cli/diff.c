/* `ctorch diff`: what differs between the tensors of two files. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "cli/json.h"

/* How two tensors of one name differ. */
struct difference {
  const char *what;          /* NULL if they do not: "only in A", "shape", "dtype", "values" */
  double absolute, relative; /* the largest ones; NaN where they cannot be told */
};

struct tolerance {
  double absolute, relative;
};

static ctorch_error *item(double *out, const ctorch_tensor *tensor) {
  ctorch_scalar scalar = {0};
  ctorch_error *error = ctorch_tensor_item(&scalar, tensor);
  if (error == NULL) {
    *out = scalar.kind == CTORCH_SCALAR_FLOAT ? scalar.re : (double)scalar.i;
  }
  return error;
}

/* How far numbers are apart, and whether that is close; NaN is equal to NaN. A scope is open. */
static ctorch_error *measure_floats(
    ctorch_tensor **distance,
    ctorch_tensor **close,
    const ctorch_tensor *x,
    const ctorch_tensor *y,
    struct tolerance tolerance) {
  ctorch_error *error = ctorch_aten_isclose(close, x, y, tolerance.relative, tolerance.absolute, true);
  THEN(error, ctorch_aten_sub_Tensor(distance, x, y, NULL));
  THEN(error, ctorch_aten_abs(distance, *distance));
  return error;
}

/* The same of integers a and b, which as float64, x and y, may be other ones. Those of 64 bits wrap around, but not
 * where they are nearer to one another than that. */
static ctorch_error *measure_integers(
    ctorch_tensor **distance,
    ctorch_tensor **close,
    const ctorch_tensor *a,
    const ctorch_tensor *b,
    const ctorch_tensor *x,
    const ctorch_tensor *y,
    struct tolerance tolerance) {
  ctorch_tensor *i = NULL, *j = NULL, *near = NULL, *far = NULL, *is_far = NULL, *most = NULL;
  ctorch_error *error = ctorch_aten_to_dtype(&i, a, CTORCH_DTYPE_INT64, false, false, NULL);
  THEN(error, ctorch_aten_to_dtype(&j, b, CTORCH_DTYPE_INT64, false, false, NULL));
  THEN(error, ctorch_aten_sub_Tensor(&near, i, j, NULL));
  THEN(error, ctorch_aten_to_dtype(&near, near, CTORCH_DTYPE_FLOAT64, false, false, NULL));
  THEN(error, ctorch_aten_abs(&near, near));
  THEN(error, ctorch_aten_sub_Tensor(&far, x, y, NULL));
  THEN(error, ctorch_aten_abs(&far, far));
  THEN(error, ctorch_aten_ge_Scalar(&is_far, far, CTORCH_FLOAT(0x1p62)));
  THEN(error, ctorch_aten_where_self(distance, is_far, far, near));
  THEN(error, ctorch_aten_abs(&most, y));
  THEN(error, ctorch_aten_mul_Scalar(&most, most, CTORCH_FLOAT(tolerance.relative)));
  THEN(error, ctorch_aten_add_Scalar(&most, most, CTORCH_FLOAT(tolerance.absolute), NULL));
  THEN(error, ctorch_aten_le_Tensor(close, *distance, most));
  return error;
}

/* Compare numbers as float64, complex ones by their distance. */
static ctorch_error *compare_numbers(
    struct difference *out, const ctorch_tensor *a, const ctorch_tensor *b, struct tolerance tolerance) {
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error != NULL) {
    return error;
  }
  ctorch_tensor *x = NULL, *y = NULL, *distance = NULL, *size = NULL, *most = NULL, *ratio = NULL, *close = NULL,
                *all = NULL;
  double is_close = 0;
  bool is_complex = false, is_float = false;
  THEN(error, ctorch_aten_is_complex(&is_complex, a));
  THEN(error, ctorch_aten_is_floating_point(&is_float, a));
  const ctorch_dtype wide = is_complex ? CTORCH_DTYPE_COMPLEX128 : CTORCH_DTYPE_FLOAT64;
  THEN(error, ctorch_aten_to_dtype(&x, a, wide, false, false, NULL));
  THEN(error, ctorch_aten_to_dtype(&y, b, wide, false, false, NULL));
  THEN(
      error, is_complex || is_float ? measure_floats(&distance, &close, x, y, tolerance)
                                    : measure_integers(&distance, &close, a, b, x, y, tolerance));
  THEN(error, ctorch_aten_all(&all, close));
  THEN(error, item(&is_close, all));
  if (error == NULL && is_close == 0) {
    THEN(error, ctorch_aten_masked_fill_Scalar(&distance, distance, close, CTORCH_FLOAT(0)));
    THEN(error, ctorch_aten_max(&most, distance));
    THEN(error, item(&out->absolute, most));
    THEN(error, ctorch_aten_abs(&size, y));
    THEN(error, ctorch_aten_div_Tensor(&ratio, distance, size));
    THEN(error, ctorch_aten_masked_fill_Scalar(&ratio, ratio, close, CTORCH_FLOAT(0)));
    THEN(error, ctorch_aten_max(&most, ratio));
    THEN(error, item(&out->relative, most));
    out->what = "values";
  }
  ctorch_scope_end(scope);
  return error;
}

#undef TRY

static ctorch_error *compare(
    struct difference *out, const ctorch_tensor *a, const ctorch_tensor *b, struct tolerance tolerance) {
  *out = (struct difference){NULL, NAN, NAN};
  int64_t ndim = ctorch_tensor_ndim(a);
  if (ndim != ctorch_tensor_ndim(b) ||
      (ndim > 0 && memcmp(ctorch_tensor_sizes(a), ctorch_tensor_sizes(b), (size_t)ndim * sizeof(int64_t)) != 0)) {
    out->what = "shape";
    return NULL;
  }
  if (ctorch_tensor_dtype(a) != ctorch_tensor_dtype(b)) {
    out->what = "dtype";
    return NULL;
  }
  return ctorch_tensor_numel(a) == 0 ? NULL : compare_numbers(out, a, b, tolerance);
}

static ctorch_error *compare_named(
    struct difference *out,
    const ctorch_weights *a,
    const ctorch_weights *b,
    const char *name,
    struct tolerance tolerance) {
  ctorch_tensor *x = NULL, *y = NULL;
  ctorch_error *error = ctorch_weights_tensor(&x, a, name);
  THEN(error, ctorch_weights_tensor(&y, b, name));
  THEN(error, compare(out, x, y, tolerance));
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
  return error;
}

static bool has(const ctorch_weights *weights, const char *name) {
  size_t index = 0;
  ctorch_error *error = ctorch_weights_find(&index, weights, name);
  bool found = error == NULL;
  ctorch_error_release(error);
  return found;
}

static void report(json_t *list, const char *name, const struct difference *difference) {
  if (list == NULL) {
    char *shown = cli_escaped(name);
    if (strcmp(difference->what, "values") == 0) {
      printf("%s: values, by at most %.9g (%.3g of it)\n", shown, difference->absolute, difference->relative);
    } else {
      printf("%s: %s\n", shown, difference->what);
    }
    free(shown);
    return;
  }
  json_t *entry = json_pack("{s:s, s:s}", "name", name, "what", difference->what);
  if (isfinite(difference->absolute)) {
    json_object_set_new(entry, "absolute", json_real(difference->absolute));
  }
  if (isfinite(difference->relative)) {
    json_object_set_new(entry, "relative", json_real(difference->relative));
  }
  json_array_append_new(list, entry);
}

static int compare_files(const ctorch_weights *a, const ctorch_weights *b, struct tolerance tolerance, bool as_json) {
  json_t *list = as_json ? json_array() : NULL;
  size_t different = 0, compared = 0;
  for (size_t i = 0; i < ctorch_weights_len(a); i++) {
    const char *name = ctorch_weights_name(a, i);
    struct difference difference = {"only in the first", NAN, NAN};
    if (has(b, name)) {
      cli_progress("comparing", i, ctorch_weights_len(a));
      ctorch_error *error = compare_named(&difference, a, b, name, tolerance);
      if (error != NULL) {
        json_decref(list);
        return cli_fail(error);
      }
      compared++;
    }
    if (difference.what != NULL) {
      report(list, name, &difference);
      different++;
    }
  }
  for (size_t i = 0; i < ctorch_weights_len(b); i++) {
    const char *name = ctorch_weights_name(b, i);
    if (!has(a, name)) {
      report(list, name, &(const struct difference){"only in the second", NAN, NAN});
      different++;
    }
  }
  if (as_json) {
    int status = cli_print_json(json_pack("{s:I, s:o}", "compared", (json_int_t)compared, "differences", list));
    return status != CLI_OK ? status : different > 0 ? CLI_DIFFERENT : CLI_OK;
  }
  printf("%zu tensors compared, %zu differ\n", compared, different);
  return different > 0 ? CLI_DIFFERENT : CLI_OK;
}

static bool read_number(double *out, const char *text) {
  char *end = NULL;
  *out = strtod(text, &end);
  return end != text && *end == '\0' && *out >= 0;
}

static int run(int argc, char **argv) {
  static const struct option OPTIONS[] = {
      {"atol", required_argument, NULL, 'a'},
      {"rtol", required_argument, NULL, 'r'},
      {"json", no_argument, NULL, 'j'},
      {NULL, 0, NULL, 0}};
  struct tolerance tolerance = {0, 0};
  bool as_json = false;
  for (int option; (option = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1;) {
    double *number = option == 'a' ? &tolerance.absolute : &tolerance.relative;
    if (option == 'j') {
      as_json = true;
    } else if (option != 'a' && option != 'r') {
      return cli_unknown_option(&cli_diff);
    } else if (!read_number(number, optarg)) {
      return cli_misused(
          &cli_diff, "--%s: expected a number of at least 0, got '%s'", option == 'a' ? "atol" : "rtol", optarg);
    }
  }
  if (argc - optind != 2) {
    return cli_misused(&cli_diff, "diff takes two files");
  }
  ctorch_weights *a = NULL, *b = NULL;
  ctorch_error *error = cli_open(&a, argv[optind]);
  THEN(error, cli_open(&b, argv[optind + 1]));
  int status = error != NULL ? cli_fail(error) : compare_files(a, b, tolerance, as_json);
  ctorch_weights_release(b);
  ctorch_weights_release(a);
  return status;
}

const struct cli_command cli_diff = {
    "diff",
    run,
    "what differs between the tensors of two files",
    "Usage: ctorch diff [--atol X] [--rtol X] [--json] FILE FILE\n"
    "\n"
    "Compare the tensors of two files of any formats by their names: those that one file lacks, other shapes and "
    "dtypes,\n"
    "and the largest difference of values. NaN is equal to NaN.\n"
    "\n"
    "  --atol X    take values for equal that differ by at most X; 0 as it comes\n"
    "  --rtol X    … or by at most X times the second; 0 as it comes\n"
    "  --json      as JSON\n"
    "  -h, --help  this text\n"
    "\n"
    "Exit status: 1 if something differs.\n",
};
