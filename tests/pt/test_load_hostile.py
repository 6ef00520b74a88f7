"""Files that nobody should have written: each is refused with an error that names the file and the place, nothing runs,
nothing is lost, and neither time nor memory go beyond what the file's size allows."""

from __future__ import annotations

import io
import os
import pickle
import random
import struct
import tarfile
import zipfile
import zlib

import pytest
import torch

from tests.harness import collisions
from tests.harness.capi import CtorchError, error, ffi, lib, ok, out
from tests.harness.collisions import no_more_memory
from tests.pt.loading import Objects, load, load_value, refused
from tests.pt.same import same
from tests.pt.saving import python_save
from tests.pt.test_load import Call, Storage, an_old_tar_file, legacy, pickled, saved, with_pickle
from tests.weights.weights import Reader

SOURCES = ("copy", "callback")


def bad(data, *words, kind="FORMAT", **options):
    for source in SOURCES:
        got, message = refused(data, source, **options)
        assert got == kind and message.startswith("data: ") and message.count("data: ") == 1, (got, message)
        for word in words:
            assert word in message, message
        assert len(message) < 4096


def bad_pickle(code, *words, **options):
    bad(with_pickle(code), *words, **options)


# Attacks: what a pickle could make Python do -------------------------------------------------------------------------

CALLED = [
    ("os", "system"),
    ("posix", "system"),
    ("nt", "system"),
    ("os", "popen"),
    ("os", "execv"),
    ("sys", "exit"),
    ("subprocess", "Popen"),
    ("subprocess", "check_output"),
    ("builtins", "eval"),
    ("builtins", "exec"),
    ("builtins", "getattr"),
    ("builtins", "compile"),
    ("builtins", "__import__"),
    ("builtins", "open"),
    ("builtins", "globals"),
    ("builtins", "print"),
    ("builtins", "type"),
    ("builtins", "super"),
    ("__builtin__", "eval"),
    ("__builtin__", "execfile"),
    ("__builtin__", "file"),
    ("__builtin__", "apply"),
    ("__builtin__", "reduce"),
    ("importlib", "import_module"),
    ("runpy", "run_module"),
    ("runpy", "_run_code"),
    ("code", "interact"),
    ("pty", "spawn"),
    ("platform", "popen"),
    ("webbrowser", "open"),
    ("shutil", "rmtree"),
    ("socket", "create_connection"),
    ("ctypes", "CDLL"),
    ("pickle", "loads"),
    ("_pickle", "loads"),
    ("marshal", "loads"),
    ("types", "CodeType"),
    ("types", "FunctionType"),
    ("functools", "partial"),
    ("functools", "reduce"),
    ("operator", "attrgetter"),
    ("operator", "methodcaller"),
    ("itertools", "starmap"),
    ("copyreg", "add_extension"),
    ("copyreg", "__reduce_ex__"),
    ("bdb", "Bdb.run"),
    ("timeit", "timeit"),
    ("cProfile", "run"),
    ("pdb", "run"),
    ("asyncio", "run"),
    ("multiprocessing", "Process"),
    ("torch", "load"),
    ("torch", "hub.load"),
    ("torch.hub", "load"),
    ("torch.jit", "load"),
    ("torch.storage", "_load_from_bytes"),
    ("torch.utils._config_module", "load_config"),
    ("torch._inductor.codecache", "compile_file"),
    ("torch", "save"),
    ("torch._dynamo.guards", "GuardBuilder.get"),
    ("torch.distributed.rpc.internal", "_deserialize"),
    ("torch", "classes.load_library"),
    ("torch.ops", "load_library"),
    ("torch.serialization", "load"),
    ("torch._utils", "_import_dotted_name"),
    ("torch._C", "_jit_pass"),
    ("numpy", "load"),
    ("numpy.testing._private.utils", "runstring"),
    ("numpy.f2py.crackfortran", "getlincoef"),
    ("numpy", "fromfile"),
    ("pip", "main"),
    ("ensurepip", "_run_pip"),
    ("pydoc", "locate"),
    ("test.support", "forget"),
    ("idlelib.autocomplete", "AutoComplete"),
    ("lib2to3.pgen2.grammar", "Grammar.loads"),
    ("logging.config", "_resolve"),
    ("site", "main"),
    ("venv", "create"),
    ("zipimport", "zipimporter"),
    ("collections", "namedtuple"),
    ("collections", "OrderedDict.fromkeys"),
    ("builtins", "str.format"),
    ("builtins", "int.__class__"),
    ("torch._utils", "_rebuild_parameter.__globals__"),
    ("torch", "Tensor.__class__"),
    ("_codecs", "decode"),
    ("codecs", "open"),
]


@pytest.mark.parametrize("module,name", CALLED)
def test_attacks(tmp_path, module, name):
    """Named in each way that pickles have, called with what would do harm, allowed by nobody."""
    target = tmp_path / "harmed"
    command = f"touch {target}".encode()
    text = b"X" + struct.pack("<I", len(command)) + command
    by_name = b"c" + module.encode() + b"\n" + name.encode() + b"\n"
    texts = [b"\x8c" + bytes([len(t)]) + t.encode() for t in (module, name)]
    by_stack = texts[0] + texts[1] + b"\x93"
    codes = [
        b"\x80\x02" + by_name + text + b"\x85R.",
        b"\x80\x04" + by_stack + text + b"\x85R.",
        b"(" + b"S'" + command + b"'\n" + b"i" + by_name[1:] + b".",
        b"(" + by_name + text + b"o.",
        by_name + text + b"\x85\x81.",
        by_name + text + b"\x85}\x92.",
        b"ccopyreg\n__newobj__\n" + by_name + text + b"\x86R.",
        by_name + b".",
    ]
    for code in codes:
        bad_pickle(code, module.replace("__builtin__", "builtins"))
        bad(legacy(code, [], []), module.replace("__builtin__", "builtins"))
    assert not target.exists()


