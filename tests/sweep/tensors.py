"""The kinds of tensor of values.py, and the other handles, made through the C ABI; and their reference counts."""

from __future__ import annotations

import base64
import ctypes
import struct
from collections.abc import Callable
from itertools import count, islice
from pathlib import Path

from tests.sweep.calls import Library, bare
from tests.sweep.cases import core_cases

FLOAT32, INT64, COMPLEX64, BOOL, HALF, DOUBLE = 6, 4, 9, 11, 5, 7
QUINT8, QINT8 = 13, 12
META = (14, -1)


def tensor(library: Library, dtype: int, sizes: tuple[int, ...], data: bytes) -> int:
    ctypes.memmove(library.memory, data, len(data))
    return library.make(
        "ctorch_tensor_from_data",
        data=("bytes", len(data)),
        sizes=("ints", sizes),
        dtype=("enum", dtype),
    )


def floats(library: Library, *sizes: int, values: list[float] | None = None) -> int:
    numel = 1
    for size in sizes:
        numel *= size
    return tensor(library, FLOAT32, sizes, struct.pack(f"{numel}f", *(values or [1.0] * numel)))


def int64s(library: Library, sizes: tuple[int, ...], values: list[int]) -> int:
    return tensor(library, INT64, sizes, struct.pack(f"{len(values)}q", *values))


# The kinds of values.py for the types that have one, and what is made of it.
KINDS = {
    "ctorch_tensor": "tensor",
    "ctorch_tensor_list": "list",
    "ctorch_storage": "storage",
    "ctorch_generator": "generator",
    "ctorch_string": "text",
    "ctorch_error": "error",
}
KINDS_OF = {"ctorch_tensor": "float", "ctorch_storage": "full"}


def _node(h: Handles) -> int:
    recorded = h.derived("exp", lambda: h.clone("grad"))
    node = h.library.make("ctorch_tensor_grad_fn", self=("handle", recorded))
    h.library.release("ctorch_tensor", recorded)
    return node


def _op(h: Handles) -> int:
    return h.library.make("ctorch_op_find", name=("string", b"aten::add"), overload=("string", b"Tensor"))


def _context(h: Handles) -> int:
    """What a forward is given, kept beyond it."""
    library = h.library
    kept: list[int] = []

    def forward(out: int, context: int, *_) -> int:
        retain = library.symbol("ctorch_autograd_context_retain")
        retain.restype, retain.argtypes = None, [ctypes.c_void_p]
        retain(context)
        kept.append(context)
        ctypes.c_void_p.from_address(out).value = h.make("list", "")[1]
        return 1

    word = ctypes.c_void_p
    callback = ctypes.CFUNCTYPE(ctypes.c_int32, word, word, word, ctypes.c_size_t, word, word)(forward)
    function = library.make(
        "ctorch_autograd_function_new",
        name=("string", b"Kept"),
        forward=("handle", ctypes.cast(callback, word).value),
        once_differentiable=("bool", False),
    )
    inputs = h.clone("grad")
    arguments = {"self": ("handle", function), "inputs": ("tensors", (inputs,))}
    library.release("ctorch_tensor_list", library.make("ctorch_autograd_function_apply", **arguments))
    library.release("ctorch_tensor", inputs)
    library.release("ctorch_autograd_function", function)
    return kept[0]


def _run(h: Handles, name: str, **args: tuple) -> list[tuple[str, int]]:
    """The handles that a function gives, with their types."""
    function = h.library.function(name)
    full = {p["name"]: args.get(p["name"], ("absent", None)) for p, _, _ in function.inputs}
    outcome = function(full, lambda kind, payload, position: payload)
    if outcome.error is not None:
        raise RuntimeError(f"{name}: {h.library.message(outcome.error)}")
    return outcome.owned


def _values() -> Callable[[Handles], int]:
    """Each time a value of the next kind: a function of lists meets a list, one of dicts a dict."""
    turn = count()

    def of(h: Handles, kind: str) -> int:
        make, release = h.library.make, h.library.release
        match kind:
            case "int":
                return make("ctorch_value_from_int", value=("int", 1))
            case "tensor":
                return make("ctorch_value_from_tensor", tensor=("handle", h.masters["float"]))
            case "ints":
                return make("ctorch_value_from_ints", values=("ints", (3, 1, 2)))
            case "string":
                return make("ctorch_value_from_string", text=("string", b"lr"))
            case "none":
                return make("ctorch_value_from_none")
        parts = [of(h, part) for part in ("string", "tensor", "int", "ints")]
        if kind == "dict":
            made = make("ctorch_value_from_dict", keys=("tensors", (parts[0],)), values=("tensors", (parts[3],)))
        else:
            made = make(f"ctorch_value_from_{kind}", values=("tensors", tuple(parts)))
        for part in parts:
            release("ctorch_value", part)
        return made

    kinds = ("list", "dict", "tensor", "int", "ints", "tuple", "string", "none")
    return lambda h: of(h, kinds[next(turn) % len(kinds)])


