"""The Simple binding without a Simple compiler: emitted files are checked, and run as Simple would call the library."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from tests.harness.build import BUILD
from tests.languages import data_program, exported_model, file_exchange, training
from tests.languages.simple import interpreter, parser, tokens, transport, tree, values
from tests.languages.simple.__main__ import modules
from tests.languages.simple.checker import check
from tests.languages.simple.mutations import MUTATIONS
from tests.languages.simple.runtime import runtime

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PACKAGE = BUILD / "generated/bindings/simple"
LIBRARY = BUILD / "libspl_ctorch.so"
PROGRAM = ROOT / "examples/simple/digits.spl"
GPT = ROOT / "examples/simple/gpt.spl"
IMAGES = ROOT / "examples/simple/image_folder.spl"
PROGRAMS = HERE / "simple/programs"
CHANGED = HERE / "simple/digits_by_hand.spl"  # the program that mutations.py changes


@pytest.fixture(scope="session")
def files() -> dict[str, parser.tree.File]:
    if not PACKAGE.is_dir():
        pytest.skip(f"{PACKAGE} is not generated")
    paths = {n: p for n, p in modules(PACKAGE).items() if not n.startswith("first_contact.")}
    found = {name: parser.parse(path.read_text(), path.name) for name, path in paths.items()}
    for path in (PROGRAM, GPT, IMAGES):
        found[path.stem] = parser.parse(path.read_text(), path.name)
    return found


def test_every_emitted_file_is_in_the_subset(files) -> None:
    names = "raw ffi constants words errors tensor autograd settings values ops nn"
    names += " amp amp.autocast devices memory nn.module nn.modules nn.functional nn.init nn.utils owned profiler"
    names += " random streams typed_tensor amp.grad_scaler optim optim.optimizer optim.optimizers optim.scheduler"
    names += " optim.lr_scheduler serialization weights snapshots trainer data data.dataset data.loader data.loading"
    names += " data.sampler tape jit"
    vision = "transforms transforms.classes transforms.functional transforms.transform datasets tv_tensors"
    wanted = {"ml", "ml.torch", "ml.vision"} | {f"ml.torch.{m}" for m in names.split()}
    wanted |= {f"ml.vision.{m}" for m in vision.split()}
    assert wanted <= set(files)
    assert check(files) == []


@pytest.mark.turns
@pytest.mark.parametrize(("module", "old", "new", "complaint"), MUTATIONS, ids=[m[3] for m in MUTATIONS])
def test_the_checker_sees(files, module: str, old: str, new: str, complaint: str) -> None:
    name = module if module == "digits" else f"ml.torch.{module}"
    text = (CHANGED if module == "digits" else modules(PACKAGE)[name]).read_text()
    assert old in text
    try:
        said = check({**files, name: parser.parse(text.replace(old, new, 1), "changed.spl")}, only=name)
    except tokens.SyntaxFault as fault:
        said = [str(fault)]
    assert [s for s in said if s.startswith("changed.spl:") and complaint in s], said[:5]


def test_a_training_loop_that_is_written_out_is_in_the_subset(files) -> None:
    assert check({**files, "digits": parser.parse(CHANGED.read_text(), CHANGED.name)}, only="digits") == []


def test_lines_that_are_written_by_hand_are_within_their_length() -> None:
    folders = (ROOT / "bindings-gen/languages/simple", ROOT / "bindings-gen/ctorchgen/emit/simple/text", PROGRAMS)
    for path in [PROGRAM, GPT, IMAGES, CHANGED, *(p for folder in folders for p in folder.rglob("*.spl"))]:
        long = [n for n, line in enumerate(path.read_text().split("\n"), 1) if len(line) > 120]
        assert not long, f"{path.name}: lines {long}"


def test_every_call_of_dyn_uses_the_place_of_its_symbol(files) -> None:
    """The number in `call(17, …)` is the place in SYMBOLS, and the words are the parameters in their order."""
    dyn = files["ml.torch.ffi"]
    symbols = next(i for i in dyn.items if isinstance(i, tree.Let) and i.name == "CTORCH_SYMBOLS")
    names = [t.parts[0] for t in symbols.value.items]
    functions = {f.name: f for f in dyn.items if isinstance(f, tree.Function)}
    for place, name in enumerate(names):
        function = functions[name.removeprefix("rt_")]
        (call,) = function.body
        index, words = call.arguments
        given = [w.value.name if isinstance(w, tree.Cast) else w.name for w in words.items]
        assert (index.value, given) == (place, [p.name for p in function.parameters]), name


def test_declarations_and_table_agree(files) -> None:
    """raw.spl, ffi.spl and symbols.sdn: the same symbols, each with the same number of words."""
    table = {}
    for entry in (PACKAGE / "symbols.sdn").read_text().split("    -\n")[1:]:
        fields = dict(line.strip().split(": ", 1) for line in entry.splitlines())
        table[fields["name"]] = (int(fields["arity"]), fields["transport"])
    raw = {f.name: f for f in files["ml.torch.raw"].items if isinstance(f, tree.Function)}
    assert {n: (len(f.parameters), f.result[0]) for n, f in raw.items()} == table
    assert max(arity for arity, _ in table.values()) <= transport.MAX_ARGUMENTS
    dyn = {f.name: f for f in files["ml.torch.ffi"].items if isinstance(f, tree.Function)}
    assert all(len(dyn[n.removeprefix("rt_")].parameters) == arity for n, (arity, _) in table.items())


def test_what_real_programs_consist_of_is_split_into_tokens() -> None:
    """SIMPLE_SOURCES: a folder with programs of others, as the repository ormastes/simple-os."""
    folder = os.environ.get("SIMPLE_SOURCES")
    if not folder:
        pytest.skip("SIMPLE_SOURCES names no folder with programs of Simple")
    paths = sorted(Path(folder).rglob("*.spl"))
    assert paths
    for path in paths:
        assert tokens.tokens(path.read_text(errors="replace"), str(path))[-1][0] == "end"


# The transport.


@pytest.mark.parametrize("word", [0, 1, -1, 2**52 + 2**51, 2**60 - 1, -(2**60)])
def test_a_word_of_61_bits_arrives(word: int) -> None:
    assert transport.tagged(word) == word


@pytest.mark.parametrize("value", [1.0, 0.9, -1.0, 2.0])
def test_the_bits_of_a_double_do_not(value: float) -> None:
    bits = struct.unpack("<q", struct.pack("<d", value))[0]
    assert transport.tagged(bits) != bits


def test_the_transport_takes_nothing_but_what_it_carries() -> None:
    lanes = transport.Transport()
    for words in (["x"], [1.0], [True], [None], [[1]]):
        with pytest.raises(transport.TransportFault):
            lanes.call_words(1, words, 1)
    with pytest.raises(transport.TransportFault):
        lanes.call_words(1, [1] * 9, 9)
    with pytest.raises(transport.TransportFault):
        lanes.call_words(0, [], 0)
    first = lanes.text_pointer("one")
    assert lanes.text_at(first) == "one"
    lanes.text_pointer("two")
    assert lanes.text_at(first) == "two"  # one text per thread


# The emulator: what it makes of the forms of the subset.

FORMS = [
    ("print(7 / 2 + -7 / 2)", "0"),  # integers are divided towards zero
    ("print(-7 % 3)", "-1"),
    ("print(7.0 / 2.0)", "3.5"),
    ("print(1 + 2 * 3 - 4)", "3"),
    ("print(not false and 1 < 2 or false)", "true"),
    ('print("{1 + 1} is {[1.5, 2.0]} {nil} {true}")', "2 is [1.5, 2.0] nil true"),
    ('print("a\\"b\\n{0}".len())', "5"),
    ("print(if 1 > 2: 3 else: 4)", "4"),
    ("print(3 as f64 / 2.0)", "1.5"),
    ("print(-1.9 as i64)", "-1"),
    ("for i in 0..3: print(i)", "0\n1\n2"),
    ("var x = [1]\n    x.push(2)\n    x[0] = 5\n    x[1] += 4\n    print(x)", "[5, 6]"),
    (
        "var i = 0\n    while true:\n        i += 1\n        if i == 2: continue\n        if i > 3: break\n        print(i)",  # noqa: E501
        "1\n3",
    ),
    ("print(half(4))\n    print(half(3))", "Ok(2)\nErr(odd)"),
    ("print(quarter(8))\n    print(quarter(6))", "Ok(2)\nErr(odd)"),
    ("defer print(1)\n    defer print(2)\n    print(3)", "3\n2\n1"),
    ("print(named(1))\n    print(named(1, c: 5))\n    print(named(b: 2, a: 1))", "[1, 10, 1]\n[1, 10, 5]\n[1, 2, 1]"),
    ("val p = Point(x: 1, y: 2)\n    p.move(3)\n    print(p.x)\n    print((p + p).x)", "4\n8"),
    ("print(area(Shape.Square(3)))\n    print(area(Shape.Box(2, 4)))\n    print(area(Shape.Point))", "9\n8\n0"),
    ("print(given(nil))\n    print(given(4))", "0\n5"),
    ("print(twice(\\x: x + 1))\n    print(count(\\: 7))", "4\n7"),
    ("val base = 10\n    val add = \\x: x + base\n    print(add(5))", "15"),
    ("var n = 1\n    val copied = \\: n\n    n = 2\n    print(copied())", "1"),
    (
        "val p = Point(x: 1, y: 2)\n    print(p < p)\n    print(p == p)\n    print(p == nil)\n    print(p != nil)",
        "[1, 1]\ntrue\nfalse\ntrue",
    ),  # noqa: E501
    ("print(returns())\n    print(hands_on())", "deferred\nOk(1)\nErr(odd)"),  # not where `?` leaves
    ('print("12".parse_int())\n    print("1x".parse_int())', "12\nnil"),
]
FAULTS = [
    ("print(1 + 1.0)", "cannot be combined"),
    ("print(9223372036854775807 + 1)", "overflow"),
    ("print(1 / 0)", "division by zero"),
    ("print([1][1])", "index 1 of 1"),
    ("if 1: print(1)", "no truth value"),
    ("print(Point(x: 1))", "is made of"),
    ("print(half(1, 2))", "2 arguments"),
    ("val x: i64? = nil\n    print(x.len())", "no method len"),
    ('panic("enough")', "enough"),
    ("print(Point(x: 1, y: 2) + 1.5)", "an object is no number"),
    ("print(1.5 + Point(x: 1, y: 2))", "Point"),
    ("print(Point(x: 1, y: 2) * Point(x: 1, y: 2))", "Point"),
    ("print(Greedy(x: 1) / Greedy(x: 2))", "the scalar one"),  # div_scalar comes first, whatever is on the right
    ("val f = \\x: x\n    print(f(1, 2))", "2 arguments for a closure of 1"),
    ("print(shadowed(\\: 1))", "this calls the function half"),
]
DECLARATIONS = """
class Point:
    x: i64
    y: i64

    me move(by: i64):
        self.x = self.x + by

    fn __add__(other: Point) -> Point:
        Point(x: self.x + other.x, y: self.y + other.y)

    fn __lt__(other: Point) -> [i64]:
        [self.x, other.x]

