"""What the sweep puts into arguments: valid values of every kind, extremes, and nonsense.

A value is a tuple of its kind and a payload; it knows nothing of C or Python. calls.py turns it into C arguments, and
replay.py into the same argument of `torch.ops`, so that a crash can be compared with PyTorch's own behaviour.

    ("absent", None)          NULL, and length 0 for a list: the default, None, or an error
    ("tensor", "sparse")      a tensor of a kind of TENSORS
    ("tensors", ("float",))   a list of them; None is a NULL element
    ("int", 3) ("double", 0.5) ("bool", True) ("enum", 6) ("string", b"mean")
    ("ints", (1, 2)) ("doubles", …) ("bools", …) ("scalars", …)
    ("scalar", (kind, i, re, im)) ("device", (type, index)) ("stream", (id, device type, device index))
    ("generator", "cpu") ("storage", "full") and the other handles of ctorch: ("list", …) ("text", …) ("error", …)
    ("length", ("null" | "data", n))   a list argument whose length does not fit its pointer
"""

from __future__ import annotations

import math

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
INT32_MIN, INT32_MAX = -(2**31), 2**31 - 1
SIZE_MAX = 2**64 - 1
# LibTorch reads an int64 at or below this as the address of a symbolic integer.
SYMBOLIC = -(2**62) - 1

ABSENT = ("absent", None)

# Kinds of tensor, as Python makes them; tensors.py makes the same ones through the C ABI.
TENSORS = {
    "float": "torch.arange(6.).reshape(2, 3)",
    "scalar": "torch.tensor(1.5)",
    "empty": "torch.empty(0)",
    "int64": "torch.arange(6).reshape(2, 3)",
    "complex": "torch.ones(2, 3, dtype=torch.complex64)",
    "bool": "torch.ones(2, 3, dtype=torch.bool)",
    "sparse": "torch.ones(2, 3).to_sparse()",
    "csr": "torch.ones(2, 3).to_sparse_csr()",
    "quantized": "torch.quantize_per_tensor(torch.ones(2, 3), 0.1, 0, torch.quint8)",
    "meta": "torch.empty(2, 3, device='meta')",
    "nested": "torch._nested_tensor_from_tensor_list([torch.ones(2), torch.ones(3)])",
    "mkldnn": "torch.ones(2, 3).to_mkldnn()",
    "half": "torch.ones(2, 3, dtype=torch.float16)",
    "vector": "torch.ones(3)",
    "indices": "torch.tensor([0, 1, 1])",
    "square": "torch.ones(3, 3)",
    "image": "torch.ones(1, 2, 4, 4)",
    "empty_matrix": "torch.empty(0, 3)",
    "extreme": "torch.tensor([-2**63, 2**62, -1])",
    "conj": "torch.ones(2, 3, dtype=torch.complex64).conj()",
    "expanded": "torch.ones(1).expand(2, 3)",
    "transposed": "torch.ones(3, 2).t()",
    "zero": "torch._efficientzerotensor((2, 3))",
    "per_channel": "torch.quantize_per_channel(torch.ones(2, 3), torch.ones(2), torch.tensor([0, 0]), 0, torch.qint8)",
    "grad": "torch.ones(2, 3, requires_grad=True)",
}
# What the rest of the arguments are made of while one of them is varied.
CONTEXTS = ("float", "image")
# Kinds that are put into each tensor slot by itself.
SLOT_KINDS = tuple(TENSORS)[:18]