def _profile(h: Handles) -> int:
    _run(h, "ctorch_profiler_start", options=("enum", 0))
    h.library.release("ctorch_tensor", h.clone("float"))
    return _run(h, "ctorch_profiler_stop")[0][1]


def _warnings(h: Handles) -> int:
    _run(h, "ctorch_warnings_push")
    h.library.release("ctorch_tensor", h.clone("per_channel"))
    return _run(h, "ctorch_warnings_pop")[0][1]


def _derivative(function: str, opaque: str) -> Callable[[Handles], int]:
    """Of the exponential function."""

    def make(h: Handles) -> int:
        def exponential(out: int, inputs: int, *_) -> int:
            x = ctypes.c_void_p.from_address(inputs).value
            y = h.library.operator("exp", self=("handle", x))
            outputs = h.library.make("ctorch_tensor_list_new", tensors=("tensors", (y,)))
            ctypes.c_void_p.from_address(out).value = outputs
            h.library.release("ctorch_tensor", y)
            return 1

        word = ctypes.c_void_p
        callback = ctypes.CFUNCTYPE(ctypes.c_int32, word, word, ctypes.c_size_t, word, word)(exponential)
        address = ctypes.cast(callback, word).value
        x = h.clone("float")
        arguments = {"function": ("handle", address), "primals": ("tensors", (x,)), "aux_count": ("int", 0)}
        made = _run(h, function, **arguments)
        h.library.release("ctorch_tensor", x)
        for kind, handle in made:
            if kind != opaque:
                h.library.release(kind, handle)
        return next(handle for kind, handle in made if kind == opaque)

    return make


def _optimizer(h: Handles) -> int:
    """One that has taken a step: it has states, and a parameter with a gradient."""
    param, grad = h.clone("float"), h.clone("float")
    _run(h, "ctorch_tensor_set_grad", self=("handle", param), grad=("handle", grad))
    numbers = {name: ("double", 0.5) for name in ("lr", "momentum", "dampening", "weight_decay")}
    truths = {name: ("bool", False) for name in ("nesterov", "maximize", "differentiable")}
    made = h.library.make("ctorch_optim_SGD", params=("tensors", (param,)), **numbers, **truths)
    _run(h, "ctorch_optimizer_step", self=("handle", made))
    h.library.release("ctorch_tensor", param)
    h.library.release("ctorch_tensor", grad)
    return made


def _reader(h: Handles) -> int:
    """Of an npy file in the folder that the process runs in."""
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }".ljust(117) + b"\n"
    path = Path("pair.npy")
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(8))
    return h.library.make("ctorch_reader_open", path=("string", bytes(path)), mmap=("bool", False))


def _weights(h: Handles) -> int:
    reader = _reader(h)
    made = h.library.make("ctorch_weights_open", reader=("handle", reader))
    h.library.release("ctorch_reader", reader)
    return made


def _snapshots(h: Handles) -> int:
    return h.library.make("ctorch_snapshots_open", folder=("string", b"snapshots"))


def _file(name: str, content: bytes) -> tuple[str, bytes]:
    """The path of a file in the folder that the process runs in."""
    Path(name).write_bytes(content)
    return "string", name.encode()


def _tokenizer(h: Handles) -> int:
    words = b'{"model": {"type": "WordLevel", "vocab": {"lr": 0, "text": 1}, "unk_token": "lr"}}'
    return h.library.make("ctorch_tokenizer_open_file", path=_file("tokenizer.json", words))


def _tokenizer_trainer(h: Handles) -> int:
    path = _file("bpe.json", b'{"model": {"type": "BPE", "vocab": {}, "merges": []}}')
    tokenizer = h.library.make("ctorch_tokenizer_open_file", path=path)
    numbers = {"vocab_size": ("int", 300), "min_frequency": ("int", 0)}
    made = h.library.make("ctorch_tokenizer_trainer_new", tokenizer=("handle", tokenizer), **numbers)
    h.library.release("ctorch_tokenizer", tokenizer)
    return made


def _of_tokenizer(function: str, **arguments: tuple) -> Callable[[Handles], int]:
    def make(h: Handles) -> int:
        tokenizer = _tokenizer(h)
        made = h.library.make(function, self=("handle", tokenizer), add_special_tokens=("bool", True), **arguments)
        h.library.release("ctorch_tokenizer", tokenizer)
        return made

    return make


