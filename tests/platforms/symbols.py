"""Whether a LibTorch has every function that libctorch refers to weakly: `symbols.py libctorch.so torch/lib`.

A weak function whose signature changed is null in the new version, and nothing but its name tells.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

# Of the C library, of C++'s, and of the compiler: where a variable of a thread is made.
NOT_OURS = re.compile(r"__cxa_\w+|__gmon_start__|_ITM_\w+|_ZTH\w+")
# Not in LibTorch 2.6, and asked for before it is called.
OPTIONAL = {"aoti_torch_abi_version"}


def symbols(library: Path, *options: str) -> set[str]:
    lines = subprocess.run(["nm", "-D", *options, library], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1].partition("@")[0] for line in lines.splitlines()}


def weak(library: Path) -> set[str]:
    lines = subprocess.run(["nm", "-D", library], check=True, capture_output=True, text=True).stdout.splitlines()
    names = {line.split()[-1].partition("@")[0] for line in lines if line.split()[-2] == "w"}
    return {name for name in names if not NOT_OURS.fullmatch(name)}


def main() -> None:
    libctorch, folder = Path(sys.argv[1]), Path(sys.argv[2])
    wanted = weak(libctorch)
    libraries = [*folder.glob("libtorch_cuda.so"), *folder.glob("libtorch_cpu.so")]
    libraries += folder.glob("../../nvidia/*/lib/libcudart.so.*")
    if not (folder / "libtorch_cuda.so").exists():
        sys.exit(f"{folder}: no libtorch_cuda.so")
    missing = wanted - OPTIONAL
    for library in libraries:
        missing -= symbols(library, "--defined-only")
    print(f"{len(wanted)} weak symbols, {len(missing)} of them in no library of {folder}")
    for symbol in sorted(missing):
        print(f"  {symbol}")
    sys.exit(1 if missing or not wanted else 0)


if __name__ == "__main__":
    main()
