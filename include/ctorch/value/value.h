/**
 * Values of any type: what operators called by name, TorchScript, checkpoints and custom operators exchange.
 *
 * A `ctorch_value *` is a reference-counted box around one LibTorch IValue: nothing, a tensor, a number, a text, a
 * list, a tuple, a dict, a device, and so on; or around what Python's files hold beside those: bytes, ints of any size,
 * dtypes, sets, objects of classes. Lists, dicts, sets and Python objects are shared as in Python: a box that
 * ctorch_value_get hands out shows the very list that lies inside another, and a change to one is seen in the other.
 * Everything else is immutable, and a tensor in a box is the tensor that went in.
 *
 * Lists and dicts made of values hold anything, like Python's. Those that LibTorch makes, and those made by
 * ctorch_value_from_ints and its kind, have an element type: what is put in is converted to it where Python would (an
 * int for a float), else the error is TYPE. Calling an operator or TorchScript converts from one to the other.
 *
 * A list or dict that contains itself is printed, compared and copied without harm, but is freed only after
 * ctorch_value_clear: references are counted. No function here needs more stack for a value that is nested deeper.
 *
 * LibTorch itself has no bytes, dtypes and so on. An operator that is called by name takes a dtype, layout or memory
 * format where its schema has one, bytes for a str, a set or torch.Size for a list, an OrderedDict for a dict, and an
 * int beyond 64 bits for a float; where its schema says Any it takes whatever comes. Everywhere else such a value is an
 * error TYPE. What operators return are LibTorch's kinds: a dtype is an int, which ctorch_value_to_dtype reads.
 */
#ifndef CTORCH_VALUE_H
#define CTORCH_VALUE_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** What a value holds. */
typedef int32_t ctorch_value_kind;
enum {
  /** Python's None; an undefined tensor counts as it. */
  CTORCH_VALUE_NONE = 0,
  CTORCH_VALUE_TENSOR = 1,
  /** An int of any size. Operators return dtypes, layouts, memory formats and quantization schemes as ints. */
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
  CTORCH_VALUE_OBJECT = 14,
  CTORCH_VALUE_BYTES = 15,
  CTORCH_VALUE_SET = 16,
  CTORCH_VALUE_DTYPE = 17,
  CTORCH_VALUE_LAYOUT = 18,
  CTORCH_VALUE_MEMORY_FORMAT = 19,
  /** An object of a class of Python's, as a file describes it, or the class or function itself. */
  CTORCH_VALUE_PYTHON_OBJECT = 20,
  /** A module, as an argument of ctorch_nn_create: ctorch_value_from_module. */
  CTORCH_VALUE_MODULE = 21,
  /** A transform, as an argument of ctorch_transform_create: ctorch_value_from_transform. */
  CTORCH_VALUE_TRANSFORM = 22
};

