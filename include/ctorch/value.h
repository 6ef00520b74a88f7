/**
 * Values of any type: what operators called by name, TorchScript, checkpoints and custom operators exchange.
 *
 * A `ctorch_value *` is a reference-counted box around one LibTorch IValue: nothing, a tensor, a number, a text, a
 * list, a tuple, a dict, a device, and so on. Lists and dicts are shared as in Python: a box that ctorch_value_get
 * hands out shows the very list that lies inside another, and a change to one is seen in the other. Everything else is
 * immutable, and a tensor in a box is the tensor that went in.
 *
 * Lists and dicts made of values hold anything, like Python's. Those that LibTorch makes, and those made by
 * ctorch_value_from_ints and its kind, have an element type: what is put in is converted to it where Python would (an
 * int for a float), else the error is TYPE. Calling an operator or TorchScript converts from one to the other.
 *
 * A list or dict that contains itself is printed, compared and copied without harm, but is freed only after
 * ctorch_value_clear: references are counted.
 */
#ifndef CTORCH_VALUE_H
#define CTORCH_VALUE_H

#include "ctorch/base.h"
#include "ctorch/types.h"

CTORCH_BEGIN_DECLS

/** What a value holds. */
typedef int32_t ctorch_value_kind;
enum {
  /** Python's None; an undefined tensor counts as it. */
  CTORCH_VALUE_NONE = 0,
  CTORCH_VALUE_TENSOR = 1,
  /** An int; dtypes, layouts, memory formats and quantization schemes are ints inside LibTorch. */
  CTORCH_VALUE_INT = 2,
  CTORCH_VALUE_DOUBLE = 3,
  CTORCH_VALUE_BOOL = 4,
  CTORCH_VALUE_COMPLEX = 5,
  CTORCH_VALUE_STRING = 6,
  CTORCH_VALUE_LIST = 7,
  CTORCH_VALUE_TUPLE = 8,
  CTORCH_VALUE_DICT = 9,
  CTORCH_VALUE_DEVICE = 10,
  CTORCH_VALUE_STREAM = 11,
  CTORCH_VALUE_GENERATOR = 12,
  CTORCH_VALUE_STORAGE = 13,
  /** What has no form in C: TorchScript objects and modules, custom classes, enums, futures. */
  CTORCH_VALUE_OBJECT = 14
};

/**
 * Name of a kind, as Python names the type: "None", "Tensor", "int", "float", "bool", "complex", "str", "list",
 * "tuple", "dict", "Device", "Stream", "Generator", "Storage", "object".
 *
 * @param kind  any number.
 * @return static text; NULL for an unknown kind.
 */
CTORCH_API const char *ctorch_value_kind_name(ctorch_value_kind kind);

/**
 * Add a reference.
 *
 * @param self  borrowed; may be NULL.
 */
CTORCH_EXPORT void ctorch_value_retain(const ctorch_value *self);

/**
 * Give a reference back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_value_release(ctorch_value *self);

/* Making values ---------------------------------------------------------------------------------------------------- */

