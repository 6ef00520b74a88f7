"""Gets LibTorch in other versions, as PyPI has them: the generator's part of a wheel, or all of it.

    wheels.py VERSION FOLDER --generator   torchgen and its yaml alone: some megabytes, read out of the wheel by ranges
    wheels.py VERSION FOLDER               the wheel, and in the place of NVIDIA's libraries what lets it load
    wheels.py VERSION FOLDER --machine aarch64   that of another processor, by Debian's cross compiler and QEMU

The wheels of Linux are builds for CUDA. They need NVIDIA's libraries to be loaded, three gigabytes of which nothing
runs without a GPU: the runtime and the profiling interface come from PyPI, for the rest there are empty libraries. So
functions of libtorch_cuda must not be bound when it is loaded, and Python has to be told (sitecustomize.py).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

GENERATOR = re.compile(r"torchgen/.*\.(py|yaml)|torch/version\.py")
LEFT_OUT = re.compile(r"torch/(bin/(protoc|test)|test/)")
LAZY = "import os, sys\n\nsys.setdlopenflags(os.RTLD_LAZY)  # libtorch_cuda refers to functions that are not there\n"
BLOCK = 1 << 20
NOT_OFFERED = 3  # exit status: the index has no such version, or a constraint that pip is set up with keeps it out


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{' '.join(command)}\n{done.stderr}", file=sys.stderr)
        # One exact version without what it depends on conflicts with a constraint alone.
        offered = not re.search("No matching distribution|ResolutionImpossible", done.stderr)
        raise SystemExit(1 if offered else NOT_OFFERED)


def address(version: str) -> str:
    """Where the wheel for this Python lies, in the index that pip is set up with."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        pip("install", "--dry-run", "--no-deps", "--ignore-installed", "--report", str(report), f"torch=={version}")
        return json.loads(report.read_text())["install"][0]["download_info"]["url"]


class RemoteFile(io.RawIOBase):
    """A file behind an address, of which blocks are read when they are asked for."""

    def __init__(self, url: str) -> None:
        self.url, self.at, self.blocks = url, 0, {}
        self.size = int(self._get("bytes=0-0").headers["Content-Range"].rpartition("/")[2])

    def _get(self, span: str):
        answer = urllib.request.urlopen(urllib.request.Request(self.url, headers={"Range": span}))
        if answer.status != 206:
            raise OSError("the server gives no parts of files")
        return answer

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self.at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self.at, io.SEEK_END: self.size}[whence]
        return self.at

    def tell(self) -> int:
        return self.at

    def readinto(self, buffer) -> int:
        block = self.at // BLOCK
        if block not in self.blocks:
            begin = block * BLOCK
            with self._get(f"bytes={begin}-{min(begin + BLOCK, self.size) - 1}") as answer:
                self.blocks[block] = answer.read()
        part = self.blocks[block][self.at % BLOCK :][: len(buffer)]
        buffer[: len(part)] = part
        self.at += len(part)
        return len(part)


def get_generator(version: str, folder: Path) -> None:
    url = address(version)
    local = urllib.request.url2pathname(url.removeprefix("file://")) if url.startswith("file://") else None
    try:
        extract_generator(local or io.BufferedReader(RemoteFile(url)), folder)
    except OSError as error:
        print(f"{url}: {error}; so the whole wheel is fetched", file=sys.stderr)
        with downloaded(version, folder) as file:
            extract_generator(file, folder)


def extract_generator(file, folder: Path) -> None:
    with zipfile.ZipFile(file) as wheel:
        wheel.extractall(folder, [name for name in wheel.namelist() if GENERATOR.fullmatch(name)])


@dataclass(frozen=True)
class Machine:
    """Where the libraries run: here, or on a processor whose name is given."""

    name: str | None = None

    def platforms(self) -> list[str]:
        """For pip: what its platform tags are called, from the oldest glibc that a wheel may be built for on."""
        tags = [f"manylinux_2_{minor}_{self.name}" for minor in range(17, 37)] + [f"manylinux2014_{self.name}"]
        return [f"--platform={tag}" for tag in tags] if self.name else []

    def compiler(self) -> str:
        return f"{self.name}-linux-gnu-gcc" if self.name else "cc"

    def ldd(self, file: Path, data: bool = False) -> str:
        """What the dynamic linker finds for a library; with `data` also which variables it misses."""
        if self.name is None:
            return output("ldd", *["-d"][: int(data)], file)
        root = f"/usr/{self.name}-linux-gnu"
        variables = ["LD_TRACE_LOADED_OBJECTS=1", *["LD_WARN=1"][: int(data)]]
        options = [option for variable in variables for option in ("-E", variable)]
        return output(f"qemu-{self.name}", "-L", root, *options, f"{root}/lib/ld-linux-{self.name}.so.1", file)


