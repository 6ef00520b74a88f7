/** The certificate of a server and its private key. */
#ifndef EXAMPLES_SERVE_TLS_H
#define EXAMPLES_SERVE_TLS_H

#include <ctorch.h>

typedef struct tls {
  char *certificate, *key; /* PEM; both NULL for none */
} tls;

/**
 * Read both from files of PEM.
 *
 * @param[out] out     release it with tls_clear.
 * @param certificate  the certificate, and those that it was signed with, after it; NULL for no TLS.
 * @param key          its key; NULL if and only if `certificate` is.
 * @return NULL, or UNSUPPORTED (libmicrohttpd was built without TLS), IO.
 */
ctorch_error *tls_read(tls *out, const char *certificate, const char *key);

/** Forget both. */
void tls_clear(tls *self);

#endif
