"""gen.py: what each mode writes, and how it refuses, on a tree of its own with a small yaml and our real headers."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
import sys
from pathlib import Path

import gen
import pytest
from ctorchgen.emit.c import cpp, structured

ADD = "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"
SIN = "sin(Tensor self) -> Tensor"
STACK = "_stack(Tensor[] tensors, int dim=0) -> Tensor"
BUILT = {
    "api.json",
    "coverage.md",
    "ctorch.cdef.h",
    "ctorch.i",
    "exports.map",
    "outputs.txt",
    *(f"aten_{i}.cpp" for i in range(cpp.SHARDS)),
    *(f"structured_{i}.cpp" for i in range(structured.SHARDS)),
    "structured_table.cpp",
    "tape_roles.cpp",
}
FOLDERS = {"bindings", "loader", "word"}


class Tree:
    """A copy of what gen.py reads and writes. `run` returns (exit code, standard output, standard error)."""

    def __init__(self, folder: Path, repository: Path, monkeypatch, capsys):
        self.root = folder / "tree"
        self.generated = self.root / "include/ctorch/generated"
        self.lock = self.root / "bindings-gen/abi/aten.lock"
        self.policy = self.root / "bindings-gen/policy.toml"
        self.monkeypatch, self.capsys = monkeypatch, capsys
        self.yamls = (folder / f"yaml_{i}" for i in itertools.count())  # torchgen remembers a path's content
        shutil.copytree(repository / "include", self.root / "include", ignore=shutil.ignore_patterns("generated"))
        self.lock.parent.mkdir(parents=True)
        self.policy.write_text("# nothing\n")
        self.schemas = [ADD, STACK]

    def run(self, *options: str, yaml: Path | None = None):
        if yaml is None:
            folder = next(self.yamls)
            folder.mkdir()
            (folder / "tags.yaml").write_text("[]\n")
            yaml = folder / "small.yaml"
            yaml.write_text("".join(f"- func: {s}\n" for s in self.schemas))
        command = ["gen.py", "--root", str(self.root), "--yaml", str(yaml), "--torch-version", "2.13.0", *options]
        self.monkeypatch.setattr(sys, "argv", command)
        self.capsys.readouterr()
        code = gen.main()
        return code, *self.capsys.readouterr()

    def files(self) -> dict[str, str]:
        return {str(p.relative_to(self.root)): p.read_text() for p in self.root.rglob("*") if p.is_file()}


@pytest.fixture
def tree(tmp_path, root, monkeypatch, capsys) -> Tree:
    return Tree(tmp_path, root, monkeypatch, capsys)


@pytest.fixture
def locked(tree) -> Tree:
    """The tree after its first `gen.py --update-lock`."""
    code, _, error = tree.run("--update-lock")
    assert (code, error) == (0, "")
    return tree


def test_the_first_run_needs_update_lock(tree):
    before = tree.files()
    code, _, error = tree.run()
    assert code == 1
    assert re.match(
        r"gen\.py: \d+ functions or types are not in abi/\*\.lock yet \(ctorch_aten__stack, .*, …\);", error
    )
    assert "gen.py --update-lock adds them" in error
    assert tree.files() == before


def test_update_lock_writes_locks_and_headers(tree):
    before = tree.files()
    code, out, error = tree.run("--update-lock")
    assert (code, error) == (0, "")
    new = tree.files().keys() - before.keys()
    assert new == {
        "include/ctorch/generated/aten.h",
        "include/ctorch/generated/aten_private.h",
        "include/ctorch/generated/shorthand.h",
        "bindings-gen/abi/aten.lock",
        "bindings-gen/abi/core.lock",
        "bindings-gen/abi/word.lock",
    }
    assert "ctorch_aten_add_Tensor(" in (tree.generated / "aten.h").read_text()
    assert "ctorch_aten__stack(" in (tree.generated / "aten_private.h").read_text()
    assert tree.lock.read_text().count("\n") == 3
    assert "ctorch 0.1.0 for LibTorch 2.13.0: 2 operator overloads, 1 of them public" in out
    assert "0 arguments dropped" in out
    assert "0 operator overloads skipped" in out


def test_check_passes_and_prints_the_totals(locked):
    before = locked.files()
    code, out, error = locked.run("--check")
    assert (code, error) == (0, "")
    assert out.startswith("ctorch 0.1.0 for LibTorch 2.13.0: 2 operator overloads")
    assert locked.files() == before


def test_check_shows_what_is_stale_and_the_ways_out(locked):
    header = locked.generated / "aten.h"
    header.write_text(header.read_text().replace("const ctorch_scalar *alpha", "const ctorch_scalar *beta"))
    before = locked.files()
    code, _, error = locked.run("--check")
    assert code == 1
    lines = error.splitlines()
    assert lines[0] == "include/ctorch/generated/aten.h is stale:"
    assert "--- include/ctorch/generated/aten.h" in lines
    assert "-    const ctorch_scalar *beta);" in lines
    assert "+    const ctorch_scalar *alpha);" in lines
    assert "Legal ways out: gen.py writes the headers" in error
    assert "gen.py --update-lock adds new ones" in error
    assert "restored, or added under a new name. Never edit a generated file." in error
    assert locked.files() == before
    assert locked.run()[0] == 0
    assert locked.run("--check")[0] == 0


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda g: (g / "aten.h").unlink(), "include/ctorch/generated/aten.h is missing:"),
        (lambda g: (g / "aten_extra.h").write_text(""), "include/ctorch/generated/aten_extra.h is stale:"),
        (
            lambda g: (g / "aten.h").write_text((g / "aten.h").read_text() + "\n"),
            "include/ctorch/generated/aten.h is stale:",
        ),
        (
            lambda g: (g / "aten.h").write_text((g / "aten.h").read_text().rstrip("\n")),
            "include/ctorch/generated/aten.h is stale:",
        ),
    ],
    ids=["missing", "extra", "empty line at the end", "no newline at the end"],
)
def test_check_names_a_file_that_has_no_diff_to_show(locked, spoil, message):
    spoil(locked.generated)
    code, _, error = locked.run("--check")
    assert code == 1
    assert error.startswith(message)
    assert locked.run()[0] == 0
    assert locked.run("--check")[0] == 0


def test_a_long_diff_is_cut(locked):
    (locked.generated / "aten.h").write_text("".join(f"line {i}\n" for i in range(500)))
    _, _, error = locked.run("--check")
    assert len(error.splitlines()) <= gen.MAX_DIFF_LINES + 4
    assert re.search(r"^… and \d{3} more lines$", error, re.MULTILINE)


def test_a_new_operator_is_added_by_update_lock_alone(locked):
    before = locked.files()
    locked.schemas.append(SIN)
    for options in ([], ["--check"], ["--build", str(locked.root / "built")]):
        code, _, error = locked.run(*options)
        assert code == 1
        assert "ctorch_aten_sin" in error
        assert "--update-lock adds" in error
        assert locked.files() == before
    assert "committed outputs are stale, 1 functions or types are new" in locked.run("--check")[2]
    version = locked.root / "include/ctorch/abi/version.h"
    version.write_text(version.read_text().replace("CTORCH_VERSION_MINOR 1", "CTORCH_VERSION_MINOR 2"))
    assert locked.run("--update-lock")[0] == 0
    old = before["bindings-gen/abi/aten.lock"].splitlines()
    new = locked.lock.read_text().splitlines()
    assert [line for line in new if line not in old] == [
        "ctorch_aten_sin\t0.2\tctorch_error * (ctorch_tensor **out, const ctorch_tensor *self)\taten::" + SIN
    ]
    assert [line for line in old if line not in new] == []


MODES = [[], ["--check"], ["--update-lock"]]


@pytest.mark.parametrize("options", MODES, ids=["write", "check", "update-lock"])
def test_an_operator_that_libtorch_lacks_stays(locked, options):
    before = locked.files()
    locked.schemas = [STACK]
    code, out, error = locked.run(*options)
    assert (code, error) == (0, "")
    assert "2 operator overloads" in out
    assert "1 of them not in this LibTorch" in out
    assert locked.files() == before


@pytest.mark.parametrize("options", MODES, ids=["write", "check", "update-lock"])
def test_an_operator_that_changed_beyond_adapting_is_refused(locked, options):
    before = locked.files()
    locked.schemas = [STACK, ADD.replace("Scalar alpha=1", "bool alpha=True")]
    code, _, error = locked.run(*options)
    assert code == 1
    assert error == (
        "gen.py: small.yaml:2: aten::add.Tensor: argument alpha changed from const ctorch_scalar * to bool: "
        "adapt it in policy.toml\n"
    )
    assert locked.files() == before


@pytest.mark.parametrize("options", MODES, ids=["write", "check", "update-lock"])
def test_a_changed_signature_in_the_lock_is_refused(locked, options):
    locked.lock.write_text(locked.lock.read_text().replace("const ctorch_scalar *alpha)", "double alpha)"))
    before = locked.files()
    code, _, error = locked.run(*options)
    assert code == 1
    assert error.startswith("gen.py: abi/aten.lock: the ABI is kept: a function may be added, never changed or removed")
    assert "aten.lock:3: ctorch_aten_add_Tensor changed\n    from ctorch_error * (ctorch_tensor **out, " in error
    assert "Legal ways out: restore the function" in error
    assert locked.files() == before


@pytest.mark.parametrize("options", MODES, ids=["write", "check", "update-lock"])
@pytest.mark.parametrize("change", ["removed", "changed"])
def test_a_hand_written_function_that_goes_or_changes_is_refused(locked, options, change):
    header = locked.root / "include/ctorch/settings/threads.h"
    text = header.read_text()
    if change == "changed":
        header.write_text(text.replace("int32_t ctorch_threads_num(void)", "int64_t ctorch_threads_num(void)"))
    else:
        header.write_text(re.sub(r"CTORCH_API int32_t ctorch_threads_num\(void\);", "", text))
    assert header.read_text() != text
    before = locked.files()
    code, _, error = locked.run(*options)
    assert code == 1
    assert re.search(rf"core\.lock:\d+: ctorch_threads_num (was )?{change}", error)
    assert locked.files() == before


def test_build_writes_everything_else_and_nothing_anew_without_need(locked, tmp_path):
    built = tmp_path / "built"
    assert locked.run("--build", str(built))[0] == 0
    assert {p.name for p in built.iterdir()} == BUILT | FOLDERS
    files = [p for p in built.rglob("*") if p.is_file()]
    for path in files:
        path.chmod(0o444)  # writing would fail
    times = {p: p.stat().st_mtime_ns for p in files}
    assert locked.run("--build", str(built))[0] == 0
    assert {p: p.stat().st_mtime_ns for p in built.rglob("*") if p.is_file()} == times


def test_build_takes_back_what_is_written_no_more(locked, tmp_path):
    built = tmp_path / "built"
    assert locked.run("--build", str(built))[0] == 0
    record = built / "outputs.txt"
    record.write_text("bindings/lua/old.lua\n" + record.read_text())
    (built / "bindings/lua").mkdir()
    (built / "bindings/lua/old.lua").write_text("-- old")
    (built / "bindings/lua/installed.so").write_text("somebody else's")
    assert locked.run("--build", str(built))[0] == 0
    assert {p.name for p in (built / "bindings/lua").iterdir()} == {"installed.so"}
    assert "bindings/lua/" not in record.read_text()


def test_build_writes_nothing_from_stale_headers(locked, tmp_path):
    (locked.generated / "aten.h").write_text("")
    code, _, error = locked.run("--build", str(tmp_path / "built"))
    assert code == 1
    assert "is stale" in error
    assert not (tmp_path / "built").exists()


def test_every_operator_is_in_one_shard(locked, tmp_path):
    locked.schemas = [f"f{i}(Tensor self) -> Tensor" for i in range(19)] + [ADD, STACK]
    assert locked.run("--update-lock")[0] == 0
    assert locked.run("--build", str(tmp_path / "built"))[0] == 0
    shards = "".join((tmp_path / f"built/aten_{i}.cpp").read_text() for i in range(cpp.SHARDS))
    defined = re.findall(r"^ctorch_error \*(\w+)\(", shards, re.MULTILINE)
    assert sorted(defined) == sorted(line.split("\t")[0] for line in locked.lock.read_text().splitlines()[1:])
    exported = re.findall(r"^    (\w+);$", (tmp_path / "built/exports.map").read_text(), re.MULTILINE)
    assert set(defined) < set(exported)
    assert len(exported) == len(set(exported))


def test_the_build_compiles_all_shards(root):
    text = (root / "bindings-gen/generator.cmake").read_text()
    assert re.search(r"set\(CTORCH_SHARDS (\d+)\)", text)[1] == str(cpp.SHARDS)


def test_exports_are_grouped_by_the_version_that_brought_them(locked, tmp_path):
    version = locked.root / "include/ctorch/abi/version.h"
    for old, new, schema in ((1, 2, SIN), (2, 12, SIN.replace("sin", "cos"))):
        version.write_text(
            version.read_text().replace(f"CTORCH_VERSION_MINOR {old}\n", f"CTORCH_VERSION_MINOR {new}\n")
        )
        locked.schemas.append(schema)
        assert locked.run("--update-lock")[0] == 0
    assert locked.run("--build", str(tmp_path / "built"))[0] == 0
    text = (tmp_path / "built/exports.map").read_text()
    assert text.startswith("CTORCH_0.1 {\n  global:\n")
    assert text.endswith(
        "  local:\n    *;\n};\n"
        "CTORCH_0.2 {\n  global:\n    ctorch_aten_sin;\n} CTORCH_0.1;\n"
        "CTORCH_0.12 {\n  global:\n    ctorch_aten_cos;\n} CTORCH_0.2;\n"
    )


def test_a_skipped_operator_is_counted_and_listed(locked, tmp_path):
    locked.schemas.append(SIN)
    locked.policy.write_text('[[skip]]\noperator = "sin"\nreason = "a sample"\n')
    code, out, error = locked.run("--build", str(tmp_path / "built"))
    assert (code, error) == (0, "")
    assert "2 operator overloads" in out
    assert "1 operator overloads skipped" in out
    assert "- `aten::sin`: a sample" in (tmp_path / "built/coverage.md").read_text()
    assert "ctorch_aten_sin" not in (tmp_path / "built/api.json").read_text()


@pytest.mark.parametrize(
    ("schemas", "policy", "error"),
    [
        ([ADD, "f(Foo x) -> Tensor"], "", r"gen\.py: \S+small\.yaml: unrecognized type Foo\n  in \S+small\.yaml:2:"),
        (
            [ADD, "f(DimVector x) -> Tensor"],
            "",
            r"gen\.py: small\.yaml:2: aten::f: unknown type DimVector of argument x",
        ),
        (
            [ADD, "f.a(Tensor x) -> Tensor", "f_a(Tensor x) -> Tensor"],
            "",
            r"gen\.py: small\.yaml:3: aten::f_a: has the ",
        ),
        ([ADD, "f.a(Tensor x) -> Tensor", "f.A(Tensor y) -> Tensor"], "", r"gen\.py: small\.yaml:2: aten::f\.a\("),
        (
            [ADD, "f(Tensor out, int result) -> Tensor"],
            "",
            r"gen\.py: small\.yaml:2: aten::f: output result has the name",
        ),
        ([ADD, "f(Tensor int) -> Tensor"], "", r"gen\.py: small\.yaml:2: aten::f: parameter int is a word of C"),
        ([ADD], '[[skip]]\noperator = "g"\nreason = "r"', r"gen\.py: policy\.toml:1: skip g: matches no operator"),
        (
            [ADD],
            '[[skip]]\noperator = "add.Tensor"\nreason = "r"',
            r"gen\.py: policy\.toml:1: skip add.Tensor: is in the",
        ),
    ],
)
def test_what_cannot_be_generated_fails_with_operator_and_line(locked, schemas, policy, error):
    locked.schemas = schemas
    locked.policy.write_text(policy)
    before = locked.files()
    code, _, message = locked.run("--update-lock")
    assert code == 1
    assert re.match(error, message), message
    assert "Traceback" not in message
    assert locked.files() == before


def test_missing_inputs_are_one_line(locked, tmp_path):
    code, _, error = locked.run(yaml=tmp_path / "none.yaml")
    assert code == 1
    assert re.fullmatch(r"gen\.py: .*none\.yaml.*\n", error)
    locked.policy.unlink()
    code, _, error = locked.run("--check")
    assert code == 1
    assert re.fullmatch(r"gen\.py: .*policy\.toml.*\n", error)


def test_a_version_header_without_numbers_is_named(locked):
    version = locked.root / "include/ctorch/abi/version.h"
    version.write_text(version.read_text().replace("CTORCH_VERSION_PATCH", "CTORCH_VERSION_PATCHES"))
    code, _, error = locked.run("--check")
    assert code == 1
    assert "version.h: CTORCH_VERSION_MAJOR, _MINOR and _PATCH are not all defined" in error


def test_the_version_of_torch_is_read_beside_the_yaml(tmp_path):
    yaml = tmp_path / "site/torchgen/packaged/ATen/native/native_functions.yaml"
    with pytest.raises(gen.GeneratorError, match="no torch/version.py beside it; give --torch-version"):
        gen.torch_version_beside(yaml)
    (tmp_path / "site/torch").mkdir(parents=True)
    (tmp_path / "site/torch/version.py").write_text("from typing import X\n__version__ = '2.14.1+cpu'\n")
    assert gen.torch_version_beside(yaml) == "2.14.1"


@pytest.fixture
def copied(tmp_path, root) -> Path:
    """A copy of the generator in a tree without build/venv."""
    shutil.copytree(root / "bindings-gen/ctorchgen", tmp_path / "bindings-gen/ctorchgen")
    return shutil.copy(root / "bindings-gen/gen.py", tmp_path / "bindings-gen/gen.py")


def run_without_packages(program: Path) -> subprocess.CompletedProcess:
    command = [sys.executable, "-S", "-E", program, "--check", "--root", "/a b"]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_python_without_the_packages_leaves_it_to_the_one_of_the_build(copied):
    python = copied.parents[1] / "build/venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\nprintf "[%s]" "$@"\nexit 3\n')
    python.chmod(0o755)
    ran = run_without_packages(copied)
    assert (ran.returncode, ran.stdout, ran.stderr) == (3, f"[{copied}][--check][--root][/a b]", "")


def test_without_the_packages_it_says_in_one_line_what_to_run(copied):
    ran = run_without_packages(copied)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert re.fullmatch(r"gen\.py: No module named '\w+' for \S+; run examples/run, .*`pip install .*\n", ran.stderr)