def test_even_allowed_nothing_runs(tmp_path):
    target = tmp_path / "harmed"

    class Attack:
        def __reduce__(self):
            return os.system, (f"touch {target}",)

    class Other:
        def __reduce__(self):
            return eval, (f"open({str(target)!r}, 'w')",)

    bad(python_save(Attack()), "'posix.system' is refused", allow=lambda module, name: True)
    loaded = load(python_save(Other()), allow=lambda module, name: True, describe=True)
    assert loaded.name == "builtins.eval" and not target.exists()


def test_gadgets_with_what_is_in_the_table():
    """Calls of what may be named, with what it is not made for."""
    for function, args in {
        "torch._tensor\n_rebuild_from_type_v2": b"(c_codecs\nencode\nctorch\nTensor\n(X\x01\0\0\0atN",
        "torch._utils\n_rebuild_tensor_v2": b"(NNNNNN",
        "torch._utils\n_rebuild_sparse_tensor": b"(NN",
        "torch._utils\n_rebuild_parameter": b"(X\x01\0\0\0aNN",
        "torch._utils\n_rebuild_nested_tensor": b"(NNNN",
        "torch._utils\n_rebuild_meta_tensor_no_storage": b"(NNNN",
        "torch._utils\n_rebuild_qtensor": b"(NNNNNNN",
        "torch._utils\n_rebuild_device_tensor_from_numpy": b"(NNNN",
        "torch\nFloatStorage": b"(K\x08",
        "torch.storage\nUntypedStorage": b"(K\x00",
        "torch\nFloatTensor": b"(K\x08",
        "torch\nSize": b"(X\x01\0\0\0a",
        "torch\ndevice": b"(X\x09\0\0\0cuda:99999",
        "torch.serialization\n_get_layout": b"(X\x09\0\0\0torch.foo",
        "builtins\nint": b"(X\x01\0\0\0a",
        "builtins\nset": b"(K\x01",
        "builtins\ncomplex": b"(NN",
        "builtins\nbytearray": b"(K\x05",
        "collections\nOrderedDict": b"(K\x05",
        "collections\nCounter": b"(X\x01\0\0\0a",
        "collections\ndefaultdict": b"(NNN",
        "copyreg\n_reconstructor": b"(ccollections\nOrderedDict\nNN",
        "copyreg\n__newobj__": b"(ccopyreg\n__newobj__\n",
        "numpy.core.multiarray\nscalar": b"(NN",
        "numpy.core.numeric\n_frombuffer": b"(NNNN",
        "_codecs\nencode": b"(X\x01\0\0\0aX\x05\0\0\0rot13",
    }.items():
        bad_pickle(b"c" + function.encode() + b"\n" + args + b"tR.", "byte")
    for state in (b"K\x01", b"]", b"X\x01\0\0\0a"):
        bad_pickle(b"ccollections\nOrderedDict\n)R" + state + b"b.", "attributes")
    for function in (b"builtins\nset", b"builtins\nfrozenset", b"collections\nOrderedDict", b"collections\nCounter"):
        bad_pickle(b"c" + function + b"\n]]\x86R.", "not called so")
    bad_pickle(b"]}b.", "state")
    bad_pickle(b"ctorch\nfloat32\n)R.", "call")
    bad_pickle(b"K\x01)R.", "call")


# The machine ---------------------------------------------------------------------------------------------------------

