// Interrupts: what the exported functions of interrupt.h do. abi/c/interrupt.h has the other side.
#pragma once

namespace ctorch {

void interrupt() noexcept;
bool interrupt_by_python(void *methods);

}  // namespace ctorch
