"""Printing with the options of the process: what torch.set_printoptions and print do, byte for byte.

That the text of each single tensor is Python's, under options of the call, is what operators/test_repr.py proves.
"""

import itertools
import os
import random
import threading

import pytest
import torch

from tests.harness.capi import CtorchError, fails, ffi, handle, lib, ok, out, string

pytestmark = pytest.mark.filterwarnings("ignore")

SEED = 20240613
FOREVER = 2**63 - 1  # what stands for Python's infinite threshold
DTYPES = [
    torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint16, torch.uint32,
    torch.uint64, torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex32, torch.complex64,
    torch.complex128, torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz,
    torch.float8_e8m0fnu,
]  # fmt: skip


def numbers(*shape, dtype=torch.float32):
    n = torch.Size(shape).numel()
    return (torch.arange(n, dtype=torch.float64).reshape(shape) / 7).to(dtype)


def inference(make):
    with torch.inference_mode():
        return make()


def quantized_per_channel(*shape, dtype=torch.qint8, zero_point=torch.int64):
    scales = numbers(shape[1], dtype=torch.float32 if zero_point.is_floating_point else torch.float64) + 0.5
    return torch.quantize_per_channel(numbers(*shape), scales, numbers(shape[1]).to(zero_point), 1, dtype)


def kinds():
    """Name and maker of every kind of tensor; many of them long enough to be summarised."""
    for dtype in DTYPES:
        yield f"{dtype}", lambda dtype=dtype: numbers(7, 11, dtype=dtype)
        yield f"{dtype} long", lambda dtype=dtype: numbers(30, 40, dtype=dtype)
        yield f"{dtype} none", lambda dtype=dtype: numbers(0, 2, dtype=dtype)
        yield f"{dtype} scalar", lambda dtype=dtype: numbers(8, dtype=dtype)[5]
        yield f"{dtype} meta", lambda dtype=dtype: torch.empty(2, 3, dtype=dtype, device="meta")
    yield "requires_grad", lambda: numbers(30, 40).requires_grad_()
    yield "grad_fn", lambda: numbers(3, 4).requires_grad_() * 2
    yield "grad_fn view", lambda: (numbers(3, 4).requires_grad_() * 2)[1:, ::2]
    yield "view of a leaf", lambda: numbers(3, 4).requires_grad_().T
    yield "in place view", lambda: (numbers(3, 4).requires_grad_() * 2)[1].mul_(3)
    yield "detached", lambda: numbers(3, 4).requires_grad_().detach()
    yield "transposed", lambda: numbers(40, 50).T
    yield "expanded", lambda: numbers(1, 3).expand(900, 3)
    yield "channels_last", lambda: numbers(2, 3, 4, 5).to(memory_format=torch.channels_last)
    yield "inference", lambda: inference(lambda: numbers(2, 3))
    yield "inference view", lambda: inference(lambda: numbers(2, 3)[0])
    yield "conj", lambda: numbers(5, 6, dtype=torch.complex64).conj()
    yield "neg", lambda: numbers(5, 6, dtype=torch.complex64).conj().imag
    yield "conj with grad", lambda: numbers(5, 6, dtype=torch.complex64).requires_grad_().conj()
    yield "zero tensor", lambda: torch._efficientzerotensor((3, 4))
    for name, sparse in {
        "coo": lambda x: x.to_sparse(),
        "csr": lambda x: x.to_sparse_csr(),
        "csc": lambda x: x.to_sparse_csc(),
        "bsr": lambda x: x.to_sparse_bsr((3, 4)),
        "bsc": lambda x: x.to_sparse_bsc((3, 4)),
    }.items():
        yield name, lambda sparse=sparse: sparse(numbers(6, 8))
        yield f"{name} long", lambda sparse=sparse: sparse(numbers(60, 80))
        yield f"{name} int32", lambda sparse=sparse: sparse(numbers(60, 80, dtype=torch.int32))
        yield f"{name} nothing", lambda sparse=sparse: sparse(torch.zeros(6, 8))
        yield f"{name} grad", lambda sparse=sparse: sparse(numbers(6, 8)).requires_grad_()
        yield f"{name} meta", lambda sparse=sparse: sparse(numbers(6, 8)).to("meta")
        yield f"{name} batched", lambda sparse=sparse: sparse(numbers(2, 6, 8) + 1)
    yield "coo uncoalesced", lambda: torch.sparse_coo_tensor([[0, 0, 1]], [1.0, 2.0, 3.0], (2,))
    yield "coo hybrid", lambda: torch.sparse_coo_tensor([[0, 2]], numbers(2, 3), (3, 3))
    yield "coo conj", lambda: numbers(6, 8, dtype=torch.complex64).to_sparse().conj()
    for dtype in (torch.qint8, torch.quint8, torch.qint32):
        yield f"{dtype}", lambda dtype=dtype: torch.quantize_per_tensor(numbers(30, 40), 0.3, 2, dtype)
        yield f"{dtype} per channel", lambda dtype=dtype: quantized_per_channel(3, 400, dtype=dtype)
    yield "float qparams", lambda: quantized_per_channel(3, 5, dtype=torch.quint8, zero_point=torch.float32)
    yield "quantized scalar", lambda: torch.quantize_per_tensor(torch.tensor(1.0), 0.1, 0, torch.qint8)
    yield "quantized none", lambda: torch.quantize_per_tensor(torch.empty(0, 3), 0.1, 0, torch.qint8)
    yield "quantized view", lambda: torch.quantize_per_tensor(numbers(4, 5), 0.1, 0, torch.qint8)[1:, ::2]
    yield "nested", lambda: torch.nested.nested_tensor([numbers(2, 3), numbers(40, 30)])
    yield "nested bfloat16", lambda: torch.nested.nested_tensor([numbers(2, dtype=torch.bfloat16)] * 3)
    yield "nested grad", lambda: torch.nested.nested_tensor([numbers(2), numbers(3)], requires_grad=True) * 2
    yield "nested of nothing", lambda: torch.nested.nested_tensor([])
    yield "mkldnn", lambda: numbers(30, 40).to_mkldnn()
    yield "padding view", lambda: torch.nested.nested_tensor([numbers(2), numbers(3)]).to_padded_tensor(-1.0)
    yield "buffer", lambda: torch.frombuffer(bytearray(range(48)), dtype=torch.int32)