BROKEN = {
    "nothing": b"",
    "no stop": b"K\x01",
    "stop without a value": b".",
    "stop above a mark": b"K\x01(.",
    "pop of nothing": b"0.",
    "pop_mark without one": b"1.",
    "dup of nothing": b"2.",
    "dup above a mark": b"K\x01(2.",
    "append without a list": b"K\x01a.",
    "append to a number": b"K\x01K\x02a.",
    "append to a tuple": b")K\x02a.",
    "append to a dict": b"}K\x02a.",
    "append to a set": b"\x8fK\x02a.",
    "append across a mark": b"](K\x01a.",
    "appends without a mark": b"]K\x01e.",
    "appends to nothing": b"(K\x01e.",
    "appends to a mark": b"((K\x01e.",
    "setitem of one": b"}K\x01s.",
    "setitem to a list": b"]K\x01K\x02s.",
    "setitems of an odd number": b"}(K\x01K\x02K\x03u.",
    "setitems to a number": b"K\x01(K\x01K\x02u.",
    "dict of an odd number": b"(K\x01d.",
    "additems to a list": b"](K\x01\x90.",
    "a list as a key": b"}]K\x01s.",
    "a dict as an entry": b"\x8f(}\x90.",
    "a list in a tuple as a key": b"}]\x85K\x01s.",
    "a list in a frozenset": b"(]\x91.",
    "tuple without a mark": b"t.",
    "tuple1 of nothing": b"\x85.",
    "tuple3 of two": b"K\x01K\x02\x87.",
    "tuple2 across a mark": b"K\x01(K\x02\x86.",
    "get of nothing": b"h\0.",
    "get beyond": b"K\x01q\0j\xff\xff\xff\xff.",
    "put of nothing": b"q\0.",
    "put far away": b"K\x01r\xff\xff\xff\xff.",
    "put far away in a line": b"K\x01p99999999999\n.",
    "put of a negative number": b"K\x01p-1\n.",
    "put of no number": b"K\x01pabc\n.",
    "memoize of nothing": b"\x94.",
    "memoize across a mark": b"K\x01(\x94.",
    "global without a name": b"ctorch\n",
    "global without names": b"c\n\n.",
    "global with a space": b"ctorch \nx\n.",
    "global of NUL": b"ctorch\0\nx\n.",
    "global that is not UTF-8": b"c\xff\nx\n.",
    "stack_global of numbers": b"K\x01K\x02\x93.",
    "stack_global of one": b"X\x01\0\0\0a\x93.",
    "stack_global with NUL": b"X\x02\0\0\0a\0X\x01\0\0\0b\x93.",
    "reduce of one": b")R.",
    "reduce of a number": b"K\x01)R.",
    "reduce with a list": b"ccollections\nOrderedDict\n]R.",
    "newobj of a number": b"K\x01)\x81.",
    "newobj_ex with a list": b"ccollections\nOrderedDict\n)]\x92.",
    "newobj_ex of a number with keywords": b"K\x01)}K\x01K\x02s\x92.",
    "obj of nothing": b"(o.",
    "obj without a mark": b"o.",
    "inst without a mark": b"icollections\nOrderedDict\n.",
    "build of nothing": b"}b.",
    "build of a number": b"K\x01}b.",
    "build of a class": b"ccollections\nOrderedDict\n}b.",
    "persistent id of nothing": b"Q.",
    "persistent id of a number": b"K\x01Q.",
    "persistent id of a text": b"X\x01\0\0\0aQ.",
    "persistent id in a line": b"Pabc\n.",
    "persistent id of a module": b"(X\x06\0\0\0moduleNNNNtQ.",
    "persistent id without a class": b"(X\x07\0\0\0storageNX\x01\0\0\x000X\x03\0\0\0cpuK\x01tQ.",
    "extension": b"\x82\x01.",
    "extension 2": b"\x83\x01\0.",
    "extension 4": b"\x84\x01\0\0\0.",
    "next buffer": b"\x97.",
    "readonly buffer": b"K\x01\x98.",
    "protocol 6": b"\x80\x06K\x01.",
    "unknown opcode": b"\xff.",
    "long4 of a negative length": b"\x8b\xff\xff\xff\xff.",
    "long4 of 2 GiB": b"\x8b\xff\xff\xff\x7f.",
    "long1 that ends early": b"\x8a\xff1.",
    "binstring of a negative length": b"T\xff\xff\xff\xff.",
    "unicode8 of 2^64 - 1": b"\x8d" + b"\xff" * 8 + b".",
    "bytes8 of 2^63": b"\x8e" + b"\0" * 7 + b"\x80.",
    "bytearray8 of 2^62": b"\x96" + b"\0" * 7 + b"\x40.",
    "bytes of 4 GiB": b"B\xff\xff\xff\xff.",
    "text of 4 GiB": b"X\xff\xff\xff\xff.",
    "text that is not UTF-8": b"X\x02\0\0\0\xc3\x28.",
    "text that is too long for UTF-8": b"X\x02\0\0\0\xc0\x80.",
    "text beyond Unicode": b"X\x04\0\0\0\xf4\x90\x80\x80.",
    "text that ends within a character": b"X\x01\0\0\0\xe2.",
    "int that is none": b"Iabc\n.",
    "int with a NUL": b"I1\x002\n.",
    "long of 5000 digits": b"L" + b"9" * 5000 + b"L\n.",
    "float that is none": b"Fx\n.",
    "float of nothing": b"F\n.",
    "str without quotes": b"Sabc\n.",
    "str of one quote": b"S'\n.",
    "str with a wrong escape": b"S'\\x4'\n.",
    "unicode with a wrong escape": b"V\\u12\n.",
    "unicode beyond": b"V\\U00110000\n.",
    "frame that ends early": b"\x95\0\0.",
    "binfloat that ends early": b"G\0\0.",
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_pickles(name):
    bad_pickle(BROKEN[name], "data.pkl")
    if name != "persistent id of a module":  # which files before 1.6 may have
        bad(legacy(BROKEN[name], [], []), "byte")


def test_every_end_of_a_file():
    """Cut off anywhere."""
    item = {"x": torch.ones(2, 3), "y": [1, "a", None, (2.5, True)]}
    old = an_old_tar_file()
    with tarfile.open(fileobj=io.BytesIO(old)) as file:
        last = file.getmember("pickle")
    whole = {
        python_save(item): 0,
        saved(item, _use_new_zipfile_serialization=False): 0,
        old: last.offset_data + last.size,
    }
    for data, end in whole.items():
        for n in range(0, end or len(data), 1 if len(data) < 2000 else 7):
            try:
                load(data[:n])
            except CtorchError as e:
                assert e.kind == "FORMAT"
            else:
                raise AssertionError(f"{n} of {len(data)} bytes of {data[:4]} were read")


def test_every_byte_of_a_pickle_changed():
    """Whatever comes of it, it comes as a value or as an error."""
    item = [torch.ones(2, 3), torch.nn.Parameter(torch.ones(2)), {"a": (1, "b")}, torch.eye(2).to_sparse()]
    data = python_save(item)
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        records = {n.split("/", 1)[1]: file.read(n) for n in file.namelist()}
    code = bytearray(records.pop("data.pkl"))
    rng = random.Random(7)
    for _ in range(3000):
        changed = bytearray(code)
        for _ in range(rng.choice((1, 1, 2, 5))):
            changed[rng.randrange(len(changed))] = rng.choice(
                (0, 1, 0xFF, rng.randrange(256), rng.choice(b"(.]}athjqRbQc"))
            )
        try:
            load_value(with_pickle(bytes(changed), **records))
        except CtorchError as e:
            assert e.kind in ("FORMAT", "RUNTIME"), e


# Memory and time -----------------------------------------------------------------------------------------------------


def test_what_is_shared_is_not_expanded():
    """10^30 entries of a billion laughs: 30 lists of 10 references."""
    code = b"]q\0" + b"".join(
        b"](" + b"h" + bytes([i]) + (b"h" + bytes([i])) * 9 + b"eq" + bytes([i + 1]) for i in range(30)
    )
    value = load_value(with_pickle(code + b"."))
    assert lib.ctorch_value_len(value) == 10


def laughing_tuples(n, width=10):
    return b")q\0" + b"".join(b"(" + (b"h" + bytes([i])) * width + b"tq" + bytes([i + 1]) for i in range(n))


def test_keys_that_would_be_long():
    """LibTorch's dicts write tuples out."""
    for end in (b"}h\x0fK\x01s.", b"\x8f(h\x0f\x90.", b"(h\x0f\x91."):
        bad_pickle(laughing_tuples(15) + end, "memory")
    bad_pickle(laughing_tuples(40, 1) + b"}h\x20K\x01s.", "key")
    text = b"X" + struct.pack("<I", 1 << 20) + b"a" * (1 << 20) + b"q\0"
    bad_pickle(
        text + b"(" + b"".join(b"}h\0J" + struct.pack("<I", i) + b"\x86K\x01s" for i in range(300)) + b"l.", "memory"
    )


KEYS_OF_ONE_HASH = {
    "nan": [b"G\x7f\xf8" + bytes(6)] * 60,
    "ints": [b"\x8a\x08" + struct.pack("<q", key) for key in collisions.ints(60)],
    "texts": [b"X\x0f\0\0\0" + key.encode() for key in collisions.texts(60)],
}


@pytest.mark.parametrize("keys", KEYS_OF_ONE_HASH)
def test_keys_of_one_hash(keys):
    """LibTorch's table alone would take 2^60 slots."""
    filled = b"".join(key + b"K\x01" for key in KEYS_OF_ONE_HASH[keys])
    with no_more_memory():
        assert lib.ctorch_value_len(load_value(with_pickle(b"}(" + filled + b"u."))) == 60
        assert lib.ctorch_value_len(load_value(with_pickle(b"(" + filled + b"d."))) == 60
        each = b"".join(KEYS_OF_ONE_HASH[keys])
        assert lib.ctorch_value_len(load_value(with_pickle(b"\x8f(" + each + b"\x90."))) == 60


def test_calls_that_make_much_of_little():
    text = b"X" + struct.pack("<I", 1 << 20) + b"a" * (1 << 20) + b"q\0"
    encode = b"c_codecs\nencode\n(h\0X\x06\0\0\0latin1tR"
    bad_pickle(text + b"(" + encode * 200 + b"l.", "memory")
    entries = b"](" + b"".join(b"J" + struct.pack("<I", i) for i in range(100000)) + b"eq\0"
    bad_pickle(entries + b"(" + b"cbuiltins\nset\nh\0\x85R" * 50 + b"l.", "memory")


def test_depth():
    """Deeper than any stack; freed without recursion too, also with a cycle and an error."""
    n = 300000
    for code in (b"]" * n + b"a" * (n - 1), b")" + b"\x85" * n, b"}" * n if False else b"]" + b"\x85" * n):
        load_value(with_pickle(code + b"."))
        bad_pickle(code)  # no stop
    bad_pickle(b"(" * n + b"t", "data.pkl")
    loaded = load_value(with_pickle(b"]q\0" + b"\x85" * 100000 + b"q\x01h\0h\x01ae.".replace(b"ae.", b"a.")))
    ok(lib.ctorch_value_clear(loaded))


def test_circles_that_nobody_reaches_are_freed():
    """The memory of the file tells: a tensor that is left over keeps it."""
    ones = torch.ones(10)
    with zipfile.ZipFile(io.BytesIO(python_save([ones]))) as file:
        records = {n.split("/", 1)[1]: file.read(n) for n in file.namelist()}
    code = records.pop("data.pkl")
    tensor = code[code.index(b"ctorch._utils") : code.rindex(b"a.")]
    destroyed = []

    @ffi.callback("void (*)(void *)")
    def destroy(payload):
        destroyed.append(1)

    def aligned(pickled):
        """A file in memory whose storage can be shared."""
        for n in range(32):
            content = bytearray(with_pickle(pickled, padding=b"x" * n, **records))
            at = int(ffi.cast("uintptr_t", ffi.from_buffer(content))) + content.index(ones.numpy().tobytes())
            if at % 16 == 0:
                return content
        raise AssertionError

    def read(pickled):
        content = aligned(pickled)
        reader, value = out("ctorch_reader *"), out("ctorch_value *")
        ok(lib.ctorch_reader_from_data(reader, ffi.from_buffer(content), len(content), destroy, ffi.NULL))
        lib.ctorch_error_release(lib.ctorch_serialization_load(value, reader[0], ffi.NULL))
        lib.ctorch_reader_release(reader[0])
        count = len(destroyed)
        lib.ctorch_value_release(value[0])
        assert len(destroyed) == count + (b"]" not in pickled)  # what was read kept it
        return len(destroyed)

    assert read(b"\x80\x02" + tensor + b".") == 1
    assert read(b"\x80\x02]2" + tensor + b"a" + b"2a00K\x01.") == 2  # in a list in itself, which is dropped
    assert read(b"\x80\x02]2" + tensor + b"a" + b"2a") == 3  # and with an error
    assert read(b"\x80\x02" + too_much(b"ccopyreg\n__newobj__\n(" + tensor + b"N" * 140000 + b"tR.")) == 4


def too_much(code):
    """A call of more than a MiB when less is left of what a file of such a size may make."""
    text = b"X" + struct.pack("<I", 1 << 20) + b"]" * (1 << 20) + b"r\xe8\3\0\0"
    encode = b"c_codecs\nencode\nj\xe8\3\0\0X\6\0\0\0latin1\x86R0"
    return text + encode * (64 + 16 * (len(text) + len(code)) // (1 << 20)) + code


# Tensors -------------------------------------------------------------------------------------------------------------

FLOATS = ("storage", torch.FloatStorage, "0", "cpu", 6)
BUILD, QBUILD = torch._utils._rebuild_tensor_v2, torch._utils._rebuild_qtensor


def file_of(item, **records):
    return with_pickle(pickled(item), **{"data/0": torch.arange(6.0).numpy().tobytes(), **records})


def tensor(offset, sizes, strides, *more, storage=FLOATS, build=BUILD):
    return Call(build, Storage(*storage), offset, sizes, strides, *(more or (False, {})))


@pytest.mark.parametrize(
    "offset,sizes,strides",
    [
        (-1, (2,), (1,)),
        (0, (7,), (1,)),
        (1, (6,), (1,)),
        (6, (1,), (1,)),
        (7, (), ()),
        (0, (-1,), (1,)),
        (0, (2,), (-1,)),
        (0, (2, 3), (1,)),
        (0, (2**62,), (0,)),
        (0, (2**31, 2**31), (0, 0)),
        (0, (2, 2**62), (0, 0)),
        (0, (2,), (2**63 - 1,)),
        (0, (2, 2, 2), (2**62, 2**62, 2**62)),
        (2**62, (1,), (1,)),
        (2**63 - 1, (2,), (2**63 - 1,)),
        (0, (3, 3), (2, 2)),
        (0, ("a",), (1,)),
        (0, None, (1,)),
        ("0", (1,), (1,)),
        (0, (1.5,), (1,)),
        (0, (2**70,), (1,)),
        (2**70, (1,), (1,)),
    ],
)
def test_tensors_that_do_not_lie_in_their_storage(offset, sizes, strides):
    bad(file_of(tensor(offset, sizes, strides)), "data.pkl")
    q = tensor(
        offset,
        sizes,
        strides,
        (torch.per_tensor_affine, 0.1, 0),
        False,
        {},
        storage=("storage", torch.QUInt8Storage, "0", "cpu", 24),
        build=QBUILD,
    )
    if not (
        isinstance(offset, int)
        and offset in (1, 6, 7, 0)
        and sizes in ((7,), (6,), (1,), (), (3, 3), (2**62,), (2**31, 2**31))
    ):
        bad(file_of(q), "data.pkl")


def test_tensors_at_the_edge():
    for offset, sizes, strides in (
        (5, (1,), (1,)),
        (6, (0,), (1,)),
        (0, (2, 3), (3, 1)),
        (0, (1000,), (0,)),
        (5, (), ()),
    ):
        x = load(file_of(tensor(offset, sizes, strides)))
        assert x.shape == sizes and x.stride() == strides and x.storage_offset() == offset


def test_other_wrong_tensors():
    per_channel = torch.per_channel_affine
    q = ("storage", torch.QUInt8Storage, "0", "cpu", 24)
    for how in (
        (per_channel, [0.1], [0], 5),
        (per_channel, [0.1], [0], -1),
        (per_channel, [0.1], [0, 0, 0], 0),
        (per_channel, ["a"], [0], 0),
        (torch.per_tensor_affine,),
        (None, 1.0, 0),
        (torch.per_tensor_affine, "a", 0),
        (per_channel, [0.1, 0.2], [0, 0], 2**62),
        (torch.per_channel_symmetric, [1.0], [0], 0),
    ):
        bad(file_of(tensor(0, (2, 3), (3, 1), how, False, {}, storage=q, build=QBUILD)), "data.pkl")
    bad(file_of(tensor(0, (2, 3), (3, 1), (torch.per_tensor_affine, 0.1, 0), False, {}, build=QBUILD)), "quantized")
    bad(file_of(tensor(0, (2,), (1,), True, {}, storage=("storage", torch.LongStorage, "0", "cpu", 3))), "grad")
    bad(file_of(tensor(0, (2,), (1,), False, {}, {"conj": True})), "conjugated")
    bad(file_of(tensor(0, (2,), (1,), False, {}, {"neg": True}, storage=("storage", torch.LongStorage, "0", "cpu", 3))))
    bad(file_of(tensor(0, (2,), (1,), False, {}, {"neg": 5})), "data.pkl")
    bad(file_of(tensor(0, (2,), (1,), False, {}, [1])), "data.pkl")
    meta = torch._utils._rebuild_meta_tensor_no_storage
    for sizes, strides in (
        ((-1,), (1,)),
        ((2**62, 2**62), (1, 1)),
        ((2,), (-1,)),
        ((2,), (1, 1)),
        ((2,), (2**63 - 1,)),
    ):
        bad(file_of(Call(meta, torch.float32, sizes, strides, False)), "data.pkl")


def test_sparse_tensors_that_lead_elsewhere():
    """Python makes them without a look at the indices."""
    sparse = torch._utils._rebuild_sparse_tensor

    def ints(*numbers):
        return torch.tensor(numbers)

    for layout, parts in (
        (torch.sparse_coo, (ints(5).view(1, 1), torch.ones(1), (3,), True)),
        (torch.sparse_coo, (ints(-1).view(1, 1), torch.ones(1), (3,))),
        (torch.sparse_coo, (ints(0).view(1, 1), torch.ones(2), (3,))),
        (torch.sparse_coo, (ints(0), torch.ones(1), (3,))),
        (torch.sparse_coo, (ints(0).view(1, 1), torch.ones(1), (-3,))),
        (torch.sparse_csr, (ints(0, 1, 9), ints(0), torch.ones(1), (2, 2))),
        (torch.sparse_csr, (ints(0, 1, 1), ints(7), torch.ones(1), (2, 2))),
        (torch.sparse_bsr, (ints(0, 1), ints(0), torch.ones(1, 0, 2), (2, 2))),
        (torch.strided, (ints(0), ints(0), torch.ones(1), (2, 2))),
    ):
        bad(python_save(Call(sparse, layout, parts)), "data.pkl")


def test_nested_tensors_that_lead_elsewhere():
    nested = torch._utils._rebuild_nested_tensor
    buffer, t = torch.ones(6), torch.tensor
    for parts in (
        (t([[7]]), t([[1]]), t([0])),
        (t([[6]]), t([[1]]), t([1])),
        (t([[2]]), t([[2**62]]), t([0])),
        (t([[2]]), t([[1]]), t([-1])),
        (t([[2]]), t([[1]]), t([-(2**63)])),
        (t([[-2]]), t([[1]]), t([0])),
        (t([[2], [2]]), t([[1]]), t([0])),
        (t([[2]]), t([[1]]), t([0, 0])),
        (t([2]), t([[1]]), t([0])),
        (t([[2.0]]), t([[1]]), t([0])),
        (torch.ones(1, 1, dtype=torch.int64, device="meta"), t([[1]]), t([0])),
    ):
        bad(python_save(Call(nested, buffer, *parts)), "nested")
    good = load(python_save(Call(nested, buffer, t([[2], [3]]), t([[1], [1]]), t([0, 3]))))
    assert [x.tolist() for x in good.unbind()] == [[1, 1], [1, 1, 1]]


def test_arrays_that_are_none():
    import numpy as np

    array = np.arange(6, dtype=np.int32)
    function, args, state = array.__reduce__()
    for change in (
        (1, (7,), *state[2:]),
        (1, (-1,), *state[2:]),
        (1, (2**62, 2**62), *state[2:]),
        (1, (2**40,), *state[2:]),
        (1, "a", *state[2:]),
        (1, (6,), None, False, state[4]),
        (1, (6,), state[2], False, [1]),
        (1,),
        (1, (1,) * 65, *state[2:]),
        (1, (5,), *state[2:]),
    ):
        bad(python_save(Call(function, *args, state=change)), "data.pkl")


# Storages and archives -----------------------------------------------------------------------------------------------


def test_storages_that_are_not_there():
    bad(file_of(tensor(0, (1,), (1,), storage=("storage", torch.FloatStorage, "1", "cpu", 6))), "data/1", "missing")
    bad(file_of(tensor(0, (1,), (1,), storage=("storage", torch.FloatStorage, "0", "cpu", 7))), "another number")
    bad(file_of(tensor(0, (1,), (1,), storage=("storage", torch.FloatStorage, "0", "cpu", 5))), "another number")
    bad(file_of(tensor(0, (1,), (1,), storage=("storage", torch.FloatStorage, "0", "cpu", -1))), "-1 elements")
    bad(file_of(tensor(0, (1,), (1,), storage=("storage", torch.FloatStorage, "0", "cpu", 2**62))), "elements")
    bad(
        file_of(tensor(0, (1,), (1,), storage=("storage", torch.FloatStorage, "../../etc/passwd", "cpu", 6))), "missing"
    )
    bad(file_of(tensor(0, (1,), (1,), storage=("storage", torch.FloatStorage, "0\0", "cpu", 6))), "NUL")
    bad(file_of(tensor(0, (1,), (1,), storage=("storage", torch.FloatStorage, 0, "cpu", 6))), "str")


def test_names_that_lead_out_of_the_archive_are_names():
    data = file_of(
        tensor(0, (6,), (1,), storage=("storage", torch.FloatStorage, "../x", "cpu", 6)),
        **{"data/../x": torch.arange(6.0).numpy().tobytes()},
    )
    assert load(data).tolist() == [0, 1, 2, 3, 4, 5]


def test_legacy_storages():
    item = pickled(Call(torch._utils._rebuild_tensor, Storage(*FLOATS, None), 0, (6,), (1,)))
    numbers = torch.arange(6.0).numpy().tobytes()
    assert load(legacy(item, ["0"], [(6, numbers)])).tolist() == [0, 1, 2, 3, 4, 5]
    bad(legacy(item, [], []), "not in the file")
    bad(legacy(item, ["1"], [(6, numbers)]), "storage 0")
    bad(legacy(item, ["0"], [(5, numbers)]), "storage 0")
    bad(legacy(item, ["0"], [(-1, numbers)]), "storage 0")
    bad(legacy(item, ["0"], [(6, numbers[:-1])]), "ends early")
    bad(legacy(item, "0", [(6, numbers)]), "no list")
    bad(legacy(item, ["0", "0"], [(6, numbers)]), "ends early")
    for view in (("v", 0, 7), ("v", 7, 0), ("v", -1, 2), ("v", 4, 3), ("v", 2**62, 1), ("v",), 5):
        part = pickled(Call(torch._utils._rebuild_tensor, Storage(*FLOATS, view), 0, (1,), (1,)))
        bad(legacy(part, ["0"], [(6, numbers)]), "the value")


def records_of(data):
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return [(n, file.read(n)) for n in file.namelist()]


def central(data):
    """Where the table of contents begins, and its entries."""
    end = data.rindex(b"PK\5\6")
    _, _, _, _, n, size, offset, _ = struct.unpack_from("<IHHHHIIH", data, end)
    at, entries = offset, []
    for _ in range(n):
        name, extra, comment = struct.unpack_from("<HHH", data, at + 28)
        entries.append(at)
        at += 46 + name + extra + comment
    return end, offset, entries


def changed(data, at, layout, *values):
    data = bytearray(data)
    struct.pack_into(layout, data, at, *values)
    return bytes(data)


def test_zip_files_that_are_damaged():
    data = with_pickle(pickle.dumps([1, 2], 2), other=b"x" * 100)
    end, offset, entries = central(data)
    assert load(data) == [1, 2]
    bad(changed(data, end + 10, "<H", 99), "zip file")
    bad(changed(data, end + 8, "<HH", 60000, 60000), "zip file")
    bad(changed(data, end + 12, "<I", 0xFFFFFFFF), "table of contents")
    bad(changed(data, end + 16, "<I", 0xFFFFFFFF), "table of contents")
    bad(changed(data, end + 16, "<I", offset + 1), "table of contents")
    bad(changed(data, end + 4, "<H", 1), "parts")
    first, second = entries[0], entries[1]
    for at, layout, value in (
        (first, "<I", 0),
        (first + 28, "<H", 60000),
        (first + 30, "<H", 60000),
        (first + 32, "<H", 60000),
    ):
        bad(changed(data, at, layout, value), "damaged")
    bad(changed(data, first + 8, "<H", 1), "encrypted")
    bad(changed(data, first + 10, "<H", 12), "compressed")
    bad(changed(data, first + 20, "<I", 5), "two sizes")
    bad(changed(data, first + 24, "<I", 5), "two sizes")
    bad(changed(data, first + 20, "<II", 2**31, 2**31), "does not lie")
    bad(changed(data, first + 20, "<II", 0xFFFFFFFF, 0xFFFFFFFF), "damaged")  # without the field for larger ones
    bad(changed(data, first + 42, "<I", 2**31), "does not lie")
    bad(changed(data, first + 42, "<I", len(data) - 5), "does not lie")
    bad(changed(data, second + 42, "<I", 0), "over another")
    bad(changed(data, second + 42, "<I", 1), "over another")
    bad(changed(data, 0, "<I", 0x04034B51), "no file of torch.save")
    bad(changed(data, 26, "<H", 60000), "header")
    bad(changed(data, 28, "<H", 60000), "header")


def test_records_of_one_name():
    buffer = io.BytesIO(with_pickle(b"K\x01."))
    with pytest.warns(UserWarning), zipfile.ZipFile(buffer, "a") as file:
        file.writestr("archive/data.pkl", b"K\x02.")
    bad(buffer.getvalue(), "two records")


def test_what_is_no_file_of_torch_save():
    def zipped(**records):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as file:
            for name, content in records.items():
                file.writestr(name, content)
        return buffer.getvalue()

    bad(b"", "empty")
    for data in (b"x", b"\x80", b"\x80\x02", b"hello world", bytes(1000), b"\x80\x02K\x01.", b"PK", b"\x93NUMPY\1\0"):
        bad(data, "no file of torch.save")
    bad(b"PK\3\4", "zip file")
    bad(b"PK\3\4" + bytes(5000), "zip file")
    bad(b"PK\3\4PK\5\6" + bytes(30), "zip file")
    bad(zipped(**{"archive/data.pkl": b"K\x01."}), "version")
    bad(zipped(**{"archive/version": b"3"}), "data.pkl")
    for version, word in (
        ("11", "version 11"),
        ("0", "version"),
        ("x", "version"),
        ("9" * 60, "version"),
        ("1" * 100, "too long"),
    ):
        bad(with_pickle(b"K\x01.", version=version.encode()), word)
    bad(with_pickle(b"K\x01.", byteorder=b"middle"), "order")


def deflated(code, **records):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in {"version": b"3", "data.pkl": code, **records}.items():
            file.writestr("archive/" + name, content)
    return buffer.getvalue()


def test_bombs():
    """64 MiB and 1 byte of zeros in 64 KiB; twice 40 MiB."""
    bad(deflated(b"K\x01.", bomb=bytes((64 << 20) + 1)), "unpacked")
    bad(deflated(b"K\x01.", a=bytes(40 << 20), b=bytes(40 << 20)), "unpacked")
    assert load(deflated(b"K\x01.", a=bytes(40 << 20))) == 1


def test_compressed_records_are_found_in_one_table():
    n = 300
    item = [tensor(0, (6,), (1,), storage=("storage", torch.FloatStorage, str(i), "cpu", 6)) for i in range(n)]
    data = deflated(pickled(item), **{f"data/{i}": torch.full((6,), i).float().numpy().tobytes() for i in range(n)})
    reader, value = Reader(data, "callback"), out("ctorch_value *")
    ok(lib.ctorch_serialization_load(value, reader.handle, ffi.NULL))
    loaded = Objects()(ffi.gc(value[0], lib.ctorch_value_release))
    assert [x.tolist() for x in loaded] == [[i] * 6 for i in range(n)]
    assert reader.nbytes_read < 10 * len(data)


def test_compressed_records_that_are_damaged():
    data = deflated(b"K\x01.", x=os.urandom(100))
    _, _, entries = central(data)
    at = entries[1]  # data.pkl
    (offset,) = struct.unpack_from("<I", data, at + 42)
    name, extra = struct.unpack_from("<HH", data, offset + 26)
    begin = offset + 30 + name + extra
    for i in range(begin, begin + 5):
        got = bytearray(data)
        got[i] ^= 0xFF
        try:
            load(bytes(got))
        except CtorchError as e:
            assert e.kind == "FORMAT"
    bad(changed(data, at + 24, "<I", 2), "data.pkl")
    bad(changed(data, at + 24, "<I", 1 << 20), "data.pkl")
    more = deflated(pickled(tensor(0, (6,), (1,))), **{"data/0": b"abcdefgh" * 3})
    entry = central(more)[2][2]
    bad(changed(more, entry + 24, "<I", 23), "another number")
    assert zlib.crc32(b"") == 0


def test_what_a_reader_fails_with_comes_out():
    """Wherever it is, in each format, compressed or not."""
    item = {"x": torch.ones(2, 3), "y": [1]}
    plain = python_save(item)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in records_of(plain):
            file.writestr(name, content)
    for data in (plain, packed.getvalue(), saved(item, _use_new_zipfile_serialization=False), an_old_tar_file()):
        for fails_at in range(200):
            count = 0

            @ffi.callback("ctorch_reader_read_callback")
            def read(to, nbytes, offset, failure, payload):
                nonlocal count
                if count == fails_at:
                    failure[0] = error("RUNTIME", "the disk is gone")
                    return 0
                count += 1
                ffi.buffer(to, nbytes)[:] = data[offset : offset + nbytes]
                return 1

            reader, value = out("ctorch_reader *"), out("ctorch_value *")
            ok(lib.ctorch_reader_from_callback(reader, len(data), read, ffi.NULL, ffi.NULL))
            failure = lib.ctorch_serialization_load(value, reader[0], ffi.NULL)
            lib.ctorch_reader_release(reader[0])
            if failure == ffi.NULL:
                lib.ctorch_value_release(value[0])
                assert count == fails_at  # it did not get there
                break
            assert value[0] == ffi.NULL
            assert lib.ctorch_error_kind_of(failure) == lib.c.CTORCH_ERROR_RUNTIME
            assert ffi.string(lib.ctorch_error_message(failure)) == b"the disk is gone"
            lib.ctorch_error_release(failure)
        else:
            raise AssertionError("200 reads were not enough")
        assert fails_at > 3


def test_arguments():
    value, reader = out("ctorch_value *"), out("ctorch_reader *")
    data = python_save(1)
    ok(lib.ctorch_reader_from_data(reader, data, len(data), ffi.NULL, ffi.NULL))
    handle = ffi.gc(reader[0], lib.ctorch_reader_release)
    wrong = ffi.new("ctorch_device *", [99, 0])
    for failure, kind in (
        (lib.ctorch_serialization_load(ffi.NULL, handle, ffi.NULL), "NULL_ARGUMENT"),
        (lib.ctorch_serialization_load(value, ffi.NULL, ffi.NULL), "NULL_ARGUMENT"),
        (lib.ctorch_serialization_load(value, handle, wrong), "INVALID_ARGUMENT"),
        (lib.ctorch_serialization_load_with(ffi.NULL, handle, ffi.NULL, ffi.NULL, ffi.NULL), "NULL_ARGUMENT"),
        (lib.ctorch_serialization_load_file(value, ffi.NULL, False, ffi.NULL), "NULL_ARGUMENT"),
        (lib.ctorch_serialization_load_file(ffi.NULL, b"x", False, ffi.NULL), "NULL_ARGUMENT"),
        (lib.ctorch_serialization_load_file(value, b"/no/such/file", False, ffi.NULL), "IO"),
        (lib.ctorch_serialization_load_file(value, b"/no/such/file", False, wrong), "INVALID_ARGUMENT"),
    ):
        from tests.harness.capi import fails

        assert fails(failure)[0] == kind and value[0] == ffi.NULL
    same(1, load(data))
