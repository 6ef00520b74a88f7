/* `ctorch convert`: the tensors of a file, written in another format. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/sequence.h"
#include "cli/json.h"

enum { RENAMES = 32, GROUPS = 10 };

struct rename {
  regex_t pattern;
  char *replacement;
};

struct options {
  const char *format; /* NULL: what the output's name tells */
  ctorch_dtype dtype;
  bool has_dtype, compressed, no_crc32;
  uint64_t shard; /* 0 for one file */
  struct rename renames[RENAMES];
  size_t renames_len;
};

/* Names ------------------------------------------------------------------------------------------------------------ */

static void append(char **text, const char *more, size_t len) {
  size_t had = *text == NULL ? 0 : strlen(*text);
  char *grown = realloc(*text, had + len + 1);
  if (grown == NULL) {
    abort();
  }
  memcpy(grown + had, more, len);
  grown[had + len] = '\0';
  *text = grown;
}

/* A name with the first match of a pattern replaced, which the caller frees. */
static char *renamed(const struct rename *rename, const char *name) {
  regmatch_t groups[GROUPS];
  char *text = NULL;
  if (regexec(&rename->pattern, name, GROUPS, groups, 0) != 0) {
    append(&text, name, strlen(name));
    return text;
  }
  append(&text, name, (size_t)groups[0].rm_so);
  for (const char *c = rename->replacement; *c != '\0'; c++) {
    if (c[0] == '\\' && isdigit((unsigned char)c[1])) {
      const regmatch_t *group = &groups[*++c - '0'];
      if (group->rm_so >= 0) {
        append(&text, name + group->rm_so, (size_t)(group->rm_eo - group->rm_so));
      }
    } else {
      c += c[0] == '\\' && c[1] != '\0';
      append(&text, c, 1);
    }
  }
  append(&text, name + groups[0].rm_eo, strlen(name + groups[0].rm_eo));
  return text;
}

static char *new_name(const struct options *options, const char *name) {
  char *text = NULL;
  append(&text, name, strlen(name));
  for (size_t i = 0; i < options->renames_len; i++) {
    char *next = renamed(&options->renames[i], text);
    free(text);
    text = next;
  }
  return text;
}

/* PATTERN=REPLACEMENT; a backslash takes the meaning from a =. */
static int add_rename(struct options *options, const char *text) {
  if (options->renames_len == RENAMES) {
    return cli_misused(&cli_convert, "--rename: at most %d of them", (int)RENAMES);
  }
  const char *equals = text;
  while (*equals != '\0' && *equals != '=') {
    equals += equals[0] == '\\' && equals[1] != '\0' ? 2 : 1;
  }
  if (*equals == '\0' || equals == text) {
    return cli_misused(&cli_convert, "--rename: expected PATTERN=REPLACEMENT, got '%s'", text);
  }
  struct rename *rename = &options->renames[options->renames_len];
  char *pattern = NULL;
  append(&pattern, text, (size_t)(equals - text));
  int result = regcomp(&rename->pattern, pattern, REG_EXTENDED);
  if (result != 0) {
    char why[200];
    regerror(result, &rename->pattern, why, sizeof(why));
    cli_misused(&cli_convert, "--rename: '%s': %s", pattern, why);
    free(pattern);
    return CLI_FAILED;
  }
  free(pattern);
  rename->replacement = NULL;
  append(&rename->replacement, equals + 1, strlen(equals + 1));
  options->renames_len++;
  return CLI_OK;
}

/* Options ---------------------------------------------------------------------------------------------------------- */

static int read_dtype(struct options *options, const char *name) {
  if (strncmp(name, "torch.", 6) == 0) {
    name += 6;
  }
  static const struct {
    const char *name;
    ctorch_dtype dtype;
  } SHORT[] = {
      {"f16", CTORCH_DTYPE_FLOAT16},    {"half", CTORCH_DTYPE_FLOAT16},  {"bf16", CTORCH_DTYPE_BFLOAT16},
      {"f32", CTORCH_DTYPE_FLOAT32},    {"float", CTORCH_DTYPE_FLOAT32}, {"f64", CTORCH_DTYPE_FLOAT64},
      {"double", CTORCH_DTYPE_FLOAT64},
  };
  for (size_t i = 0; i < sizeof(SHORT) / sizeof(*SHORT); i++) {
    if (strcmp(SHORT[i].name, name) == 0) {
      options->dtype = SHORT[i].dtype;
      options->has_dtype = true;
      return CLI_OK;
    }
  }
  for (ctorch_dtype dtype = 0; dtype < 64; dtype++) {
    const char *known = ctorch_dtype_name(dtype);
    if (known != NULL && strcmp(known, name) == 0) {
      options->dtype = dtype;
      options->has_dtype = true;
      return CLI_OK;
    }
  }
  return cli_misused(&cli_convert, "--dtype: there is no dtype '%s'", name);
}

