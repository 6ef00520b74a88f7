// What Linux tells of the machine in /proc, or else POSIX.
#include "core/abi/machine.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fstream>

namespace ctorch::machine {

namespace {

/// "MemTotal:       24589196 kB", in bytes.
std::optional<uint64_t> field(const char *text, const char *label) {
  const char *found = strstr(text, label);
  if (found == nullptr) {
    return std::nullopt;
  }
  char *end = nullptr;
  const char *digits = found + strlen(label);
  const unsigned long long kibibytes = strtoull(digits, &end, 10);
  return end == digits || kibibytes > UINT64_MAX / 1024 ? std::nullopt : std::optional<uint64_t>(kibibytes * 1024);
}

std::optional<Memory> memory_by_pages() {
#if defined _SC_PHYS_PAGES && defined _SC_AVPHYS_PAGES
  const long total = sysconf(_SC_PHYS_PAGES), available = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (total > 0 && available >= 0 && size > 0) {
    return Memory{
        static_cast<uint64_t>(total) * static_cast<uint64_t>(size),
        static_cast<uint64_t>(available) * static_cast<uint64_t>(size)};
  }
#endif
  return std::nullopt;
}

}  // namespace

std::optional<Memory> memory() noexcept {
  char text[1024] = "";  // the two are among the first three lines
  const int file = open("/proc/meminfo", O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    const ssize_t length = read(file, text, sizeof text - 1);
    text[length < 0 ? 0 : length] = '\0';
    close(file);
  }
  const auto total = field(text, "MemTotal:"), available = field(text, "MemAvailable:");
  return total && available ? Memory{*total, *available} : memory_by_pages();
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.compare(0, 10, "model name") == 0 && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "cpu";  // what other architectures do not tell
}

}  // namespace ctorch::machine
