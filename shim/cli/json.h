/* What the commands print with --json, by jansson. */
#ifndef CTORCH_SHIM_CLI_JSON_H
#define CTORCH_SHIM_CLI_JSON_H

#include <jansson.h>

#include "cli/cli.h"

/* Print a document, which is consumed; NULL is out of memory. */
int cli_print_json(json_t *document);

/* A list of sizes. */
json_t *cli_json_shape(const int64_t *shape, size_t len);
/* What a value is in JSON: numbers, texts, None, lists, dicts from texts; its repr for everything else. */
json_t *cli_json_value(const ctorch_value *value);

#endif