/* "5GB", "200MB", "1000". */
static int read_size(uint64_t *out, const char *text) {
  char *end = NULL;
  double number = strtod(text, &end);
  double unit = strcasecmp(end, "kB") == 0   ? 1e3
                : strcasecmp(end, "MB") == 0 ? 1e6
                : strcasecmp(end, "GB") == 0 ? 1e9
                : strcasecmp(end, "TB") == 0 ? 1e12
                : *end == '\0'               ? 1
                                             : 0;
  if (end == text || unit == 0 || !(number * unit >= 1 && number * unit <= 9e18)) {
    return cli_misused(&cli_convert, "--shard: expected a size such as 5GB, got '%s'", text);
  }
  *out = (uint64_t)(number * unit);
  return CLI_OK;
}

static bool ends_with(const char *text, const char *end) {
  size_t len = strlen(text), end_len = strlen(end);
  return len >= end_len && strcasecmp(text + len - end_len, end) == 0;
}

static const char *format_of(const char *path) {
  static const struct {
    const char *end, *format;
  } ENDS[] = {
      {".safetensors", "safetensors"},
      {".safetensors.index.json", "safetensors"},
      {".bin.index.json", "pt"},
      {".pt.index.json", "pt"},
      {".pt", "pt"},
      {".pth", "pt"},
      {".bin", "pt"},
      {".npz", "npz"},
      {".npy", "npy"}};
  for (size_t i = 0; i < sizeof(ENDS) / sizeof(*ENDS); i++) {
    if (ends_with(path, ENDS[i].end)) {
      return ENDS[i].format;
    }
  }
  return NULL;
}

/* Converting ------------------------------------------------------------------------------------------------------- */

/* A tensor with the dtype that was asked for; others than floats stay what they are. */
static ctorch_error *cast(ctorch_tensor **tensor, const struct options *options) {
  bool is_float = false;
  ctorch_tensor *other = NULL;
  ctorch_error *error = ctorch_aten_is_floating_point(&is_float, *tensor);
  if (error != NULL || !options->has_dtype || !is_float) {
    return error;
  }
  error = ctorch_aten_to_dtype(&other, *tensor, options->dtype, false, false, NULL);
  if (error == NULL) {
    ctorch_tensor_release(*tensor);
    *tensor = other;
  }
  return error;
}

#define COLLISION "two tensors would have one name after --rename: "

static ctorch_error *put(ctorch_value *dict, const char *name, const ctorch_tensor *tensor) {
  ctorch_value *key = NULL, *value = NULL;
  bool is_there = false;
  ctorch_error *error = ctorch_value_from_string(&key, name);
  THEN(error, ctorch_value_dict_contains(&is_there, dict, key));
  if (error == NULL && is_there) {
    ctorch_error *collision = NULL;
    char *said = NULL;
    append(&said, COLLISION, strlen(COLLISION));
    append(&said, name, strlen(name));
    error = ctorch_error_new(&collision, CTORCH_ERROR_VALUE, said);
    THEN(error, collision);
    free(said);
  }
  THEN(error, ctorch_value_from_tensor(&value, tensor));
  THEN(error, ctorch_value_dict_set(dict, key, value));
  ctorch_value_release(value);
  ctorch_value_release(key);
  return error;
}

