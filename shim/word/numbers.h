/** Numbers for the double transport. */
#ifndef CTORCH_SHIM_WORD_NUMBERS_H
#define CTORCH_SHIM_WORD_NUMBERS_H

#include "word/thread.h"
#include "word/word.h"

/** The imaginary part of a number word of any kind. */
double word_imaginary(word_call *call, const char *name, int64_t word);

int64_t word_from_complex(word_call *call, double real, double imaginary);

#endif