KINDS = dict(kinds())
OPTIONS = [
    {},
    {"profile": "default"},
    {"profile": "short"},
    {"profile": "full"},
    {"profile": "short", "precision": 6},
    {"threshold": 10, "edgeitems": 2},
    {"precision": 1, "sci_mode": True},
    {"sci_mode": False, "linewidth": 50},
]


def pointer(c_type, value):
    return ffi.NULL if value is None else ffi.new(f"{c_type} *", value)


def set_options(profile=None, threshold=None, edgeitems=None, precision=None, linewidth=None, sci_mode=None):
    ok(
        lib.ctorch_print_set_options(
            ffi.NULL if profile is None else ffi.new("char[]", profile.encode()),
            *(pointer("int64_t", n) for n in (threshold, edgeitems, precision, linewidth)),
            pointer("bool", sci_mode),
        )
    )


def get_options():
    outs = [out("int64_t") for _ in range(4)] + [out("int32_t")]
    lib.ctorch_print_options(*outs)
    threshold, edgeitems, precision, linewidth, sci_mode = (o[0] for o in outs)
    return {
        "threshold": float("inf") if threshold == FOREVER else threshold,
        "edgeitems": edgeitems,
        "precision": precision,
        "linewidth": linewidth,
        "sci_mode": None if sci_mode < 0 else bool(sci_mode),
    }


@pytest.fixture(autouse=True)
def default_options():
    yield
    set_options(profile="default")
    torch.set_printoptions(profile="default")


def repr_of(x):
    text = out("ctorch_string *")
    ok(lib.ctorch_tensor_repr(text, handle(x), ffi.NULL, ffi.NULL, ffi.NULL, ffi.NULL, ffi.NULL))
    return string(text[0])


