/* Transforms: each class over a sample of all kinds of tensors, in the memory that it has. tests/transforms compares what
 * they give with Python's. */
#include "harness/values.h"

enum { SIDE = 32, PARTS = 5 };

/* A class and its first argument: a number, or a list of numbers. */
struct made {
  const char *name;
  char type; /* of numbers: i, d; l for a list of the former, m of the latter; 0 for no argument */
  double numbers[3];
  int len;
};

static const struct made CLASSES[] = {
    {"RandomErasing", 'd', {1}, 1},
    {"GaussianBlur", 'l', {3, 5}, 2},
    {"Grayscale", 'i', {3}, 1},
    {"RandomGrayscale", 'd', {1}, 1},
    {"RGB", 0, {0}, 0},
    {"ColorJitter", 'd', {0.5}, 1},
    {"RandomChannelPermutation", 0, {0}, 0},
    {"RandomPhotometricDistort", 0, {0}, 0},
    {"RandomEqualize", 'd', {1}, 1},
    {"RandomInvert", 'd', {1}, 1},
    {"RandomPosterize", 'i', {3}, 1},
    {"RandomSolarize", 'd', {100}, 1},
    {"RandomAutocontrast", 'd', {1}, 1},
    {"RandomAdjustSharpness", 'd', {2}, 1},
    {"Identity", 0, {0}, 0},
    {"ClampBoundingBoxes", 0, {0}, 0},
    {"ClampKeyPoints", 0, {0}, 0},
    {"SanitizeKeyPoints", 0, {0}, 0},
    {"ToImage", 0, {0}, 0},
    {"ToPureTensor", 0, {0}, 0},
    {"ConvertImageDtype", 0, {0}, 0},
    {"RandomHorizontalFlip", 'd', {1}, 1},
    {"RandomVerticalFlip", 'd', {1}, 1},
    {"Resize", 'l', {9, 7}, 2},
    {"CenterCrop", 'l', {20, 8}, 2},
    {"RandomResizedCrop", 'l', {8, 8}, 2},
    {"RandomCrop", 'l', {7, 9}, 2},
    {"Pad", 'l', {1, 2}, 2},
    {"RandomZoomOut", 0, {0}, 0},
    {"RandomRotation", 'd', {40}, 1},
    {"RandomAffine", 'd', {30}, 1},
    {"RandomPerspective", 0, {0}, 0},
    {"ElasticTransform", 0, {0}, 0},
    {"RandomIoUCrop", 0, {0}, 0},
    {"ScaleJitter", 'l', {20, 20}, 2},
    {"RandomShortestSize", 'l', {8, 12}, 2},
};
enum { CLASSES_LEN = sizeof CLASSES / sizeof *CLASSES };

static ctorch_value *number(char type, double x) {
  ctorch_value *value = NULL;
  ck_ok(type == 'i' || type == 'l' ? ctorch_value_from_int(&value, (int64_t)x) : ctorch_value_from_double(&value, x));
  return value;
}

static ctorch_transform *make(const struct made *self) {
  ctorch_transform *transform = NULL;
  ctorch_value *numbers[3], *args = NULL, *list = NULL;
  for (int i = 0; i < self->len; i++) {
    numbers[i] = number(self->type, self->numbers[i]);
  }
  if (self->type == 'l' || self->type == 'm') {
    ck_ok(ctorch_value_from_list(&list, (const ctorch_value *const *)numbers, (size_t)self->len));
    numbers[0] = list;
  }
  ck_ok(ctorch_value_from_tuple(&args, (const ctorch_value *const *)numbers, self->len > 0 ? 1 : 0));
  ck_ok(ctorch_transform_create(&transform, self->name, args, NULL));
  return transform;
}

static ctorch_value *value_of(const ctorch_tensor *tensor) {
  ctorch_value *value = NULL;
  ck_ok(ctorch_value_from_tensor(&value, tensor));
  return value;
}

