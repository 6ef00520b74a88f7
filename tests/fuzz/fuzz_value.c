/* Values of all kinds by a small interpreter: each byte of an input is an instruction that makes a value of earlier
 * ones, changes one, reads one, or calls an operator with them. In the end every value is printed, copied and compared
 * with its copy. */
#include <stdlib.h>

#include "fuzz/fuzz.h"

enum { MOST = 48, ENTRIES = 6, STEPS = 400 };

typedef struct machine {
  fuzz_input *input;
  ctorch_value *values[MOST];
  size_t len;
  ctorch_tensor *matrix; /* an operator may write to it */
} machine;

static ctorch_tensor *ones, *number;
static ctorch_generator *generator;

static const char *const OPERATORS[] = {
    "aten::add.Tensor",
    "aten::add.Scalar",
    "aten::sum.dim_IntList",
    "aten::cat",
    "aten::stack",
    "aten::reshape",
    "aten::transpose.int",
    "aten::split.Tensor",
    "aten::clamp",
    "aten::to.dtype",
    "aten::index.Tensor",
    "aten::topk",
    "aten::equal",
    "aten::where.self",
    "aten::einsum",
    "aten::norm.ScalarOpt_dim",
    "aten::full_like",
    "aten::mean",
    "aten::item",
    "aten::sym_size.int",
    "aten::_foreach_add.Scalar",
    "aten::add_.Tensor",
    "aten::max.dim",
    "aten::pow.Tensor_Scalar",
};
enum { OPERATORS_LEN = sizeof OPERATORS / sizeof *OPERATORS };
static ctorch_op *operators[OPERATORS_LEN];

static void prepare(void) {
  fuzz_must(ctorch_aten_ones(&ones, CTORCH_INTS(2, 3), NULL, NULL, NULL, NULL));
  fuzz_must(ctorch_aten_ones(&number, (const int64_t[1]){0}, 0, NULL, NULL, NULL, NULL));
  fuzz_must(ctorch_generator_new(&generator, NULL));
  for (size_t i = 0; i < OPERATORS_LEN; i++) {
    fuzz_must(ctorch_op_find(&operators[i], OPERATORS[i], NULL));
  }
}

static void push(machine *m, ctorch_value *made) {
  if (made == NULL) {
    return;
  }
  if (m->len == MOST) {
    ctorch_value_release(made);
    return;
  }
  m->values[m->len++] = made;
}

/* An earlier value; seldom NULL. */
static ctorch_value *pick(machine *m) {
  const size_t at = fuzz_byte(m->input);
  return at == 255 || m->len == 0 ? NULL : m->values[m->len - 1 - at % m->len];
}

static size_t pick_some(machine *m, const ctorch_value **some) {
  const size_t len = fuzz_below(m->input, ENTRIES + 1);
  for (size_t i = 0; i < len; i++) {
    some[i] = pick(m);
  }
  return len;
}