static ctorch_error *read_all(ctorch_value **out, const ctorch_weights *weights, const struct options *options) {
  ctorch_value *dict = NULL;
  uint64_t all = 0, done = 0;
  for (size_t i = 0; i < ctorch_weights_len(weights); i++) {
    all += ctorch_weights_nbytes(weights, i);
  }
  ctorch_error *error = ctorch_value_from_dict(&dict, NULL, 0, NULL, 0);
  for (size_t i = 0; error == NULL && i < ctorch_weights_len(weights); i++) {
    const char *name = ctorch_weights_name(weights, i);
    ctorch_tensor *tensor = NULL;
    error = ctorch_weights_tensor(&tensor, weights, name);
    THEN(error, cast(&tensor, options));
    if (error == NULL) {
      char *to = new_name(options, name);
      error = put(dict, to, tensor);
      free(to);
    }
    ctorch_tensor_release(tensor);
    cli_progress("reading", done += ctorch_weights_nbytes(weights, i), all);
  }
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

/* What safetensors can carry of what the file says beside its tensors: texts. */
static ctorch_error *texts_of(ctorch_value **out, const ctorch_weights *weights) {
  ctorch_value *all = NULL, *keys = NULL, *texts = NULL;
  ctorch_error *error = ctorch_value_from_dict(&texts, NULL, 0, NULL, 0);
  THEN(error, ctorch_weights_metadata(&all, weights));
  THEN(error, ctorch_value_dict_keys(&keys, all));
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL, *value = NULL;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_dict_get(&value, all, key));
    if (error == NULL && ctorch_value_kind_of(key) == CTORCH_VALUE_STRING &&
        ctorch_value_kind_of(value) == CTORCH_VALUE_STRING) {
      error = ctorch_value_dict_set(texts, key, value);
    }
    ctorch_value_release(value);
    ctorch_value_release(key);
  }
  ctorch_value_release(keys);
  ctorch_value_release(all);
  if (error != NULL) {
    ctorch_value_release(texts);
    return error;
  }
  *out = texts;
  return NULL;
}

static ctorch_error *write_npy(const ctorch_value *tensors, const char *path) {
  ctorch_value *values = NULL, *value = NULL;
  ctorch_tensor *tensor = NULL;
  ctorch_error *error = NULL;
  if (ctorch_value_len(tensors) != 1) {
    (void)!ctorch_error_new(&error, CTORCH_ERROR_VALUE, "an npy file holds one tensor; use npz");
    return error;
  }
  error = ctorch_value_dict_values(&values, tensors);
  THEN(error, ctorch_value_get(&value, values, 0));
  THEN(error, ctorch_value_to_tensor(&tensor, value));
  THEN(error, ctorch_npy_write_file(tensor, path));
  ctorch_tensor_release(tensor);
  ctorch_value_release(value);
  ctorch_value_release(values);
  return error;
}

static ctorch_callback_status tell(size_t nbytes, ctorch_error **error, void *payload) {
  (void)error;
  cli_progress("writing", nbytes, *(const uint64_t *)payload);
  return CTORCH_CALLBACK_OK;
}

/* Write one file of a format that a writer takes. */
static ctorch_error *write_one(
    const ctorch_value *tensors,
    const ctorch_value *metadata,
    const char *path,
    const char *format,
    const struct options *options,
    uint64_t *nbytes) {
  ctorch_writer *writer = NULL;
  ctorch_error *error = ctorch_writer_open(&writer, path);
  THEN(error, ctorch_writer_set_progress(writer, tell, NULL, nbytes));
  if (error == NULL && strcmp(format, "safetensors") == 0) {
    error = ctorch_safetensors_write(writer, tensors, metadata);
  } else if (error == NULL && strcmp(format, "npz") == 0) {
    error = ctorch_npz_write(writer, tensors, options->compressed);
  } else if (error == NULL) {
    error = ctorch_serialization_save(writer, tensors, options->no_crc32 ? CTORCH_SAVE_NO_CRC32 : 0);
  }
  THEN(error, ctorch_writer_finish(writer));
  ctorch_writer_release(writer);
  return error;
}

static ctorch_error *convert(const char *from, const char *to, const char *format, const struct options *options) {
  ctorch_weights *weights = NULL;
  ctorch_value *tensors = NULL, *metadata = NULL;
  uint64_t nbytes = 0;
  ctorch_error *error = cli_open(&weights, from);
  THEN(error, read_all(&tensors, weights, options));
  for (size_t i = 0; i < ctorch_weights_len(weights); i++) {
    nbytes += ctorch_weights_nbytes(weights, i);
  }
  if (error == NULL && strcmp(format, "safetensors") == 0) {
    error = texts_of(&metadata, weights);
  }
  if (error == NULL && options->shard > 0) {
    error = ctorch_sharded_write(tensors, metadata, to, format, (size_t)options->shard);
  } else if (error == NULL && strcmp(format, "npy") == 0) {
    error = write_npy(tensors, to);
  } else if (error == NULL) {
    error = write_one(tensors, metadata, to, format, options, &nbytes);
  }
  ctorch_value_release(metadata);
  ctorch_value_release(tensors);
  ctorch_weights_release(weights);
  return error;
}

