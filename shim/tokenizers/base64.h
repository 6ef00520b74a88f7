/* Base64 (RFC 4648), with or without its padding. */
#ifndef CTORCH_SHIM_TOKENIZERS_BASE64_H
#define CTORCH_SHIM_TOKENIZERS_BASE64_H

#include <stdbool.h>
#include <stddef.h>

/* `out` has room for three bytes of each four characters. False for what is none. */
bool base64_decode(unsigned char *out, size_t *out_len, const char *text, size_t len);

#endif
