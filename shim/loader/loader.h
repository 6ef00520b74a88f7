/* The parts of the loader, which is libctorch.so.0 of programs that are linked once for every LibTorch. */
#ifndef CTORCH_SHIM_LOADER_LOADER_H
#define CTORCH_SHIM_LOADER_LOADER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "ctorch/abi/error.h"

/* A text that grows, for messages; what does not fit is left out. */
struct text {
  char bytes[8192];
};
void text_add(struct text *self, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* find.c: a LibTorch that is loaded, by this process before or by find_libtorch. */
struct libtorch {
  char library[PATH_MAX];
  int major, minor;
};

/* Look for LibTorch, load it, and say which it is; or false, with what was looked for and what was wrong with it. */
bool find_libtorch(const char *beside, struct libtorch *out, struct text *wrong);

/* entries.c: the functions of the ABI, each a jump to where its target points. At first that is a function that
 * fails. */
struct entry {
  const char *name;
  void **target;
};
extern const struct entry entries[];
extern const size_t entries_len;

/* error.c: errors while there is no LibTorch: what is asked of them is answered by functions of the loader. */
void answer_alone(const struct entry *table, size_t len);

/* error.c: which libctorch the entries lead to, or why to none. */
void loader_reason(bool is_loaded, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* error.c: what the function `name` of the ABI returns while it leads nowhere. */
ctorch_error *fail_nowhere(const char *name);

#endif