# Sizes are small or beyond any machine: a moderate one (2^31) only allocates gigabytes and runs for seconds.
INTS = (0, 1, 2, -1, -2, 7, 2**62, -(2**62), INT64_MAX)
REFUSED_SYMINTS = (SYMBOLIC, INT64_MIN)
DOUBLES = (0.0, 1.0, -1.0, math.nan, math.inf, -math.inf, 1e308, 5e-324)
DTYPES = tuple(range(46))
DTYPES_UNKNOWN = (-1, 46, 9999, INT32_MIN, INT32_MAX)
LAYOUTS = tuple(range(8))
LAYOUTS_UNKNOWN = (-1, 8, 9999, INT32_MIN, INT32_MAX)
MEMORY_FORMATS = tuple(range(4))
MEMORY_FORMATS_UNKNOWN = (-1, 4, 9999, INT32_MIN, INT32_MAX)
DEVICES = ((0, -1), (0, 0), *((t, 0) for t in range(1, 21)), (1, -1), (14, -1), (1, 127))
DEVICES_UNKNOWN = ((-1, 0), (21, 0), (9999, 0), (INT32_MIN, -1), (INT32_MAX, -1)) + (
    (0, 1),
    (0, -2),
    (0, 128),
    (0, 256),
    (0, 9999),
    (1, -2),
    (1, 128),
    (1, 256),
    (1, INT32_MIN),
    (14, INT32_MAX),
)
# INT 0, FLOAT 1, BOOL 2, COMPLEX 3, UINT 4.
SCALARS = (
    (0, 0, 0.0, 0.0),
    (0, 1, 0.0, 0.0),
    (0, -1, 0.0, 0.0),
    (0, INT64_MIN, 0.0, 0.0),
    (0, INT64_MAX, 0.0, 0.0),
    (1, 0, 0.5, 0.0),
    (1, 0, math.nan, 0.0),
    (1, 0, math.inf, 0.0),
    (1, 0, -1e308, 0.0),
    (2, 0, 0.0, 0.0),
    (2, 7, 0.0, 0.0),
    (3, 0, 1.0, -1.0),
    (3, 0, math.nan, math.inf),
    (4, -1, 0.0, 0.0),
    (4, INT64_MIN, 0.0, 0.0),
)
SCALARS_UNKNOWN = ((-1, 1, 1.0, 1.0), (5, 1, 1.0, 1.0), (9999, 1, 1.0, 1.0), (INT32_MIN, 1, 1.0, 1.0))
STRINGS = (
    *(b"", b"none", b"mean", b"sum", b"floor", b"trunc", b"reflect", b"ij", b"L", b"right"),
    *(b"%s%n%s%n", b"a" * 2**20),
)
STRINGS_INVALID = (b"\xff\xfe", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"ok\x80", b"\xe2\x82")
STREAMS = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (-1, 1, 0), (INT64_MAX, 14, 0))
STREAMS_UNKNOWN = ((0, -1, 0), (0, 9999, 0), (0, 21, 0), (0, 0, 9999), (0, 1, 128), (0, 0, INT32_MIN))


def python(value: tuple, type_: str) -> str | None:
    """The value as a Python expression for an argument of schema type `type_`; None where Python has none."""
    kind, payload = value
    match kind:
        case "tensor":
            return TENSORS[payload]
        case "tensors":
            return "[" + ", ".join("None" if k is None else TENSORS[k] for k in payload) + "]"
        case "int" | "bool":
            return repr(payload)
        case "enum":
            return repr(payload)
        case "ints" | "bools":
            return repr(list(payload))
        case "double":
            return _double(payload)
        case "doubles":
            return "[" + ", ".join(_double(d) for d in payload) + "]"
        case "scalar":
            return _scalar(payload)
        case "scalars":
            items = [_scalar(s) for s in payload]
            return None if None in items else "[" + ", ".join(items) + "]"
        case "device":
            return _device(payload)
        case "string":
            try:
                text = payload.decode()
            except UnicodeDecodeError:
                return None
            return f"{text[:1]!r} * {len(text)}" if len(text) > 1000 else repr(text)
        case "generator":
            return "torch.Generator()"
        case "storage":
            return {"full": "torch.ones(6).untyped_storage()", "empty": "torch.empty(0).untyped_storage()"}[payload]
        case "length":
            return "[]" if payload == ("data", 0) else None
    return None


def _double(value: float) -> str:
    return repr(value) if math.isfinite(value) else f"float('{value}')"


def _scalar(value: tuple) -> str | None:
    kind, i, re, im = value
    match kind:
        case 0:
            return repr(i)
        case 1:
            return _double(re)
        case 2:
            return repr(i != 0)
        case 3:
            return f"complex({_double(re)}, {_double(im)})"
        case 4:
            return repr(i % 2**64)
    return None


DEVICE_NAMES = (
    *("cpu", "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip", "fpga", "maia", "xla", "vulkan", "metal", "xpu"),
    *("mps", "meta", "hpu", "ve", "lazy", "ipu", "mtia", "privateuseone"),
)


def _device(value: tuple) -> str | None:
    type_, index = value
    if value in DEVICES_UNKNOWN:
        return None
    name = DEVICE_NAMES[type_]
    return f"torch.device('{name}')" if index < 0 else f"torch.device('{name}', {index})"