def printed(x):
    """What ctorch_tensor_print writes to a pipe."""
    read, write = os.pipe()
    chunks = []
    reader = threading.Thread(target=lambda: chunks.extend(iter(lambda: os.read(read, 65536), b"")))
    reader.start()
    try:
        ok(lib.ctorch_tensor_print(handle(x), ffi.new("int32_t *", write)))
    finally:
        os.close(write)
        reader.join()
        os.close(read)
    return b"".join(chunks).decode()


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_kind_of_tensor_prints_as_in_python(options):
    torch.set_printoptions(**options)
    set_options(**options)
    for name, make in KINDS.items():
        x = make()
        expected = repr(x)
        assert repr_of(x) == expected, name
        assert printed(x) == expected + "\n", name


def test_the_options_are_pythons_through_any_sequence_of_calls():
    rng = random.Random(SEED)
    assert get_options() == torch._tensor_str.get_printoptions()
    seen = set()
    for _ in range(300):
        options = {
            name: rng.choice(choices)
            for name, choices in {
                "profile": ["default", "short", "full"],
                "threshold": [0, 5, 1000],
                "edgeitems": [1, 2, 3],
                "precision": [0, 3, 9],
                "linewidth": [30, 80, 200],
                "sci_mode": [True, False, None],
            }.items()
            if rng.random() < 0.4
        }
        torch.set_printoptions(**options)
        set_options(**options)
        assert get_options() == torch._tensor_str.get_printoptions()
        seen.add(tuple(get_options().values()))
    assert len(seen) > 50


def test_an_option_of_the_call_goes_before_the_one_set():
    set_options(precision=2, threshold=5)
    text = out("ctorch_string *")
    x = numbers(10)
    ok(
        lib.ctorch_tensor_repr(
            text, handle(x), pointer("int64_t", 100), ffi.NULL, ffi.NULL, ffi.NULL, pointer("bool", True)
        )
    )
    with torch._tensor_str.printoptions(precision=2, threshold=100, sci_mode=True):
        assert string(text[0]) == repr(x)
    assert get_options()["threshold"] == 5


def test_printing_goes_to_standard_output(capfd):
    for x in (numbers(3), numbers(0), torch.tensor(1), None):
        ok(lib.ctorch_tensor_print(handle(x), ffi.NULL))
        ours = capfd.readouterr().out
        print(x, flush=True)
        assert ours == capfd.readouterr().out != ""


def test_a_descriptor_that_cannot_be_written_is_an_io_error():
    x = numbers(2)
    read, write = os.pipe()
    os.close(write)
    for descriptor in (read, write, -1, 2**31 - 1):
        kind, message = fails(lib.ctorch_tensor_print(handle(x), ffi.new("int32_t *", descriptor)))
        assert kind == "IO" and "Bad file descriptor" in message
    os.close(read)
    with open("/dev/full", "wb") as full:
        kind, message = fails(lib.ctorch_tensor_print(handle(x), ffi.new("int32_t *", full.fileno())))
    assert kind == "IO" and "No space left" in message


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"profile": "shorter"}, "profile"),
        ({"profile": ""}, "profile"),
        ({"threshold": -1}, "threshold"),
        ({"edgeitems": 0}, "edge_items"),
        ({"precision": -1}, "precision"),
        ({"precision": 65}, "precision"),
        ({"linewidth": 0}, "line_width"),
        ({"profile": "short", "linewidth": -5}, "line_width"),
    ],
)
def test_a_wrong_option_sets_nothing(options, named):
    set_options(precision=3, sci_mode=True)
    before = get_options()
    with pytest.raises(CtorchError) as raised:
        set_options(**options)
    assert raised.value.kind == "INVALID_ARGUMENT" and f"{named}:" in raised.value.message
    assert get_options() == before


def test_options_may_be_set_while_others_print():
    x, texts = numbers(4), set()
    expected = {}
    for precision in (1, 8):
        with torch._tensor_str.printoptions(precision=precision):
            expected[precision] = repr(x)

    def printing():
        for _ in range(300):
            texts.add(repr_of(x))

    set_options(precision=1)
    threads = [threading.Thread(target=printing) for _ in range(4)]
    for thread in threads:
        thread.start()
    for precision in itertools.islice(itertools.cycle((8, 1)), 300):
        set_options(precision=precision)
    for thread in threads:
        thread.join()
    assert texts <= set(expected.values())
