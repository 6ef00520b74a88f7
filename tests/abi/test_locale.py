"""A process with a decimal comma computes, reads and writes the same numbers as any other.

Each test runs a process of its own, in which setlocale() is called before LibTorch is loaded, or after it. The locale
is made by localedef, since few machines have it; without localedef (Debian: libc-bin) or the definition of de_DE
(Debian: locales) the tests are skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from tests.harness.capi import BUILD

LOCALE = "de_DE.UTF-8"
LIBRARY = os.environ.get("CTORCH_LIBRARY", str(BUILD / "libctorch.so"))

SETUP = r"""
import json, locale, os, re, sys
import cffi
ffi = cffi.FFI()
declarations = open(os.environ["CDEF"]).read()
operator = re.compile(r"^ctorch_error \*(ctorch_aten_\w+)\(.*\);\n", re.MULTILINE)
wanted = "|".join(["ctorch_aten_ones", "ctorch_aten_full", "ctorch_aten_leaky_relu"])
ffi.cdef(operator.sub(lambda m: m[0] if re.fullmatch(wanted, m[1]) else "", declarations))

def comma():
    assert locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
    assert locale.localeconv()["decimal_point"] == ","

def load():
    return ffi.dlopen(os.environ["LIBRARY"])

def check(error):
    if error != ffi.NULL:
        code, message = lib.ctorch_error_kind_of(error), ffi.string(lib.ctorch_error_message(error)).decode()
        lib.ctorch_error_release(error)
        raise RuntimeError(f"{code}: {message}")

def made(name, *arguments, type="ctorch_value *"):
    out = ffi.new(type + " *")
    check(getattr(lib, name)(out, *arguments))
    return out[0]

def text(string):
    return ffi.string(lib.ctorch_string_data(string)).decode()

def repr_of(value):
    return text(made("ctorch_value_repr", value, type="ctorch_string *"))

def op(name):
    return made("ctorch_op_find", name.encode(), ffi.NULL, type="ctorch_op *")

def default(name, i):
    return repr_of(made("ctorch_op_argument_default", op(name), i))

def tensor(number):
    fill = ffi.new("ctorch_scalar *", {"kind": 1, "re": number})
    return made("ctorch_aten_full", [2], 1, fill, ffi.NULL, ffi.NULL, ffi.NULL, ffi.NULL, type="ctorch_tensor *")

def call(name, *args):
    args = [ffi.cast("ctorch_value *", a) for a in args]
    return made("ctorch_op_call", op(name), args, len(args))
"""


@pytest.fixture(scope="module")
def locale_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("locales")
    try:
        subprocess.run(
            ["localedef", "-i", "de_DE", "-f", "UTF-8", str(folder / LOCALE)],
            check=True,
            capture_output=True,
            text=True,
        )
    except FileNotFoundError:
        pytest.skip("localedef is missing (Debian: libc-bin)")
    except subprocess.CalledProcessError as error:
        if not (folder / LOCALE).exists():
            pytest.skip(f"localedef cannot make {LOCALE} (Debian: locales): {error.stderr.strip()}")
    return folder


def run(locale_folder: Path, script: str, *arguments: str) -> object:
    environment = os.environ | {
        "LOCPATH": str(locale_folder),
        "CDEF": str(BUILD / "generated" / "ctorch.cdef.h"),
        "LIBRARY": LIBRARY,
    }
    environment.pop("LC_ALL", None)
    done = subprocess.run(
        [sys.executable, "-c", SETUP + script, *arguments], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])


DEFAULTS = """
names = made("ctorch_op_list")
found = {}
for i in range(lib.ctorch_value_len(names)):
    chars = ffi.new("const char **")
    check(lib.ctorch_value_to_string(chars, ffi.NULL, made("ctorch_value_get", names, i)))
    name = ffi.string(chars[0]).decode()
    operator = op(name)
    found[name] = [ffi.string(lib.ctorch_op_schema(operator)).decode()]
    for j in range(lib.ctorch_op_num_arguments(operator)):
        if lib.ctorch_op_argument_has_default(operator, j):
            found[name].append(repr_of(made("ctorch_op_argument_default", operator, j)))
