/* `ctorch ops`: functions and their signatures, in C and as Python's schema has them. */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/json.h"

/* Where api.json lies: $CTORCH_API, beside the installed tool, or where the build has it. */
static json_t *load_api(void) {
  char path[PATH_MAX + 64] = "";
  const char *given = getenv("CTORCH_API");
  char tool[PATH_MAX];
  ssize_t len = readlink("/proc/self/exe", tool, sizeof(tool) - 1);
  if (given != NULL) {
    snprintf(path, sizeof(path), "%s", given);
  } else if (len > 0) {
    tool[len] = '\0';
    char *slash = strrchr(tool, '/');
    *slash = '\0';
    snprintf(path, sizeof(path), "%s/%s/ctorch/api.json", tool, CTORCH_BIN_TO_DATA);
    if (access(path, R_OK) != 0) {
      snprintf(path, sizeof(path), "%s/generated/api.json", tool);
    }
  }
  json_error_t error;
  json_t *api = json_load_file(path, 0, &error);
  if (api == NULL) {
    cli_complain("cannot read %s: %s", path, error.text);
  }
  return api;
}

static const char *text_in(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text == NULL ? "" : text;
}

/* Whether a name is meant: all of it if the pattern has wildcards, else a part. */
static bool is_meant(const char *name, const char *pattern) {
  if (strpbrk(pattern, "*?[") != NULL) {
    return fnmatch(pattern, name, FNM_CASEFOLD) == 0;
  }
  return strcasestr(name, pattern) != NULL;
}

/* What a schema calls it: "aten::add.Tensor". */
static char *schema_name(const json_t *function) {
  const char *schema = text_in(function, "schema");
  return strndup(schema, strcspn(schema, "("));
}

static bool is_found(const json_t *function, const char *pattern) {
  char *schema = schema_name(function);
  bool found = schema != NULL && (is_meant(text_in(function, "name"), pattern) || is_meant(schema, pattern) ||
                                  (strncmp(schema, "aten::", 6) == 0 && is_meant(schema + 6, pattern)));
  free(schema);
  return found;
}

static void print_declaration(const json_t *function) {
  const char *returns = text_in(function, "returns");
  size_t len = strlen(returns);
  printf("%s%s%s(", returns, len > 0 && returns[len - 1] == '*' ? "" : " ", text_in(function, "name"));
  const json_t *params = json_object_get(function, "params");
  for (size_t i = 0; i < json_array_size(params); i++) {
    const json_t *param = json_array_get(params, i);
    const char *type = text_in(param, "c_type");
    size_t type_len = strlen(type);
    printf(
        "%s%s%s%s", i == 0 ? "" : ", ", type, type_len > 0 && type[type_len - 1] == '*' ? "" : " ",
        text_in(param, "name"));
  }
  puts(json_array_size(params) == 0 ? "void);" : ");");
}

static void print_function(const json_t *function) {
  const char *schema = text_in(function, "schema");
  if (schema[0] != '\0') {
    puts(schema);
  } else {
    const char *doc = text_in(function, "doc");
    printf("%.*s\n", (int)strcspn(doc, "\n"), doc);
  }
  fputs("    ", stdout);
  print_declaration(function);
  if (json_is_false(json_object_get(function, "available"))) {
    puts("    not in this LibTorch");
  }
}

static int run(int argc, char **argv) {
  static const struct option OPTIONS[] = {{"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0}};
  bool as_json = false;
  for (int option; (option = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1;) {
    if (option != 'j') {
      return cli_unknown_option(&cli_ops);
    }
    as_json = true;
  }
  if (optind == argc) {
    return cli_misused(&cli_ops, "ops takes a pattern");
  }
  json_t *api = load_api();
  if (api == NULL) {
    return CLI_FAILED;
  }
  const json_t *functions = json_object_get(api, "functions");
  json_t *found = json_array();
  for (size_t i = 0; i < json_array_size(functions); i++) {
    json_t *function = json_array_get(functions, i);
    bool is_any = false;
    for (int a = optind; a < argc && !is_any; a++) {
      is_any = is_found(function, argv[a]);
    }
    if (is_any) {
      json_array_append(found, function);
    }
  }
  int status = json_array_size(found) == 0 ? CLI_DIFFERENT : CLI_OK;
  if (as_json) {
    int printed = cli_print_json(json_incref(found));
    status = printed != CLI_OK ? printed : status;
  } else {
    for (size_t i = 0; i < json_array_size(found); i++) {
      print_function(json_array_get(found, i));
    }
  }
  json_decref(found);
  json_decref(api);
  return status;
}

const struct cli_command cli_ops = {
    "ops",
    run,
    "functions whose name matches, in C and as PyTorch's schema",
    "Usage: ctorch ops PATTERN… [--json]\n"
    "\n"
    "Print the functions whose name in C (ctorch_aten_add_Tensor) or in Python (add.Tensor, nn.Conv2d) holds one of "
    "the\n"
    "patterns, or matches it as a whole if it has *, ? or [: PyTorch's schema, and the declaration in C.\n"
    "\n"
    "  --json      as entries of api.json\n"
    "  -h, --help  this text\n"
    "\n"
    "Exit status: 1 if there is none.\n",
};
