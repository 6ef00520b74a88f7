"""layers.py: what it copies, and what it takes back."""

from __future__ import annotations

import sys

import layers
import pytest


@pytest.fixture
def languages(tmp_path, monkeypatch):
    folder = tmp_path / "languages"
    monkeypatch.setattr(layers, "LANGUAGES", folder)
    monkeypatch.setattr(sys, "argv", ["layers.py", str(tmp_path / "built")])
    for name in ("lua/init.lua", "lua/text/repr.lua", "lua/__pycache__/x.pyc"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"-- {name}")
    return folder


def test_layers_are_copied_and_nothing_is_written_anew_without_need(languages, tmp_path):
    assert layers.main() == 0
    built = tmp_path / "built/bindings"
    assert {str(p.relative_to(built)) for p in built.rglob("*") if p.is_file()} == {"lua/init.lua", "lua/text/repr.lua"}
    assert (built / "lua/text/repr.lua").read_text() == "-- lua/text/repr.lua"
    for path in built.rglob("*.lua"):
        path.chmod(0o444)  # writing would fail
    times = {p: p.stat().st_mtime_ns for p in built.rglob("*.lua")}
    assert layers.main() == 0
    assert {p: p.stat().st_mtime_ns for p in built.rglob("*.lua")} == times


def test_what_is_there_no_more_is_taken_back(languages, tmp_path):
    assert layers.main() == 0
    built = tmp_path / "built/bindings/lua"
    (built / "installed.so").write_text("somebody else's")
    (languages / "lua/init.lua").rename(languages / "lua/new.lua")
    assert layers.main() == 0
    assert {p.name for p in built.iterdir()} == {"new.lua", "text", "installed.so"}


def test_without_a_folder_it_says_how_it_is_called(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["layers.py"])
    assert layers.main() == 2
    assert "layers.py DIR" in capsys.readouterr().err


def test_no_layer_is_what_the_generator_writes(root):
    """Both write to bindings/: a file of both names would be whose turn was last."""
    emitted = root / "build/cmake/generated/outputs.txt"
    if not emitted.exists():
        pytest.skip("nothing is built")
    assert not set(emitted.read_text().splitlines()) & set(layers.layers(layers.LANGUAGES))