/* A tuple of an image, a mask, boxes, keypoints and a number. */
static ctorch_value *sample(void) {
  const ctorch_dtype uint8 = CTORCH_DTYPE_UINT8;
  const int64_t canvas[] = {SIDE, SIDE};
  ctorch_tensor *pixels = NULL, *image = NULL, *labels = NULL, *mask = NULL, *boxes = NULL, *points = NULL;
  ctorch_value *parts[PARTS], *all = NULL;
  ck_ok(ctorch_random_manual_seed(3));
  ck_ok(ctorch_aten_randint(&pixels, 256, CTORCH_INTS(3, SIDE, SIDE), &uint8, NULL, NULL, NULL));
  ck_ok(ctorch_aten_randint(&labels, 2, CTORCH_INTS(SIDE, SIDE), &uint8, NULL, NULL, NULL));
  ck_ok(ctorch_tv_tensors_Image(&image, pixels, NULL, NULL, NULL));
  ck_ok(ctorch_tv_tensors_Mask(&mask, labels, NULL, NULL, NULL));
  ck_ok(ctorch_tv_tensors_BoundingBoxes(
      &boxes, floats(CTORCH_INTS(2, 4), 1, 2, 9, 12, 4, 4, 15, 14), "XYXY", canvas, 2, "soft", NULL, NULL, NULL));
  ck_ok(ctorch_tv_tensors_KeyPoints(&points, floats(CTORCH_INTS(2, 2), 3, 4, 10, 12), canvas, 2, NULL, NULL, NULL));
  parts[0] = value_of(image);
  parts[1] = value_of(mask);
  parts[2] = value_of(boxes);
  parts[3] = value_of(points);
  ck_ok(ctorch_value_from_int(&parts[4], 1));
  ck_ok(ctorch_value_from_tuple(&all, (const ctorch_value *const *)parts, PARTS));
  return all;
}

static ctorch_value *drawn_from(const ctorch_transform *transform, const ctorch_value *input, uint64_t seed) {
  ctorch_generator *generator = NULL;
  ctorch_value *result = NULL;
  ck_ok(ctorch_generator_new(&generator, CPU));
  ck_ok(ctorch_generator_manual_seed(generator, seed));
  ck_ok(ctorch_transform_call(transform, &result, input, generator));
  return result;
}

static bool equal(const ctorch_value *a, const ctorch_value *b) {
  ctorch_string *texts[2] = {NULL, NULL};
  ck_ok(ctorch_value_repr(&texts[0], a));
  ck_ok(ctorch_value_repr(&texts[1], b));
  return strcmp(ctorch_string_data(texts[0]), ctorch_string_data(texts[1])) == 0;
}

START_TEST(the_same_seed_gives_the_same_and_the_input_stays) {
  const ctorch_transform *transform = make(&CLASSES[_i]);
  const ctorch_value *input = sample(), *untouched = sample();
  for (uint64_t seed = 0; seed < 3; seed++) {
    const ctorch_value *first = drawn_from(transform, input, seed), *again = drawn_from(transform, input, seed);
    ck_assert_int_eq(ctorch_value_kind_of(first), CTORCH_VALUE_TUPLE);
    ck_assert_uint_eq(ctorch_value_len(first), PARTS);
    ck_assert(equal(first, again));
  }
  ck_assert(equal(input, untouched));
}
END_TEST

START_TEST(it_says_what_it_is) {
  ctorch_string *text = NULL;
  const ctorch_transform *transform = make(&CLASSES[_i]);
  ck_assert_str_eq(ctorch_transform_name(transform), CLASSES[_i].name);
  ck_ok(ctorch_transform_repr(&text, transform));
  ck_assert_int_eq(strncmp(ctorch_string_data(text), CLASSES[_i].name, strlen(CLASSES[_i].name)), 0);
  ck_assert(ctorch_transform_may_thread(transform));
}
END_TEST

START_TEST(a_tensor_alone_is_an_image) {
  ctorch_tensor *flipped = NULL;
  const ctorch_transform *flip = make(&(const struct made){"RandomHorizontalFlip", 'd', {1}, 1});
  ck_ok(ctorch_transform_call_tensor(flip, &flipped, floats(CTORCH_INTS(1, 2, 2), 1, 2, 3, 4), NULL));
  ck_floats(flipped, CTORCH_INTS(1, 2, 2), 2, 1, 4, 3);
}
END_TEST

START_TEST(a_crop_stays_inside) {
  ctorch_value *image = NULL;
  ctorch_tensor *tensor = NULL;
  const ctorch_transform *crop = make(&(const struct made){"RandomCrop", 'l', {7, 9}, 2});
  ck_ok(ctorch_value_get(&image, drawn_from(crop, sample(), 1), 0));
  ck_ok(ctorch_value_to_tensor(&tensor, image));
  ck_shape(tensor, CTORCH_INTS(3, 7, 9));
  ck_assert_int_eq(ctorch_tv_tensor_kind_of(tensor), CTORCH_TV_TENSOR_IMAGE);
}
END_TEST

