/** What the headers of a request say. */
#ifndef EXAMPLES_SERVE_HEADERS_H
#define EXAMPLES_SERVE_HEADERS_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>

/** The length of a body that does not say it. */
#define HEADERS_NO_LENGTH SIZE_MAX

/**
 * Look for headers that another server could read otherwise, so that it saw other requests in the same bytes (RFC 9112,
 * 3.2 and 6).
 *
 * @param request  borrowed.
 * @param version  of the request, "HTTP/1.1".
 * @return what is wrong with them, for the client; NULL if nothing is.
 */
const char *headers_problem(struct MHD_Connection *request, const char *version);

/**
 * Read a header that is a whole number.
 *
 * @param[out] out  the number; HEADERS_NO_LENGTH if the header is not there.
 * @return whether it is not there, or there once and a number.
 */
bool headers_size(size_t *out, struct MHD_Connection *request, const char *name);

/** Whether the body is JSON or bytes, as far as its headers say, and not compressed. */
bool headers_are_of_infer(struct MHD_Connection *request);

#endif
