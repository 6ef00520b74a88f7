"""Python objects as values of the C API and back: each kind, what is refused, and who owns what."""

import collections
import math
import sys

import numpy
import pytest

from tests.languages.test_python import ctorch, raw, run

PythonObject = ctorch.PythonObject
KINDS = raw.value_kind_of


def kind(object_):
    return raw.value_kind_name(KINDS(ctorch.to_value(object_)))


@pytest.mark.parametrize(
    ("object_", "name", "text"),
    [
        (None, "None", "None"),
        (True, "bool", "True"),
        (-7, "int", "-7"),
        (2**63 - 1, "int", "9223372036854775807"),
        (2**63, "int", "9223372036854775808"),
        (-(2**63), "int", "-9223372036854775808"),
        (-(2**63) - 1, "int", "-9223372036854775809"),
        (2**200, "int", "1606938044258990275541962092341162602522202993782792835301376"),
        (-(2**200), "int", "-1606938044258990275541962092341162602522202993782792835301376"),
        (-128, "int", "-128"),
        (0.5, "float", "0.5"),
        (-0.0, "float", "-0.0"),
        (math.inf, "float", "inf"),
        (1 - 2j, "complex", "(1-2j)"),
        ("", "str", "''"),
        ("a\0b é 🙂", "str", None),
        (b"", "bytes", "b''"),
        (b"a\0b\xff", "bytes", r"b'a\x00b\xff'"),
        (ctorch.float32, "dtype", "torch.float32"),
        (ctorch.strided, "layout", "torch.strided"),
        (ctorch.sparse_csr, "layout", "torch.sparse_csr"),
        (ctorch.channels_last, "memory_format", "torch.channels_last"),
        (ctorch.device("cuda:1"), "Device", "device(type='cuda', index=1)"),
        ([], "list", "[]"),
        ((), "tuple", "()"),
        ({}, "dict", "{}"),
        (set(), "set", "set()"),
        ([1, [2.5, ("x", None)]], "list", "[1, [2.5, ('x', None)]]"),
        ({"a": {1, 2}, (1, "b"): [b"\0"]}, "dict", r"{'a': {1, 2}, (1, 'b'): [b'\x00']}"),
        ({"deep": [{"s": {(1, 2), "t"}}]}, "dict", None),
        ({b"k": ctorch.int64, ctorch.int8: 2**200}, "dict", None),
    ],
)
def test_a_round_trip_gives_an_equal_object(object_, name, text):
    value = ctorch.to_value(object_)
    assert raw.value_kind_name(KINDS(value)) == name
    if text is not None:
        assert str(raw.value_repr(value)) == text  # what C has understood
    back = ctorch.from_value(value)
    assert back == object_ and type(back) is type(object_)
    assert repr(back) == repr(object_) or isinstance(object_, set | dict)


def test_constants_come_back_as_the_very_constants():
    for constant in (ctorch.bfloat16, ctorch.sparse_coo, ctorch.channels_last_3d, ctorch.contiguous_format):
        assert ctorch.from_value(ctorch.to_value(constant)) is constant


def test_what_python_has_several_classes_for_comes_back_as_the_plain_one():
    for given, expected in (
        (bytearray(b"a\0"), b"a\0"),
        (memoryview(b"xyz")[::2], b"xz"),
        (frozenset({1}), {1}),
        (numpy.float32(0.5), 0.5),
        (numpy.int64(3), 3),
        (numpy.uint64(2**64 - 1), 18446744073709551615),
        (numpy.bool_(True), True),
        (ctorch.errors.ErrorKind.TYPE, int(ctorch.errors.ErrorKind.TYPE)),
        (collections.namedtuple("Pair", "a b")(1, 2), (1, 2)),
        (collections.defaultdict(list, a=[1]), {"a": [1]}),
    ):
        found = ctorch.from_value(ctorch.to_value(given))
        assert found == expected and type(found) is type(expected), given


def test_tensors_generators_and_storages_are_shared():
    x = ctorch.tensor([1.0, 2.0])
    generator = raw.generator_default()
    found = ctorch.from_value(ctorch.to_value({"x": [x], "g": generator, "s": raw.storage_from_tensor(x)}))
    found["x"][0].fill_(7)
    assert x.tolist() == [7.0, 7.0]
    assert isinstance(found["g"], ctorch.Generator)
    assert isinstance(found["s"], raw.Storage) and raw.storage_nbytes(found["s"]) == 8


