/* `ctorch inspect`: what is in a file of weights. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "cli/json.h"

struct row {
  const char *type;
  char *name, *shape; /* for people */
  uint64_t nbytes, numel;
};

struct contents {
  struct row *rows;
  size_t len;
  uint64_t nbytes, numel;
};

static ctorch_error *read_row(struct row *row, const ctorch_weights *weights, size_t index) {
  const int64_t *shape = NULL;
  size_t len = 0;
  ctorch_error *error = ctorch_weights_shape(&shape, &len, weights, index);
  if (error == NULL) {
    row->name = cli_escaped(ctorch_weights_name(weights, index));
    row->type = ctorch_weights_type(weights, index);
    row->nbytes = ctorch_weights_nbytes(weights, index);
    row->shape = cli_shape(shape, len);
    row->numel = 1;
    for (size_t i = 0; i < len; i++) {
      row->numel *= (uint64_t)shape[i];
    }
  }
  return error;
}

static ctorch_error *read_contents(struct contents *contents, const ctorch_weights *weights) {
  contents->rows = calloc(ctorch_weights_len(weights) + 1, sizeof(*contents->rows));
  if (contents->rows == NULL) {
    abort();
  }
  for (; contents->len < ctorch_weights_len(weights); contents->len++) {
    struct row *row = &contents->rows[contents->len];
    ctorch_error *error = read_row(row, weights, contents->len);
    if (error != NULL) {
      return error;
    }
    contents->nbytes += row->nbytes;
    contents->numel += row->numel;
  }
  return NULL;
}

static void free_contents(struct contents *contents) {
  for (size_t i = 0; i < contents->len; i++) {
    free(contents->rows[i].name);
    free(contents->rows[i].shape);
  }
  free(contents->rows);
}

static int width(const char *text, int least) {
  int len = cli_width(text);
  return len > least ? len : least;
}

/* On a terminal a line of the table is a line, unless that leaves too little of the name. */
static int longest_name(int type, int shape) {
  enum { LEAST = 20, REST = 16 };
  const int columns = cli_columns(), left = columns - type - shape - REST;
  return columns == 0 ? 0 : left > LEAST ? left : LEAST;
}

static void print_table(const struct contents *contents) {
  int name = 0, type = 0, shape = 0;
  for (size_t i = 0; i < contents->len; i++) {
    name = width(contents->rows[i].name, name);
    type = width(contents->rows[i].type, type);
    shape = width(contents->rows[i].shape, shape);
  }
  for (size_t i = 0; i < contents->len; i++) {
    const struct row *row = &contents->rows[i];
    char size[32];
    cli_print_cell(row->name, name, longest_name(type, shape));
    fputs("  ", stdout);
    cli_print_cell(row->type, type, 0);
    fputs("  ", stdout);
    cli_print_cell(row->shape, shape, 0);
    printf("  %10s\n", cli_size(size, row->nbytes));
  }
}

/* Spaces in front of what lies so deep; a name may be made of dots. */
static int indent_of(int depth) {
  enum { DEEPEST = 40 };
  return 2 * (depth < DEEPEST ? depth : DEEPEST);
}

/* A part of a name at its depth, cut to the terminal's width. */
static void print_part(const char *part, int len, int depth) {
  const int columns = cli_columns(), left = columns - indent_of(depth);
  char *text = strndup(part, (size_t)len);
  if (text == NULL) {
    abort();
  }
  printf("%*s", indent_of(depth), "");
  cli_print_cell(text, 0, columns == 0 ? 0 : left > 1 ? left : 1);
  free(text);
}

/* Names as a tree: what two names that follow one another have in common is not repeated. */
static void print_tree(const struct contents *contents) {
  const char *before = "";
  for (size_t i = 0; i < contents->len; i++) {
    const struct row *row = &contents->rows[i];
    const char *name = row->name;
    size_t same = 0; /* up to the last dot that both have */
    for (size_t c = 0; name[c] != '\0' && name[c] == before[c]; c++) {
      same = name[c] == '.' ? c + 1 : same;
    }
    int depth = 0;
    for (size_t c = 0; c < same; c++) {
      depth += name[c] == '.';
    }
    for (const char *part = name + same, *dot; (dot = strchr(part, '.')) != NULL; part = dot + 1, depth++) {
      print_part(part, (int)(dot - part), depth);
      putchar('\n');
    }
    const char *last = strrchr(name, '.');
    last = last == NULL ? name : last + 1;
    print_part(last, (int)strlen(last), depth);
    printf("  %s %s\n", row->type, row->shape);
    before = name;
  }
}

/* A value in one line: its beginning. */
static void print_repr(const ctorch_value *value) {
  enum { MOST = 200 };
  ctorch_string *text = NULL;
  ctorch_error *error = ctorch_value_repr(&text, value);
  if (error != NULL) { /* longer than anybody reads */
    printf("… (%s)", ctorch_value_kind_name(ctorch_value_kind_of(value)));
  } else {
    char *shown = cli_escaped(ctorch_string_data(text)); /* Python does not escape all that is hidden */
    cli_print_cell(shown, 0, MOST + 1);
    free(shown);
  }
  ctorch_error_release(error);
  ctorch_string_release(text);
}