print(json.dumps(found))
"""


def test_every_default_of_every_operator_survives(locale_folder: Path) -> None:
    expected = run(locale_folder, "lib = load()\n" + DEFAULTS)
    found = run(locale_folder, "comma()\nlib = load()\n" + DEFAULTS)
    assert expected["aten::leaky_relu"][1] == "0.01"
    assert [name for name in expected if expected[name] != found.get(name)] == []
    assert list(found) == list(expected)


@pytest.mark.parametrize("load", ["comma()\nlib = load()\n", "lib = load()\ncomma()\n"], ids=["before", "after"])
def test_a_call_by_name_uses_the_default_as_written(locale_folder: Path, load: str) -> None:
    script = """
x = made("ctorch_value_from_tensor", tensor(-100.0))
results = [repr_of(call(name, x)) for name in ("aten::leaky_relu", "aten::hardshrink", "aten::softshrink")]
half = made("ctorch_value_from_tensor", tensor(0.25))
results += [repr_of(call(name, half)) for name in ("aten::hardshrink", "aten::softshrink")]
print(json.dumps(results))
"""
    assert run(locale_folder, load + script) == [
        "tensor([-1., -1.])",
        "tensor([-100., -100.])",
        "tensor([-99.5000, -99.5000])",
        "tensor([0., 0.])",
        "tensor([0., 0.])",
    ]


@pytest.mark.parametrize("load", ["comma()\nlib = load()\n", "lib = load()\ncomma()\n"], ids=["before", "after"])
def test_operators_of_the_callers_own_have_the_defaults_they_were_written_with(locale_folder: Path, load: str) -> None:
    script = """
library = made("ctorch_library_new", b"shop", type="ctorch_library *")
check(lib.ctorch_library_define(library, b"f(Tensor x, float a=1.5, Scalar b=-2.25, float[] c=[0.5, 1.0]) -> ()"))
results = [default("shop::f", i) for i in (1, 2, 3)] + [ffi.string(lib.ctorch_op_schema(op("shop::f"))).decode()]
print(json.dumps(results + [locale.localeconv()["decimal_point"]]))
"""
    *defaults, schema, point = run(locale_folder, load + script)
    assert defaults == ["1.5", "-2.25", "[0.5, 1.0]"]
    assert "float a=1.5" in schema and "Scalar b=-2.25" in schema
    assert point == ","  # the caller's locale is as it was


def test_a_doubtful_default_is_refused(locale_folder: Path) -> None:
    # LibTorch itself registers these, as any library of operators would whose author trusts std::stod.
    script = """
lib = load()
comma()
import ctypes
path = os.environ["LIBRARY"]
doubt = ctypes.CDLL(sys.argv[1])
results = []
for name, position in (("doubt::f", 1), ("doubt::f", 2), ("doubt::f", 3)):
    try:
        results.append(default(name, position))
    except RuntimeError as error:
        results.append(str(error))
x = made("ctorch_value_from_tensor", tensor(1.0))
one = made("ctorch_value_from_double", 1.5)
for arguments in ([x], [x, one], [x, one, one]):
    try:
        call("doubt::f", *arguments)
        results.append("called")
    except RuntimeError as error:
        results.append(str(error))
print(json.dumps(results))
"""
    library = BUILD / "tests" / "libdecimal_comma_operators.so"
    if not library.exists():
        pytest.skip("tests/decimal_comma_operators.cpp was not built")
    half, tiny, count, none, one, both = run(locale_folder, script, str(library))
    assert half.startswith("32: ") and "doubt::f(): the default of argument 'half'" in half
    assert tiny == "1e-05"
    assert count == "2"
    assert "argument 'half'" in none and none.startswith("32: ")
    assert one == both == "called"


def test_texts_have_points(locale_folder: Path, tmp_path: Path) -> None:
    script = """