def _tiktoken(h: Handles) -> int:
    path = _file("ranks.tiktoken", b"".join(base64.b64encode(bytes([i])) + b" %d\n" % i for i in range(256)))
    ranks = h.library.make("ctorch_reader_open", path=path, mmap=("bool", False))
    made = h.library.make("ctorch_tiktoken_open", ranks=("handle", ranks), pattern=("string", b"\\w+"))
    h.library.release("ctorch_reader", ranks)
    return made


def _summary_writer(h: Handles) -> int:
    numbers = {"max_queue": ("int", 10), "flush_secs": ("double", 120.0)}
    return h.library.make("ctorch_summary_writer_open", log_dir=("string", b"events"), **numbers)


def _summary_reader(h: Handles) -> int:
    h.library.release("ctorch_summary_writer", _summary_writer(h))
    return h.library.make("ctorch_summary_reader_open", path=("string", b"events"))


def _trainer(h: Handles) -> int:
    module, optimizer = OBJECTS["ctorch_module"](h), _optimizer(h)
    made = h.library.make("ctorch_trainer_new", module=("handle", module), optimizer=("handle", optimizer))
    h.library.release("ctorch_module", module)
    h.library.release("ctorch_optimizer", optimizer)
    return made


def _dataset(h: Handles) -> int:
    x = h.clone("float")
    made = h.library.make("ctorch_data_TensorDataset", tensors=("tensors", (x,)))
    h.library.release("ctorch_tensor", x)
    return made


def _of_dataset(function: str, argument: str, **arguments: object) -> Callable[[Handles], int]:
    def make(h: Handles) -> int:
        dataset = _dataset(h)
        made = h.library.make(function, **{argument: ("handle", dataset)}, **arguments)
        h.library.release("ctorch_dataset", dataset)
        return made

    return make


# Opaque types that no function makes of harmless values alone.
OBJECTS: dict[str, Callable[[Handles], int]] = {
    "ctorch_module": lambda h: h.library.make(
        "ctorch_nn_Conv2d",
        in_channels=("int", 2),
        out_channels=("int", 1),
        kernel_size=("ints", (1, 1)),
        groups=("int", 1),
        bias=("bool", True),
    ),
    "ctorch_optimizer": _optimizer,
    "ctorch_dataset": _dataset,
    "ctorch_iterator": _of_dataset("ctorch_dataset_iterate", "self"),
    "ctorch_loader": _of_dataset(
        "ctorch_data_DataLoader",
        "dataset",
        num_workers=("int", 1),
        shuffle=("bool", True),
        pin_memory=("bool", False),
        drop_last=("bool", False),
        timeout=("double", 0.0),
        persistent_workers=("bool", False),
        in_order=("bool", True),
    ),
    "ctorch_reader": _reader,
    "ctorch_trainer": _trainer,
    "ctorch_transform": lambda h: h.library.make("ctorch_transforms_RandomHorizontalFlip", p=("double", 0.5)),
    "ctorch_sampler": _of_dataset("ctorch_data_SequentialSampler", "data_source"),
    "ctorch_tokenizer": _tokenizer,
    "ctorch_encoding": _of_tokenizer("ctorch_tokenizer_encode", text=("string", b"text")),
    "ctorch_encoding_batch": _of_tokenizer(
        "ctorch_tokenizer_encode_batch", texts=("strings", (b"text", b"lr")), num_threads=("int", 1)
    ),
    "ctorch_tokenizer_trainer": _tokenizer_trainer,
    "ctorch_vocab": lambda h: h.library.make("ctorch_vocab_new", tokens=("strings", (b"text", b"lr"))),
    "ctorch_tiktoken": _tiktoken,
    "ctorch_metric": lambda h: h.library.make(
        "ctorch_metrics_MeanSquaredError", squared=("bool", True), num_outputs=("int", 1)
    ),
    "ctorch_summary_writer": _summary_writer,
    "ctorch_summary_reader": _summary_reader,
    "ctorch_logger": lambda h: h.library.make("ctorch_logger_open_csv", path=("string", b"log.csv")),
    "ctorch_weights": _weights,
    "ctorch_snapshots": _snapshots,
    "ctorch_autograd_context": _context,
    "ctorch_node": _node,
    "ctorch_op": _op,
    "ctorch_profiler_result": _profile,
    "ctorch_value": _values(),
    "ctorch_warnings": _warnings,
    "ctorch_vjp_function": _derivative("ctorch_func_vjp", "ctorch_vjp_function"),
    "ctorch_jvp_function": _derivative("ctorch_func_linearize", "ctorch_jvp_function"),
    # None without a device.
    "ctorch_graph": lambda h: 0,
    "ctorch_memory_stats": lambda h: 0,
    # None without a file, which has tests of its own.
    "ctorch_exported_program": lambda h: 0,
    "ctorch_package": lambda h: 0,
    "struct DLManagedTensorVersioned": lambda handles: handles.managed("ctorch_tensor_to_dlpack"),
    "struct DLManagedTensor": lambda handles: handles.managed("ctorch_tensor_to_dlpack_unversioned"),
}


