"""Which files clang-tidy looks at: what a file includes decides too, and what passed as it is does not come again."""

from __future__ import annotations

import json

from tests.gate import tidy

SHIM = tidy.ROOT / "shim"


def test_a_file_includes_what_its_headers_include():
    found = {str(path.relative_to(SHIM)) for path in tidy.included(SHIM / "weights/weights.c")}
    assert "weights/weights.h" in found
    assert "core/c/error.h" in found
    assert not any(path.startswith("summary/") for path in found)


def test_the_content_of_a_file_is_that_of_its_headers_and_of_the_options(tmp_path, monkeypatch):
    (tmp_path / "shim").mkdir()
    header, source = tmp_path / "shim/a.h", tmp_path / "shim/a.c"
    header.write_text("int a;\n")
    source.write_text('#include "a.h"\n')
    monkeypatch.setattr(tidy, "ROOT", tmp_path)
    monkeypatch.setattr(tidy, "version", lambda: "1")

    def content(*options: str) -> str:
        tidy.headers.cache_clear()
        tidy.included.cache_clear()
        return tidy.content(source, list(options))

    first = content()
    assert content() == first
    header.write_text("int b;\n")
    second = content()
    (tmp_path / "shim/.clang-tidy").write_text("Checks: ''\n")
    third = content()
    assert len({first, second, third, content("--checks=-*")}) == 4
    tidy.headers.cache_clear()
    tidy.included.cache_clear()


def test_options_that_clang_does_not_know_are_left_out():
    command = "c++ -Werror -Werror=format -Winvalid-pch -include /b/cmake_pch.hxx -include /b/cmake_pch.h -O2 -o x.o"
    assert tidy.UNKNOWN.sub("", command) == "c++ -Werror=format -O2 -o x.o"


def test_files_that_are_compiled_at_once_have_a_command_each(tmp_path, monkeypatch):
    unity = tmp_path / "Unity/unity_room_cxx.cxx"
    unity.parent.mkdir()
    unity.write_text('#include "/shim/a.cpp"\n\n#include "/shim/b.cpp"\n')
    entries = [
        {"file": str(unity), "command": f"c++ -O2 -Winvalid-pch -o u.o -c {unity}", "directory": "/"},
        {"file": "/shim/c.c", "command": "cc -o c.o -c /shim/c.c", "directory": "/"},
    ]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    monkeypatch.setattr(tidy, "FOLDER", tmp_path / "tidy")
    tidy.write_commands(tmp_path)
    written = json.loads((tmp_path / "tidy/compile_commands.json").read_text())
    assert [(entry["file"], entry["command"]) for entry in written] == [
        ("/shim/a.cpp", "c++ -O2 -o u.o -c /shim/a.cpp"),
        ("/shim/b.cpp", "c++ -O2 -o u.o -c /shim/b.cpp"),
        ("/shim/c.c", "cc -o c.o -c /shim/c.c"),
    ]