/**
 * Nothing: Python's None.
 *
 * @param[out] out  owned.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_none(ctorch_value **out);

/**
 * A tensor.
 *
 * @param[out] out  owned.
 * @param tensor    borrowed, gets a reference; NULL for None.
 * @return NULL, or NULL_ARGUMENT (`out`).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_tensor(ctorch_value **out, const ctorch_tensor *tensor);

/**
 * An int.
 *
 * @param[out] out  owned.
 * @param value     any number.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_int(ctorch_value **out, int64_t value);

/**
 * A float.
 *
 * @param[out] out  owned.
 * @param value     any number.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_double(ctorch_value **out, double value);

/**
 * True or False.
 *
 * @param[out] out  owned.
 * @param value     either.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_bool(ctorch_value **out, bool value);

/**
 * A complex number.
 *
 * @param[out] out   owned.
 * @param real       real part.
 * @param imaginary  imaginary part.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_complex(ctorch_value **out, double real, double imaginary);

/**
 * A number of any kind: an int, float, bool or complex. A UINT of at least 2^63 is an int that only
 * ctorch_value_to_scalar can read.
 *
 * @param[out] out  owned.
 * @param value     borrowed.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown kind).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_scalar(ctorch_value **out, const ctorch_scalar *value);

/**
 * A text.
 *
 * @param[out] out  owned.
 * @param text      borrowed; UTF-8, copied.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_string(ctorch_value **out, const char *text);

/**
 * A text of any bytes, NUL among them. LibTorch keeps pickles and the like in strings too.
 *
 * @param[out] out  owned.
 * @param data      borrowed; copied.
 * @param data_len  number of bytes.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (absurd length).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_bytes(ctorch_value **out, const char *data, size_t data_len);

/**
 * A device.
 *
 * @param[out] out  owned.
 * @param device    borrowed.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no such type or index).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_device(ctorch_value **out, const ctorch_device *device);

/**
 * A stream.
 *
 * @param[out] out  owned.
 * @param stream    borrowed.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no such device).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_stream(ctorch_value **out, const ctorch_stream *stream);

/**
 * A random number generator.
 *
 * @param[out] out   owned.
 * @param generator  borrowed, gets a reference.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_generator(ctorch_value **out, const ctorch_generator *generator);

/**
 * A storage.
 *
 * @param[out] out  owned.
 * @param storage   borrowed, gets a reference.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_storage(ctorch_value **out, const ctorch_storage *storage);

/**
 * A dtype, which is an int inside LibTorch.
 *
 * @param[out] out  owned.
 * @param dtype     a ctorch_dtype.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown dtype).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_dtype(ctorch_value **out, ctorch_dtype dtype);

/**
 * A layout, which is an int inside LibTorch.
 *
 * @param[out] out  owned.
 * @param layout    a ctorch_layout.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown layout).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_layout(ctorch_value **out, ctorch_layout layout);

/**
 * A memory format, which is an int inside LibTorch.
 *
 * @param[out] out       owned.
 * @param memory_format  a ctorch_memory_format.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown memory format).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_memory_format(ctorch_value **out, ctorch_memory_format memory_format);

/**
 * A list of ints ("List[int]").
 *
 * @param[out] out    owned.
 * @param values      borrowed; copied.
 * @param values_len  number of entries.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (absurd length).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_ints(ctorch_value **out, const int64_t *values, size_t values_len);

/**
 * A list of floats ("List[float]").
 *
 * @param[out] out    owned.
 * @param values      borrowed; copied.
 * @param values_len  number of entries.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (absurd length).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_doubles(ctorch_value **out, const double *values, size_t values_len);

/**
 * A list of bools ("List[bool]").
 *
 * @param[out] out    owned.
 * @param values      borrowed; copied.
 * @param values_len  number of entries.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (absurd length).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_bools(ctorch_value **out, const bool *values, size_t values_len);

/**
 * A list of texts ("List[str]").
 *
 * @param[out] out    owned.
 * @param values      borrowed; UTF-8, copied.
 * @param values_len  number of entries.
 * @return NULL, or NULL_ARGUMENT (also of an entry), INVALID_ARGUMENT (absurd length, not UTF-8).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_strings(ctorch_value **out, const char *const *values, size_t values_len);

/**
 * A list of tensors ("List[Tensor]"), or of tensors and None ("List[Optional[Tensor]]") if there are NULL elements.
 *
 * @param[out] out     owned.
 * @param tensors      borrowed, each gets a reference; NULL elements are None.
 * @param tensors_len  number of tensors.
 * @return NULL, or NULL_ARGUMENT (`out`; `tensors` NULL with a length), INVALID_ARGUMENT (absurd length).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_tensors(
    ctorch_value **out, const ctorch_tensor *const *tensors, size_t tensors_len);

/**
 * A list that holds anything ("List[Any]").
 *
 * @param[out] out    owned.
 * @param values      borrowed; what they hold is shared. NULL elements are None.
 * @param values_len  number of values.
 * @return NULL, or NULL_ARGUMENT (`out`; `values` NULL with a length), INVALID_ARGUMENT (absurd length).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_list(
    ctorch_value **out, const ctorch_value *const *values, size_t values_len);

/**
 * A tuple.
 *
 * @param[out] out    owned.
 * @param values      borrowed; what they hold is shared. NULL elements are None.
 * @param values_len  number of values.
 * @return NULL, or NULL_ARGUMENT (`out`; `values` NULL with a length), INVALID_ARGUMENT (absurd length).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_tuple(
    ctorch_value **out, const ctorch_value *const *values, size_t values_len);

/**
 * A dict ("Dict[Any, Any]") in the order of its entries; of equal keys the last value counts, at the first one's place.
 *
 * A key is a str, int, float, bool, complex number, tensor (by identity) or device. Unlike Python's, LibTorch's dicts
 * tell 1, 1.0 and True apart.
 *
 * @param[out] out    owned.
 * @param keys        borrowed.
 * @param keys_len    number of entries.
 * @param values      borrowed; what they hold is shared. NULL elements are None.
 * @param values_len  equal to `keys_len`.
 * @return NULL, or NULL_ARGUMENT (also of a key), INVALID_ARGUMENT (lengths differ, absurd length), TYPE (what cannot
 *         be a key).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_dict(
    ctorch_value **out,
    const ctorch_value *const *keys,
    size_t keys_len,
    const ctorch_value *const *values,
    size_t values_len);

/* Reading values --------------------------------------------------------------------------------------------------- */

