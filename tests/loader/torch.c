/* A LibTorch that tells its version, 9.7, and can nothing else. */
#include <stdint.h>

uint64_t aoti_torch_abi_version(void);
uint64_t aoti_torch_abi_version(void) { return UINT64_C(9) << 56 | UINT64_C(7) << 48; }