/**
 * Name of a kind, as Python names the type: "None", "Tensor", "int", "float", "bool", "complex", "str", "list",
 * "tuple", "dict", "Device", "Stream", "Generator", "Storage", "object", "bytes", "set", "dtype", "layout",
 * "memory_format", "PythonObject", "Module", "Transform".
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
CTORCH_API ctorch_error *ctorch_value_from_string_data(ctorch_value **out, const char *data, size_t data_len);

/**
 * Python's bytes.
 *
 * @param[out] out  owned.
 * @param data      borrowed; copied.
 * @param data_len  number of bytes.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (absurd length).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_bytes(ctorch_value **out, const char *data, size_t data_len);

/**
 * An int of any size, from two's complement with the lowest byte first (`int.from_bytes(data, "little", signed=True)`),
 * as pickles have it.
 *
 * @param[out] out  owned.
 * @param data      borrowed.
 * @param data_len  number of bytes; none are 0.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (absurd length).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_int_bytes(ctorch_value **out, const char *data, size_t data_len);

/**
 * An int of any size, from its digits (`int(text)`).
 *
 * @param[out] out  owned.
 * @param text      borrowed; up to 4,300 digits, as in Python, with a sign or without.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), VALUE (not such a number).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_decimal(ctorch_value **out, const char *text);

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
 * A dtype: Python's `torch.dtype`.
 *
 * @param[out] out  owned.
 * @param dtype     a ctorch_dtype.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown dtype).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_dtype(ctorch_value **out, ctorch_dtype dtype);

/**
 * A layout: Python's `torch.layout`.
 *
 * @param[out] out  owned.
 * @param layout    a ctorch_layout.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown layout).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_layout(ctorch_value **out, ctorch_layout layout);

/**
 * A memory format: Python's `torch.memory_format`.
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
 * A key is what Python takes for one: None, a str, int, float, bool, complex number, tensor (by identity), device,
 * bytes, dtype, layout, memory format, class or function, torch.Size, or a tuple of these (without tensors). Unlike
 * Python's, LibTorch's dicts tell 1, 1.0 and True apart. Each NaN is another key, which no search finds. Keys whose
 * hashes collide, on purpose or not, take no more memory than others.
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

/**
 * A set in the order of its entries; of equal ones the first counts.
 *
 * @param[out] out    owned.
 * @param values      borrowed; each what a dict takes for a key. NULL elements are None.
 * @param values_len  number of values.
 * @return NULL, or NULL_ARGUMENT (`out`; `values` NULL with a length), INVALID_ARGUMENT (absurd length), TYPE (what
 *         cannot be an entry).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_set(
    ctorch_value **out, const ctorch_value *const *values, size_t values_len);

/**
 * An object of a class of Python's, as a pickle describes it: `name(*args)`, then its items, then its state. Nothing is
 * called and no class is needed; the description is what there is, to be read, changed and written to a file again. Or,
 * without `args`, the class or function itself.
 *
 *     A state dict is an OrderedDict with items, whose state is a dict of attributes:
 *     ctorch_value_from_python_object(&out, "collections", "OrderedDict", no_args, dict, NULL);
 *     ctorch_value_set_attribute(out, "_metadata", metadata);
 *
 * Functions for dicts, lists and sets take an object with such items for them.
 *
 * @param[out] out  owned.
 * @param module    borrowed; "collections", "torch._utils".
 * @param name      borrowed; "OrderedDict", "Outer.Inner".
 * @param args      borrowed; a tuple, what it holds is shared. NULL or None: the class or function itself.
 * @param items     borrowed; a list, dict or set, which is shared. NULL if it has none.
 * @param state     borrowed; anything, mostly a dict of attributes. NULL if it has none.
 * @return NULL, or NULL_ARGUMENT (`out`, `module`, `name`), INVALID_ARGUMENT (no names), TYPE (`args` no tuple, `items`
 *         no list, dict or set), VALUE (items or state without `args`).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_python_object(
    ctorch_value **out,
    const char *module,
    const char *name,
    const ctorch_value *args,
    const ctorch_value *items,
    const ctorch_value *state);

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
 * @return NULL, or NULL_ARGUMENT, TYPE (not an int), VALUE (more than 64 bits: ctorch_value_to_int_bytes reads any),
 *         RUNTIME (a symbolic number without a value).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_int(int64_t *out, const ctorch_value *self);

/**
 * The float in a value, or an int as a float.
 *
 * @param[out] out  the number.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (neither a float nor an int), VALUE (an int beyond what a float can be), RUNTIME
 *         (a symbolic number without a value).
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
 * @return NULL, or NULL_ARGUMENT, TYPE (no such number), VALUE (an int beyond what a float can be), RUNTIME (a symbolic
 *         number without a value).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_complex(double *out_real, double *out_imaginary, const ctorch_value *self);

/**
 * The number in a value: an int, float, bool or complex number.
 *
 * @param[out] out  the number and its kind.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (no number), VALUE (an int that is neither an int64_t nor a uint64_t), RUNTIME
 *         (a symbolic number without a value).
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
 * Copy the bytes of Python's bytes out.
 *
 * @param self         borrowed.
 * @param[out] data    gets them; may be NULL if there are none.
 * @param data_nbytes  ctorch_value_len of `self`.
 * @return NULL, or NULL_ARGUMENT, TYPE (not bytes), INVALID_ARGUMENT (another number of bytes).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_read_bytes(const ctorch_value *self, void *data, size_t data_nbytes);

/**
 * An int of any size as two's complement with the lowest byte first, in as few bytes as hold it; 0 in one.
 *
 * @param[out] out  owned; bytes.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (not an int), RUNTIME (a symbolic number without a value).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_int_bytes(ctorch_value **out, const ctorch_value *self);

/**
 * The digits of an int of any size.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (not an int), VALUE (more than 4,300 digits), RUNTIME (a symbolic number without
 *         a value).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_decimal(ctorch_string **out, const ctorch_value *self);

/**
 * The dtype in a value, or of an int, which operators return for one.
 *
 * @param[out] out  a ctorch_dtype.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (neither a dtype nor an int), INVALID_ARGUMENT (an int that is none).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_dtype(ctorch_dtype *out, const ctorch_value *self);

/**
 * The layout in a value, or of an int, which operators return for one.
 *
 * @param[out] out  a ctorch_layout.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (neither a layout nor an int), INVALID_ARGUMENT (an int that is none).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_layout(ctorch_layout *out, const ctorch_value *self);

/**
 * The memory format in a value, or of an int, which operators return for one.
 *
 * @param[out] out  a ctorch_memory_format.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (neither a memory format nor an int), INVALID_ARGUMENT (an int that is none).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_memory_format(ctorch_memory_format *out, const ctorch_value *self);

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
 * Number of entries of a list, tuple, dict or set; bytes of a text or of bytes.
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
 * The name of a NamedTuple's class, as a model in TorchScript returns one; its fields are the entries of the tuple.
 *
 * @param self  borrowed; may be NULL.
 * @return text that lives as long as `self`; NULL for what is not a NamedTuple.
 * @since 0.1
 */