def test_what_lies_in_two_places_does_so_in_c():
    inner = [1]
    value = ctorch.to_value([inner, inner, [1]])
    first, second, other = (raw.value_get(value, i) for i in range(3))
    assert raw.value_is(first, second) and not raw.value_is(first, other)
    raw.value_list_append(first, 2)
    assert ctorch.from_value(value) == [[1, 2], [1, 2], [1]]
    assert inner == [1]  # a copy


def test_a_python_object_is_readable():
    size = ctorch.from_value(ctorch.to_value(PythonObject("torch", "Size", ((2, 3),))))
    assert (size.module, size.name, size.args, size.items, size.state) == ("torch", "Size", ((2, 3),), None, None)
    assert size.attributes == {} and repr(size) == "<torch.Size((2, 3))>"
    module = PythonObject("my.nets", "Net.Inner", (1,), items=[b"\0"], state={"weight": 2**70, "training": True})
    found = ctorch.from_value(ctorch.to_value([module]))[0]
    assert found == module and found.attributes == {"weight": 1180591620717411303424, "training": True}
    assert found != PythonObject("my.nets", "Net.Inner", (1,), items=[b"\0"], state={"weight": 0, "training": True})
    function = ctorch.from_value(ctorch.to_value(PythonObject("builtins", "print")))
    assert function.args is None and repr(function) == "<builtins.print>"
    with pytest.raises(TypeError):
        hash(size)


def test_an_ordered_dict_is_one_with_its_attributes():
    given = collections.OrderedDict([("b", 1), ("a", 2)])
    given._metadata = {"": {"version": 1}}
    value = ctorch.to_value(given)
    assert raw.value_python_module(value) == "collections" and raw.value_python_name(value) == "OrderedDict"
    found = ctorch.from_value(value)
    assert type(found) is collections.OrderedDict and list(found.items()) == [("b", 1), ("a", 2)]
    assert vars(found) == {"_metadata": {"": {"version": 1}}}
    assert vars(ctorch.from_value(ctorch.to_value(collections.OrderedDict()))) == {}


def test_raw_functions_take_objects_for_values():
    value = ctorch.to_value([])
    for entry in (None, 2**64, b"\0", {1, 2}, ctorch.tensor(3)):
        raw.value_list_append(value, entry)
    raw.value_list_set(value, 0, "first")
    assert ctorch.from_value(value)[:4] == ["first", 18446744073709551616, b"\0", {1, 2}]
    table = raw.value_from_dict(["k", (1, 2)], [1, None])
    assert ctorch.from_value(raw.value_dict_get(table, (1, 2))) is None
    assert raw.value_dict_contains(table, "k") and not raw.value_dict_contains(table, b"k")
    assert raw.value_equal(value, value) and not raw.value_equal(table, {"k": 1})
    op = raw.op_find("aten::add", "Tensor")
    results = raw.op_call(op, [ctorch.tensor([1, 2]), ctorch.tensor([10, 20]), 2])
    assert ctorch.from_value(results).tolist() == [21, 42]
    found = raw.op_call_named(op, [ctorch.tensor([1, 2])], ["other", "alpha"], [ctorch.tensor(1), 3])
    assert ctorch.from_value(found).tolist() == [4, 5]


def test_kernels_return_objects():
    library = raw.library_new("python_values")
    raw.library_define(library, "twice(int n, str word) -> (int, str[])")

    def twice(arguments):
        number, word = map(ctorch.from_value, arguments)
        return 2 * number, [word] * 2

    raw.library_implement(library, "twice", "CompositeExplicitAutograd", twice)
    found = raw.op_call(raw.op_find("python_values::twice", ""), [21, "é"])
    assert ctorch.from_value(found) == (42, ["é", "é"])
    raw.library_define(library, "nothing_fits() -> int")
    raw.library_implement(library, "nothing_fits", "CompositeExplicitAutograd", lambda arguments: Unknown())
    with pytest.raises(TypeError, match="the function must return what a value can hold, not Unknown"):
        raw.op_call(raw.op_find("python_values::nothing_fits"), [])


class Unknown:
    pass


