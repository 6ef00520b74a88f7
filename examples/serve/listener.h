/** Sockets that a server listens at. */
#ifndef EXAMPLES_SERVE_LISTENER_H
#define EXAMPLES_SERVE_LISTENER_H

#include <ctorch.h>

typedef struct listener {
  int file;         /* -1 for none */
  const char *path; /* of a socket in the file system; NULL for TCP; borrowed */
  uint16_t port;
} listener;

/**
 * Listen at a port of an IPv4 or IPv6 address.
 *
 * @param[out] out  give it back with listener_close.
 * @param address   borrowed; "127.0.0.1", "::1".
 * @param port      0 for one that the system chooses.
 * @return NULL, or INVALID_ARGUMENT (not an address), IO.
 */
ctorch_error *listener_open_port(listener *out, const char *address, uint16_t port);

/**
 * Listen at a socket in the file system, which must not be there yet, and which its owner alone may use.
 *
 * @param[out] out  give it back with listener_close.
 * @param path      borrowed until then.
 * @return NULL, or INVALID_ARGUMENT (a path too long for a socket), IO.
 */
ctorch_error *listener_open_path(listener *out, const char *path);

/** Close it, and take its path away. */
void listener_close(listener *self);

#endif