static void make_plain(machine *m) {
  ctorch_value *made = NULL;
  fuzz_input *in = m->input;
  char bytes[ENTRIES];
  double doubles[ENTRIES];
  int64_t ints[ENTRIES];
  for (int i = 0; i < ENTRIES; i++) {
    ints[i] = i;
    doubles[i] = 0.5 * i;
    bytes[i] = (char)i;
  }
  switch (fuzz_below(in, 20)) {
    case 0:
      fuzz_must(ctorch_value_from_none(&made));
      break;
    case 1:
      fuzz_must(ctorch_value_from_tensor(&made, fuzz_below(in, 2) == 0 ? m->matrix : number));
      break;
    case 2:
      fuzz_must(ctorch_value_from_int(&made, fuzz_int64(in)));
      break;
    case 3:
      fuzz_must(ctorch_value_from_double(&made, fuzz_double(in)));
      break;
    case 4:
      fuzz_must(ctorch_value_from_bool(&made, fuzz_below(in, 2) != 0));
      break;
    case 5: {
      const double real = fuzz_double(in);
      fuzz_must(ctorch_value_from_complex(&made, real, fuzz_double(in)));
      break;
    }
    case 6: {
      const ctorch_scalar scalar = {(int32_t)fuzz_below(in, 6), 0, fuzz_int64(in), fuzz_double(in), 1};
      (void)!fuzz_ok(&made, ctorch_value_from_scalar(&made, &scalar));
      break;
    }
    case 7: {
      for (int i = 0; i < ENTRIES; i++) {
        bytes[i] = (char)fuzz_byte(in);
      }
      fuzz_must(ctorch_value_from_string_data(&made, bytes, fuzz_below(in, ENTRIES + 1)));
      break;
    }
    case 8:
      fuzz_must(ctorch_value_from_bytes(&made, bytes, fuzz_below(in, ENTRIES + 1)));
      break;
    case 9: {
      for (int i = 0; i < ENTRIES; i++) {
        bytes[i] = (char)fuzz_byte(in);
      }
      fuzz_must(ctorch_value_from_int_bytes(&made, bytes, fuzz_below(in, ENTRIES + 1)));
      break;
    }
    case 10: {
      const ctorch_device device = {(int32_t)fuzz_below(in, 24), (int32_t)fuzz_int64(in)};
      (void)!fuzz_ok(&made, ctorch_value_from_device(&made, &device));
      break;
    }
    case 11: {
      const ctorch_stream stream = {fuzz_int64(in), (int32_t)fuzz_below(in, 24), (int32_t)fuzz_int64(in)};
      (void)!fuzz_ok(&made, ctorch_value_from_stream(&made, &stream));
      break;
    }
    case 12:
      fuzz_must(ctorch_value_from_generator(&made, generator));
      break;
    case 13: {
      ctorch_storage *storage;
      fuzz_must(ctorch_storage_from_tensor(&storage, m->matrix));
      fuzz_must(ctorch_value_from_storage(&made, storage));
      fuzz_release(ctorch_storage, storage);
      break;
    }
    case 14:
      (void)!fuzz_ok(&made, ctorch_value_from_dtype(&made, (ctorch_dtype)fuzz_int64(in)));
      break;
    case 15:
      (void)!fuzz_ok(&made, ctorch_value_from_layout(&made, (ctorch_layout)fuzz_int64(in)));
      break;
    case 16:
      (void)!fuzz_ok(&made, ctorch_value_from_memory_format(&made, (ctorch_memory_format)fuzz_int64(in)));
      break;
    case 17:
      fuzz_must(ctorch_value_from_ints(&made, ints, fuzz_below(in, ENTRIES + 1)));
      break;
    case 18:
      fuzz_must(ctorch_value_from_doubles(&made, doubles, fuzz_below(in, ENTRIES + 1)));
      break;
    default: {
      const char *const texts[] = {"lr", "betas", "ab,->", "", "\xc3\xa9", "floor"};
      if (fuzz_below(in, 2) == 0) {
        fuzz_must(ctorch_value_from_strings(&made, texts, fuzz_below(in, ENTRIES + 1)));
      } else {
        fuzz_must(ctorch_value_from_string(&made, texts[fuzz_below(in, ENTRIES)]));
      }
      break;
    }
  }
  push(m, made);
}

static void make_container(machine *m) {
  const ctorch_value *keys[ENTRIES], *values[ENTRIES];
  ctorch_value *made = NULL;
  const size_t len = pick_some(m, values);
  switch (fuzz_below(m->input, 7)) {
    case 0:
      fuzz_must(ctorch_value_from_list(&made, values, len));
      break;
    case 1:
      fuzz_must(ctorch_value_from_tuple(&made, values, len));
      break;
    case 2: {
      const size_t keys_len = pick_some(m, keys);
      (void)!fuzz_ok(&made, ctorch_value_from_dict(&made, keys, keys_len, values, len));
      break;
    }
    case 3:
      (void)!fuzz_ok(&made, ctorch_value_from_set(&made, values, len));
      break;
    case 4: {
      const ctorch_tensor *tensors[] = {m->matrix, number, NULL};
      fuzz_must(ctorch_value_from_tensors(&made, tensors, fuzz_below(m->input, 4)));
      break;
    }
    case 5:
      (void)!fuzz_ok(
          &made, ctorch_value_from_python_object(&made, "collections", "OrderedDict", pick(m), pick(m), pick(m)));
      break;
    default:
      (void)!fuzz_ok(&made, ctorch_value_from_python_object(&made, "torch", "Size", pick(m), NULL, pick(m)));
      break;
  }
  push(m, made);
}

