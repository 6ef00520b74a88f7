/* JSON as text: the characters between its words, and strings as the writers of files quote them. */
#ifndef CTORCH_SHIM_BASE_JSON_H
#define CTORCH_SHIM_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>

struct text; /* base/text.h */

bool json_is_space(unsigned char c);

/* A string in quotes, which is UTF-8: as serde_json writes it, or in ASCII as Python's json does. */
void json_quote(struct text *text, const char *data, size_t len, bool is_ascii);

#endif
