// Names of functions. The dynamic linker knows those that are exported. Of a program that is hardly any, so the others
// are looked up in the table of symbols (.symtab) that each ELF file has which was not stripped.
#include "core/abi/symbol.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <memory>

#include "core/abi/machine.hpp"

namespace ctorch {

namespace {

/// A file in memory. What is read of it is checked against its length: a file may have changed since it was loaded.
class MappedFile {
 public:
  explicit MappedFile(const char *path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
      void *mapped = mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (mapped != MAP_FAILED) {
        data_ = static_cast<const unsigned char *>(mapped);
        len_ = static_cast<size_t>(status.st_size);
      }
    }
    if (file >= 0) {
      close(file);
    }
  }
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;
  ~MappedFile() {
    if (data_ != nullptr) {
      munmap(const_cast<unsigned char *>(data_), len_);
    }
  }

  /// `count` entries at an offset, or null if the file is shorter.
  template <class T>
  const T *at(uint64_t offset, uint64_t count) const {
    return data_ == nullptr || offset > len_ || count > (len_ - offset) / sizeof(T) || offset % alignof(T) != 0
               ? nullptr
               : reinterpret_cast<const T *>(data_ + offset);
  }

 private:
  const unsigned char *data_ = nullptr;
  size_t len_ = 0;
};

/// The function of a file that has an address, by its table of symbols: `name` stays as it is if there is none.
void find_in_file(const char *path, uintptr_t address, std::string &name, uintptr_t &start) {
  const MappedFile file(path);
  const auto *header = file.at<ElfW(Ehdr)>(0, 1);
  if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)) {
    return;
  }
  const auto *sections = file.at<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
  for (size_t i = 0; sections != nullptr && i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) {
      continue;
    }
    const auto &names = sections[sections[i].sh_link];
    const char *texts = file.at<char>(names.sh_offset, names.sh_size);
    const size_t len = sections[i].sh_size / sizeof(ElfW(Sym));
    const auto *symbols = file.at<ElfW(Sym)>(sections[i].sh_offset, len);
    if (symbols == nullptr || texts == nullptr || names.sh_size == 0 || texts[names.sh_size - 1] != '\0') {
      continue;
    }
    for (size_t j = 0; j < len; j++) {
      const auto &symbol = symbols[j];
      if ((symbol.st_info & 0xF) == STT_FUNC && symbol.st_shndx != SHN_UNDEF && symbol.st_name < names.sh_size &&
          address >= symbol.st_value && address - symbol.st_value < symbol.st_size) {
        name = texts + symbol.st_name;
        start = symbol.st_value;
        return;
      }
    }
  }
}

std::string demangled(const char *name) {
  // A C compiler that has made another function of one says so: "run.constprop.0".
  if (strncmp(name, "_Z", 2) != 0) {
    return std::string(name, strcspn(name, "."));
  }
  int status = 0;
  std::unique_ptr<char, void (*)(void *)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status), free);
  return status == 0 && text != nullptr ? text.get() : name;
}

/// A return address may be the first of the next function, where the call does not return.
void *call_before(const void *return_address) {
  return const_cast<char *>(static_cast<const char *>(return_address) - 1);
}

}  // namespace

Symbol symbol_of(const void *return_address) {
  Dl_info info;
  link_map *map = nullptr;
  void *const call = call_before(return_address);
  if (dladdr1(call, &info, reinterpret_cast<void **>(&map), RTLD_DL_LINKMAP) == 0 || info.dli_fname == nullptr ||
      map == nullptr) {
    return {"", "", 0};
  }
  // The name of the program is what it was called by, which need not be a path.
  const bool is_program = map->l_name == nullptr || map->l_name[0] == '\0';
  char program[4096] = "";
  if (is_program && readlink(machine::PROGRAM, program, sizeof program - 1) < 0) {
    program[0] = '\0';
  }
  const char *path = program[0] != '\0' ? program : info.dli_fname;
  const char *base = strrchr(path, '/');
  const auto address = reinterpret_cast<uintptr_t>(call);
  std::string name = info.dli_sname == nullptr ? "" : info.dli_sname;
  auto start = reinterpret_cast<uintptr_t>(info.dli_saddr) - map->l_addr;
  if (name.empty()) {
    find_in_file(is_program ? machine::PROGRAM : path, address - map->l_addr, name, start);
  }
  const uintptr_t from = name.empty() ? reinterpret_cast<uintptr_t>(info.dli_fbase) : map->l_addr + start;
  return {name.empty() ? name : demangled(name.c_str()), base == nullptr ? path : base + 1, address + 1 - from};
}

std::string symbol_text(const void *return_address) {
  const Symbol symbol = symbol_of(return_address);
  if (symbol.file.empty()) {
    return "unknown code";
  }
  char offset[32];
  snprintf(offset, sizeof offset, "+0x%zx", symbol.offset);
  return symbol.function.empty() ? symbol.file + offset : symbol.function + offset + " (" + symbol.file + ")";
}

const char *exported_function(const void *return_address, const void **start) noexcept {
  Dl_info info;
  if (dladdr(call_before(return_address), &info) == 0 || info.dli_sname == nullptr) {
    return nullptr;
  }
  if (start != nullptr) {
    *start = info.dli_saddr;
  }
  return info.dli_sname;
}

}  // namespace ctorch
