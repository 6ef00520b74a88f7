/* Goes through the corpora with every fuzz target, under whatever compiler and sanitizer the tests are built with.
 *
 *     check_fuzz_corpus              all of tests/fuzz/corpus
 *     check_fuzz_corpus TARGET FILE  one input, such as one that a fuzzer left */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

typedef int target_function(const uint8_t *data, size_t len);
target_function fuzz_data, fuzz_dlpack, fuzz_events, fuzz_gguf, fuzz_image, fuzz_index, fuzz_jit, fuzz_program, fuzz_pt,
    fuzz_schema, fuzz_text, fuzz_tiktoken, fuzz_tokenizer, fuzz_value, fuzz_weights, fuzz_word;

static const struct {
  const char *name;
  target_function *function;
} TARGETS[] = {
    {"data", fuzz_data},
    {"dlpack", fuzz_dlpack},
    {"events", fuzz_events},
    {"gguf", fuzz_gguf},
    {"image", fuzz_image},
    {"index", fuzz_index},
    {"jit", fuzz_jit},
    {"program", fuzz_program},
    {"pt", fuzz_pt},
    {"schema", fuzz_schema},
    {"text", fuzz_text},
    {"tiktoken", fuzz_tiktoken},
    {"tokenizer", fuzz_tokenizer},
    {"value", fuzz_value},
    {"weights", fuzz_weights},
    {"word", fuzz_word},
};

static void run_file(target_function *function, const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    fuzz_fail("%s cannot be read", path);
  }
  enum { MOST = 1 << 20 };
  uint8_t *room = fuzz_memory(MOST);
  const size_t len = fread(room, 1, MOST, file);
  fclose(file);
  uint8_t *data = fuzz_memory(len); /* of its length, so that reading on is seen */
  if (len != 0) {
    memcpy(data, room, len);
  }
  free(room);
  function(data, len);
  free(data);
}

static int run_folder(const char *name, target_function *function) {
  char folder[4096], path[8192];
  snprintf(folder, sizeof folder, "%s/%s", CORPUS, name);
  DIR *directory = opendir(folder);
  int count = 0;
  for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
    if (entry->d_name[0] != '.') {
      snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
      fprintf(stderr, "%s\n", path); /* the last line is the culprit */
      run_file(function, path);
      count++;
    }
  }
  if (count == 0) {
    fuzz_fail("%s has no inputs", folder);
  }
  closedir(directory);
  return count;
}

int main(int argc, char **argv) {
  LLVMFuzzerInitialize(&argc, &argv);
  for (size_t i = 0; i < sizeof TARGETS / sizeof *TARGETS; i++) {
    if (argc == 3 && strcmp(argv[1], TARGETS[i].name) == 0) {
      run_file(TARGETS[i].function, argv[2]);
    } else if (argc == 1) {
      printf("%s: %d inputs\n", TARGETS[i].name, run_folder(TARGETS[i].name, TARGETS[i].function));
    }
  }
  return 0;
}
