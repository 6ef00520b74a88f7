/*
 * The entries: every function of the ABI as one indirect jump to its target.
 *
 * A target is a variable of its own and not an ifunc: a resolver of those runs before the process can open libraries.
 */
#include <stdint.h>

#include "ctorch.h"
#include "loader/loader.h"

/* What an entry leads to until there is a library: a failure, or the value that means nothing. */
#define FALLIBLE(name) \
  static ctorch_error *nowhere_##name(void) { return fail_nowhere(#name); }
#define TEXT(name) \
  static const char *nowhere_##name(void) { return ""; }
#define NUMBER(type, name) \
  static type nowhere_##name(void) { return 0; }
#define NOTHING(name) \
  static void nowhere_##name(void) {}
#include "loader/functions.h"

/* Seen by the jumps alone: `used` keeps what no C refers to. */
#define TARGET(name)                                                \
  extern void *target_##name __attribute__((visibility("hidden"))); \
  __attribute__((used)) void *target_##name = (void *)(uintptr_t)nowhere_##name;
#define FALLIBLE(name) TARGET(name)
#define TEXT(name) TARGET(name)
#define NUMBER(type, name) TARGET(name)
#define NOTHING(name) TARGET(name)
#include "loader/functions.h"

/* An entry begins with what marks the targets of indirect branches, where the compiler marks its own; on ARM64 always:
 * it is an instruction that older processors take for none ("hint #34" is `bti c`). x16 is the scratch register that
 * the calling convention has for veneers such as this, and one by which a branch may lead to a `bti c`. */
#if defined __x86_64__
#if defined __CET__ && (__CET__ & 1) != 0
#define MARK "\tendbr64\n"
#else
#define MARK ""
#endif
#define JUMP(name) MARK "\tjmp *target_" #name "(%rip)\n"
#elif defined __aarch64__
#define JUMP(name)                       \
  "\thint #34\n"                         \
  "\tadrp x16, target_" #name            \
  "\n"                                   \
  "\tldr x16, [x16, :lo12:target_" #name \
  "]\n"                                  \
  "\tbr x16\n"
#else
#error "the loader has no jump for this architecture yet: write it in shim/loader/entries.c"
#endif
#define ENTRY(name)                                                                         \
  __asm__("\t.text\n\t.balign 16\n\t.globl " #name "\n\t.type " #name ", %function\n" #name \
          ":\n" JUMP(name) "\t.size " #name ", .-" #name "\n");
#define FALLIBLE(name) ENTRY(name)
#define TEXT(name) ENTRY(name)
#define NUMBER(type, name) ENTRY(name)
#define NOTHING(name) ENTRY(name)
#include "loader/functions.h"

const struct entry entries[] = {
#define ROW(name) {#name, &target_##name},
#define FALLIBLE(name) ROW(name)
#define TEXT(name) ROW(name)
#define NUMBER(type, name) ROW(name)
#define NOTHING(name) ROW(name)
#include "loader/functions.h"
};
const size_t entries_len = sizeof(entries) / sizeof(entries[0]);
