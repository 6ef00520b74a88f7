/* Byte pair encoding by ranks: <ctorch/tiktoken.h>. */
#include <ctorch.h>
