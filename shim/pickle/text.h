/* Texts in pickles. */
#ifndef CTORCH_SHIM_PICKLE_TEXT_H
#define CTORCH_SHIM_PICKLE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether bytes are UTF-8, as Python's "surrogatepass" has it: surrogates may stand alone. */
bool pickle_is_text(const unsigned char *data, size_t len);

#endif
