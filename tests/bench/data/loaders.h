/* One epoch over a kind of data by torch::data, beside loaders.c's by ctorch. */
#ifndef CTORCH_BENCH_DATA_LOADERS_H
#define CTORCH_BENCH_DATA_LOADERS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  MEMORY_LEN = 60000,
  MEMORY_FEATURES = 784,
  FILE_BYTES = 784, /* of each small file, whose name is its number in six digits */
  BLOCK = 1024      /* tokens */
};

/* Load all batches once, and give what is in them: samples, bytes of the first tensor of each. */
typedef struct loaded {
  int64_t samples, bytes;
} loaded;

loaded libtorch_epoch(const char *kind, const char *path, int64_t batch_size, int64_t workers, int64_t len);

#ifdef __cplusplus
}
#endif

#endif