class Greedy:
    x: i64

    fn div_scalar(number: i64) -> i64:
        panic("the scalar one")

    fn __div__(other: Greedy) -> i64:
        self.x

enum Shape:
    Point
    Square(i64)
    Box(i64, i64)

fn area(shape: Shape) -> i64:
    match shape:
        case Shape.Square(side): side * side
        case Shape.Box(width, height):
            val found = width * height
            found
        case _: 0

fn half(x: i64) -> Result<i64, text>:
    if x % 2 != 0:
        return Err("odd")
    Ok(x / 2)

fn quarter(x: i64) -> Result<i64, text>:
    half(half(x)?)

fn named(a: i64, b: i64 = 10, c: i64 = 1) -> [i64]:
    [a, b, c]

fn given(x: i64?) -> i64:
    match x:
        case Some(number): number + 1
        case nil: 0

fn twice(step: fn(i64) -> i64) -> i64:
    step(step(2))

fn count(number: fn() -> i64) -> i64:
    number()

fn shadowed(half: fn() -> i64) -> i64:
    half()

fn returns() -> Result<i64, text>:
    defer print("deferred")
    if true:
        return Ok(1)
    Ok(2)

fn hands_on() -> Result<i64, text>:
    defer print("not here")
    half(3)?
    Ok(2)