static void take_out(machine *m) {
  const ctorch_value *from = pick(m);
  ctorch_value *made = NULL;
  const size_t index = fuzz_below(m->input, 8);
  bool has;
  switch (fuzz_below(m->input, 12)) {
    case 0:
      (void)!fuzz_ok(&made, ctorch_value_get(&made, from, index));
      break;
    case 1:
      (void)!fuzz_ok(&made, ctorch_value_dict_get(&made, from, pick(m)));
      break;
    case 2:
      (void)!fuzz_ok(&made, ctorch_value_dict_keys(&made, from));
      break;
    case 3:
      (void)!fuzz_ok(&made, ctorch_value_dict_values(&made, from));
      break;
    case 4:
      (void)!fuzz_ok(&made, ctorch_value_set_values(&made, from));
      break;
    case 5:
      (void)!fuzz_ok(&made, ctorch_value_python_args(&made, from));
      break;
    case 6:
      (void)!fuzz_ok(&made, ctorch_value_python_items(&made, from));
      break;
    case 7:
      (void)!fuzz_ok(&made, ctorch_value_python_state(&made, from));
      break;
    case 8:
      (void)!fuzz_ok(&made, ctorch_value_attribute(&made, from, "lr"));
      break;
    case 9:
      (void)!fuzz_ok(&made, ctorch_value_dict_at(&made, from, "lr"));
      break;
    case 10:
      (void)!fuzz_ok(&has, ctorch_value_dict_contains(&has, from, pick(m)));
      break;
    default:
      (void)!fuzz_ok(&has, ctorch_value_set_contains(&has, from, pick(m)));
      break;
  }
  push(m, made);
}

static void change(machine *m) {
  ctorch_value *self = pick(m);
  const ctorch_value *other = pick(m);
  const size_t index = fuzz_below(m->input, 8);
  switch (fuzz_below(m->input, 12)) {
    case 0:
      (void)!fuzz_try(ctorch_value_list_set(self, index, other));
      break;
    case 1:
      (void)!fuzz_try(ctorch_value_list_append(self, other));
      break;
    case 2:
      (void)!fuzz_try(ctorch_value_list_insert(self, index, other));
      break;
    case 3:
      (void)!fuzz_try(ctorch_value_list_remove(self, index));
      break;
    case 4:
      (void)!fuzz_try(ctorch_value_clear(self));
      break;
    case 5:
      (void)!fuzz_try(ctorch_value_dict_set(self, other, pick(m)));
      break;
    case 6:
      (void)!fuzz_try(ctorch_value_dict_remove(self, other));
      break;
    case 7:
      (void)!fuzz_try(ctorch_value_dict_put(self, "lr", other));
      break;
    case 8:
      (void)!fuzz_try(ctorch_value_set_add(self, other));
      break;
    case 9:
      (void)!fuzz_try(ctorch_value_set_remove(self, other));
      break;
    case 10:
      (void)!fuzz_try(ctorch_value_set_python_state(self, other));
      break;
    default:
      (void)!fuzz_try(ctorch_value_set_attribute(self, "lr", other));
      break;
  }
}

static void read(machine *m) {
  const ctorch_value *self = pick(m);
  int64_t i;
  double re, im;
  bool b;
  ctorch_scalar scalar;
  ctorch_device device;
  ctorch_stream stream;
  int32_t enumerator;
  const char *text;
  size_t text_len = 0;
  ctorch_tensor *tensor;
  ctorch_tensor_list *tensors;
  ctorch_string *string;
  ctorch_generator *random;
  ctorch_storage *storage;
  ctorch_value *made;
  const ctorch_value_kind kind = ctorch_value_kind_of(self);
  fuzz_assert(ctorch_value_kind_name(kind) != NULL);
  if (fuzz_ok(&tensor, ctorch_value_to_tensor(&tensor, self))) {
    fuzz_assert(kind == CTORCH_VALUE_TENSOR || kind == CTORCH_VALUE_NONE);
    fuzz_release(ctorch_tensor, tensor);
  }
  (void)!fuzz_ok(&i, ctorch_value_to_int(&i, self));
  (void)!fuzz_ok(&re, ctorch_value_to_double(&re, self));
  (void)!fuzz_ok(&b, ctorch_value_to_bool(&b, self));
  (void)!fuzz_ok(&re, ctorch_value_to_complex(&re, &im, self));
  if (fuzz_ok(&scalar, ctorch_value_to_scalar(&scalar, self)) &&
      fuzz_ok(&made, ctorch_value_from_scalar(&made, &scalar))) {
    fuzz_release(ctorch_value, made);
  }
  if (fuzz_ok(&text, ctorch_value_to_string(&text, &text_len, self))) {
    fuzz_assert(text[text_len] == '\0' && text_len == ctorch_value_len(self));
  }
  char bytes[64];
  const size_t len = ctorch_value_len(self);
  if (len <= sizeof bytes) {
    (void)!fuzz_try(ctorch_value_read_bytes(self, bytes, len));
  }
  if (fuzz_ok(&made, ctorch_value_to_int_bytes(&made, self))) {
    fuzz_assert(ctorch_value_kind_of(made) == CTORCH_VALUE_BYTES && ctorch_value_len(made) > 0);
    fuzz_release(ctorch_value, made);
  }
  if (fuzz_ok(&string, ctorch_value_to_decimal(&string, self))) {
    fuzz_release(ctorch_string, string);
  }
  (void)!fuzz_ok(&enumerator, ctorch_value_to_dtype(&enumerator, self));
  (void)!fuzz_ok(&enumerator, ctorch_value_to_layout(&enumerator, self));
  (void)!fuzz_ok(&enumerator, ctorch_value_to_memory_format(&enumerator, self));
  (void)!fuzz_ok(&device, ctorch_value_to_device(&device, self));
  (void)!fuzz_ok(&stream, ctorch_value_to_stream(&stream, self));
  if (fuzz_ok(&random, ctorch_value_to_generator(&random, self))) {
    fuzz_release(ctorch_generator, random);
  }
  if (fuzz_ok(&storage, ctorch_value_to_storage(&storage, self))) {
    fuzz_release(ctorch_storage, storage);
  }
  if (fuzz_ok(&tensors, ctorch_value_to_tensors(&tensors, self))) {
    fuzz_release(ctorch_tensor_list, tensors);
  }
}

