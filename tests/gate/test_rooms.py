"""The selection of tests: every file of the tree belongs to a room, and a change selects what may see it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.gate import rooms

ROOMS = rooms.Rooms()
# Headers whose tests have another name. None: all tests use its macros and types.
TESTED_IN = {
    "base": None,
    "shorthand": "bindings-gen/tests/test_emit_shorthand.py",
    "string": "tests/value/check_value.c",
    "module_names": "tests/module/test_module.py",
    "module_state_hooks": "tests/module/test_module_state.py",
    "module_tape": "tests/trainer/test_tape.py",
    "nn": "tests/nn/test_nn.py",
    "npz": "tests/numpy/test_npy.py",
    "reader": "tests/weights/check_weights.c",
    "profiler_result": "tests/profiler/check_profiler.c",
    "encoding": "tests/tokenizers/check_tokenizer.c",
    "tv_tensor": "tests/transforms/test_transforms.py",
}


def test_every_file_belongs_to_a_room_and_every_test_to_one():
    assert list(rooms.untested(ROOMS)) == []


def test_a_file_without_a_room_and_a_test_without_one_are_found():
    some = rooms.Rooms()
    some.tracked = ["somewhere/else.c", "tests/somewhere/test_else.py", "shim/base/array.c"]
    assert list(rooms.untested(some)) == [
        "somewhere/else.c belongs to no room",
        "tests/somewhere/test_else.py belongs to no room",
        "tests/somewhere/test_else.py is the test of no room",
    ]


def test_the_table_names_what_exists():
    tracked = set(ROOMS.tracked)
    uses = rooms.may_use()
    for room in ROOMS.rooms.values():
        assert room.uses <= ROOMS.rooms.keys(), room.name
        for glob in [*room.tests, *room.files]:
            assert any(rooms.matches(path, glob) for path in tracked), (room.name, glob)
        for schema in room.schemas:
            assert any(path.startswith(f"bindings-gen/schema/{schema}") for path in tracked), (room.name, schema)
    assert {name for name, room in ROOMS.rooms.items() if room.schemas} <= uses.keys()


def test_each_header_is_in_the_folder_of_a_room_and_has_a_test_of_its_name():
    folders = {path.split("/")[2] for path in ROOMS.tracked if re.fullmatch(r"include/ctorch/\w+/\w+\.h", path)}
    assert folders - {"generated"} <= rooms.may_use().keys()
    tests = [f"/{path}" for path in ROOMS.tests]
    for path in ROOMS.tracked:
        if (header := re.fullmatch(r"include/ctorch/(\w+)/(\w+)\.h", path)) and header[1] != "generated":
            name = re.compile(rf"/tests/{header[1]}/(check|test)_{header[2]}(_\w+)?\.(c|py)")
            assert any(map(name.fullmatch, tests)) != (header[2] in TESTED_IN), path
    assert {path for path in TESTED_IN.values() if path} <= set(ROOMS.tests)


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("tests/tensor/check_tensor_numbers.c", {"tensor"}),
        ("tests/abi/check_memory_pressure.c", {"abi"}),
        ("tests/abi/check_error_shapes.c", {"abi"}),
        ("tests/tape/test_tape_fast.py", {"tape"}),
        ("tests/gguf/test_gguf.py", {"gguf"}),
        ("tests/cli/test_cli.py", {"cli"}),
        ("bindings-gen/tests/test_emit_go.py", {"go"}),
        ("bindings-gen/tests/test_lock.py", {"generator"}),
    ],
)
def test_a_test_is_of_the_room_that_its_name_or_folder_tells(path, owners):
    assert ROOMS.owners[path] == owners


@pytest.mark.parametrize(
    ("path", "some", "others"),
    [
        # a room, and those that the table lets use it, by way of others too
        ("shim/optim/adam.c", {"optim", "lr_scheduler"}, {"nn", "data", "tape", "go"}),
        ("shim/core/dlpack/dlpack_import.cpp", {"dlpack"}, {"tensor", "nn", "io"}),
        ("shim/core/abi/scope.cpp", {"abi", "tensor", "nn", "trainer", "examples", "sweep"}, {"go", "generator"}),
        # a header that C sees of the core, by who includes it
        ("shim/core/c/jit_archive.h", {"jit", "cli"}, {"pickle", "data", "tensor"}),
        # a declaration, which the generator reads
        ("include/ctorch/trainer/trainer.h", {"trainer", "generator", "examples"}, {"io", "go"}),
        ("bindings-gen/schema/nn/loss.schema", {"nn", "generator", "nn_utils"}, {"dlpack", "go"}),
        # the record of the ABI, from which the bindings come
        ("bindings-gen/abi/core.lock", {"generator", "go", "java", "simple", "word"}, {"nn", "io"}),
        ("bindings-gen/ctorchgen/emit/go/binding.py", {"go", "languages"}, {"java", "generator"}),
        ("bindings-gen/languages/node/ctorch.mjs", {"node", "languages"}, {"java", "generator"}),
    ],
)
def test_a_change_selects_the_rooms_that_may_see_it(path, some, others):
    chosen = ROOMS.changed([path]).rooms
    assert some <= chosen
    assert not others & chosen


def test_a_changed_test_selects_itself():
    chosen = ROOMS.changed(["tests/abi/check_scope.c", "tests/nn/test_linear.py"])
    assert chosen.rooms == frozenset()
    assert chosen.programs == ("check_scope",)
    assert chosen.paths == ("tests/nn/test_linear.py",)
    assert chosen.targets == ("check_scope", "ctorch")


def test_prose_selects_nothing():
    assert str(ROOMS.changed(["SECURITY.md", "CHANGES.md", "shim/style.md"])) == "ctorch\n\n"


def test_a_named_room_is_alone_and_comes_with_what_it_needs_built():
    chosen = ROOMS.named(["io"])
    assert "tests/io/test_faults.py" in chosen.paths
    assert "tests/tensorboard/test_writer.py" not in chosen.paths
    assert {"check_writer", "io_saver", "ctorch"} <= set(chosen.targets)
    assert "check_writer" in chosen.programs


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("tests/nn/test_linear.py::test_x", "tests/nn/test_linear.py::test_x"),
        ("./tests/abi/check_scope.c", "^(check_scope)$"),
        ("tests/jit/", "tests/jit/test_hostile.py tests/jit/test_models.py"),
        ("include/ctorch/tape/tape.h", "check_tape_memory"),
        ("shim/core/tape/guards.cpp", "tests/tape/test_traps.py"),
    ],
)
def test_files_can_be_named(name, line):
    assert line in str(ROOMS.named([name]))


@pytest.mark.parametrize("name", ["no_room", "tests/check_no_such.c", "CHANGES.md"])
def test_a_name_that_is_neither_is_an_error_that_lists_the_rooms(name):
    run = subprocess.run([sys.executable, rooms.__file__, "select", name], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert f"{name} is neither a room nor a file that has tests; rooms: abi archive" in run.stderr


def test_stars_stay_in_a_folder_unless_there_are_two():
    assert rooms.matches("a/b.c", "a/*")
    assert not rooms.matches("a/b/c.c", "a/*")
    assert rooms.matches("a/b/c.c", "a/**")
    assert not rooms.matches("a/bxc", "a/b.c")


def test_what_changed_is_in_commits_in_the_index_and_in_the_folder(tmp_path):
    def git(*words: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)

    for folder in ("shim", "tests/gate"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "shim/README.md").write_text("| `x` | `y`, `z` | a room |\n")
    (tmp_path / "tests/gate/rooms.toml").write_text("[w]\nuses = ['x']\n")
    git("init", "--quiet")
    for name in ("committed.c", "staged.c", "deleted.c", "edited.c", "same.c"):
        (tmp_path / name).write_text("1")
    git("add", ".")
    git("commit", "--quiet", "-m", "first")
    (tmp_path / "committed.c").write_text("2")
    (tmp_path / "deleted.c").unlink()
    git("commit", "--quiet", "-a", "-m", "second")
    (tmp_path / "staged.c").write_text("2")
    git("add", "staged.c")
    (tmp_path / "edited.c").write_text("2")
    (tmp_path / "new.c").write_text("2")
    some = rooms.Rooms(tmp_path)
    changed = ["committed.c", "deleted.c", "edited.c", "new.c", "staged.c"]
    assert sorted(some.changed_files("HEAD~1")) == changed
    assert some.above(["y"]) == {"x", "y", "w"}