fn main():
    """


def emulate(body: str) -> None:
    file = parser.parse(f"{DECLARATIONS}{body}\n")
    interpreter.Program([], {}, {"main": file}).call("main", "main")


@pytest.mark.parametrize(("body", "printed"), FORMS)
def test_form(body: str, printed: str, capsys) -> None:
    emulate(body)
    assert capsys.readouterr().out == f"{printed}\n"


@pytest.mark.parametrize(("body", "message"), FAULTS)
def test_fault(body: str, message: str) -> None:
    with pytest.raises(values.Fault, match=message):
        emulate(body)


# The programs of first contact, which tell what a compiler of Simple accepts.

CONTACT = ROOT / "bindings-gen/languages/simple/first_contact"
NEEDED = sorted(p.stem for p in CONTACT.glob("needed/*.spl"))
# What the emulator makes of forms that the package avoids, as the sources of Simple's interpreter say. None: it does
# not have them, so that the package cannot use them by mistake.
ASKED = {
    "a_double_beside_an_object": "an object is no number",
    "a_line_behind_a_block": None,
    "defer_and_try": "failed",
    "generic_functions": None,
    "matmul_and_plus": "(a@(b+a))",
    "question_dot": None,
    "scalar_before_dunder": "div_scalar",
    "some_of_an_optional": "a number",
    "try_in_a_closure": "failed",
    "wide_words": "shortened to 1",
}


@pytest.mark.parametrize("name", NEEDED)
def test_what_first_contact_needs_is_in_the_subset(files, name: str) -> None:
    parts = {f"parts{n}": parser.parse((CONTACT / f"needed/parts/{p}.spl").read_text()) for n, p in PARTS}
    one = parser.parse((CONTACT / f"needed/{name}.spl").read_text(), f"{name}.spl")
    assert check({**files, **parts, name: one}, only=name) == []
    for part in parts if name == "modules" else ():
        assert check({**parts, name: one}, only=part) == []


PARTS = (("", "__init__"), (".numbers", "numbers"))


def contact(path: Path) -> tuple[str, str, int]:
    """What `simple run` prints, complains of and ends with."""
    printed, lanes = io.StringIO(), transport.Transport()
    try:
        with contextlib.redirect_stdout(printed):
            interpreter.Program([PACKAGE, path.parent], runtime(lanes, [])).run(path)
    except (values.Fault, tokens.SyntaxFault, transport.TransportFault) as fault:
        return printed.getvalue(), f"{fault}\n", 1
    return printed.getvalue(), "", 0


@pytest.mark.parametrize("name", sorted(p.stem for p in CONTACT.glob("asked/*.spl")))
def test_what_first_contact_asks(name: str) -> None:
    path = CONTACT / f"asked/{name}.spl"
    assert tokens.tokens(path.read_text(), name)[-1][0] == "end"
    printed, complaint, _ = contact(path)
    if ASKED[name] is None:
        assert complaint and not printed
    else:
        assert ASKED[name] in printed + complaint and "deferred" not in printed and "went on" not in printed


def test_first_contact_prints_what_is_accepted(files, library: Path, monkeypatch, capsys) -> None:
    monkeypatch.setenv("SIMPLE_SFFI_PATH", str(library.parent))

    def run(command: str, arguments: list[str]) -> tuple[str, str, int]:
        verb, path = arguments
        assert (command, verb) == ("bin/simple", "run")
        return ("", "error: expected Fn\n", 1) if path.endswith("/enums.spl") else contact(Path(path))

    def first_contact() -> int:
        given = {**runtime(transport.Transport(), ["bin/simple", str(CONTACT)]), "rt_process_run": run}
        return interpreter.Program([], given, files).call("first_contact", "main")

    assert first_contact() == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("NO")] == ["NO   enums: exit code 1, error: expected Fn"]
    assert sorted(line[5:].split(":")[0] for line in lines if line[:4] in ("yes ", "NO  ")) == NEEDED
    said = dict(line.removeprefix("it says of ").split(": ", 1) for line in lines if line.startswith("it says of "))
    assert set(said) == set(ASKED) and said["wide_words"] == "shortened to 1"
    assert lines[-1] == f"{len(NEEDED) - 1} of {len(NEEDED)} that are needed"


# Programs.


@pytest.fixture(scope="session")
def library() -> Path:
    if not LIBRARY.exists():
        pytest.skip(f"{LIBRARY} is not built")
    return LIBRARY


@pytest.fixture
def program(files, library: Path) -> Callable[..., interpreter.Program]:
    """program(argument, …): the parsed files over the transport, with the arguments that a command line would give."""
    return lambda *arguments: interpreter.Program([], runtime(transport.Transport(), list(arguments)), files)


def programs() -> dict[str, tree.File]:
    return {n: parser.parse(p.read_text(), p.name) for n, p in modules(PROGRAMS).items()}


@pytest.mark.turns
def test_digits_learns_as_the_program_in_c_does(library: Path, tmp_path: Path) -> None:
    train_digits = BUILD / "examples/train_digits"
    if not train_digits.exists():
        pytest.skip(f"{train_digits} is not built")
    common = ["--epochs", "2", "--seed", "3", "--data", str(ROOT / "examples/data")]
    command = [
        sys.executable,
        "-m",
        "tests.languages.simple",
        "--path",
        PACKAGE,
        PROGRAM,
        *common,
        "--library",
        library,
    ]
    command += ["--losses", tmp_path / "simple", "--snapshots", tmp_path / "snapshots"]
    simple = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert simple.returncode == 0, simple.stdout + simple.stderr
    c = subprocess.run([train_digits, *common, "--losses", tmp_path / "c", "--quiet"], capture_output=True, text=True)
    assert c.returncode == 0, c.stderr
    # C prints 17 digits and Simple as many as are needed: the same doubles, to the last bit.
    losses = [float(line) for line in (tmp_path / "simple").read_text().split()]
    assert losses == [float(line) for line in (tmp_path / "c").read_text().split()]
    assert losses[1] < losses[0] and len([*(tmp_path / "snapshots").glob("*.pt")]) == 2
    assert simple.stdout == c.stdout  # the loss and the accuracy of the test


@pytest.mark.turns
def test_images_of_a_folder_are_learned_as_by_the_program_in_c(library: Path) -> None:
    image_folder, shapes = BUILD / "examples/image_folder", ROOT / "examples/data/shapes"
    if not image_folder.exists():
        pytest.skip(f"{image_folder} is not built")
    command = [sys.executable, "-m", "tests.languages.simple", "--path", PACKAGE, IMAGES, library, shapes]
    simple = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert simple.returncode == 0, simple.stdout + simple.stderr
    assert simple.stdout == subprocess.run([image_folder, shapes], capture_output=True, check=True, text=True).stdout


@pytest.mark.turns
@pytest.mark.parametrize("kind", exported_model.WRITERS)
def test_a_model_of_python_runs(library: Path, kind: str) -> None:
    program = ROOT / "examples/simple/run_model.spl"
    command = [
        sys.executable,
        "-m",
        "tests.languages.simple",
        "--path",
        PACKAGE,
        program,
        library,
        kind,
        exported_model.file(kind),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    exported_model.assert_equal(kind, done.stdout)


@pytest.mark.turns
def test_the_gpt_writes_what_the_program_in_c_writes(library: Path) -> None:
    gpt = BUILD / "examples/gpt"
    if not gpt.exists():
        pytest.skip(f"{gpt} is not built")
    text, steps = ROOT / "examples/data/sonnets.txt", "20"
    command = [sys.executable, "-m", "tests.languages.simple", "--path", PACKAGE, GPT, library, text, steps]
    simple = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert simple.returncode == 0, simple.stdout + simple.stderr
    c = subprocess.run([gpt, text, steps], capture_output=True, check=True, timeout=300).stdout
    # C prints three digits of a loss, and bytes; Simple all digits, and a question mark for what is no letter.
    losses = re.compile(r"step (\d+): loss ([\d.]+)\n")
    said = losses.sub(lambda m: f"step {m[1]}: loss {float(m[2]):.3f}\n", simple.stdout)
    assert said == re.sub(r"[^\n -~]", "?", c.decode("latin-1")) + "\n"
    assert len(losses.findall(simple.stdout)) == 20


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--epochs"], "--epochs needs a value"),
        (["--epochs", "none"], "--epochs none: no such option, or not such a value"),
        (["--library", "/no/such.so"], "there is no /no/such.so"),
        (["--data", "/no/such/folder"], "/no/such/folder/t10k-images-idx3-ubyte"),
    ],
)
def test_digits_says_what_is_wrong(program, library: Path, capsys, arguments: list[str], said: str) -> None:
    given = arguments if "--library" in arguments else ["--library", str(library), *arguments]
    assert program(*given).call("digits", "main") in (1, 2)
    assert said in capsys.readouterr().out


def test_temporaries_do_not_pile_up(files, program, library: Path) -> None:
    """Two times forty rounds with 20 MB of temporaries each: 1.6 GB in all, and less than 100 MB more than before."""
    running = program()
    running.files = {**files, **programs()}
    assert running.call("ml.torch.ffi", "load_ctorch", str(library)).name == "Ok"
    assert running.call("memory", "dropped", 2).name == "Ok"  # LibTorch's own memory comes with the first calls
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert running.call("memory", "main") == 0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


RUN_PROGRAM = """
import sys
from pathlib import Path
from tests.languages.simple.interpreter import Program
from tests.languages.simple.runtime import runtime
from tests.languages.simple.transport import Transport
sys.setrecursionlimit(20_000)  # a call of Simple takes a dozen of Python's
package, programs, library, name, *numbers = sys.argv[1:]
running = Program([Path(package), Path(programs)], runtime(Transport(), []))
assert running.call("ml.torch.ffi", "load_ctorch", library).name == "Ok"
assert running.call(name, "main", *map(int, numbers)) == 0
"""


@pytest.mark.parametrize(
    "name",
    "values native failures gradients modules optimizers layer typed ownership rooms hostile".split(),
)
def test_program(files, library: Path, name: str) -> None:
    """Programs that check themselves; tests/languages/simple/programs."""
    assert check({**files, **programs()}, only=name) == []
    # In a process of its own: where Python's torch is loaded, some operators word their failures in another way.
    done = subprocess.run(
        [sys.executable, "-c", RUN_PROGRAM, PACKAGE, PROGRAMS, library, name],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.turns
def test_files_are_exchanged_with_python(files, library: Path, tmp_path: Path) -> None:
    assert check({**files, **programs()}, only="files") == []
    given, made = file_exchange.give(tmp_path / "given"), tmp_path / "made"
    (made / "sharded").mkdir(parents=True)
    script = RUN_PROGRAM.replace("*map(int, numbers)", "*numbers")
    command = [sys.executable, "-c", script, PACKAGE, PROGRAMS, library, "files", given, made]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[0].split() == (given / "named.txt").read_text().split()
    file_exchange.check(made)


@pytest.mark.turns
def test_data_is_loaded_and_trained_with(files, library: Path, tmp_path: Path) -> None:
    assert check({**files, **programs()}, only="loading") == []
    script = RUN_PROGRAM.replace("*map(int, numbers)", "*numbers")
    shapes = ROOT / "examples/data/shapes/test"
    command = [sys.executable, "-c", script, PACKAGE, PROGRAMS, library, "loading", tmp_path, shapes]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.turns
def test_data_is_loaded_as_in_python(files, library: Path, tmp_path: Path) -> None:
    assert check({**files, **programs()}, only="loaded") == []
    folder = data_program.give(tmp_path)
    script = RUN_PROGRAM.replace("*map(int, numbers)", "*numbers")
    command = [sys.executable, "-c", script, PACKAGE, PROGRAMS, library, "loaded", folder]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    data_program.check(done.stdout, folder, without=frozenset(("callback 0", "callback 2", "noisy", "step")))


@pytest.mark.turns
def test_steps_are_captured_and_replayed(files, library: Path) -> None:
    assert check({**files, **programs()}, only="tapes") == []
    command = [sys.executable, "-c", RUN_PROGRAM, PACKAGE, PROGRAMS, library, "tapes"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.turns
def test_torchscript_is_traced_saved_and_loaded(files, library: Path, tmp_path: Path) -> None:
    assert check({**files, **programs()}, only="scripts") == []
    script = RUN_PROGRAM.replace("*map(int, numbers)", "*numbers")
    command = [sys.executable, "-c", script, PACKAGE, PROGRAMS, library, "scripts", tmp_path / "traced.pt"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    loaded = torch.jit.load(tmp_path / "traced.pt")
    assert loaded(torch.ones(3, 2)).shape == (3, 1)


@pytest.mark.turns
def test_training_gives_the_numbers_of_python(files, library: Path) -> None:
    assert check({**files, **programs()}, only="trainings") == []
    command = [sys.executable, "-c", RUN_PROGRAM, PACKAGE, PROGRAMS, library, "trainings"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    training.check(done.stdout)


def test_the_program_of_the_readme(files, program, library: Path, capsys) -> None:
    text = re.search(r"```simple\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)[1]
    file = parser.parse(text.replace("build/libspl_ctorch.so", str(library)), "README.md")
    assert check({**files, "readme": file}, only="readme") == []
    running = program()
    running.files = {**files, "readme": file}
    assert running.call("readme", "main") == 0
    assert capsys.readouterr().out.startswith("tensor([[")


def test_the_second_program_of_the_readme(files, program, library: Path, capsys) -> None:
    text = re.findall(r"```simple\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)[1]
    file = parser.parse(text.replace("build/libspl_ctorch.so", str(library)), "README.md")
    assert check({**files, "readme": file}, only="readme") == []
    running = program()
    running.files = {**files, "readme": file}
    assert running.call("readme", "main") == 0
    assert re.fullmatch(r"accuracy (0\.9\d|1\.00)\n", capsys.readouterr().out)


def test_a_runtime_that_rejects_calls_fails_at_load(files, library: Path) -> None:
    """Simple's native runtime answers 0 to a call that it cannot make, which would pass for success."""

    class Rejecting(transport.Transport):
        def call_words(self, function: int, arguments: list[int], count: int) -> int:
            return super().call_words(function, arguments, count) if count < 8 else 0

    class Shortening(transport.Transport):
        def call_words(self, function: int, arguments: list[int], count: int) -> int:
            return super().call_words(function, [a & 0xFFFFFFFF for a in arguments], count)

    for lane in (Rejecting(), Shortening()):
        running = interpreter.Program([], runtime(lane, []), files)
        loaded = running.call("ml.torch.ffi", "load_ctorch", str(library))
        assert loaded.name == "Err" and "does not carry eight words" in loaded.fields[0]
        assert running.call("ml.torch.ffi", "ctorch_version").name == "Err"


