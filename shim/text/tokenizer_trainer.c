/* Trainers: <ctorch/tokenizer_trainer.h>. */
#include <ctorch.h>
