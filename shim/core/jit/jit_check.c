/* Looking at a file of TorchScript: jit_check.h. */
#include "core/jit/jit_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/jit_archive.h"
#include "core/c/python.h"
#include "ctorch.h"
#include "io/reader.h"
#include "pickle/values.h"
#include "pt/describe.h"
#include "pt/load.h"

/* Its classes are its own, and only described. */
static ctorch_callback_status allow(
    bool *out, const char *module, const char *name, ctorch_error **error, void *payload) {
  (void)module;
  (void)name;
  (void)error;
  (void)payload;
  *out = true;
  return CTORCH_CALLBACK_OK;
}

/* Of a sparse tensor TorchScript writes its layout as a number, its sizes, whether it requires gradients, and its
 * parts: tensors that were looked at when they came. LibTorch's reader checks their kinds; of their indices,
 * jit_archive_load. */
static ctorch_error *is_sparse(bool *out, const struct unpickler *pickle, const ctorch_value *description) {
  struct pickle_global function;
  ctorch_value *args = NULL, *layout = NULL;
  *out = false;
  if (!pickle_global_of(pickle, &function, description) || function.call != pt_call_sparse) {
    return NULL;
  }
  CTORCH_TRY(ctorch_value_python_args(&args, description));
  ctorch_error *error = pickle_arg(pickle, &layout, args, 0);
  *out = error == NULL && ctorch_value_kind_of(layout) == CTORCH_VALUE_INT;
  ctorch_value_release(layout);
  ctorch_value_release(args);
  return error;
}

/* FORMAT unless a tensor lies where its storage is. */
static ctorch_error *check_tensor(struct unpickler *pickle, const ctorch_value *description) {
  struct pt_description tensor;
  bool is_known = false;
  CTORCH_TRY(is_sparse(&is_known, pickle, description));
  if (is_known) {
    return NULL;
  }
  CTORCH_TRY(pt_describe((struct pt_file *)pickle, &tensor, &is_known, description));
  if (!is_known) {
    return pickle_error(pickle, "a tensor of a kind that TorchScript does not write");
  }
  free(tensor.sizes);
  return NULL;
}

static ctorch_error *check_dicts(const struct unpickler *pickle, const ctorch_value *value) {
  ctorch_string *problem = NULL;
  ctorch_error *error = jit_archive_check_dicts(pickle->function, &problem, value);
  if (error == NULL && problem != NULL) {
    error = pickle_error(pickle, "%s", ctorch_string_data(problem));
  }
  ctorch_string_release(problem);
  return error;
}

/* A copy goes through all of a value, as deep as values may be. */
static ctorch_error *check_nesting(const struct unpickler *pickle, const ctorch_value *value) {
  ctorch_value *copy = NULL;
  CTORCH_TRY(pickle_refuse(pickle, ctorch_value_deep_copy(&copy, value)));
  ctorch_value_release(copy);
  return NULL;
}

static bool ends_with(const char *text, const char *ending) {
  const size_t len = strlen(text), ending_len = strlen(ending);
  return len >= ending_len && strcmp(text + len - ending_len, ending) == 0;
}

static ctorch_error *check_pickle(const char *function, const ctorch_reader *reader, const char *name) {
  struct pt_file file = {
      .pickle = {
          .function = function,
          .reader = reader,
          .allow = allow,
          .is_script = true,
          .is_described = true,
          .described = check_tensor}};
  ctorch_value *value = NULL;
  unpickler_begin(&file.pickle);
  file.pickle.find = pt_global_find;
  file.pickle.build = pt_build;
  ctorch_error *error = pt_zip_open(function, &file.zip, reader);
  THEN(
      error, pt_load_pickle(
                 &file, &value, pt_zip_find(&file.zip, name), strcmp(name, "data.pkl") == 0 ? "data/" : "constants/"));
  if (error == NULL) {
    error = check_nesting(&file.pickle, value);
    THEN(error, check_dicts(&file.pickle, value));
    if (error == NULL && ends_with(name, ".debug_pkl")) {
      error = jit_check_ranges(&file.pickle, value);
    }
    value_dismantle(value);
  }
  pt_file_end(&file);
  return error;
}

static ctorch_error *check_source(const char *function, struct pt_zip *zip, const struct pt_record *record) {
  ctorch_string *problem = NULL;
  char *text = malloc(record->nbytes == 0 ? 1 : (size_t)record->nbytes);
  if (text == NULL) {
    return error_memory(function, record->nbytes);
  }
  ctorch_error *error = pt_zip_read(function, zip, text, record);
  THEN(error, jit_archive_check_source(function, &problem, text, (size_t)record->nbytes));
  free(text);
  if (error == NULL && problem != NULL) {
    error = reader_error(function, zip->reader, "%.200s: %s", record->name, ctorch_string_data(problem));
  }
  ctorch_string_release(problem);
  return error;
}

/* The records that there have to be, and may not. */
static ctorch_error *check_names(const char *function, const struct pt_zip *zip) {
  static const char *const needed[] = {"constants.pkl", "data.pkl", "version"};
  if (pt_zip_find(zip, "model.json") != NULL) {
    return error_make(
        function, CTORCH_ERROR_UNSUPPORTED, "%.500s: a TorchScript file from before LibTorch 1.2",
        reader_name(zip->reader));
  }
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
    if (pt_zip_find(zip, needed[i]) == NULL && !(i == 2 && pt_zip_find(zip, ".data/version") != NULL)) {
      return reader_error(
          function, zip->reader, "a zip file, but none of torch.jit.save: it has no record '%s'", needed[i]);
    }
  }
  return NULL;
}

static ctorch_error *check_records(const char *function, struct pt_zip *zip) {
  CTORCH_TRY(check_names(function, zip));
  for (size_t i = 0; i < zip->len; i++) {
    const struct pt_record *record = &zip->records[i];
    const char *name = record->name;
    if (strncmp(name, "code/", 5) == 0 && ends_with(name, ".py")) {
      CTORCH_TRY(check_source(function, zip, record));
    } else if (
        strcmp(name, "constants.pkl") == 0 || strcmp(name, "data.pkl") == 0 ||
        (strncmp(name, "code/", 5) == 0 && ends_with(name, ".debug_pkl"))) {
      CTORCH_TRY(check_pickle(function, zip->reader, name));
    }
  }
  return NULL;
}

ctorch_error *jit_check(const char *function, const ctorch_reader *reader) {
  struct pt_zip zip;
  unsigned char head[4];
  const size_t nbytes = ctorch_reader_nbytes(reader), len = nbytes < sizeof head ? nbytes : sizeof head;
  CTORCH_TRY(reader_read(function, reader, 0, head, len));
  if (!pt_zip_detect(head, len)) {
    return reader_error(function, reader, "no file of torch.jit.save, which are zip files");
  }
  ctorch_error *error = pt_zip_open(function, &zip, reader);
  pt_zip_keep(&zip);
  THEN(error, check_records(function, &zip));
  pt_zip_end(&zip);
  return error;
}