def test_a_missing_symbol_fails_at_load_with_its_name(files, library: Path) -> None:
    text = (PACKAGE / "ml/torch/ffi.spl").read_text()
    changed = parser.parse(text.replace('"rt_ctorch_aten_relu",', '"rt_ctorch_aten_rely",'))
    running = interpreter.Program([], runtime(transport.Transport(), []), {**files, "ml.torch.ffi": changed})
    loaded = running.call("ml.torch.ffi", "load_ctorch", str(library))
    assert loaded.name == "Err" and "has no rt_ctorch_aten_rely" in loaded.fields[0]
    assert running.call("ml.torch.ffi", "ctorch_version") == values.err(
        "ctorch is not loaded: call load_ctorch() first"
    )


def test_integers_cross_the_lane_of_61_bits_whole_or_not_at_all(program, library: Path) -> None:
    """What the lane shortens is refused where it would be a plain word, and arrives in halves elsewhere."""
    running = program()
    call = running.call
    assert call("ml.torch.ffi", "load_ctorch", str(library)).name == "Ok"
    symbol = running.runtime["spl_dlsym"](running.runtime["spl_dlopen"](str(library)), "rt_ctorch_number_int")
    shortened = running.runtime["spl_wffi_call_i64"](symbol, [2**60], 1)
    assert call("ml.torch.words", "integer_of_word", shortened) == -(2**60)  # the emulation is no pretence
    for number in (2**60, -(2**60) - 1, 2**63 - 1, -(2**63)):
        refused = call("ml.torch.ffi", "ctorch_number_int", number)
        assert refused == values.err(f"an integer of [{number}] has more than 61 bits")
        assert call("ml.torch.ffi", "word_or_code", refused) == -31
    for number in (2**60 - 1, -(2**60)):
        (word,) = call("ml.torch.ffi", "ctorch_number_int", number).fields
        assert call("ml.torch.words", "integer_of_word", word) == number
    (whole,) = call("ml.torch.ffi", "ctorch_number_int_halves", 2**28, 0).fields
    assert call("ml.torch.words", "integer_of_word", whole) == 2**60
    assert call("ml.torch.ffi", "ctorch_live_handles") == values.ok(0)