@pytest.mark.parametrize(
    ("object_", "words"),
    [
        (Unknown(), "not Unknown"),
        ([1, {"k": (Unknown(),)}], "not Unknown"),
        ({Unknown(): 1}, "not Unknown"),
        (int, "not type"),
        (numpy.ones(2), "not ndarray"),
        (range(3), "not range"),
    ],
)
def test_what_a_value_cannot_hold_is_told_by_function_and_argument(object_, words):
    with pytest.raises(TypeError, match=rf"to_value\(\): argument 'object' \(position 1\) .*{words}"):
        ctorch.to_value(object_)
    value = ctorch.to_value([])
    with pytest.raises(TypeError, match=rf"value_list_append\(\): argument 'value' .*{words}"):
        raw.value_list_append(value, object_)
    with pytest.raises(TypeError, match=rf"value_from_list\(\): argument 'values' .*{words}"):
        raw.value_from_list([1, object_])
    assert raw.value_len(value) == 0


def test_other_errors():
    for unhashable in ({frozenset({1})}, {ctorch.Stream(0, 0, 0)}):  # hashable in Python, but no entry of C's sets
        with pytest.raises(TypeError, match="ctorch_value_from_set|entry|key"):
            ctorch.to_value(unhashable)
    loop = []
    loop.append({"again": loop})
    with pytest.raises(TypeError, match="must not contain itself"):
        ctorch.to_value(loop)
    closed = ctorch.to_value(1)
    closed.close()
    with pytest.raises(ValueError, match="argument 'value' is a Value that was closed"):
        ctorch.from_value(closed)
    with pytest.raises(TypeError, match="holds a Value that was closed"):
        ctorch.to_value([closed])
    with pytest.raises(ValueError, match="argument 'value' is a Value that was closed"):
        raw.value_list_append(ctorch.to_value([]), closed)
    with pytest.raises(TypeError, match="must be Value, not list"):
        ctorch.from_value([1])
    with pytest.raises(TypeError, match="argument 'self' .* must be Value, not list"):
        raw.value_list_append([], 1)
    with pytest.raises(TypeError, match="argument 'values' .* must be list of object, not str"):
        raw.value_from_list("ab")


def test_keys_that_only_c_tells_apart_are_not_dropped():
    table = raw.value_from_dict([1, 1.0, True], ["a", "b", "c"])
    with pytest.raises(ValueError, match="equal in Python"):
        ctorch.from_value(table)
    with pytest.raises(ValueError, match="equal in Python"):
        ctorch.from_value(raw.value_from_set([1, True]))


def test_a_value_that_contains_itself_is_a_recursion_error():
    loop = ctorch.to_value([])
    raw.value_list_append(loop, loop)
    with pytest.raises(RecursionError):
        ctorch.from_value(loop)
    raw.value_clear(loop)
    deep = []
    for _ in range(sys.getrecursionlimit() * 2):
        deep = [deep]
    with pytest.raises(RecursionError):
        ctorch.to_value(deep)


def test_threads_and_seeds_have_the_names_of_pytorch():
    before = ctorch.get_num_threads()
    try:
        ctorch.set_num_threads(1)
        assert ctorch.get_num_threads() == 1
    finally:
        ctorch.set_num_threads(before)
    ctorch.manual_seed(1234)
    assert ctorch.initial_seed() == 1234
    first = ctorch.aten.rand([3]).tolist()
    ctorch.manual_seed(1234)
    assert ctorch.aten.rand([3]).tolist() == first


def test_conversions_leak_nothing(tmp_path):
    program = tmp_path / "leaks.py"
    program.write_text(
        "import collections, gc, ctorch\nfrom ctorch import raw\n"
        "x = ctorch.tensor([1.0])\nod = collections.OrderedDict(a=x)\n"
        "objects = [[x, {'k': {1, 2}}], od, 2**200, b'\\0', ctorch.PythonObject('m', 'C', (x,), state={'w': x})]\n"
        "ctorch.from_value(ctorch.to_value(objects)); gc.collect()\n"
        "before = raw.debug_live_handles()\n"
        "for _ in range(100):\n"
        "    ctorch.from_value(ctorch.to_value(objects))\n"
        "    try: ctorch.to_value([x, objects, object()])\n"
        "    except TypeError: pass\n"
        "    raw.value_list_append(ctorch.to_value([]), objects)\n"
        "gc.collect()\nassert raw.debug_live_handles() == before, raw.debug_live_handles() - before\n"
    )
    run(program)
