#include "listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static ctorch_error *listen_at(
    listener *self, const char *name, int family, const struct sockaddr *address, socklen_t len) {
  const int yes = 1;
  self->file = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (family == AF_INET6 && self->file >= 0) {
    const int no = 0; /* "::" takes IPv4 as well, whatever the system's default is */
    setsockopt(self->file, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
  }
  if (self->file >= 0 && setsockopt(self->file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
      bind(self->file, address, len) == 0 && listen(self->file, SOMAXCONN) == 0) {
    return NULL;
  }
  ctorch_error *error = ctorch_error_format(CTORCH_ERROR_IO, "%s: %s", name, strerror(errno));
  if (self->file >= 0) {
    close(self->file);
    self->file = -1;
  }
  return error;
}

ctorch_error *listener_open_port(listener *out, const char *address, uint16_t port) {
  struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(port)};
  struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
  *out = (listener){.file = -1};
  if (inet_pton(AF_INET, address, &four.sin_addr) == 1) {
    socklen_t len = sizeof four;
    CTORCH_TRY(listen_at(out, address, AF_INET, (const struct sockaddr *)&four, len));
    getsockname(out->file, (struct sockaddr *)&four, &len);
    out->port = ntohs(four.sin_port);
    return NULL;
  }
  if (inet_pton(AF_INET6, address, &six.sin6_addr) == 1) {
    socklen_t len = sizeof six;
    CTORCH_TRY(listen_at(out, address, AF_INET6, (const struct sockaddr *)&six, len));
    getsockname(out->file, (struct sockaddr *)&six, &len);
    out->port = ntohs(six.sin6_port);
    return NULL;
  }
  return ctorch_error_format(CTORCH_ERROR_INVALID_ARGUMENT, "%s: not an IPv4 or IPv6 address", address);
}

ctorch_error *listener_open_path(listener *out, const char *path) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  *out = (listener){.file = -1};
  if (strlen(path) >= sizeof name.sun_path) {
    return ctorch_error_format(CTORCH_ERROR_INVALID_ARGUMENT, "%s: too long for the path of a socket", path);
  }
  strcpy(name.sun_path, path);
  const mode_t before = umask(S_IRWXG | S_IRWXO);
  ctorch_error *error = listen_at(out, path, AF_UNIX, (const struct sockaddr *)&name, sizeof name);
  umask(before);
  out->path = error == NULL ? path : NULL;
  return error;
}

void listener_close(listener *self) {
  if (self->file >= 0) {
    close(self->file);
    self->file = -1;
  }
  if (self->path != NULL) {
    unlink(self->path);
    self->path = NULL;
  }
}