def test_threads_have_their_own_errors(program, library: Path) -> None:
    call = program().call
    assert call("ml.torch.ffi", "load_ctorch", str(library)).name == "Ok"
    sizes = [call("ml.torch.ffi", "ctorch_ints_of", 2, n, n + 1, 0, 0, 0, 0, 0).fields[0] for n in range(2, 6)]
    wrong: list[str] = []

    def work(n: int) -> None:
        for _ in range(50):
            one = call("ml.torch.ffi", "ctorch_aten_zeros", sizes[n], 0, 0, 0, 0).fields[0]
            failed = call("ml.torch.ffi", "ctorch_aten_mm", one, one)
            if failed.name != "Err" or f"({n + 2}x{n + 3} and {n + 2}x{n + 3})" not in failed.fields[0]:
                wrong.append(f"{n}: {failed}")
            call("ml.torch.ffi", "ctorch_release", one)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for size in sizes:
        call("ml.torch.ffi", "ctorch_release", size)
    assert wrong == []
    assert call("ml.torch.ffi", "ctorch_live_handles") == values.ok(0)


RUN_CUBE = """
import ctypes
cube = ctypes.CDLL(sys.argv.pop())
half = ctypes.c_double(0.5)
sys.argv += [str(ctypes.cast(f, ctypes.c_void_p).value) for f in (cube.cube_forward, cube.cube_backward)]
sys.argv.append(str(ctypes.addressof(half)))
"""


