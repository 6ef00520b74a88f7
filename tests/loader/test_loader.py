"""The loader (shim/loader/): libctorch.so.0 that opens the libctorch of the LibTorch at hand.

Each test lays out a folder with the loader and what it shall find, and runs a process there. Other LibTorchs, and the
ctorchs for them, are small libraries made for the test.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from tests.harness.capi import BUILD

LOADER = BUILD / "loader/libctorch.so.0"
API = json.loads((BUILD / "generated/api.json").read_text())

# What a process asks of the loader: `lib`, and the error of a call as a tuple.
ASK = """
import ctypes, json, os, sys
lib = ctypes.CDLL(sys.argv[1])
p, s = ctypes.c_void_p, ctypes.c_char_p
lib.ctorch_error_message.argtypes = lib.ctorch_error_function.argtypes = lib.ctorch_error_trace.argtypes = [p]
lib.ctorch_error_message.restype = lib.ctorch_error_function.restype = lib.ctorch_error_trace.restype = s
lib.ctorch_error_kind_of.argtypes = lib.ctorch_error_release.argtypes = [p]
lib.ctorch_error_kind_name.restype = lib.ctorch_version.restype = lib.ctorch_version_torch.restype = s
lib.ctorch_error_add_frame.argtypes = [p, s, ctypes.c_int32, s]
lib.ctorch_error_add_frame.restype = lib.ctorch_error_release.restype = None

def call(name, *arguments):
    function = lib[name]
    function.restype = p
    error = function(*arguments)
    if error is None:
        return None
    told = [lib.ctorch_error_kind_of(error), lib.ctorch_error_function(error).decode(),
            lib.ctorch_error_message(error).decode()]
    lib.ctorch_error_release(error)
    return told
"""
UNSUPPORTED = 32
NULL_ARGUMENT = 30


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that holds the loader and nothing else."""
    (tmp_path / "lib").mkdir()
    shutil.copy(LOADER, tmp_path / "lib/libctorch.so.0")
    return tmp_path / "lib"


