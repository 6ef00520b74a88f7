"""The errors of the tool `ctorch`: each is about what its reader typed, and names nothing that is for callers of C."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest
import safetensors.torch
import torch

from tests.cli.test_cli import ctorch

SHIM = Path(__file__).parents[2] / "shim"
# What the tool passes on is said in these; what is not, of them, is not called by it.
PASSED_ON = "io pickle pt safetensors numpy gguf weights export core/jit core/archive".split()
NOT_CALLED = {
    "globals.c": "ctorch_serialization_load_with; `allow`",  # the tool's callback has a message of its own
    "jit_call.cpp": "(ctorch_jit_module_call)",  # the tool calls that
    "program_text.c": "as a package (ctorch_package_load)",  # a program as a text
}
LITERALS = re.compile(r'(?:"(?:[^"\\\n]|\\.)*"(?:\s|PRI\w\d\d)*)+')
FOR_C = re.compile(r"\bctorch_[a-z]\w*|\bcallback\b|\bNULL\b|\b(size|u?int\d+)_t\b|\bstruct \w")


def messages(path):
    """The texts of a file of C that are sentences, where what is put together stands together."""
    code = re.sub(r"/\*.*?\*/|^#.*?$|//.*?$", "", path.read_text(), flags=re.DOTALL | re.MULTILINE)
    for found in LITERALS.finditer(code):
        text = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', found[0]))
        if " " in text and not text.startswith("Usage: "):  # a help page, of functions in C too
            yield text


def advice():
    table = re.search(r"ADVICE\[\]\[2\] = \{(.*?)\n\};", (SHIM / "cli/report.c").read_text(), re.DOTALL)[1]
    return [re.findall(r'"((?:[^"\\]|\\.)*)"', entry) for entry in re.findall(r"\{(.*?)\}", table, re.DOTALL)]


def test_no_message_of_the_tool_is_for_callers_of_c():
    said = [text for path in sorted((SHIM / "cli").glob("*.c")) for text in messages(path)]
    assert len(said) > 100
    mine = [before for before, _ in advice()]
    assert [text for text in said if FOR_C.search(text) and text not in mine] == []


def test_no_message_that_the_tool_passes_on_is_for_callers_of_c():
    used, wrong = set(), []
    for path in (path for room in PASSED_ON for path in sorted((SHIM / room).glob("*.c*"))):
        for text in messages(path):
            for before, after in advice():
                used |= {before} if before in text else set()
                text = text.replace(before, after)
            if re.search(r"\bctorch_[a-z]", text) and NOT_CALLED.get(path.name, "\n") not in text:
                wrong.append((path.name, text))
    assert wrong == []
    assert used == {before for before, _ in advice()}, "advice that no message gives any more"


class Command:
    """Arguments, in which names of files become paths, and what the message names."""

    def __init__(self, *arguments, names):
        self.arguments, self.names = arguments, names


FILES = ["state.pt", "shared.pt", "object.pt", "cut.pt", "cut.safetensors", "empty.pt", "text.txt", "script.pt"]
COMMANDS = [
    *(Command(command, "absent.pt", names="absent.pt") for command in ("inspect", "run", "bench", "board")),
    *(Command(command, "text.txt", names="text.txt") for command in ("inspect", "run", "bench")),
    *(Command(command, "empty.pt", names="empty.pt") for command in ("inspect", "run", "bench")),
    *(Command("inspect", file, names=file) for file in ("cut.pt", "cut.safetensors", "script.pt", ".")),
    *(
        Command(command, "--none", "state.pt", names="--none")
        for command in ("inspect", "run", "bench", "board", "info")
    ),
    *(Command(command, "state.pt", names="state.pt") for command in ("run", "bench")),
    *(
        Command("convert", file, "out.npz", names=file)
        for file in ("absent.pt", "cut.pt", "cut.safetensors", "text.txt")
    ),
    Command("convert", "state.pt", "absent/out.npz", names="absent/out.npz"),
    Command("convert", "state.pt", "out.xyz", names="out.xyz"),
    Command("convert", "--to", "gguf", "state.pt", "out", names="--to"),
    Command("convert", "--dtype", "float33", "state.pt", "out.pt", names="--dtype"),
    Command("convert", "--rename", "x", "state.pt", "out.pt", names="--rename"),
    Command("convert", "--shard", "x", "state.pt", "out.pt", names="--shard"),
    Command("diff", "state.pt", "absent.pt", names="absent.pt"),
    Command("diff", "cut.pt", "state.pt", names="cut.pt"),
    Command("diff", "--rtol", "x", "state.pt", "state.pt", names="--rtol"),
    Command("board", "--smooth", "2", "empty.pt", names="--smooth"),
    Command("run", "--device", "cuda:x", "script.pt", names="--device"),
    Command("run", "--threads", "x", "script.pt", names="--threads"),
    Command("run", "--input", "absent.npy", "script.pt", names="absent.npy"),
    Command("run", "--input", "cut.pt", "script.pt", names="cut.pt"),
    Command("run", "--arguments", "absent.pt", "script.pt", names="absent.pt"),
    Command("run", "--arguments", "object.pt", "script.pt", names="object.pt"),
    Command("run", "--arguments", "cut.pt", "script.pt", names="cut.pt"),
    Command("run", "--input", "state.pt", "--arguments", "state.pt", "script.pt", names="--arguments"),
    Command("bench", "script.pt", names="--input"),
    Command("bench", "--repeat", "0", "script.pt", names="--repeat"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("errors")
    x = torch.ones(2)
    torch.save({"x": x, "y": torch.zeros(3)}, made / "state.pt")
    torch.save((argparse.Namespace(x=x),), made / "object.pt")
    safetensors.torch.save_file({"x": x}, made / "cut.safetensors")
    torch.save({"x": x}, made / "cut.pt")
    for name in ("cut.pt", "cut.safetensors"):
        (made / name).write_bytes((made / name).read_bytes()[:-3])
    (made / "empty.pt").write_bytes(b"")
    (made / "text.txt").write_text("text")
    torch.jit.save(torch.jit.script(torch.nn.Linear(2, 3)), made / "script.pt")
    return made


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command.arguments))
def test_each_error_names_the_file_or_the_option(folder, monkeypatch, command):
    monkeypatch.chdir(folder)
    said = ctorch(*command.arguments, status=2)
    assert command.names in said
    assert not FOR_C.search(said)
    assert not list(folder.glob("out*"))
