// Interrupts: what the exported functions of interrupt.h do. c/interrupt.h has the other side.
#pragma once

#include "ctorch/abi/interrupt.h"

namespace ctorch {

void interrupt() noexcept;
void set_interrupt_callback(ctorch_interrupt_callback callback, void (*destroy)(void *payload), void *payload);
void clear_interrupt_callback() noexcept;
bool interrupt_by_python(void *methods);

}  // namespace ctorch
