"""How the build finds LibTorch: the order of the sources, one clear line for everything that cannot work, and an
accelerator's library that stays linked. It runs on made-up prefixes, so it needs no LibTorch."""

import argparse
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent / "libtorch"
VERSION_HEADER = """#define TORCH_VERSION_MAJOR {}
#define TORCH_VERSION_MINOR {}
#define TORCH_VERSION_PATCH {}
"""


def make_prefix(
    prefix: Path, version: str | None = "2.13.0", libraries: tuple[str, ...] = ("c10", "torch_cpu", "torch")
):
    """A prefix that looks like LibTorch from outside."""
    (prefix / "include/ATen/core").mkdir(parents=True)
    (prefix / "include/ATen/core/Tensor.h").touch()
    if version:
        header = prefix / "include/torch/headeronly/version.h"
        header.parent.mkdir(parents=True)
        header.write_text(VERSION_HEADER.format(*version.split(".")))
    (prefix / "include/torch/csrc/api/include").mkdir(parents=True)
    (prefix / "lib").mkdir()
    for name in libraries:
        library = prefix / f"lib/lib{name}.so"
        # As libtorch_cuda does, it needs a library that no search path of the linker holds.
        code = "void missing(void); void used(void); void used(void) { missing(); }" if name == "torch_cuda" else ""
        command = [os.environ.get("CC", "cc"), "-shared", "-fPIC", "-x", "c", "-", "-o", library]
        subprocess.run([*command, f"-Wl,-soname,{library.name}"], input=code, text=True, check=True)
    return prefix


class Checks:
    def __init__(self, source: Path, scratch: Path) -> None:
        self.source = source
        self.scratch = scratch
        self.count = 0
        self.failures = 0

    def configure(self, *definitions: str, python: Path | None = None, **variables: str) -> tuple[int, str, Path]:
        """Exit status, output and build folder; `python` is the package folder that the `python3` on PATH has."""
        self.count += 1
        build = self.scratch / f"build{self.count}"
        tools = self.scratch / f"bin{self.count}"
        tools.mkdir()
        (tools / "python3").write_text(f"#!/bin/sh\necho {python}\n" if python else "#!/bin/sh\nexit 1\n")
        (tools / "python3").chmod(0o755)
        env = {name: value for name, value in os.environ.items() if name not in ("CTORCH_TORCH", "Torch_DIR")}
        env |= {"PATH": f"{tools}:{os.environ['PATH']}"} | variables
        command = ["cmake", "-S", HERE, "-B", build, f"-DCTORCH_SOURCE={self.source}", *definitions]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr, build

    def expect(self, condition: bool, claim: str, output: str) -> None:
        print(("ok: " if condition else "FAILED: ") + claim)
        if not condition:
            self.failures += 1
            print(output)

    def refused(self, claim: str, words: tuple[str, ...], *definitions: str, **variables: str) -> None:
        """It fails with exactly one line of ours, which holds all the words."""
        status, output, _ = self.configure(*definitions, **variables)
        lines = [line for line in output.splitlines() if line.strip().startswith("ctorch: ")]
        good = status != 0 and len(lines) == 1 and all(word in lines[0] for word in words)
        self.expect(good, f"{claim}: {lines[0].strip() if lines else 'no such line'}", output)

    def found(self, claim: str, by: str, prefix: Path, *definitions: str, **variables) -> Path:
        status, output, build = self.configure(*definitions, **variables)
        line = next((line for line in output.splitlines() if "-- LibTorch " in line), "")
        self.expect(status == 0 and f"by {by}: {prefix}" in line, f"{claim}: {line}", output)
        return build


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, required=True)
    source = parser.parse_args().source.resolve()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder).resolve()
        checks = Checks(source, scratch)
        first, second, third = (make_prefix(scratch / name) for name in ("first", "second", "site-packages/torch"))
        (second / "share/cmake/Torch").mkdir(parents=True)
        given = f"-DCTORCH_TORCH={first}"
        torch_dir = f"-DTorch_DIR={second}/share/cmake/Torch"

        checks.found("CTORCH_TORCH comes first", "CTORCH_TORCH", first, given, torch_dir, python=third)
        checks.found("as an environment variable, too", "CTORCH_TORCH", first, torch_dir, CTORCH_TORCH=str(first))
        checks.found("a folder that holds torch/ will do", "CTORCH_TORCH", third, f"-DCTORCH_TORCH={third.parent}")
        checks.found("then Torch_DIR", "Torch_DIR", second, torch_dir, python=third)
        checks.found("then Python's torch", "the Python torch on PATH", third, python=third)

        fix = "-DCTORCH_TORCH="
        checks.refused("none at all", ("not found", "pip install torch", fix))
        checks.refused("a folder that is not there", ("/nowhere", "CTORCH_TORCH", fix), "-DCTORCH_TORCH=/nowhere")
        checks.refused("Torch_DIR that is not there", ("/nowhere", "Torch_DIR", fix), "-DTorch_DIR=/nowhere/a/b/c")
        no_library = make_prefix(scratch / "no_library", libraries=())
        checks.refused("headers alone", ("lib/libtorch_cpu.so missing", fix), f"-DCTORCH_TORCH={no_library}")
        no_headers = make_prefix(scratch / "no_headers")
        shutil.rmtree(no_headers / "include")
        checks.refused("libraries alone", ("Tensor.h missing", fix), f"-DCTORCH_TORCH={no_headers}")
        partial = make_prefix(scratch / "partial", libraries=("torch_cpu", "torch"))
        checks.refused("a part missing", ("libc10.so is missing", fix), f"-DCTORCH_TORCH={partial}")
        unversioned = make_prefix(scratch / "unversioned", version=None)
        checks.refused("no version", ("version.h", fix), f"-DCTORCH_TORCH={unversioned}")
        old = make_prefix(scratch / "old", version="2.5.1")
        checks.refused("too old", ("2.5.1", "too old", "2.6", fix), f"-DCTORCH_TORCH={old}")

        cuda = make_prefix(scratch / "cuda", libraries=("c10", "torch_cpu", "torch", "torch_cuda"))
        build = checks.found("a CUDA build", "CTORCH_TORCH", cuda, f"-DCTORCH_TORCH={cuda}")
        made = subprocess.run(["cmake", "--build", build], capture_output=True, text=True, check=False)
        checks.expect(made.returncode == 0, "a library and a program link without CUDA", made.stdout + made.stderr)
        library = build / "liblinked.so"
        if library.exists():
            needed = subprocess.run(["readelf", "-dW", library], capture_output=True, text=True, check=True).stdout
            for name in ("libtorch.so", "libtorch_cuda.so"):
                checks.expect(f"[{name}]" in needed, f"and keeps {name} that nothing refers to", needed)

    print(f"{checks.failures} of the checks failed")
    return 1 if checks.failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
