/* Saves snapshots one after the other, of which test_faults.py interrupts one: saver FOLDER STEPS [async|over].
 * With "over" they are one file, state.pt, which is replaced.
 *
 * Step n is a tensor of 200,000 floats n and the text "n". Each step that was saved is printed. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(ctorch_error *error) {
  fprintf(stderr, "%s: %s\n", ctorch_error_kind_name(ctorch_error_kind_of(error)), ctorch_error_message(error));
  return 1;
}

#define TRY(call)                 \
  do {                            \
    ctorch_error *error = (call); \
    if (error != NULL) {          \
      return fail(error);         \
    }                             \
  } while (0)

static int put(ctorch_value *state, int64_t step) {
  ctorch_tensor *tensor = NULL;
  ctorch_value *value = NULL, *text = NULL;
  char name[32];
  snprintf(name, sizeof(name), "%" PRId64, step);
  TRY(ctorch_aten_full(&tensor, CTORCH_INTS(200000), CTORCH_FLOAT((double)step), NULL, NULL, NULL, NULL));
  TRY(ctorch_value_from_tensor(&value, tensor));
  TRY(ctorch_value_from_string(&text, name));
  TRY(ctorch_value_dict_put(state, "tensor", value));
  TRY(ctorch_value_dict_put(state, "text", text));
  ctorch_value_release(text);
  ctorch_value_release(value);
  ctorch_tensor_release(tensor);
  return 0;
}

static int save_over(const char *folder, ctorch_value *state, int64_t steps) {
  char path[4096];
  snprintf(path, sizeof(path), "%s/state.pt", folder);
  for (int64_t step = 1; step <= steps; step++) {
    if (put(state, step) != 0) {
      return 1;
    }
    TRY(ctorch_serialization_save_file(state, path));
    printf("%" PRId64 "\n", step);
    fflush(stdout);
  }
  ctorch_value_release(state);
  return 0;
}

int main(int argc, char **argv) {
  ctorch_snapshots *snapshots = NULL;
  ctorch_value *state = NULL;
  if (argc < 3) {
    return 2;
  }
  const bool async = argc > 3 && strcmp(argv[3], "async") == 0;
  TRY(ctorch_value_from_dict(&state, NULL, 0, NULL, 0));
  if (argc > 3 && strcmp(argv[3], "over") == 0) {
    return save_over(argv[1], state, atoll(argv[2]));
  }
  TRY(ctorch_snapshots_open(&snapshots, argv[1]));
  TRY(ctorch_snapshots_add_value(snapshots, "state", state));
  TRY(ctorch_snapshots_set_keep(snapshots, 2, 0, false));
  TRY(ctorch_snapshots_set_async(snapshots, async));
  for (int64_t step = 1; step <= atoll(argv[2]); step++) {
    if (put(state, step) != 0) {
      return 1;
    }
    TRY(ctorch_snapshots_save(snapshots, 0, step, NULL));
    TRY(ctorch_snapshots_wait(snapshots));
    printf("%" PRId64 "\n", step);
    fflush(stdout);
  }
  ctorch_snapshots_release(snapshots);
  ctorch_value_release(state);
  return 0;
}