static int print_metadata(const ctorch_weights *weights) {
  ctorch_value *metadata = NULL, *keys = NULL;
  ctorch_error *error = ctorch_weights_metadata(&metadata, weights);
  THEN(error, ctorch_value_dict_keys(&keys, metadata));
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL, *value = NULL;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_dict_get(&value, metadata, key));
    if (error == NULL) {
      print_repr(key);
      fputs(": ", stdout);
      print_repr(value);
      putchar('\n');
    }
    ctorch_value_release(value);
    ctorch_value_release(key);
  }
  ctorch_value_release(keys);
  ctorch_value_release(metadata);
  return error == NULL ? CLI_OK : cli_fail(error);
}

static int print_as_json(const ctorch_weights *weights, const struct contents *contents, bool with_metadata) {
  json_t *tensors = json_array();
  for (size_t i = 0; i < contents->len; i++) {
    const struct row *row = &contents->rows[i];
    const int64_t *shape = NULL;
    size_t len = 0;
    ctorch_dtype dtype = 0;
    ctorch_error_release(ctorch_weights_shape(&shape, &len, weights, i));
    ctorch_error *error = ctorch_weights_dtype(&dtype, weights, i);
    const char *dtype_name = error == NULL ? ctorch_dtype_name(dtype) : NULL; /* PyTorch has not all types of files */
    ctorch_error_release(error);
    json_array_append_new(
        tensors, json_pack(
                     "{s:s, s:s, s:s?, s:o, s:I}", "name", ctorch_weights_name(weights, i), "type", row->type, "dtype",
                     dtype_name, "shape", cli_json_shape(shape, len), "nbytes", (json_int_t)row->nbytes));
  }
  json_t *document = json_pack(
      "{s:s, s:o, s:I, s:I}", "format", ctorch_weights_format(weights), "tensors", tensors, "nbytes",
      (json_int_t)contents->nbytes, "elements", (json_int_t)contents->numel);
  if (with_metadata) {
    ctorch_value *metadata = NULL;
    ctorch_error *error = ctorch_weights_metadata(&metadata, weights);
    if (error != NULL) {
      json_decref(document);
      return cli_fail(error);
    }
    json_t *shown = cli_json_value(metadata);
    ctorch_value_release(metadata);
    if (shown == NULL) {
      json_decref(document);
      return cli_complain("the metadata are more than can be shown: their values contain each other many times");
    }
    json_object_set_new(document, "metadata", shown);
  }
  return cli_print_json(document);
}

static int run(int argc, char **argv) {
  static const struct option OPTIONS[] = {
      {"json", no_argument, NULL, 'j'},
      {"metadata", no_argument, NULL, 'm'},
      {"tree", no_argument, NULL, 't'},
      {NULL, 0, NULL, 0}};
  bool as_json = false, metadata = false, tree = false;
  for (int option; (option = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1;) {
    switch (option) {
      case 'j':
        as_json = true;
        break;
      case 'm':
        metadata = true;
        break;
      case 't':
        tree = true;
        break;
      default:
        return cli_unknown_option(&cli_inspect);
    }
  }
  if (argc - optind != 1) {
    return cli_misused(&cli_inspect, "inspect takes one file");
  }
  ctorch_weights *weights = NULL;
  struct contents contents = {0};
  ctorch_error *error = cli_open(&weights, argv[optind]);
  THEN(error, read_contents(&contents, weights));
  int status = CLI_OK;
  if (error != NULL) {
    status = cli_fail(error);
  } else if (as_json) {
    status = print_as_json(weights, &contents, metadata);
  } else {
    char size[32];
    if (tree) {
      print_tree(&contents);
    } else {
      print_table(&contents);
    }
    printf(
        "%s: %zu tensors, %llu elements, %s\n", ctorch_weights_format(weights), contents.len,
        (unsigned long long)contents.numel, cli_size(size, contents.nbytes));
    if (metadata) {
      status = print_metadata(weights);
    }
  }
  free_contents(&contents);
  ctorch_weights_release(weights);
  return status;
}

const struct cli_command cli_inspect = {
    "inspect",
    run,
    "names, types, shapes and sizes of the tensors of a file",
    "Usage: ctorch inspect [--tree] [--metadata] [--json] FILE\n"
    "\n"
    "Print the tensors of a file: .pt and .pth of torch.save, safetensors, npy, npz, GGUF, .pt2 of torch.export, or a\n"
    "model in shards (its index, or the folder). The content tells the format, and no more is read than the table of\n"
    "contents.\n"
    "\n"
    "  --tree      names as a tree\n"
    "  --metadata  also what the file says beside its tensors\n"
    "  --json      as JSON\n"
    "  -h, --help  this text\n",
};