CTORCH_API const char *ctorch_value_tuple_name(const ctorch_value *self);

/**
 * The name of a field of a NamedTuple.
 *
 * @param self   borrowed; may be NULL.
 * @param index  below ctorch_value_len.
 * @return text that lives as long as `self`; NULL for what is not a NamedTuple, and beyond its end.
 * @since 0.1
 */
CTORCH_API const char *ctorch_value_field_name(const ctorch_value *self, size_t index);

/**
 * A field of a NamedTuple by its name.
 *
 * @param[out] out  owned; a list or dict in it is the same one.
 * @param self      borrowed.
 * @param name      borrowed; of the field.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), TYPE (not a NamedTuple), INDEX (no such field).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_field(ctorch_value **out, const ctorch_value *self, const char *name);

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
 * Take all entries out of a list, dict or set.
 *
 * @param self  exclusive; a list, dict or set.
 * @return NULL, or NULL_ARGUMENT, TYPE (none of these).
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
 *         the dict's types), VALUE (a dict with types, as TorchScript has them: so many of its keys collide that it
 *         would take far more memory than they need).
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
 *         not fit the dict's types), VALUE (as ctorch_value_dict_set).
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

/**
 * The entries of a set in their order, as a list of its own.
 *
 * @param[out] out  owned.
 * @param self      borrowed; a set.
 * @return NULL, or NULL_ARGUMENT, TYPE (not a set).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_set_values(ctorch_value **out, const ctorch_value *self);

/**
 * Whether a set has an entry.
 *
 * @param[out] out  true if it has.
 * @param self      borrowed; a set.
 * @param value     borrowed; NULL for None.
 * @return NULL, or NULL_ARGUMENT (`out`, `self`), TYPE (not a set; what cannot be an entry).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_set_contains(bool *out, const ctorch_value *self, const ctorch_value *value);

/**
 * Add an entry to the end of a set, unless it has it.
 *
 * @param self   exclusive; a set.
 * @param value  borrowed; NULL for None.
 * @return NULL, or NULL_ARGUMENT (`self`), TYPE (not a set; what cannot be an entry).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_set_add(ctorch_value *self, const ctorch_value *value);

/**
 * Take an entry out of a set.
 *
 * @param self   exclusive; a set.
 * @param value  borrowed; NULL for None.
 * @return NULL, or NULL_ARGUMENT (`self`), TYPE (not a set; what cannot be an entry), INDEX (no such entry; the message
 *         has it).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_set_remove(ctorch_value *self, const ctorch_value *value);

/* Objects of Python's classes -------------------------------------------------------------------------------------- */

