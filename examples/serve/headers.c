#include "headers.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Headers of one name: how many, and the first. */
typedef struct found {
  const char *name, *text;
  size_t len;
} found;

static enum MHD_Result count(void *payload, enum MHD_ValueKind kind, const char *name, const char *text) {
  found *self = payload;
  (void)kind;
  if (strcasecmp(name, self->name) == 0 && self->len++ == 0) {
    self->text = text != NULL ? text : "";
  }
  return MHD_YES;
}

static found find(struct MHD_Connection *request, const char *name) {
  found self = {.name = name};
  MHD_get_connection_values(request, MHD_HEADER_KIND, count, &self);
  return self;
}

/* RFC 9110, 5.6.2: what names are made of. The library takes "Content-Length " for a name. */
static bool is_name(const char *text, size_t len) {
  for (size_t i = 0; i < len; i++) {
    const char c = text[i];
    if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
        (c == '\0' || strchr("!#$%&'*+-.^_`|~", c) == NULL)) {
      return false;
    }
  }
  return len > 0;
}

static bool is_value(const char *text, size_t len) {
  for (size_t i = 0; i < len; i++) {
    const unsigned char c = (unsigned char)text[i];
    if ((c < ' ' && c != '\t') || c == 0x7f) {
      return false;
    }
  }
  return true;
}

static enum MHD_Result check(
    void *payload, enum MHD_ValueKind kind, const char *name, size_t name_len, const char *text, size_t len) {
  bool *are_valid = payload;
  (void)kind;
  *are_valid = *are_valid && is_name(name, name_len) && is_value(text, len);
  return MHD_YES;
}

const char *headers_problem(struct MHD_Connection *request, const char *version) {
  const found length = find(request, MHD_HTTP_HEADER_CONTENT_LENGTH);
  const found encoding = find(request, MHD_HTTP_HEADER_TRANSFER_ENCODING);
  const found host = find(request, MHD_HTTP_HEADER_HOST);
  bool are_valid = true;
  MHD_get_connection_values_n(request, MHD_HEADER_KIND, check, &are_valid);
  if (!are_valid) {
    return "a header has a character that it must not have";
  }
  if (length.len > 1) {
    return "more than one Content-Length";
  }
  if (encoding.len > 0 && length.len > 0) {
    return "Content-Length and Transfer-Encoding exclude each other";
  }
  if (encoding.len > 1 || (encoding.len == 1 && strcasecmp(encoding.text, "chunked") != 0)) {
    return "Transfer-Encoding must be \"chunked\"";
  }
  if (encoding.len > 0 && strcmp(version, MHD_HTTP_VERSION_1_0) == 0) {
    return "HTTP/1.0 has no Transfer-Encoding";
  }
  if (host.len > 1) {
    return "more than one Host";
  }
  return host.len == 0 && strcmp(version, MHD_HTTP_VERSION_1_0) != 0 ? "a Host is missing" : NULL;
}

bool headers_size(size_t *out, struct MHD_Connection *request, const char *name) {
  const found header = find(request, name);
  char *end = NULL;
  *out = HEADERS_NO_LENGTH;
  if (header.len == 0) {
    return true;
  }
  errno = 0;
  const unsigned long long number = strtoull(header.text, &end, 10);
  *out = (size_t)number;
  return header.len == 1 && *header.text >= '0' && *header.text <= '9' && *end == '\0' && errno == 0 &&
         number < HEADERS_NO_LENGTH;
}

bool headers_are_of_infer(struct MHD_Connection *request) {
  static const char json[] = "application/json", bytes[] = "application/octet-stream";
  const found type = find(request, MHD_HTTP_HEADER_CONTENT_TYPE);
  const found encoding = find(request, MHD_HTTP_HEADER_CONTENT_ENCODING);
  const size_t len = type.len > 0 ? strcspn(type.text, "; \t") : 0;
  const bool is_known = type.len == 0 || (len == strlen(json) && strncasecmp(type.text, json, len) == 0) ||
                        (len == strlen(bytes) && strncasecmp(type.text, bytes, len) == 0);
  return type.len <= 1 && is_known && encoding.len <= 1 &&
         (encoding.len == 0 || strcasecmp(encoding.text, "identity") == 0);
}