class Handles:
    """One master of each kind, made once; operators get clones, so that one that writes spoils nothing."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.masters: dict[str, int] = {}
        self.makers: dict[str, Callable[[Handles], int]] = {}
        library.make_handle = lambda opaque: self.make(KINDS.get(opaque, "object"), KINDS_OF.get(opaque, opaque))[1]
        for kind, make in RECIPES.items():
            self.masters[kind] = make(self)

    def make(self, kind: str, payload: str) -> tuple[str, int]:
        """A handle that the caller releases: its opaque type and address."""
        library = self.library
        match kind:
            case "tensor":
                return "ctorch_tensor", self.clone(payload)
            case "generator":
                return "ctorch_generator", library.make("ctorch_generator_new")
            case "storage":
                source = ("handle", self.masters["vector" if payload == "full" else "empty"])
                return "ctorch_storage", library.make("ctorch_storage_from_tensor", tensor=source)
            case "list":
                parts = tuple(self.masters[k] for k in ("float", "int64"))
                return "ctorch_tensor_list", library.make("ctorch_tensor_list_new", tensors=("tensors", parts))
            case "text":
                return "ctorch_string", library.make("ctorch_tensor_repr", self=("handle", self.masters["float"]))
            case "error":
                return "ctorch_error", library.make("ctorch_error_new", kind=("enum", 1), message=("string", b"made"))
            case "scope":
                return "ctorch_scope", library.make("ctorch_scope_begin")
            case "object":
                return payload, self.object(payload)
            case "table":
                return "struct DLPackExchangeAPI", library.function("ctorch_dlpack_exchange_api")({}, None).value
        raise ValueError(kind)

    def managed(self, export: str) -> int:
        """A tensor on its way to another library, for one that consumes it."""
        return self.library.make(export, self=("handle", self.masters["float"]))

    def object(self, opaque: str) -> int:
        """A handle of any other opaque type: by its recipe, or by a function that makes one of harmless values."""
        if opaque not in self.makers:
            self.makers[opaque] = OBJECTS.get(opaque) or self._find_maker(opaque)
        return self.makers[opaque](self)

    def _find_maker(self, opaque: str) -> Callable[[Handles], int]:
        candidates = [
            entry
            for entry in self.library.api["functions"]
            if entry["kind"] == "core"
            and [p["c_type"] for p in entry["params"] if p["role"] == "out"] == [f"{opaque} **"]
            and not any(bare(p["c_type"]) == opaque for p in entry["params"] if p["role"] != "out")
        ]
        for entry in sorted(candidates, key=lambda e: not e["name"].endswith("_new")):
            for case in islice(core_cases(entry), 400):
                if handle := self.made_of(entry, case.args, opaque):
                    self.library.release(opaque, handle)
                    return lambda handles, entry=entry, args=case.args: handles.made_of(entry, args, opaque)
        raise RuntimeError(f"no function makes a {opaque} of harmless values: give it a recipe in OBJECTS")

    def made_of(self, entry: dict, args: dict, opaque: str) -> int | None:
        """What a function makes of these values; None if it fails or makes nothing."""
        made: list[tuple[str, int]] = []

        def resolve(kind: str, payload: object, _: int) -> int | None:
            if payload is None or kind == "handle":
                return payload
            made.append(self.make(kind, payload))
            return made[-1][1]

        outcome = self.library.function(entry["name"])(args, resolve)
        for kind, handle in made:
            self.library.release(kind, handle)
        if outcome.error is not None:
            self.library.release("ctorch_error", outcome.error)
        return next((handle for kind, handle in outcome.owned if kind == opaque), None)

    def temporary(self, make: Callable[[], int], then: Callable[[int], int]) -> int:
        source = make()
        result = then(source)
        self.library.release("ctorch_tensor", source)
        return result

    def derived(self, operator: str, source: Callable[[], int], **args: tuple) -> int:
        return self.temporary(source, lambda handle: self.library.operator(operator, self=("handle", handle), **args))

    def clone(self, kind: str) -> int:
        """A tensor of a kind that shares nothing with another, where a clone keeps the kind."""
        library = self.library
        recipe = REMADE.get(kind)
        return recipe(self) if recipe else library.operator("clone", self=("handle", self.masters[kind]))


def _ones(*sizes: int) -> Callable[[Handles], Callable[[], int]]:
    return lambda h: lambda: floats(h.library, *sizes)


def _quantized_per_channel(h: Handles) -> int:
    matrix, scales = floats(h.library, 2, 3), floats(h.library, 2)
    zeros = int64s(h.library, (2,), [0, 0])
    result = h.library.operator(
        "quantize_per_channel",
        self=("handle", matrix),
        scales=("handle", scales),
        zero_points=("handle", zeros),
        axis=("int", 0),
        dtype=("enum", QINT8),
    )
    for handle in (matrix, scales, zeros):
        h.library.release("ctorch_tensor", handle)
    return result


def _nested(h: Handles) -> int:
    parts = [floats(h.library, 2), floats(h.library, 3)]
    result = h.library.operator("_nested_tensor_from_tensor_list", list=("tensors", tuple(parts)))
    for handle in parts:
        h.library.release("ctorch_tensor", handle)
    return result


def _grad(h: Handles) -> int:
    handle = floats(h.library, 2, 3)
    outcome = h.library.function("ctorch_tensor_set_requires_grad")(
        {"self": ("handle", handle), "requires_grad": ("bool", True)}, lambda kind, payload, position: payload
    )
    assert outcome.error is None
    return handle


def _complex(h: Handles) -> int:
    return tensor(h.library, COMPLEX64, (2, 3), struct.pack("12f", *([1.0, 0.0] * 6)))


RECIPES: dict[str, Callable[[Handles], int]] = {
    "float": lambda h: floats(h.library, 2, 3, values=[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
    "scalar": lambda h: floats(h.library, values=[1.5]),
    "empty": lambda h: floats(h.library, 0),
    "int64": lambda h: int64s(h.library, (2, 3), list(range(6))),
    "complex": _complex,
    "bool": lambda h: tensor(h.library, BOOL, (2, 3), b"\1" * 6),
    "sparse": lambda h: h.derived("to_sparse", _ones(2, 3)(h)),
    "csr": lambda h: h.derived("to_sparse_csr", _ones(2, 3)(h)),
    "quantized": lambda h: h.derived(
        "quantize_per_tensor",
        _ones(2, 3)(h),
        scale=("double", 0.1),
        zero_point=("int", 0),
        dtype=("enum", QUINT8),
    ),
    "meta": lambda h: h.library.operator(
        "empty_memory_format", size=("ints", (2, 3)), dtype=("enum", FLOAT32), device=("device", META)
    ),
    "nested": _nested,
    "mkldnn": lambda h: h.derived("to_mkldnn", _ones(2, 3)(h)),
    "half": lambda h: tensor(h.library, HALF, (2, 3), b"\x00\x3c" * 6),
    "vector": lambda h: floats(h.library, 3),
    "indices": lambda h: int64s(h.library, (3,), [0, 1, 1]),
    "square": lambda h: floats(h.library, 3, 3),
    "image": lambda h: floats(h.library, 1, 2, 4, 4),
    "empty_matrix": lambda h: floats(h.library, 0, 3),
    "extreme": lambda h: int64s(h.library, (3,), [-(2**63), 2**62, -1]),
    "conj": lambda h: h.derived("_conj", lambda: _complex(h)),
    "expanded": lambda h: h.derived("expand", _ones(1)(h), size=("ints", (2, 3)), implicit=("bool", False)),
    "transposed": lambda h: h.derived("t", _ones(3, 2)(h)),
    "zero": lambda h: h.library.operator("_efficientzerotensor", size=("ints", (2, 3))),
    "per_channel": _quantized_per_channel,
    "grad": _grad,
}
# A clone of these is of another kind, or records a graph.
REMADE = {kind: RECIPES[kind] for kind in ("conj", "expanded", "transposed", "zero", "grad")}


class ReferenceCounts:
    """Reads the count inside a handle, which is LibTorch's own object: its first word is the virtual table."""

    def __init__(self, library: Library, handle: int) -> None:
        before = self.of(handle)
        retain = library.symbol("ctorch_tensor_retain")
        retain.restype, retain.argtypes = None, [ctypes.c_void_p]
        retain(handle)
        if self.of(handle) != before + 1:
            raise RuntimeError("the reference count of this LibTorch lies elsewhere")
        library.release("ctorch_tensor", handle)

    @staticmethod
    def of(handle: int) -> int:
        return ctypes.c_uint32.from_address(handle + 8).value
