// Writing a file that is complete or not there: under another name first, then renamed.
#include "core/abi/file.hpp"
#include "core/abi/excerpt.hpp"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

#include "core/abi/error.hpp"
#include "core/c/file_write.h"

namespace ctorch {

namespace {

bool write_all(int file, std::string_view content) {
  while (!content.empty()) {
    ssize_t written = file_write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    content.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

}  // namespace

void write_file(const std::string &path, std::string_view content) {
  static std::atomic<unsigned> files = 0;
  std::string temporary = path + "." + std::to_string(getpid()) + "." + std::to_string(files++);
  auto fail_io = [&](const char *what) {
    fail(CTORCH_ERROR_IO, std::string(what) + " " + excerpt(path) + ": " + strerror(errno));
  };
  int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) {
    fail_io("cannot create");
  }
  bool written = write_all(file, content) && fsync(file) == 0;
  written = close(file) == 0 && written;
  if (!written || rename(temporary.c_str(), path.c_str()) != 0) {
    int reason = errno;
    unlink(temporary.c_str());
    errno = reason;
    fail_io("cannot write");
  }
}

}  // namespace ctorch