/**
 * What a value holds.
 *
 * @param self  borrowed; may be NULL.
 * @return a ctorch_value_kind; NONE for NULL.
 */
CTORCH_API ctorch_value_kind ctorch_value_kind_of(const ctorch_value *self);

/**
 * The tensor in a value.
 *
 * @param[out] out  owned; NULL for None.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (neither a tensor nor None).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_tensor(ctorch_tensor **out, const ctorch_value *self);

/**
 * The int in a value.
 *
 * @param[out] out  the number.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (not an int), VALUE (2^63 or more: ctorch_value_to_scalar reads it), RUNTIME (a
 *         symbolic number without a value).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_int(int64_t *out, const ctorch_value *self);

/**
 * The float in a value, or an int as a float.
 *
 * @param[out] out  the number.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (neither a float nor an int), RUNTIME (a symbolic number without a value).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_double(double *out, const ctorch_value *self);

/**
 * The bool in a value.
 *
 * @param[out] out  true or false.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (not a bool), RUNTIME (a symbolic bool without a value).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_bool(bool *out, const ctorch_value *self);

/**
 * The complex number in a value, or an int or float as one.
 *
 * @param[out] out_real       real part.
 * @param[out] out_imaginary  imaginary part.
 * @param self                borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (no such number), RUNTIME (a symbolic number without a value).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_complex(double *out_real, double *out_imaginary, const ctorch_value *self);

/**
 * The number in a value: an int, float, bool or complex number.
 *
 * @param[out] out  the number and its kind.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (no number), RUNTIME (a symbolic number without a value).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_scalar(ctorch_scalar *out, const ctorch_value *self);

/**
 * The text in a value. It ends with NUL and may hold further ones, and bytes that are not UTF-8, if LibTorch made it.
 *
 * @param[out] out      borrowed from `self`.
 * @param[out] out_len  bytes without the final NUL; may be NULL.
 * @param self          borrowed.
 * @return NULL, or NULL_ARGUMENT (`out`, `self`), TYPE (not a str).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_string(const char **out, size_t *out_len, const ctorch_value *self);

/**
 * The device in a value.
 *
 * @param[out] out  the device.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (not a device).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_device(ctorch_device *out, const ctorch_value *self);

/**
 * The stream in a value.
 *
 * @param[out] out  the stream.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (not a stream).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_stream(ctorch_stream *out, const ctorch_value *self);

/**
 * The generator in a value.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (not a generator).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_generator(ctorch_generator **out, const ctorch_value *self);

/**
 * The storage in a value.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (not a storage).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_storage(ctorch_storage **out, const ctorch_value *self);

/**
 * The tensors of a list or tuple, each None a NULL element.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (no list or tuple, or an entry that is neither a tensor nor None).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_tensors(ctorch_tensor_list **out, const ctorch_value *self);

/* Lists, tuples and dicts ------------------------------------------------------------------------------------------ */

