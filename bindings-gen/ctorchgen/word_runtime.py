"""The functions that libspl_ctorch.so has beside those of the API: (name, slots, result, what it does).

A slot is `name:kind`, with `?` if it may be 0; kinds in capitals are those of handles. word.py explains the others.
"""

from .vocabulary import DEVICE_TYPE, ERROR, ERROR_KIND, SCALAR_KIND, TENSORS_CALLBACK


def _list(plural: str, item: str, got: str, what: str) -> tuple[tuple[str, str, str, str], ...]:
    kind = plural.upper()
    return (
        (f"{plural}_new", "", kind, f"An empty list of {what}."),
        (f"{plural}_push", f"list:{kind} item:{item}", "status", f"Append one of {what}."),
        (f"{plural}_len", f"list:{kind}", "count", "Number of entries."),
        (f"{plural}_get", f"list:{kind} index:int", got, "One entry."),
    )


OWN: tuple[tuple[str, str, str, str], ...] = (
    # handles
    ("release", "word:any", "status", "Give a handle of any kind back; a number or device word is left as it is."),
    ("retain", "word:any", "any", "The same handle, which then needs one release more, also in a scope."),
    ("kind", "word:any", "count", "The kind of a handle, number word or device word, by its number."),
    ("live_handles", "", "count", "Handles that were made and not given back."),
    # errors
    ("last_error", "", "address", "Message of this thread's last failure, as the address of a C string; or 0."),
    ("last_error_text", "", "text?", "The same as a TEXT; 0 if nothing failed."),
    ("last_error_code", "", "count", f"A {ERROR_KIND}; 0 if nothing failed."),
    ("last_error_name", "", "address", "Name of the code: SHAPE_MISMATCH, as the address of a C string; or 0."),
    ("last_error_function", "", "address", "The ctorch function that failed, as the address of a C string; or 0."),
    (
        "last_error_take",
        "",
        "ERROR?",
        f"The error itself, for rt_{ERROR}_*; then nothing failed. 0 if nothing did.",
    ),
    ("last_error_clear", "", "status", "Forget the last failure."),
    # numbers
    ("number_int", "value:int", "number", "The integer `value` as a number word."),
    ("number_int_halves", "high:int low:int", "number", "high * 2^32 + low, with low from 0 to 2^32 - 1."),
    ("number_uint_halves", "high:int low:int", "number", "The same without a sign: high from 0 to 2^32 - 1 too."),
    ("number_bool", "value:flag", "number", "True or False, which PyTorch tells from 1 and 0."),
    (
        "number_ratio",
        "numerator:int denominator:int",
        "number",
        "The double nearest to a fraction: 1, 100 is 0.01. Both are exact up to 2^53.",
    ),
    ("number_parse", "text:text", "number", "The number that a text spells: -1.5e-3, 42, inf, nan."),
    ("number_double_halves", "high:int low:int", "number", "The double with these bits, each half from 0 to 2^32 - 1."),
    (
        "number_double_bits",
        "bits:int",
        "number",
        "The double with these bits. Lossy on lanes that keep 61: prefer the halves.",
    ),
    ("number_complex", "real:double imaginary:double", "number", "A complex number of two number words."),
    ("number_kind", "number:scalar", "enum", f"A {SCALAR_KIND}."),
    (
        "number_to_int",
        "number:scalar",
        "int",
        "The integer or bool itself. Any int64 is a value: a failure shows in last_error_code, else it is 0.",
    ),
    ("number_to_int_high", "number:scalar", "number", "An integer's upper half, with its sign, as a number word."),
    ("number_to_int_low", "number:scalar", "count", "Its lower half, from 0 to 2^32 - 1."),
    ("number_to_double_high", "number:scalar", "count", "Upper half of the bits of a real number as a double."),
    ("number_to_double_low", "number:scalar", "count", "Lower half of these bits."),
    ("number_real", "number:scalar", "number", "The real part: of a number that is not complex, itself."),
    ("number_imaginary", "number:scalar", "number", "The imaginary part."),
    ("number_print", "number:scalar", "text", "As Python prints it; enough digits to read it back exactly."),
    # devices and streams
    ("device_word", "type:enum index:int", "device", "A device; index -1 is the current one of its type."),
    ("device_word_type", "device:device", "enum", f"A {DEVICE_TYPE}."),
    ("device_word_index", "device:device", "number", "The index; -1 for the current one."),
    ("stream_word", "id:scalar device:device", "stream", "A stream by its number (a number word) on a device."),
    ("stream_word_id", "stream:stream", "number", "The number of a stream."),
    ("stream_word_device", "stream:stream", "device", "The device of a stream."),
    # texts
    ("text_new", "", "text", "An empty text."),
    ("text_push", "text:TEXT byte:int", "status", "Append a byte, from 0 to 255."),
    (
        "text_push_bytes",
        "text:TEXT bytes:int count:int",
        "status",
        "Append the `count` (0 to 7) lowest bytes of a word, the lowest first.",
    ),
    ("text_from_address", "address:int", "text", "A copy of the C string at an address."),
    ("text_from_bytes", "address:int length:int", "text", "A copy of the bytes at an address."),
    ("text_len", "text:text", "count", "Length in bytes."),
    ("text_byte", "text:text index:int", "count", "One byte."),
    (
        "text_address",
        "text:text",
        "address",
        "Address of the text, which ends with NUL; until it is changed or released.",
    ),
    # lists
    *_list("ints", "int", "number", "integers"),
    (
        "ints_of",
        "count:int a:int b:int c:int d:int e:int f:int g:int",
        "INTS",
        "A list of the first `count` (0 to 7) of the words after it.",
    ),
    ("ints_push_number", "list:INTS item:scalar", "status", "Append an integer that is given as a number word."),
    ("ints_from_text", "bytes:text", "INTS", "The int64s whose memory a TEXT holds, 8 bytes each."),
    *_list("doubles", "double", "number", "doubles"),
    ("doubles_from_text", "bytes:text", "DOUBLES", "The doubles whose memory a TEXT holds, 8 bytes each."),
    *_list("scalars", "scalar", "number", "Scalars"),
    *_list("devices", "device", "device", "devices"),
    *_list("texts", "text", "text", "texts"),
    *_list("tensors", "TENSOR?", "TENSOR?", "tensors, 0 for None"),
    (
        "tensors_of",
        "count:int a:TENSOR? b:TENSOR? c:TENSOR? d:TENSOR? e:TENSOR? f:TENSOR? g:TENSOR?",
        "TENSORS",
        "A list of the first `count` (0 to 7) of the words after it: tensors, or 0.",
    ),
    *_list("values", "VALUE?", "VALUE?", "values, 0 for NULL"),
    # tuples and packs
    ("tuple_len", "tuple:TUPLE", "count", "Number of items."),
    (
        "tuple_get",
        "tuple:TUPLE index:int",
        "any?",
        "An item, retained: it needs a release of its own, also in a scope. 0 if it is nothing or taken.",
    ),
    ("tuple_take", "tuple:TUPLE index:int", "any?", "An item, moved out of the tuple, which has 0 there from now on."),
    ("pack_new", "", "PACK", "A pack whose slots all have their default."),
    ("pack_push", "pack:PACK word:word", "status", "Set the slot after the last one that was set or skipped."),
    ("pack_skip", "pack:PACK", "status", "Leave that slot at its default."),
    ("pack_set", "pack:PACK index:int word:word", "status", "Set a slot by its number, from 0 to 63."),
    ("pack_len", "pack:PACK", "count", "Number of slots up to the last one that was set or skipped."),
    # addresses
    (
        "address_new",
        "address:int",
        "ADDRESS",
        "A machine address, for slots that take one. Nothing checks it: a wrong one crashes.",
    ),
    ("address_of", "handle:any", "address", "The machine address behind an ADDRESS or an object of ctorch; borrowed."),
    (
        "address_take",
        "handle:any",
        "address",
        "The same, with the reference: the handle is invalid afterwards, and nobody releases the object.",
    ),
    (
        "address_adopt",
        "address:int kind:int",
        "any",
        "A handle of that kind for an object of ctorch, whose reference it takes over. Nothing checks the address.",
    ),
    (
        "operator_callback",
        "",
        "ADDRESS",
        f"The C function, for slots that take a {TENSORS_CALLBACK}, that calls an operator with the inputs. The "
        "payload beside it is the operator, as `address_new(address_of(op))`, which must stay alive as long.",
    ),
    # doubles through the double transport
    ("f_number", "value:f64", "number", "A double as a number word."),
    ("f_complex", "real:f64 imaginary:f64", "number", "A complex number."),
    ("f_value", "number:scalar", "f64", "A real number as a double."),
    ("f_imaginary", "number:scalar", "f64", "The imaginary part."),
    ("f_doubles_push", "list:DOUBLES value:f64", "status", "Append a double."),
    ("f_doubles_get", "list:DOUBLES index:int", "f64", "One entry."),
    (
        "f_doubles_of",
        "count:int a:f64 b:f64 c:f64 d:f64 e:f64 f:f64 g:f64",
        "DOUBLES",
        "A list of the first `count` (0 to 7) of the numbers after it.",
    ),
    ("f_scalars_push", "list:SCALARS value:f64", "status", "Append a double."),
    ("f_item", "tensor:TENSOR", "f64", "The one element of a tensor, if it is real."),
)