static int read_options(struct options *options, int argc, char **argv) {
  static const struct option OPTIONS[] = {
      {"to", required_argument, NULL, 't'},
      {"dtype", required_argument, NULL, 'd'},
      {"rename", required_argument, NULL, 'r'},
      {"shard", required_argument, NULL, 's'},
      {"compressed", no_argument, NULL, 'c'},
      {"no-crc32", no_argument, NULL, 'n'},
      {NULL, 0, NULL, 0}};
  for (int option; (option = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1;) {
    int status = CLI_OK;
    switch (option) {
      case 't':
        options->format = optarg;
        break;
      case 'd':
        status = read_dtype(options, optarg);
        break;
      case 'r':
        status = add_rename(options, optarg);
        break;
      case 's':
        status = read_size(&options->shard, optarg);
        break;
      case 'c':
        options->compressed = true;
        break;
      case 'n':
        options->no_crc32 = true;
        break;
      default:
        status = cli_unknown_option(&cli_convert);
    }
    if (status != CLI_OK) {
      return status;
    }
  }
  return CLI_OK;
}

static bool is_written(const char *format) {
  static const char *const FORMATS[] = {"pt", "safetensors", "npz", "npy"};
  for (size_t i = 0; i < sizeof(FORMATS) / sizeof(*FORMATS); i++) {
    if (strcmp(FORMATS[i], format) == 0) {
      return true;
    }
  }
  return false;
}

/* What the arguments ask for, done. */
static int convert_as_asked(struct options *options, int argc, char **argv) {
  int status = read_options(options, argc, argv);
  if (status != CLI_OK) {
    return status;
  }
  if (argc - optind != 2) {
    return cli_misused(&cli_convert, "convert takes two files");
  }
  const char *from = argv[optind], *to = argv[optind + 1];
  const char *format = options->format != NULL ? options->format : format_of(to);
  if (format == NULL && options->shard > 0) {
    format = "safetensors";
  }
  if (format == NULL) {
    return cli_misused(&cli_convert, "'%s' does not tell a format; say --to", to);
  }
  if (!is_written(format)) {
    return cli_misused(&cli_convert, "--to: '%s' is no format that is written", format);
  }
  if (options->shard > 0 && strncmp(format, "np", 2) == 0) {
    return cli_misused(&cli_convert, "--shard: files of %s are not sharded", format);
  }
  if (options->shard > 0 && !ends_with(to, ".json")) {
    (void)!mkdir(to, 0777); /* one that is there will do, and writing tells if there is none */
  }
  ctorch_error *error = convert(from, to, format, options);
  return error == NULL ? CLI_OK : cli_fail(error);
}

static int run(int argc, char **argv) {
  struct options options = {0};
  int status = convert_as_asked(&options, argc, argv);
  for (size_t i = 0; i < options.renames_len; i++) {
    regfree(&options.renames[i].pattern);
    free(options.renames[i].replacement);
  }
  return status; /* NOLINT(clang-analyzer-unix.Malloc): all of them are freed */
}

const struct cli_command cli_convert = {
    "convert",
    run,
    "write the tensors of a file in another format",
    "Usage: ctorch convert [OPTION…] FROM TO\n"
    "\n"
    "Write the tensors of a file of any format (see ctorch inspect --help) as pt, safetensors, npz or npy, which the "
    "name\n"
    "TO tells by its end, or --to.\n"
    "\n"
    "  --to FORMAT        pt, safetensors, npz or npy\n"
    "  --dtype DTYPE      convert floats: float16 (f16), bfloat16 (bf16), float32 (f32), float64 (f64), …\n"
    "  --rename P=R       replace in each name the first match of the extended regular expression P by R, in which \\1 "
    "to\n"
    "                     \\9 are groups and \\0 is the match; several are applied one after the other\n"
    "  --shard SIZE       into files of at most SIZE (5GB, 200MB) with an index, as Hugging Face has them; TO is the "
    "index\n"
    "                     or a folder\n"
    "  --compressed       compress an npz file\n"
    "  --no-crc32         leave out the checksums of a pt file\n"
    "  -h, --help         this text\n",
};