/**
 * Number of entries of a list, tuple or dict; bytes of a text.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL and for what has no length.
 */
CTORCH_API size_t ctorch_value_len(const ctorch_value *self);

/**
 * An entry of a list or tuple.
 *
 * @param[out] out  owned; a list or dict in it is the same one.
 * @param self      borrowed; a list or tuple.
 * @param index     below ctorch_value_len.
 * @return NULL, or NULL_ARGUMENT, TYPE (neither list nor tuple), INDEX.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_get(ctorch_value **out, const ctorch_value *self, size_t index);

/**
 * Replace an entry of a list.
 *
 * @param self   exclusive; a list.
 * @param index  below ctorch_value_len.
 * @param value  borrowed; NULL for None.
 * @return NULL, or NULL_ARGUMENT (`self`), TYPE (not a list; `value` does not fit the list's element type), INDEX.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_list_set(ctorch_value *self, size_t index, const ctorch_value *value);

/**
 * Add an entry to the end of a list.
 *
 * @param self   exclusive; a list.
 * @param value  borrowed; NULL for None.
 * @return NULL, or NULL_ARGUMENT (`self`), TYPE (not a list; `value` does not fit the list's element type).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_list_append(ctorch_value *self, const ctorch_value *value);

/**
 * Add an entry to a list, before the one at `index`.
 *
 * @param self   exclusive; a list.
 * @param index  at most ctorch_value_len.
 * @param value  borrowed; NULL for None.
 * @return NULL, or NULL_ARGUMENT (`self`), TYPE (not a list; `value` does not fit the list's element type), INDEX.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_list_insert(ctorch_value *self, size_t index, const ctorch_value *value);

/**
 * Take an entry out of a list.
 *
 * @param self   exclusive; a list.
 * @param index  below ctorch_value_len.
 * @return NULL, or NULL_ARGUMENT, TYPE (not a list), INDEX.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_list_remove(ctorch_value *self, size_t index);

/**
 * Take all entries out of a list or dict.
 *
 * @param self  exclusive; a list or dict.
 * @return NULL, or NULL_ARGUMENT, TYPE (neither list nor dict).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_clear(ctorch_value *self);

/**
 * The value of a key.
 *
 * @param[out] out  owned; a list or dict in it is the same one.
 * @param self      borrowed; a dict.
 * @param key       borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (not a dict; what cannot be a key), INDEX (no such key; the message has it).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_dict_get(ctorch_value **out, const ctorch_value *self, const ctorch_value *key);

/**
 * Whether a dict has a key.
 *
 * @param[out] out  true if it has.
 * @param self      borrowed; a dict.
 * @param key       borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (not a dict; what cannot be a key).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_dict_contains(bool *out, const ctorch_value *self, const ctorch_value *key);

/**
 * Give a key a value. A new key goes to the end; a known one keeps its place.
 *
 * @param self   exclusive; a dict.
 * @param key    borrowed.
 * @param value  borrowed; NULL for None.
 * @return NULL, or NULL_ARGUMENT (`self`, `key`), TYPE (not a dict; what cannot be a key; `key` or `value` do not fit
 *         the dict's types).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_dict_set(ctorch_value *self, const ctorch_value *key, const ctorch_value *value);

/**
 * Take a key out of a dict.
 *
 * @param self  exclusive; a dict.
 * @param key   borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (not a dict; what cannot be a key), INDEX (no such key; the message has it).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_dict_remove(ctorch_value *self, const ctorch_value *key);

/**
 * The value of a text key, as ctorch_value_dict_get finds it.
 *
 * @param[out] out  owned; a list or dict in it is the same one.
 * @param self      borrowed; a dict.
 * @param key       borrowed; UTF-8.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), TYPE (not a dict), INDEX (no such key; the message has
 *         it).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_dict_at(ctorch_value **out, const ctorch_value *self, const char *key);

/**
 * Give a text key a value, as ctorch_value_dict_set does.
 *
 * @param self   exclusive; a dict.
 * @param key    borrowed; UTF-8, copied.
 * @param value  borrowed; NULL for None.
 * @return NULL, or NULL_ARGUMENT (`self`, `key`), INVALID_ARGUMENT (not UTF-8), TYPE (not a dict; `key` or `value` do
 *         not fit the dict's types).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_dict_put(ctorch_value *self, const char *key, const ctorch_value *value);

/**
 * The keys of a dict in their order, as a list of its own.
 *
 * @param[out] out  owned; its element type is the dict's key type.
 * @param self      borrowed; a dict.
 * @return NULL, or NULL_ARGUMENT, TYPE (not a dict).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_dict_keys(ctorch_value **out, const ctorch_value *self);

/**
 * The values of a dict in the order of their keys, as a list of its own.
 *
 * @param[out] out  owned; its element type is the dict's value type.
 * @param self      borrowed; a dict.
 * @return NULL, or NULL_ARGUMENT, TYPE (not a dict).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_dict_values(ctorch_value **out, const ctorch_value *self);

/* Whole values ----------------------------------------------------------------------------------------------------- */

