/* What the fuzz targets share: reading the bytes of an input, and the properties that every call keeps.
 *
 *     static void index_input(fuzz_input *input) {
 *       ctorch_index *index;
 *       if (fuzz_ok(&index, ctorch_index_new(&index))) {
 *         fuzz_release(ctorch_index, index);
 *       }
 *     }
 *     FUZZ_TARGET(index_input)
 *
 * An input runs twice, without a scope and in one that releases everything: after both, as many handles are live as
 * before. A property that does not hold ends the process, which is what a fuzzer looks for. */
#ifndef CTORCH_TESTS_FUZZ_H
#define CTORCH_TESTS_FUZZ_H

#include <string.h>

#include "ctorch.h"

/** Bytes that are read from the front; behind their end are zeros. */
typedef struct fuzz_input {
  const uint8_t *data;
  size_t len;
} fuzz_input;

uint8_t fuzz_byte(fuzz_input *input);
/** A number below `bound`, which is at most 256; 0 if that is 0. */
size_t fuzz_below(fuzz_input *input, size_t bound);
/** Any int64: mostly a small one, often one where arithmetic overflows. */
int64_t fuzz_int64(fuzz_input *input);
/** Any double: mostly a plain one, often an infinity, a NaN or a subnormal. */
double fuzz_double(fuzz_input *input);
/** The text up to a NUL, a line's end or the end of the input; free() it. It may be no UTF-8. */
char *fuzz_line(fuzz_input *input);
/** All that is left as a text, up to a NUL; free() it. */
char *fuzz_rest(fuzz_input *input);
/** `bytes` bytes of malloc, which is not refused; of no byte one that may not be touched. */
void *fuzz_memory(size_t bytes);

/** Say what is wrong, and end the process. */
_Noreturn void fuzz_fail(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;
#define fuzz_assert(condition)                                              \
  do {                                                                      \
    if (!(condition)) {                                                     \
      fuzz_fail("%s:%d: %s does not hold", __FILE__, __LINE__, #condition); \
    }                                                                       \
  } while (0)

/** Check what every error keeps: a kind, a function, a message of at most 64 KiB in UTF-8. It is released. */
void fuzz_check_error(const char *call, ctorch_error *error, bool has_function);
/** Whether the call succeeded. The error, if there is one, is checked and released. */
bool fuzz_done(const char *call, ctorch_error *error);
/** The same for a call with an output, whose bytes were all 0xa5: an error leaves them, and they become zeros. */
bool fuzz_answered(const char *call, ctorch_error *error, void *out, size_t bytes);
bool fuzz_is_utf8(const char *text);

/** Whether a call succeeded that has no output. */
#define fuzz_try(call) fuzz_done(#call, (call))
/** Whether a call succeeded that writes to `out`: what it writes must stay as it is if the call fails. */
#define fuzz_ok(out, call) (memset((out), 0xa5, sizeof *(out)), fuzz_answered(#call, (call), (out), sizeof *(out)))
/** A call that has to succeed. */
#define fuzz_must(call)                                  \
  do {                                                   \
    if (!fuzz_try(call)) {                               \
      fuzz_fail("%s:%d: %s", __FILE__, __LINE__, #call); \
    }                                                    \
  } while (0)

/** Clear a container and all that it reaches: those that hold themselves are freed only so. It is not released. */
void fuzz_dismantle(ctorch_value *first);

/** Whether a scope releases what the input makes. */
extern bool fuzz_in_scope;
/** Give a handle back, unless the scope will. */
#define fuzz_release(type, handle) (fuzz_in_scope ? (void)0 : type##_release(handle))

/** What a target defines: `run` is called for each input. */
void fuzz_run(const char *target, void (*run)(fuzz_input *input), const uint8_t *data, size_t len);
void fuzz_run_once(const char *target, void (*run)(fuzz_input *input), const uint8_t *data, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
#define FUZZ_TARGET(run)                                        \
  int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) { \
    fuzz_run(#run, run, data, len);                             \
    return 0;                                                   \
  }

/** A target whose inputs run once, and open scopes themselves. */
#define FUZZ_TARGET_WITHOUT_SCOPE(run)                          \
  int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) { \
    fuzz_run_once(#run, run, data, len);                        \
    return 0;                                                   \
  }

#endif
