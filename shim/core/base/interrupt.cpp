// interrupt.h.
#include "ctorch/interrupt.h"

#include "abi/interrupt.hpp"

void ctorch_interrupt(void) { ctorch::interrupt(); }

bool ctorch_interrupt_python(void *methods) { return ctorch::interrupt_by_python(methods); }
