/**
 * Text that a function made for you.
 */
#ifndef CTORCH_STRING_H
#define CTORCH_STRING_H

#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

/**
 * The text itself.
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`: UTF-8, NUL-terminated; "" for NULL.
 */
CTORCH_API const char *ctorch_string_data(const ctorch_string *self);

/**
 * Length in bytes, without the final NUL.
 *
 * @param self  borrowed; may be NULL.
 * @return bytes; 0 for NULL.
 */
CTORCH_API size_t ctorch_string_len(const ctorch_string *self);

/**
 * Give a text back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_string_release(ctorch_string *self);

CTORCH_END_DECLS

#endif