def compiled(path: Path, code: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    source = path.parent / "source.c"
    source.write_text(code)
    options = ["-shared", "-fPIC", f"-Wl,-soname,{path.name}", "-o", path, source]
    subprocess.run([os.environ.get("CC", "cc"), *options], check=True)
    source.unlink()
    return path


def torch_of(path: Path, major: int, minor: int) -> Path:
    """A LibTorch that tells its version and can nothing else."""
    number = major << 56 | minor << 48
    return compiled(path, f"unsigned long aoti_torch_abi_version(void) {{ return {number}UL; }}\n")


def ctorch_of(path: Path) -> Path:
    """A ctorch with three functions, one of which makes an error that is the message itself."""
    return compiled(
        path,
        """
        void *ctorch_error_new(const char **out, int kind, const char *message) {
          static char copy[9000];
          __builtin_strcpy(copy, message);
          *out = copy;
          return 0;
        }
        const char *ctorch_error_message(const char *error) { return error; }
        const char *ctorch_version_torch(void) { return "the ctorch in use"; }
        """,
    )


def ask(folder: Path, questions: str, **environment: str | Path) -> object:
    """What a process prints as JSON that has the loader of `folder` and this environment alone."""
    env = {"PATH": "/nonexistent", **{name: str(value) for name, value in environment.items()}}
    command = [sys.executable, "-S", "-", str(folder / "libctorch.so.0")]  # the names of all functions are no argument
    done = subprocess.run(command, input=ASK + questions, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


VERSION = "print(json.dumps(lib.ctorch_version_torch().decode()))"
WHY = "print(json.dumps(call('ctorch_scope_begin', None)))"


def test_without_libtorch_every_function_fails_and_says_what_was_looked_for(folder: Path) -> None:
    fallible = [f["name"] for f in API["functions"] if f["returns"] == "ctorch_error *"]
    fallible.remove("ctorch_error_new")
    told = ask(
        folder,
        f"print(json.dumps([call(name) for name in {fallible}]))",
        VIRTUAL_ENV="/no/venv",
        CONDA_PREFIX="/no/conda",
    )
    assert [(kind, function) for kind, function, _ in told] == [(UNSUPPORTED, name) for name in fallible]
    (message,) = {message for *_, message in told}
    assert message.startswith("no LibTorch: ")
    for place in (f"{folder}/libtorch_cpu.so", f"{folder}/torch/lib", "/no/venv/lib/python3", "/no/conda/lib/python3"):
        assert place in message


def test_without_libtorch_other_functions_mean_nothing(folder: Path) -> None:
    texts = [f["name"] for f in API["functions"] if f["returns"] == "const char *" and f["name"] != "ctorch_version"]
    others = [
        f["name"] for f in API["functions"] if f["returns"] not in ("ctorch_error *", "const char *", "double", "void")
    ]
    names = [name for name in texts if name != "ctorch_error_kind_name"]
    told = ask(
        folder,
        f"""
def returned(name, type):
    function = lib[name]
    function.restype = type
    return function(None)
print(json.dumps([[returned(name, s).decode() for name in {names}],
                  [returned(name, ctypes.c_uint8) for name in {others}]]))
""",
    )
    assert told == [[""] * len(names), [0] * len(others)]


def test_errors_without_libtorch_are_errors_like_others(folder: Path) -> None:
    kinds = next(e for e in API["enums"] if e["name"] == "ctorch_error_kind")["values"]
    numbers = list(kinds.values())
    told = ask(
        folder,
        f"""
error = p()
assert call("ctorch_error_new", ctypes.byref(error), 4, b"mine") is None
lib.ctorch_error_add_frame(error, b"a.c", 7, b"f")
lib.ctorch_error_add_frame(error, None, 0, None)
mine = [lib.ctorch_error_kind_of(error), lib.ctorch_error_message(error).decode(),
        lib.ctorch_error_function(error).decode(), lib.ctorch_error_trace(error).decode()]
lib.ctorch_error_release(error)
lib.ctorch_error_release(None)
lib.ctorch_error_add_frame(None, b"a.c", 7, b"f")
names = [lib.ctorch_error_kind_name(number).decode() for number in {numbers}]
nothing = [lib.ctorch_error_kind_of(None), lib.ctorch_error_message(None).decode(), lib.ctorch_error_kind_name(12345)]
print(json.dumps([mine, names, nothing, call("ctorch_error_new", None, 4, b"x"),
                  call("ctorch_error_new", ctypes.byref(error), 4, None), lib.ctorch_version().decode()]))
""",
    )
    mine, names, nothing, no_out, no_message, version = told
    assert mine == [4, "mine", "", "a.c:7: f\n?:0: ?"]
    assert [f"CTORCH_ERROR_{name}" for name in names] == list(kinds)
    assert nothing == [0, "", None]
    assert no_out == [NULL_ARGUMENT, "ctorch_error_new", "out must not be NULL"]
    assert no_message == [NULL_ARGUMENT, "ctorch_error_new", "message must not be NULL"]
    assert version == API["version"]


@pytest.mark.parametrize("place", ["", "ctorch/"])
@pytest.mark.parametrize(
    ("where", "variable"),
    [
        ("lib/libtorch_cpu.so", None),
        ("lib/torch/lib/libtorch_cpu.so", None),
        ("given/lib/libtorch_cpu.so", "CTORCH_TORCH=given"),
        ("given/lib/x86_64-linux-gnu/libtorch_cpu.so", "CTORCH_TORCH=given"),
        ("given/torch/lib/libtorch_cpu.so", "CTORCH_TORCH=given"),
        ("given/libtorch/lib64/libtorch_cpu.so", "CTORCH_TORCH=given"),
        ("venv/lib/python3.12/site-packages/torch/lib/libtorch_cpu.so", "VIRTUAL_ENV=venv"),
        ("conda/lib/python3.9/site-packages/torch/lib/libtorch_cpu.so", "CONDA_PREFIX=conda"),
        ("usr/lib/python3/dist-packages/torch/lib/libtorch_cpu.so", "PATH=usr/bin"),
        ("system/libtorch_cpu.so", "LD_LIBRARY_PATH=system"),
    ],
)
def test_where_libtorch_is_found(folder: Path, where: str, variable: str | None, place: str) -> None:
    torch_of(folder.parent / where, 9, 7)
    ctorch_of(folder / place / "libctorch-9.7.so")
    environment = {}
    if variable:
        name, value = variable.split("=")
        environment[name] = f"/nothing/here:{folder.parent / value}" if name == "PATH" else str(folder.parent / value)
        if name == "PATH":
            (folder.parent / value).mkdir(parents=True)
            (folder.parent / value / "python3").symlink_to("/bin/true")
    assert ask(folder, VERSION, **environment) == "the ctorch in use"


@pytest.mark.parametrize(
    ("name", "text"),
    [("torch/version.py", "x = 1\n__version__ = '9.7.1+cu124'\n"), ("torch/build-version", "9.7.1\n")],
)
def test_the_version_of_a_libtorch_that_does_not_tell_it(folder: Path, name: str, text: str) -> None:
    compiled(folder / "torch/lib/libtorch_cpu.so", "int nothing;\n")
    (folder / name).write_text(text)
    ctorch_of(folder / "libctorch-9.7.so")
    assert ask(folder, VERSION) == "the ctorch in use"


def test_the_version_in_the_name_of_a_file(folder: Path) -> None:
    compiled(folder / "torch/lib/libtorch_cpu.so.9.7", "int nothing;\n")
    (folder / "torch/lib/libtorch_cpu.so").symlink_to("libtorch_cpu.so.9.7")
    ctorch_of(folder / "libctorch-9.7.so")
    assert ask(folder, VERSION) == "the ctorch in use"


def test_a_libtorch_without_a_version_is_refused(folder: Path) -> None:
    compiled(folder / "torch/lib/libtorch_cpu.so", "int nothing;\n")
    assert f"no version of LibTorch in or around {folder}/torch/lib/libtorch_cpu.so" in ask(folder, WHY)[2]


def test_what_cannot_be_loaded_is_told(folder: Path) -> None:
    (folder / "libtorch_cpu.so").write_text("not a library")
    assert f"{folder}/libtorch_cpu.so: file too short" in ask(folder, WHY)[2]
    (folder / "libtorch_cpu.so").unlink()
    torch_of(folder / "libtorch_cpu.so", 9, 7)
    (folder / "libctorch-9.7.so").write_text("nor this")
    assert f"{folder}/libctorch-9.7.so: file too short" in ask(folder, WHY)[2]


def test_a_libtorch_without_its_ctorch(folder: Path) -> None:
    torch = torch_of(folder / "libtorch_cpu.so", 9, 8)
    ctorch_of(folder / "libctorch-9.7.so")
    message = ask(folder, WHY)[2]
    assert message == (
        f"{torch} is LibTorch 9.8, for which there is no ctorch: no {folder}/libctorch-9.8.so, "
        f"no {folder}/ctorch/libctorch-9.8.so"
    )


def test_what_is_given_is_taken_or_nothing(folder: Path) -> None:
    torch_of(folder / "libtorch_cpu.so", 9, 7)
    ctorch_of(folder / "libctorch-9.7.so")
    assert ask(folder, VERSION) == "the ctorch in use"
    message = ask(folder, WHY, CTORCH_TORCH="/no/torch")[2]
    assert message.endswith("(CTORCH_TORCH says /no/torch, so that nothing else was looked for)")
    assert "/no/torch/lib" in message


def test_what_the_process_has_goes_first(folder: Path) -> None:
    mine = torch_of(folder.parent / "mine/libtorch_cpu.so", 9, 6)
    torch_of(folder.parent / "given/lib/libtorch_cpu.so", 9, 7)
    ctorch_of(folder / "libctorch-9.7.so")
    message = ask(folder, WHY, CTORCH_TORCH=folder.parent / "given", LD_PRELOAD=mine)[2]
    assert message.startswith(f"{mine} is LibTorch 9.6, for which there is no ctorch")


def test_a_function_that_the_ctorch_in_use_lacks(folder: Path) -> None:
    torch_of(folder / "libtorch_cpu.so", 9, 7)
    ctorch = ctorch_of(folder / "libctorch-9.7.so")
    question = """
lib.ctorch_scope_begin.restype = s
print(json.dumps(lib.ctorch_scope_begin(None).decode()))
"""
    assert ask(folder, question) == f"{ctorch} has no function ctorch_scope_begin"


@pytest.mark.parametrize(
    ("processor", "option", "mark"),
    [("x86_64", "-fcf-protection=branch", "endbr64"), ("aarch64", "-mbranch-protection=standard", "bti\tc")],
)
def test_each_entry_is_marked_as_the_target_of_a_branch(tmp_path: Path, processor: str, option: str, mark: str) -> None:
    """A function called by a pointer must begin so, or its whole library may not say that it keeps to that."""
    compiler, objdump = (shutil.which(f"{processor}-linux-gnu-{tool}") for tool in ("gcc", "objdump"))
    if compiler is None or objdump is None:
        pytest.skip(f"no compiler for {processor}")
    root = Path(__file__).parents[2]
    includes = [f"-I{folder}" for folder in (root / "include", root / "shim", BUILD / "generated")]
    compiled = [
        compiler,
        option,
        "-fPIC",
        *includes,
        "-c",
        root / "shim/loader/entries.c",
        "-o",
        tmp_path / "entries.o",
    ]
    subprocess.run(compiled, check=True)
    command = [objdump, "--disassemble", "--no-show-raw-insn", tmp_path / "entries.o"]
    code = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    first = dict(re.findall(r"<(ctorch_\w+)>:\n\s*[0-9a-f]+:\t(.*?)\s*$", code, re.MULTILINE))
    assert first == dict.fromkeys((f["name"] for f in API["functions"]), mark)


@pytest.mark.turns
@pytest.mark.parametrize("program", ["check_error", "check_tensor", "check_autograd", "check_warning"])
def test_a_program_linked_with_one_runs_with_the_other(tmp_path: Path, program: str) -> None:
    """The program was linked with the ctorch of one LibTorch; it runs with the loader as it is installed."""
    command = ["cmake", "--install", BUILD, "--component", "loader", "--prefix", tmp_path]
    subprocess.run(command, check=True, capture_output=True)
    (loader,) = tmp_path.glob("**/libctorch.so.0")
    minor = ".".join(API["torch_version"].split(".")[:2])
    assert [path.name for path in (loader.parent / "ctorch").iterdir()] == [f"libctorch-{minor}.so"]
    done = subprocess.run(
        [BUILD / "tests" / program],
        env={
            "LD_LIBRARY_PATH": str(loader.parent),
            "LD_DEBUG": "libs",
            "LD_DEBUG_OUTPUT": str(tmp_path / "loaded"),
            "CTORCH_TORCH": str(Path(torch.__file__).parent),
            "CK_DEFAULT_TIMEOUT": "120",
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert "Failures: 0, Errors: 0" in done.stdout
    loaded = "".join(path.read_text() for path in tmp_path.glob("loaded.*"))
    assert f"calling init: {loader}\n" in loaded
    assert f"calling init: {loader.parent}/ctorch/libctorch-{minor}.so\n" in loaded