static void call(machine *m) {
  const ctorch_value *args[ENTRIES], *values[2];
  const char *const names[] = {"alpha", "dim", "self", "other", "dtype", "keepdim", "no such name"};
  const char *given[2];
  const ctorch_op *op = operators[fuzz_below(m->input, OPERATORS_LEN)];
  const size_t len = pick_some(m, args), named = fuzz_below(m->input, 3);
  for (size_t i = 0; i < named; i++) {
    given[i] = names[fuzz_below(m->input, sizeof names / sizeof *names)];
    values[i] = pick(m);
  }
  ctorch_value *made = NULL;
  (void)!fuzz_ok(&made, ctorch_op_call_named(&made, op, args, len, given, named, values, named));
  push(m, made);
}

static void inspect(const ctorch_value *self) {
  ctorch_string *text;
  if (fuzz_ok(&text, ctorch_value_repr(&text, self))) {
    fuzz_assert(fuzz_is_utf8(ctorch_string_data(text)));
    fuzz_release(ctorch_string, text);
  }
  if (fuzz_ok(&text, ctorch_value_type(&text, self))) {
    fuzz_assert(*ctorch_string_data(text) != '\0');
    fuzz_release(ctorch_string, text);
  }
  fuzz_assert(ctorch_value_is(self, self));
  bool equal, back;
  ctorch_value *copy;
  if (fuzz_ok(&copy, ctorch_value_copy(&copy, self))) {
    fuzz_assert(ctorch_value_kind_of(copy) == ctorch_value_kind_of(self));
    fuzz_assert(ctorch_value_len(copy) == ctorch_value_len(self));
    if (fuzz_ok(&equal, ctorch_value_equal(&equal, self, copy)) &&
        fuzz_ok(&back, ctorch_value_equal(&back, copy, self))) {
      fuzz_assert(equal == back);
    }
    fuzz_release(ctorch_value, copy);
  }
}

static void value_input(fuzz_input *input) {
  if (ones == NULL) {
    prepare();
  }
  machine m = {.input = input};
  fuzz_must(ctorch_aten_clone(&m.matrix, ones, NULL));
  for (int step = 0; step < STEPS && input->len > 0; step++) {
    const ctorch_value *a, *b;
    ctorch_value *copy = NULL;
    bool equal, back;
    switch (fuzz_below(input, 8)) {
      case 0:
        make_plain(&m);
        break;
      case 1:
        make_container(&m);
        break;
      case 2:
        take_out(&m);
        break;
      case 3:
        change(&m);
        break;
      case 4:
        read(&m);
        break;
      case 5:
        call(&m);
        break;
      case 6:
        (void)!fuzz_ok(&copy, ctorch_value_deep_copy(&copy, pick(&m)));
        push(&m, copy);
        break;
      default:
        a = pick(&m);
        b = pick(&m);
        if (fuzz_ok(&equal, ctorch_value_equal(&equal, a, b)) && fuzz_ok(&back, ctorch_value_equal(&back, b, a))) {
          fuzz_assert(equal == back);
        }
        break;
    }
  }
  for (size_t i = 0; i < m.len; i++) {
    inspect(m.values[i]);
  }
  for (size_t i = 0; i < m.len; i++) {
    fuzz_dismantle(m.values[i]);
  }
  for (size_t i = 0; i < m.len; i++) {
    fuzz_release(ctorch_value, m.values[i]);
  }
  fuzz_release(ctorch_tensor, m.matrix);
}

FUZZ_TARGET(value_input)
