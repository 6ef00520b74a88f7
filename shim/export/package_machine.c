/* Whether a package is for this machine: by its metadata, and by the header of its library (ELF, as <elf.h> has it). */
#define _POSIX_C_SOURCE 200809L
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/python.h"
#include "export/package.h"
#include "io/reader.h"

/* Metadata --------------------------------------------------------------------------------------------------------- */

const char *package_metadata_text(const ctorch_value *metadata, const char *key) {
  ctorch_value *value = NULL;
  const char *text = "";
  size_t len = 0;
  ctorch_error *error = metadata == NULL ? NULL : ctorch_value_dict_at(&value, metadata, key);
  if (error == NULL && ctorch_value_kind_of(value) == CTORCH_VALUE_STRING) {
    error = ctorch_value_to_string(&text, &len, value);
  }
  ctorch_error_release(error);
  ctorch_value_release(value); /* the dict keeps the text */
  return text;
}

static ctorch_error *other_machine(
    const char *function, const struct pt2_archive *archive, const char *what, const char *theirs, const char *ours) {
  return error_make(
      function, CTORCH_ERROR_UNSUPPORTED,
      "%.1000s: compiled for another machine: its %s is %.100s, this one's is %.100s", reader_name(archive->reader),
      what, theirs, ours);
}

/* The vector instructions that the compiler was told of, "AVX2" or "avx512 amx". */
static const char *missing_instructions(const char *isa) {
#if defined(__x86_64__)
  if (strncasecmp(isa, "avx512", 6) == 0) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") ? NULL : "AVX-512";
  }
  if (strcasecmp(isa, "avx2") == 0) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? NULL : "AVX2 with FMA";
  }
#else
  (void)isa;
#endif
  return NULL;
}

#if CTORCH_HAS_JANSSON
static ctorch_error *check_machine(
    const char *function, const struct pt2_archive *archive, const ctorch_value *metadata) {
  struct utsname here;
  if (uname(&here) != 0) {
    return NULL;
  }
  const char *platform = package_metadata_text(metadata, "AOTI_PLATFORM");
  const char *machine = package_metadata_text(metadata, "AOTI_MACHINE");
  const char *isa = package_metadata_text(metadata, "AOTI_CPU_ISA");
  const char *missing = missing_instructions(isa);
  if (*platform != '\0' && strcasecmp(platform, here.sysname) != 0) {
    return other_machine(function, archive, "operating system", platform, here.sysname);
  }
  if (*machine != '\0' && strcmp(machine, here.machine) != 0) {
    return other_machine(function, archive, "processor", machine, here.machine);
  }
  if (missing != NULL) {
    return error_make(
        function, CTORCH_ERROR_UNSUPPORTED, "%.1000s: compiled for %.100s, and this machine has no %s",
        reader_name(archive->reader), isa, missing);
  }
  return NULL;
}

ctorch_error *package_read_metadata(
    const char *function, ctorch_value **metadata, struct pt2_archive *archive, const struct package_files *files) {
  json_t *json = NULL;
  ctorch_value *value = NULL;
  ctorch_error *error = files->metadata == NULL ? ctorch_value_from_dict(&value, NULL, 0, NULL, 0)
                                                : pt2_archive_json(function, archive, &json, files->metadata);
  if (error == NULL && json != NULL) {
    error = json_is_object(json) ? json_value(function, &value, json, archive->reader)
                                 : reader_error(function, archive->reader, "%s: no object", files->metadata->name);
    json_decref(json);
  }
  THEN(error, check_machine(function, archive, value));
  if (error != NULL) {
    ctorch_value_release(value);
    return error_of(function, error);
  }
  *metadata = value_take(value);
  return NULL;
}
#else
ctorch_error *package_read_metadata(
    const char *function, ctorch_value **metadata, struct pt2_archive *archive, const struct package_files *files) {
  (void)function, (void)archive, (void)files, (void)missing_instructions, (void)other_machine;
  *metadata = NULL;
  return NULL;
}
#endif

/* The library ------------------------------------------------------------------------------------------------------ */

#if defined(__x86_64__)
enum { OUR_MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { OUR_MACHINE = EM_AARCH64 };
#else
enum { OUR_MACHINE = EM_NONE };
#endif

static bool lies_in(uint64_t offset, uint64_t nbytes, uint64_t all) { return offset <= all && nbytes <= all - offset; }

/* Segments that the dynamic linker maps to memory lie in the file, and so does the table of sections at its end. */
static bool is_complete(const Elf64_Ehdr *header, const unsigned char *data, uint64_t nbytes) {
  if (!lies_in(header->e_shoff, (uint64_t)header->e_shnum * header->e_shentsize, nbytes) ||
      header->e_phentsize != sizeof(Elf64_Phdr) ||
      !lies_in(header->e_phoff, (uint64_t)header->e_phnum * sizeof(Elf64_Phdr), nbytes)) {
    return false;
  }
  for (size_t i = 0; i < header->e_phnum; i++) {
    Elf64_Phdr segment;
    memcpy(&segment, data + header->e_phoff + i * sizeof segment, sizeof segment);
    if (!lies_in(segment.p_offset, segment.p_filesz, nbytes)) {
      return false;
    }
  }
  return true;
}

ctorch_error *package_check_library(
    const char *function, const struct pt2_archive *archive, const struct pt_record *library, const void *data) {
  Elf64_Ehdr header;
  if (library->nbytes < sizeof header || memcmp(data, ELFMAG, SELFMAG) != 0) {
    return reader_error(function, archive->reader, "record '%s' is no shared library", library->name);
  }
  memcpy(&header, data, sizeof header);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || (OUR_MACHINE != EM_NONE && header.e_machine != OUR_MACHINE)) {
    return error_make(
        function, CTORCH_ERROR_UNSUPPORTED, "%.1000s: record '%.200s' is a library for another processor",
        reader_name(archive->reader), library->name);
  }
  if (header.e_type != ET_DYN || !is_complete(&header, data, library->nbytes)) {
    return reader_error(function, archive->reader, "record '%s' is a damaged shared library", library->name);
  }
  return NULL;
}