/**
 * A value as Python's repr prints it: `{'lr': 0.1, 'betas': (0.9, 0.999)}`. What Python prints with an address, and
 * OBJECT, is printed as LibTorch prints it; a storage without its bytes.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (nested more than 1000 deep).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_repr(ctorch_string **out, const ctorch_value *self);

/**
 * The type of a value, as TorchScript annotates it: "Dict[str, Tensor]".
 *
 * It is that of the entries where they agree, also in lists and dicts that hold anything; an empty one of those is
 * "List[Any]". Entries that are None make an Optional, other differences Any.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (nested more than 1000 deep).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_type(ctorch_string **out, const ctorch_value *self);

/**
 * Whether two values are equal, as Python's `==` would say of containers: numbers by value across kinds, lists and
 * tuples entry by entry, dicts regardless of order, one list or dict always with itself.
 *
 * Where Python's `==` has no answer this one has: two tensors are equal if they are the same one, or have the same
 * dtype, device, layout and shape and equal elements, by which NaN is not NaN. Generators, storages and objects are
 * equal if they are the same one; enums if they are the same member.
 *
 * @param[out] out  true if they are.
 * @param self      borrowed.
 * @param other     borrowed.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (nested more than 1000 deep), or what LibTorch says of tensors whose elements
 *         cannot be compared, such as those without memory.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_equal(bool *out, const ctorch_value *self, const ctorch_value *other);

/**
 * Whether two values are the same object, as Python's `is` says: the same tensor, list, dict, …; of what is no object
 * (numbers, text, devices, None) whether kind and value are the same. Two tuples are the same if they are one object.
 *
 * @param self   borrowed; may be NULL.
 * @param other  borrowed; may be NULL.
 * @return NULL is the same as NULL only.
 */
CTORCH_API bool ctorch_value_is(const ctorch_value *self, const ctorch_value *other);

/**
 * A copy of a list or dict that shares the entries (Python's `copy.copy`); everything else is returned itself.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_copy(ctorch_value **out, const ctorch_value *self);

/**
 * A copy down to the memory of the tensors (Python's `copy.deepcopy`). What was shared inside stays shared inside the
 * copy: a list that lies in two places, two views of one memory. A tensor keeps requires_grad and gets a copy of its
 * gradient.
 *
 * Generators are cloned. OBJECT is copied as LibTorch does it, where it can.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (a tensor that is not a leaf of the graph; nested more than 1000 deep), or
 *         what LibTorch says of an object it cannot copy.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_deep_copy(ctorch_value **out, const ctorch_value *self);

CTORCH_END_DECLS

#endif