START_TEST(boxes_go_with_the_image) {
  ctorch_value *part = NULL;
  ctorch_tensor *boxes = NULL;
  int64_t height = 0, width = 0;
  const ctorch_transform *flip = make(&(const struct made){"RandomHorizontalFlip", 'd', {1}, 1});
  ck_ok(ctorch_value_get(&part, drawn_from(flip, sample(), 0), 2));
  ck_ok(ctorch_value_to_tensor(&boxes, part));
  ck_floats(boxes, CTORCH_INTS(2, 4), 23, 2, 31, 12, 17, 4, 28, 14);
  ck_assert_int_eq(ctorch_tv_tensor_kind_of(boxes), CTORCH_TV_TENSOR_BOUNDING_BOXES);
  ck_assert_str_eq(ctorch_tv_tensor_format(boxes), "XYXY");
  ck_assert_str_eq(ctorch_tv_tensor_clamping_mode(boxes), "soft");
  ck_ok(ctorch_tv_tensor_canvas_size(&height, &width, boxes));
  ck_assert(height == SIDE && width == SIDE);
}
END_TEST

/* Callbacks --------------------------------------------------------------------------------------------------------- */

struct called {
  int calls, destroyed;
  bool fails;
};

static ctorch_callback_status pass(
    ctorch_value **out, const ctorch_value *input, ctorch_generator *generator, ctorch_error **error, void *payload) {
  struct called *called = payload;
  (void)generator;
  called->calls++;
  if (called->fails) {
    ck_ok(ctorch_error_new(error, CTORCH_ERROR_VALUE, "broken"));
    return 0;
  }
  ctorch_value_retain(input);
  *out = (ctorch_value *)input;
  return CTORCH_CALLBACK_OK;
}

static void destroy(void *payload) { ((struct called *)payload)->destroyed++; }

START_TEST(callbacks_are_called_in_a_composition_and_destroyed_once) {
  struct called called = {0};
  ctorch_transform *own = NULL, *all = NULL;
  ctorch_value *result = NULL;
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  const ctorch_value *input = sample();
  ck_ok(ctorch_transform_from_callback(&own, "Own", pass, false, destroy, &called));
  const ctorch_transform *flip = make(&(const struct made){"RandomHorizontalFlip", 'd', {1}, 1});
  ck_ok(ctorch_transforms_Compose(&all, (const ctorch_transform *const[]){own, flip, own, flip}, 4));
  ck_assert(!ctorch_transform_may_thread(all));
  ck_ok(ctorch_transform_call(all, &result, input, NULL));
  ck_assert(equal(result, input));
  ck_assert_int_eq(called.calls, 2);
  called.fails = true;
  ck_fails(ctorch_transform_call(all, &result, input, NULL), CTORCH_ERROR_VALUE, "broken");
  ck_assert_int_eq(called.destroyed, 0);
  ctorch_scope_end(scope);
  ck_assert_int_eq(called.destroyed, 1);
}
END_TEST

START_TEST(what_is_refused) {
  ctorch_transform *made = NULL;
  ctorch_value *result = NULL;
  ctorch_tensor *tensor = NULL;
  const ctorch_transform *flip = make(&(const struct made){"RandomHorizontalFlip", 'd', {1}, 1});
  ck_call_fails(ctorch_transform_create, (&made, "Nothing", NULL, NULL), CTORCH_ERROR_INDEX, "Nothing");
  ck_call_fails(ctorch_transform_create, (&made, NULL, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "name");
  ck_call_fails(ctorch_transform_create, (&made, "RandomPosterize", NULL, NULL), CTORCH_ERROR_TYPE, "bits");
  ck_call_fails(ctorch_transforms_RandomHorizontalFlip, (&made, 2), CTORCH_ERROR_VALUE, NULL);
  ck_call_fails(ctorch_transform_call, (NULL, &result, sample(), NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_transform_call, (flip, &result, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "input");
  ck_call_fails(ctorch_transform_call_tensor, (flip, &tensor, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "input");
  ck_call_fails(
      ctorch_transform_from_callback, (&made, NULL, NULL, true, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "callback");
  ck_assert_int_eq(ctorch_tv_tensor_kind_of(NULL), CTORCH_TV_TENSOR_NONE);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("transform");
  ck_scoped_case_loop(suite, the_same_seed_gives_the_same_and_the_input_stays, CLASSES_LEN);
  ck_scoped_case_loop(suite, it_says_what_it_is, CLASSES_LEN);
  ck_scoped_case(suite, a_tensor_alone_is_an_image);
  ck_scoped_case(suite, a_crop_stays_inside);
  ck_scoped_case(suite, boxes_go_with_the_image);
  ck_scoped_case(suite, callbacks_are_called_in_a_composition_and_destroyed_once);
  ck_scoped_case(suite, what_is_refused);
  return ck_main(suite);
}