/**
 * The module of the class, or of the class or function, that a Python object names; of a tensor that a file tells to be
 * a parameter, "torch.nn.parameter".
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`; NULL for other values.
 */
CTORCH_API const char *ctorch_value_python_module(const ctorch_value *self);

/**
 * The name of the class, or of the class or function, that a Python object names; of a tensor that a file tells to be a
 * parameter, "Parameter".
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`; NULL for other values.
 */
CTORCH_API const char *ctorch_value_python_name(const ctorch_value *self);

/**
 * The arguments that a Python object is made with.
 *
 * @param[out] out  owned; a tuple. NULL for a class or function itself.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (not a Python object).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_python_args(ctorch_value **out, const ctorch_value *self);

/**
 * What a Python object holds as a list, dict or set.
 *
 * @param[out] out  owned; the very list, dict or set. NULL if there is none.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (not a Python object).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_python_items(ctorch_value **out, const ctorch_value *self);

/**
 * The state of a Python object: mostly a dict of its attributes.
 *
 * @param[out] out  owned; the very dict. NULL if there is none.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (not a Python object).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_python_state(ctorch_value **out, const ctorch_value *self);

/**
 * Give a Python object another state.
 *
 * @param self   exclusive.
 * @param state  borrowed; what it holds is shared. NULL for none.
 * @return NULL, or NULL_ARGUMENT (`self`), TYPE (not a Python object), VALUE (a class or function itself).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_set_python_state(ctorch_value *self, const ctorch_value *state);

/**
 * An attribute of a Python object: an entry of its state.
 *
 * @param[out] out  owned; a list or dict in it is the same one.
 * @param self      borrowed.
 * @param name      borrowed; UTF-8.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), TYPE (not a Python object), INDEX (no such attribute;
 *         the message has it).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_attribute(ctorch_value **out, const ctorch_value *self, const char *name);

/**
 * Set an attribute of a Python object, which gets a dict for its state if it has none.
 *
 * @param self   exclusive.
 * @param name   borrowed; UTF-8, copied.
 * @param value  borrowed; NULL for None.
 * @return NULL, or NULL_ARGUMENT (`self`, `name`), INVALID_ARGUMENT (not UTF-8), TYPE (not a Python object; its state
 *         is no dict; `value` does not fit the dict's type).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_set_attribute(ctorch_value *self, const char *name, const ctorch_value *value);

/* Whole values ----------------------------------------------------------------------------------------------------- */

/**
 * A value as Python's repr prints it: `{'lr': 0.1, 'betas': (0.9, 0.999)}`. What Python prints with an address, and
 * OBJECT, is printed as LibTorch prints it; a storage without its bytes; an int of more than 4,300 digits, where Python
 * refuses, in hexadecimal; a set in its own order. Of Python objects OrderedDict and torch.Size look as in Python,
 * others as `module.name(1, 2, items=[...], state={...})`.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (nested more than 1000 deep; a text of more than 64 MiB, as values have that
 *         share their parts).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_repr(ctorch_string **out, const ctorch_value *self);

/**
 * The type of a value, as TorchScript annotates it: "Dict[str, Tensor]".
 *
 * It is that of the entries where they agree, also in lists and dicts that hold anything; an empty one of those is
 * "List[Any]". Entries that are None make an Optional, other differences Any, and so does what is nested more than 16
 * deep. What TorchScript lacks has Python's name: "bytes", "Set[int]", "torch.dtype", "collections.OrderedDict".
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_type(ctorch_string **out, const ctorch_value *self);

/**
 * Whether two values are equal, as Python's `==` would say of containers: numbers by value across kinds, lists and
 * tuples entry by entry, dicts regardless of order, one list or dict always with itself.
 *
 * Where Python's `==` has no answer this one has: two tensors are equal if they are the same one, or have the same
 * dtype, device, layout and shape and equal elements, by which NaN is not NaN. Generators, storages and objects are
 * equal if they are the same one; enums if they are the same member. Python objects are equal if they name the same
 * class and their arguments, items and states are; an OrderedDict is equal to a dict too, whatever its attributes.
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
 * A copy of a list, dict, set or Python object that shares the entries (Python's `copy.copy`); everything else is
 * returned itself.
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