def test_a_function_with_a_backward_in_c(files, library: Path, tmp_path: Path) -> None:
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    assert check({**files, **programs()}, only="cube") == []
    shared = tmp_path / "libcube.so"
    command = [compiler, "-std=gnu11", "-Wall", "-Werror", "-fPIC", "-shared", "-I", ROOT / "include"]
    command += [HERE / "simple/cube.c", "-o", shared, "-L", BUILD, "-lctorch", f"-Wl,-rpath,{BUILD}"]
    subprocess.run(command, check=True)
    program = RUN_PROGRAM.replace("package, programs", f"{RUN_CUBE}package, programs", 1)
    command = [sys.executable, "-c", program, PACKAGE, PROGRAMS, library, "cube", shared]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_class_layer_gives_what_python_gives(library: Path) -> None:
    """Each method of Tensor that is written by hand."""
    pytest.importorskip("torch")
    command = [sys.executable, "-m", "tests.languages.simple.layer_parity", PACKAGE, library]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]


def test_a_training_loop_keeps_nothing(library: Path) -> None:
    """2,000 steps and the same number of handles after each, or with CTORCH_SIMPLE_STEPS as many as it says."""
    steps = os.environ.get("CTORCH_SIMPLE_STEPS", "2000")
    command = [sys.executable, "-c", RUN_PROGRAM, PACKAGE, PROGRAMS, library, "training", steps]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.turns
def test_operators_give_what_python_gives(library: Path) -> None:
    """An eighth of them, or with CTORCH_ALL_OPERATORS=1 all."""
    pytest.importorskip("torch")
    every = "1" if os.environ.get("CTORCH_ALL_OPERATORS") else "8"
    api, policy = BUILD / "generated/api.json", ROOT / "bindings-gen/policy.toml"
    done = subprocess.run(
        [sys.executable, "-m", "tests.languages.simple.parity", PACKAGE, library, api, policy, every],
        cwd=ROOT, capture_output=True, text=True, timeout=900,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-300:]
    counts = json.loads(done.stdout.splitlines()[-1])
    assert counts["the same"] * int(every) > 1200 and counts["left out"] * int(every) < 320, counts
