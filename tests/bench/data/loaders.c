/* bench_loaders LIBRARY KIND PATH BATCH_SIZE WORKERS LEN BUSY: load an epoch three times, and print the best time in
 * seconds, how many samples and bytes there were, and the share of it that the consumer waited. BUSY is how many
 * microseconds it works on each batch. */
#include "loaders.h"

#include <ctorch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { EPOCHS = 3 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static ctorch_error *failure(const char *path) { return ctorch_error_format(CTORCH_ERROR_IO, "cannot read %s", path); }

/* Datasets ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *read_bytes(ctorch_tensor **out, const char *path) {
  unsigned char bytes[FILE_BYTES];
  const int64_t size = FILE_BYTES;
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    return failure(path);
  }
  const size_t len = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  return len < sizeof bytes ? failure(path)
                            : ctorch_tensor_from_data(out, bytes, sizeof bytes, &size, 1, CTORCH_DTYPE_UINT8);
}

static ctorch_error *make_sample(ctorch_value **out, const char *folder, int64_t index) {
  char path[4096];
  ctorch_tensor *x = NULL;
  ctorch_value *parts[2] = {NULL, NULL};
  snprintf(path, sizeof path, "%s/%06lld", folder, (long long)index);
  CTORCH_TRY(read_bytes(&x, path));
  ctorch_error *error = ctorch_value_from_tensor(&parts[0], x);
  error = error != NULL ? error : ctorch_value_from_int(&parts[1], index % 10);
  error = error != NULL ? error : ctorch_value_from_tuple(out, (const ctorch_value *const *)parts, 2);
  ctorch_value_release(parts[0]);
  ctorch_value_release(parts[1]);
  ctorch_tensor_release(x);
  return error;
}

static ctorch_callback_status get(ctorch_value **out, int64_t index, ctorch_error **error, void *payload) {
  *error = make_sample(out, payload, index);
  return *error == NULL ? CTORCH_CALLBACK_OK : !CTORCH_CALLBACK_OK;
}

static ctorch_error *in_memory(ctorch_dataset **out) {
  ctorch_tensor *parts[2];
  CTORCH_TRY(ctorch_aten_rand(&parts[0], CTORCH_INTS(MEMORY_LEN, MEMORY_FEATURES), NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_aten_randint(&parts[1], 10, CTORCH_INTS(MEMORY_LEN), NULL, NULL, NULL, NULL));
  return ctorch_data_TensorDataset(out, (const ctorch_tensor *const *)parts, 2);
}

static ctorch_error *image_folder(ctorch_dataset **out, const char *path) {
  ctorch_transform *parts[4], *all;
  CTORCH_TRY(ctorch_transforms_RandomResizedCrop(
      &parts[0], CTORCH_INTS(224), CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST, "bilinear", true));
  CTORCH_TRY(ctorch_transforms_RandomHorizontalFlip(&parts[1], 0.5));
  CTORCH_TRY(ctorch_transforms_ToDtype(&parts[2], CTORCH_DTYPE_FLOAT32, true));
  CTORCH_TRY(ctorch_transforms_Normalize(
      &parts[3], CTORCH_DOUBLES(0.485, 0.456, 0.406), CTORCH_DOUBLES(0.229, 0.224, 0.225), false));
  CTORCH_TRY(ctorch_transforms_Compose(&all, (const ctorch_transform *const *)parts, 4));
  return ctorch_datasets_ImageFolder(out, path, all, NULL, false);
}

static ctorch_error *dataset_of(ctorch_dataset **out, const char *kind, char *path, int64_t len) {
  if (strcmp(kind, "memory") == 0) {
    return in_memory(out);
  }
  if (strcmp(kind, "files") == 0) {
    return ctorch_dataset_from_callback(out, len, get, true, NULL, path);
  }
  return strcmp(kind, "jpeg") == 0 ? image_folder(out, path) : ctorch_datasets_TokenFile(out, path, BLOCK, NULL, NULL);
}

/* Epochs ------------------------------------------------------------------------------------------------------------ */

static ctorch_error *take(loaded *all, const ctorch_value *batch, double busy) {
  ctorch_value *first;
  ctorch_tensor *x;
  const double end = now() + busy;
  CTORCH_TRY(ctorch_value_get(&first, batch, 0));
  CTORCH_TRY(ctorch_value_to_tensor(&x, first));
  all->samples += ctorch_tensor_sizes(x)[0];
  all->bytes += (int64_t)ctorch_tensor_nbytes(x);
  while (now() < end) {
  }
  return NULL;
}

static ctorch_error *take_next(loaded *all, ctorch_iterator *batches, double busy, bool *is_over) {
  ctorch_scope *scope;
  ctorch_value *batch = NULL;
  CTORCH_TRY(ctorch_scope_begin(&scope));
  ctorch_error *error = ctorch_iterator_next(&batch, batches);
  *is_over = batch == NULL;
  if (error == NULL && batch != NULL) {
    error = take(all, batch, busy);
  }
  ctorch_scope_end(scope);
  return error;
}

static ctorch_error *ctorch_epoch(loaded *all, ctorch_loader *loader, double busy) {
  ctorch_iterator *batches;
  CTORCH_TRY(ctorch_loader_iterate(&batches, loader));
  for (bool is_over = false; !is_over;) {
    CTORCH_TRY(take_next(all, batches, busy, &is_over));
  }
  return NULL;
}

static ctorch_error *run(char **argv) {
  const bool is_ctorch = strcmp(argv[1], "ctorch") == 0;
  const int64_t batch_size = atoll(argv[4]), workers = atoll(argv[5]), len = atoll(argv[6]);
  const double busy = 1e-6 * atof(argv[7]);
  ctorch_dataset *dataset;
  ctorch_loader *loader = NULL;
  double best = 1e9, share = 0, waited_before = 0;
  loaded all = {0, 0};
  CTORCH_TRY(ctorch_threads_set_num(1));
  if (is_ctorch) {
    CTORCH_TRY(dataset_of(&dataset, argv[2], argv[3], len));
    CTORCH_TRY(ctorch_data_DataLoader(
        &loader, dataset, &batch_size, true, NULL, NULL, workers, false, false, 0, NULL, NULL, false, true));
  } else if (strcmp(argv[2], "memory") == 0) {
    libtorch_epoch(argv[2], argv[3], MEMORY_LEN, 0, len); /* makes the data */
  }
  for (int i = 0; i < EPOCHS; i++) {
    const double begin = now();
    all = (loaded){0, 0};
    if (is_ctorch) {
      CTORCH_TRY(ctorch_epoch(&all, loader, busy));
    } else {
      all = libtorch_epoch(argv[2], argv[3], batch_size, workers, len);
    }
    const double took = now() - begin;
    int64_t batches;
    double waited = 0, idle, worked;
    if (is_ctorch) {
      CTORCH_TRY(ctorch_loader_statistics(&batches, &waited, &idle, &worked, loader));
    }
    if (took < best) {
      best = took;
      share = (waited - waited_before) / took;
    }
    waited_before = waited;
  }
  printf("%.6f %lld %lld %.5f\n", best, (long long)all.samples, (long long)all.bytes, share);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 8) {
    fputs("usage: bench_loaders ctorch|libtorch KIND PATH BATCH_SIZE WORKERS LEN BUSY\n", stderr);
    return 2;
  }
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run(argv);
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
