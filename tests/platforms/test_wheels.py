"""wheels.py, symbols.py and table.py, with wheels, libraries and logs that are made here."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import BufferedReader
from pathlib import Path

import pytest

from tests.platforms import (
    symbols,  # noqa: E402
    table,  # noqa: E402
    wheels,  # noqa: E402
)


@pytest.fixture
def serve():
    """Serve bytes at an address, by parts or (`parts=False`) only as a whole."""
    servers = []

    def start(content: bytes, parts: bool = True) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                span = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers["Range"])
                first, last = (int(span[1]), int(span[2])) if parts else (0, len(content) - 1)
                self.send_response(206 if parts else 200)
                self.send_header("Content-Range", f"bytes {first}-{last}/{len(content)}")
                self.end_headers()
                self.wfile.write(content[first : last + 1])

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/a.whl"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def wheel(path: Path, members: dict[str, bytes]) -> bytes:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path.read_bytes()


def test_of_a_remote_wheel_only_the_generator_is_taken(tmp_path, serve, monkeypatch):
    big = bytes(range(256)) * (3 * wheels.BLOCK // 256)
    content = wheel(
        tmp_path / "a.whl",
        {
            "torch/lib/libtorch.so": big,
            "torchgen/model.py": b"x = 1",
            "torch/version.py": b"v",
            "torchgen/a.yaml": b"y",
        },
    )
    monkeypatch.setattr(wheels, "address", lambda version: serve(content))
    wheels.get_generator("2.6.0", tmp_path / "out")
    found = sorted(str(p.relative_to(tmp_path / "out")) for p in (tmp_path / "out").rglob("*") if p.is_file())
    assert found == ["torch/version.py", "torchgen/a.yaml", "torchgen/model.py"]
    assert (tmp_path / "out/torchgen/model.py").read_bytes() == b"x = 1"


@pytest.mark.parametrize("at,length", [(0, 1), (wheels.BLOCK - 1, 2), (5, 3 * wheels.BLOCK), (-3, 3)])
def test_a_remote_file_is_read_at_any_place(serve, at, length):
    content = bytes(i * 7 % 251 for i in range(2 * wheels.BLOCK + 17))
    file = BufferedReader(wheels.RemoteFile(serve(content)))
    file.seek(at, 2 if at < 0 else 0)
    assert file.read(length) == content[at % len(content) :][:length]


def test_a_server_without_parts_is_an_error_and_the_wheel_is_fetched(tmp_path, serve, monkeypatch, capsys):
    content = wheel(tmp_path / "a.whl", {"torchgen/model.py": b"x = 1"})
    monkeypatch.setattr(wheels, "address", lambda version: serve(content, parts=False))
    monkeypatch.setattr(wheels, "pip", lambda *words: (Path(words[5]) / "torch.whl").write_bytes(content))
    (tmp_path / "out").mkdir()
    wheels.get_generator("2.6.0", tmp_path / "out")
    assert [p.name for p in (tmp_path / "out").rglob("*.*")] == ["model.py"]
    assert "the server gives no parts of files; so the whole wheel is fetched" in capsys.readouterr().err


@pytest.mark.parametrize(
    "metadata,packages",
    [
        ("Requires-Dist: filelock\n", []),
        (
            "Requires-Dist: nvidia-cuda-runtime-cu12 (==12.4.127) ; platform_system\n"
            "Requires-Dist: nvidia-cuda-cupti-cu12==12.4.127; platform_system\n"
            "Requires-Dist: nvidia-cublas-cu12==12.4.5.8; x\n",
            ["nvidia-cuda-runtime-cu12==12.4.127", "nvidia-cuda-cupti-cu12==12.4.127"],
        ),
        (
            "Requires-Dist: cuda-toolkit[cublas,cudart,cupti]==13.0.2; x\n",
            ["nvidia-cuda-runtime==13.0.*", "nvidia-cuda-cupti==13.0.*"],
        ),
    ],
)
def test_what_a_wheel_needs_of_nvidia(metadata, packages):
    assert wheels.nvidia_packages(metadata) == packages


def test_a_version_that_pip_does_not_find_has_a_status_of_its_own(monkeypatch):
    def answer(text):
        failed = subprocess.CompletedProcess([], 1, "", text)
        monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
        with pytest.raises(SystemExit) as ended:
            wheels.pip("download", "torch==9.9")
        return ended.value.code

    assert answer("ERROR: No matching distribution found for torch==9.9") == wheels.NOT_OFFERED
    assert answer("ERROR: no space left on device") == 1


def compile_library(path: Path, source: str, *options: str) -> Path:
    code = path.with_suffix(".c")
    code.write_text(source)
    subprocess.run(["cc", "-shared", "-fPIC", str(code), "-o", str(path), *options], check=True)
    return path


def test_empty_libraries_let_a_library_load(tmp_path):
    away, here = tmp_path / "away", tmp_path / "here"
    away.mkdir()
    here.mkdir()
    (tmp_path / "v.map").write_text("V_1 { global: *; };\n")
    compile_library(
        away / "libabsent.so.2",
        "int absent_data = 3; int absent(void) { return 4; }",
        "-Wl,-soname,libabsent.so.2",
        f"-Wl,--version-script,{tmp_path / 'v.map'}",
    )
    user = "extern int absent_data; int absent(void); int *data(void) { return &absent_data; }"
    user += "int call(void) { return absent(); } int present(void) { return 5; }"
    library = compile_library(
        here / "libuser.so", user, str(away / "libabsent.so.2"), "-Wl,-rpath,$ORIGIN", "-Wl,-z,lazy"
    )
    (away / "libabsent.so.2").unlink()
    with pytest.raises(OSError, match="libabsent"):
        ctypes.CDLL(str(library))
    wheels.fill_in(here)
    assert ctypes.CDLL(str(library), mode=1).present() == 5  # RTLD_LAZY


def test_a_weak_symbol_that_no_library_has_is_found(tmp_path, monkeypatch, capsys):
    source = "__attribute__((weak)) int in_cuda(void); __attribute__((weak)) int gone(void);"
    source += "int f(void) { return (in_cuda ? in_cuda() : 0) + (gone ? gone() : 0); }"
    library = compile_library(tmp_path / "libctorch.so", source)
    compile_library(tmp_path / "libtorch_cpu.so", "int other(void) { return 1; }")
    compile_library(tmp_path / "libtorch_cuda.so", "int in_cuda(void) { return 1; }")
    monkeypatch.setattr(sys, "argv", ["symbols.py", str(library), str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        symbols.main()
    assert ended.value.code == 1
    assert capsys.readouterr().out.splitlines()[1:] == ["  gone"]


def test_the_table_has_what_the_logs_say(tmp_path):
    (tmp_path / "2.10.0").mkdir()
    done = tmp_path / "2.6.0"
    done.mkdir()
    (done / "generator.log").write_text(
        "ctorch 0.1.0 for LibTorch 2.6.0: 3114 operator overloads, 2265 of them public, 80 of them not in this "
        "LibTorch, 6 of them substituted, 11461 arguments\n"
    )
    (done / "ctest.log").write_text("97% tests passed, 2 tests failed out of 67\n")
    (done / "parity.log").write_text(
        ".....\nparity: 3034 overloads called, 9290 calls compared, 2850 overloads succeed, 184 do not, 1 crashes, "
        "0 differences\n34 passed\n"
    )
    rows = table.table(tmp_path).splitlines()
    assert rows[2:] == [
        "| 2.6.0 | 3,034 of 3,114 | 6 | 65 of 67 | 9,290 calls, 0 differences |",
        "| 2.10.0 | – | – | – | – |",
    ]


def test_the_table_takes_its_place_in_the_page(tmp_path, monkeypatch):
    page = tmp_path / "versions.md"
    page.write_text(f"before\n\n{table.BEGIN}\nold\n\n{table.END}\nafter\n")
    monkeypatch.setattr(sys, "argv", ["table.py", str(tmp_path), str(page)])
    table.main()
    table.main()
    assert page.read_text() == f"before\n\n{table.BEGIN}\n{table.HEAD}\n{table.END}\nafter\n"
    page.write_text("nothing\n")
    with pytest.raises(SystemExit, match="no place for the table"):
        table.main()
