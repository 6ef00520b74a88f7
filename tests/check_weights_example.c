/* The reader of weights of examples/weights.c, which a program copies: a damaged file leaves the model as it was. Every
 * other test of it runs the program: test_train_digits.py. */
#include "../examples/weights.c"

#include "values.h"

enum { TENSORS = 3 };

static void make(named_tensor *model, float first) {
  static const char *const names[TENSORS] = {"0.weight", "0.bias", "1.weight"};
  for (int i = 0; i < TENSORS; i++) {
    model[i].name = names[i];
    model[i].tensor = floats(CTORCH_INTS(3), first, first + 1, first + 2);
  }
}

static long length_of(const char *path) {
  FILE *file = fopen(path, "rb");
  ck_assert(file != NULL && fseek(file, 0, SEEK_END) == 0);
  const long length = ftell(file);
  fclose(file);
  return length;
}

/** Change one byte, counted from the end. */
static void damage(const char *path, long from_end) {
  FILE *file = fopen(path, "r+b");
  ck_assert(file != NULL && fseek(file, -from_end, SEEK_END) == 0);
  const int byte = getc(file);
  ck_assert(fseek(file, -from_end, SEEK_END) == 0 && putc(byte ^ 0x10, file) != EOF && fclose(file) == 0);
}

START_TEST(a_damaged_file_leaves_the_model_as_it_was) {
  char folder[] = "/tmp/check_weights_example_XXXXXX", path[sizeof folder + 16];
  named_tensor saved[TENSORS], loaded[TENSORS];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/weights", folder);
  make(saved, 10);
  make(loaded, 1);
  ck_ok(weights_save(path, saved, TENSORS));
  const long length = length_of(path);
  for (long from_end = 1; from_end <= length; from_end++) { /* the checksum, the last tensor, … */
    damage(path, from_end);
    ck_fails(weights_load(path, loaded, TENSORS), CTORCH_ERROR_FORMAT, path);
    for (int i = 0; i < TENSORS; i++) {
      ck_floats(loaded[i].tensor, CTORCH_INTS(3), 1, 2, 3);
    }
    damage(path, from_end); /* as it was */
  }
  ck_ok(weights_load(path, loaded, TENSORS));
  ck_floats(loaded[TENSORS - 1].tensor, CTORCH_INTS(3), 10, 11, 12);
  ck_assert(remove(path) == 0 && remove(folder) == 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("weights_example");
  ck_scoped_case(suite, a_damaged_file_leaves_the_model_as_it_was);
  return ck_main(suite);
}