results = [
    repr_of(made("ctorch_value_from_double", 1234567.25)),
    repr_of(made("ctorch_value_from_complex", 0.5, -1.5)),
    repr_of(made("ctorch_value_from_tensor", tensor(1234.5))),
    repr_of(made("ctorch_value_from_tensor", tensor(1.5e-7))),
]
activities = ffi.new("ctorch_device_type[]", [0])
check(lib.ctorch_profiler_start(activities, 1, 0))
call("aten::relu", made("ctorch_value_from_tensor", tensor(1.0)))
profile = made("ctorch_profiler_stop", type="ctorch_profiler_result *")
check(lib.ctorch_profiler_result_export_chrome_trace(profile, sys.argv[1].encode()))
averages = made("ctorch_profiler_result_key_averages", profile, False, 0, False, type="ctorch_profiler_averages *")
N = ffi.NULL
table = made(
    "ctorch_profiler_averages_table", averages, N, N, N, N, N, N, False, N, type="ctorch_string *")
results.append(text(table))
print(json.dumps(results))
"""
    trace = tmp_path / "trace.json"
    number, pair, plain, small, table = run(locale_folder, "comma()\nlib = load()\n" + script, str(trace))
    assert (number, pair) == ("1234567.25", "(0.5-1.5j)")
    assert plain == "tensor([1234.5000, 1234.5000])"
    assert small == "tensor([1.5000e-07, 1.5000e-07])"
    assert "aten::relu" in table and "," not in table
    events = json.loads(trace.read_text())["traceEvents"]
    assert any(event["name"] == "aten::relu" and isinstance(event["dur"], float) for event in events)


GROUPED = """
lib = load()
if sys.argv[1]:
    import ctypes
    ctypes.CDLL(sys.argv[1]).group_digits()
def failure(function, *arguments):
    try:
        function(*arguments)
    except RuntimeError as error:
        return str(error)
def zeros(*sizes):
    return made("ctorch_aten_ones", sizes, len(sizes), ffi.NULL, ffi.NULL, ffi.NULL, ffi.NULL, type="ctorch_tensor *")
def value(*sizes):
    return made("ctorch_value_from_tensor", zeros(*sizes))
code = failure(call, "aten::mm", value(1234, 2), value(5678, 3)).split(":")[0]
big = made("ctorch_value_from_int", 1000000)
texts = [failure(call, "aten::view", value(2), made("ctorch_value_from_list", [big], 1)), repr_of(big)]
reader = made("ctorch_reader_open", sys.argv[2].encode(), False, type="ctorch_reader *")
module = made("ctorch_jit_load", reader, ffi.NULL, type="ctorch_jit_module *")
for name, *more in (("schema",), ("graph", False)):
    texts.append(text(made("ctorch_jit_module_" + name, module, ffi.NULL, *more, type="ctorch_string *")))
saved = failure(lambda: check(lib.ctorch_jit_save_file(module, sys.argv[3].encode())))
shown = failure(lambda: made("ctorch_jit_module_code", module, ffi.NULL, type="ctorch_string *"))
print(json.dumps([code, texts, saved, shown]))
"""


def test_a_cpp_locale_that_groups_digits(locale_folder: Path, tmp_path: Path) -> None:
    library = BUILD / "tests" / "libdecimal_comma_operators.so"
    if not library.exists():
        pytest.skip("tests/decimal_comma_operators.cpp was not built")

    class Adds(torch.nn.Module):
        def forward(self, x: torch.Tensor, by: int = 1234567) -> torch.Tensor:
            return x + by + 7654321

    torch.jit.script(Adds()).save(tmp_path / "adds.pt")
    files = str(tmp_path / "adds.pt"), str(tmp_path / "again.pt")
    plain = run(locale_folder, GROUPED, "", *files)
    grouped = run(locale_folder, GROUPED, str(library), *files)
    assert grouped[0] == plain[0] == "20"  # SHAPE_MISMATCH
    assert grouped[1][1:] == plain[1][1:] and plain[1][1] == "1000000"
    assert "7654321" in plain[1][3] and "by=1234567" in plain[1][2]
    assert plain[2:] == [None, None]
    assert all("the C++ locale of this process groups digits" in refused for refused in grouped[2:])


def test_errors_of_the_layers_written_in_c_have_points(locale_folder: Path) -> None:
    program = BUILD / "tests" / "object_test"
    if not program.exists():
        pytest.skip("tests/abi/object_test.c was not built")
    environment = os.environ | {
        "LOCPATH": str(locale_folder),
        "CTORCH_TEST_LOCALE": LOCALE,
        "CTORCH_DEBUG_HANDLES": "1",
    }
    environment.pop("LC_ALL", None)
    done = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