HERE = Machine()


@contextlib.contextmanager
def downloaded(version: str, folder: Path, *platforms: str) -> Iterator[Path]:
    """The wheel, for the time of the block."""
    with tempfile.TemporaryDirectory(dir=folder) as download:
        pip("download", "--no-deps", "--only-binary", ":all:", "--dest", download, f"torch=={version}", *platforms)
        (file,) = Path(download).glob("*.whl")
        yield file


def get_wheel(version: str, folder: Path, machine: Machine) -> None:
    with downloaded(version, folder, *machine.platforms()) as file, zipfile.ZipFile(file) as wheel:
        names = [name for name in wheel.namelist() if not LEFT_OUT.match(name)]
        wheel.extractall(folder, names)
        metadata = next(wheel.read(n).decode() for n in names if n.endswith(".dist-info/METADATA"))
    (folder / "torch/bin/torch_shm_manager").chmod(0o755)
    wanted = nvidia_packages(metadata)
    if wanted:
        pip("install", "--no-deps", "--only-binary=:all:", "--target", str(folder), *wanted, *machine.platforms())
        fill_in(folder / "torch/lib", machine)
    (folder / "sitecustomize.py").write_text(LAZY)


def nvidia_packages(metadata: str) -> list[str]:
    """CUDA's runtime and its profiling interface, as the wheel requires them: by name, or as parts of the toolkit."""
    toolkit = re.search(r"^Requires-Dist: cuda-toolkit\[[^]]*\]==(\d+\.\d+)", metadata, re.MULTILINE)
    if toolkit:
        return [f"nvidia-cuda-{name}=={toolkit[1]}.*" for name in ("runtime", "cupti")]
    found = re.findall(r"^Requires-Dist: (nvidia-cuda-(?:runtime|cupti)-cu\d+) ?\(?==([\d.]+)", metadata, re.MULTILINE)
    return [f"{name}=={version}" for name, version in found]


def output(*command: str | Path) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    return done.stdout + done.stderr


def fill_in(folder: Path, machine: Machine = HERE) -> None:
    """An empty library for each that is not there, with the versions of symbols that are asked of it."""
    files = sorted(folder.glob("*.so*"))
    absent: dict[str, set[str]] = {
        name: set() for file in files for name in re.findall(r"^\s*(\S+) => not found", machine.ldd(file), re.MULTILINE)
    }
    for file in files:
        needs = output("readelf", "--wide", "--version-info", file).partition("Version needs section")[2]
        for library, versions in re.findall(r"File: (\S+)(.*?)(?=File: |\Z)", needs, re.DOTALL):
            if library in absent:
                absent[library].update(re.findall(r"Name: (\S+)", versions))
    for name in absent:
        make_library(folder / name, absent[name], set(), machine)
    # What is referred to as data must be there at once.
    data: dict[str, set[tuple[str, str]]] = defaultdict(set)
    library_of = {version: name for name, versions in absent.items() for version in versions}
    for file in files:
        missing = re.findall(r"^undefined symbol: (\w+), version (\S+)\s", machine.ldd(file, data=True), re.MULTILINE)
        for symbol, version in missing:
            if version in library_of:
                data[library_of[version]].add((symbol, version))
    for name, symbols in data.items():
        make_library(folder / name, absent[name], symbols, machine)


def make_library(path: Path, versions: set[str], data: set[tuple[str, str]], machine: Machine) -> None:
    script = ""
    for version in sorted(versions):
        names = "".join(f" {symbol};" for symbol, of in sorted(data) if of == version)
        script += f"{version} {{{' global:' + names if names else ''} }};\n"
    with tempfile.TemporaryDirectory() as folder:
        source, symbols = Path(folder) / "empty.c", Path(folder) / "symbols.map"
        source.write_text("".join(f"char {symbol}[512];\n" for symbol, _ in sorted(data)))
        symbols.write_text(script)
        command = [machine.compiler(), "-shared", str(source), "-o", str(path), f"-Wl,-soname,{path.name}"]
        subprocess.run(command + ([f"-Wl,--version-script,{symbols}"] if script else []), check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--generator", action="store_true")
    parser.add_argument("--machine", choices=["aarch64"], help="the processor; without it, this machine's")
    args = parser.parse_args()
    if (args.folder / "complete").exists():
        return
    shutil.rmtree(args.folder, ignore_errors=True)
    args.folder.mkdir(parents=True)
    if args.generator:
        get_generator(args.version, args.folder.resolve())
    else:
        get_wheel(args.version, args.folder.resolve(), Machine(args.machine))
    (args.folder / "complete").touch()


if __name__ == "__main__":
    main()
