"""lock.py: the record reads back as written, refuses nonsense by line, and only grows."""

from __future__ import annotations

from pathlib import Path

import pytest
import samples
from ctorchgen import lock
from ctorchgen.api import Function, Opaque, Param
from ctorchgen.schema import GeneratorError

CORE = Function("ctorch_threads_num", "ctorch/settings/threads.h", "core", "int32_t", ())


def write(folder: Path, text: str) -> Path:
    path = folder / "aten.lock"
    path.write_text(text)
    return path


def test_it_reads_back_what_it_wrote(tmp_path):
    functions = [samples.build_one("b.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)"), samples.build_one("a() -> int")]
    entries, added = lock.extend({}, [*functions, CORE], "abi/aten.lock")
    assert added == ["ctorch_aten_b_out", "ctorch_aten_a", "ctorch_threads_num"]
    text = lock.text(entries, "aten")
    read = lock.read(write(tmp_path, text))
    assert list(read) == sorted(entries)
    for symbol, entry in read.items():
        assert entry.line() == entries[symbol].line()
    assert lock.text(read, "aten") == text
    assert read["ctorch_aten_a"].location == "aten.lock:2"
    assert read["ctorch_aten_a"].schema == "aten::a() -> int"
    assert read["ctorch_threads_num"].schema == ""
    assert read["ctorch_threads_num"].signature == "int32_t (void)"


def test_a_missing_file_is_an_empty_lock(tmp_path):
    assert lock.read(tmp_path / "none.lock") == {}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("ctorch_aten_a 0.1 x", "expected symbol, since, signature and schema, separated by tabs"),
        ("ctorch_aten_a\t0.1", "expected symbol, since, signature and schema, separated by tabs"),
        ("a\t0.1\tb\tc\td", "expected symbol, since, signature and schema, separated by tabs"),
        ("ctorch_f\t0.1\tvoid (void)", "ctorch_f is listed twice"),
        ("ctorch_g\tnew\tvoid (void)", "ctorch_g is since 'new', which is no version"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(tmp_path, line, problem):
    path = write(tmp_path, f"# Title\nctorch_f\t0.1\tvoid (void)\n\n{line}\n")
    with pytest.raises(GeneratorError, match=f"^aten.lock:4: {problem}"):
        lock.read(path)


def test_new_functions_are_added_and_old_ones_keep_their_line():
    locked = samples.lock_of("a(Tensor x) -> Tensor")
    new = samples.build_one("b(Tensor x) -> Tensor")
    old = samples.build_one("a(Tensor x) -> Tensor")
    entries, added = lock.extend(locked, [new, old], "abi/aten.lock")
    assert added == [new.name]
    assert entries["ctorch_aten_a"] is locked["ctorch_aten_a"]
    assert entries["ctorch_aten_b"] == lock.entry_of(new)


CHANGES = {
    "removed": None,
    "result": Function("ctorch_f", "ctorch/f.h", "core", "int64_t", (Param("x", "double", "in"),)),
    "type": Function("ctorch_f", "ctorch/f.h", "core", "void", (Param("x", "bool", "in"),)),
    "name": Function("ctorch_f", "ctorch/f.h", "core", "void", (Param("y", "double", "in"),)),
    "order": Function("ctorch_f", "ctorch/f.h", "core", "void", (Param("n", "bool", "in"), Param("x", "double", "in"))),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_refused_with_its_line_and_the_ways_out(tmp_path, what):
    locked = lock.read(
        write(tmp_path, "# T\nctorch_f\t0.1\tvoid (double x)\nctorch_num_threads\t0.1\tint32_t (void)\n")
    )
    function = CHANGES[what]
    with pytest.raises(GeneratorError) as error:
        lock.extend(locked, [CORE, *([function] if function else [])], "abi/core.lock")
    message = str(error.value)
    assert message.startswith("abi/core.lock: the ABI is kept")
    if function is None:
        assert "\n  aten.lock:2: ctorch_f was removed\n" in message
    else:
        assert "\n  aten.lock:2: ctorch_f changed\n    from void (double x)\n" in message
        assert f"\n    to   {function.signature}\n" in message
    assert "Legal ways out: restore" in message
    assert "ctorch_threads_num" not in message


def test_many_changes_are_counted():
    locked = samples.lock_of(*(f"f{i}(Tensor x) -> Tensor" for i in range(25)))
    with pytest.raises(GeneratorError) as error:
        lock.extend(locked, [], "abi/aten.lock")
    assert str(error.value).count("was removed") == lock.MAX_PROBLEMS == 20
    assert "… and 5 more" in str(error.value)


@pytest.mark.parametrize("name", ["aten", "core", "nn", "init"])
def test_the_committed_locks_are_sorted_and_end_as_written(root, name):
    path = root / f"bindings-gen/abi/{name}.lock"
    text = path.read_text()
    lines = text.splitlines()[1:]
    assert lines == sorted(lines, key=lambda line: line.split("\t")[0])
    entries = lock.read(path)
    assert len(entries) == len(lines)
    assert all(bool(e.schema) == (name != "core") for e in entries.values())
    assert lock.text(entries, name) == text


OPAQUE = tuple(Opaque(f"ctorch_{n}", f"ctorch_{n}_release", None) for n in ("a", "b")) + (
    Opaque("struct X", None, None),
)


def test_a_type_of_handle_gets_the_next_number_and_keeps_it(tmp_path):
    numbered, kinds, added = lock.number({}, OPAQUE)
    assert ([o.kind for o in numbered], added) == ([32, 33, None], ["ctorch_a", "ctorch_b"])
    (tmp_path / "word.lock").write_text(lock.kinds_text(kinds))
    read = lock.read_kinds(tmp_path / "word.lock")
    assert read == kinds == {"ctorch_a": 32, "ctorch_b": 33}
    new = Opaque("ctorch_0", "ctorch_0_release", None)
    numbered, _, added = lock.number(read, (new, *reversed(OPAQUE)))
    assert ([o.kind for o in numbered], added) == ([34, None, 33, 32], ["ctorch_0"])
    assert lock.read_kinds(tmp_path / "none.lock") == {}


def test_a_type_of_handle_never_goes():
    with pytest.raises(GeneratorError, match=r"word\.lock: ctorch_b was removed"):
        lock.number({"ctorch_a": 32, "ctorch_b": 33}, OPAQUE[:1])


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("ctorch_b", "expected a type, a tab and a number from 32"),
        ("ctorch_b\t31", "expected a type, a tab and a number from 32"),
        ("ctorch_b\tx", "expected a type, a tab and a number from 32"),
        ("ctorch_a\t40", "ctorch_a or 40 is listed twice"),
        ("ctorch_b\t32", "ctorch_b or 32 is listed twice"),
    ],
)
def test_a_line_that_is_no_number_of_a_type_is_named(tmp_path, line, problem):
    (tmp_path / "word.lock").write_text(f"# head\nctorch_a\t32\n{line}\n")
    with pytest.raises(GeneratorError) as error:
        lock.read_kinds(tmp_path / "word.lock")
    assert str(error.value).startswith(f"word.lock:3: {problem}")
