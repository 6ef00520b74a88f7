"""The exported symbols of the library are exactly the functions of api.json, and the library is linked as it should be:
SONAME, the LibTorch it needs, a run path, no symbol of C++."""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def check_symbols(symbols: list[tuple[str, str]], functions: list[str]) -> list[str]:
    """What is wrong with (type letter, versioned name) pairs as `nm -D --defined-only` lists them."""
    failures = []
    exported = []
    nodes = {name for letter, name in symbols if letter == "A"}
    for letter, name in symbols:
        if letter == "A":  # the version node itself
            continue
        symbol, _, node = name.partition("@@")
        exported.append(symbol)
        if letter != "T":
            failures.append(f"{symbol} is exported as {letter}, not as a function (T)")
        if node not in nodes or not node.startswith("CTORCH_"):
            failures.append(f"{symbol} carries no CTORCH_ version node: {name}")
    failures += [f"{name} is exported but not in api.json" for name in sorted(set(exported) - set(functions))]
    failures += [f"{name} is in api.json but not exported" for name in sorted(set(functions) - set(exported))]
    failures += [f"{name} is not a ctorch_ name" for name in exported if not name.startswith("ctorch_")]
    if len(set(functions)) != len(functions):
        failures.append("api.json lists a function twice")
    if not exported:
        failures.append("nothing is exported")
    return failures


def check_dynamic_section(text: str, libraries: list[str]) -> list[str]:
    failures = []
    if "SONAME" not in text or not re.search(r"SONAME\).*\[libctorch\.so\.\d+\]", text):
        failures.append("the SONAME is not libctorch.so.<major>")
    needed = re.findall(r"NEEDED\).*\[(.*?)\]", text)
    for library in libraries:
        if not any(name == library or name.startswith(library + ".") for name in needed):
            failures.append(f"{library} is not NEEDED: {needed}")
    runpath = re.findall(r"RUNPATH\).*\[(.*?)\]", text)
    if not runpath or not runpath[0].startswith("$ORIGIN") or "" in runpath[0].split(":"):
        failures.append(f"the run path does not start with $ORIGIN or has empty entries: {runpath}")
    if "TEXTREL" in text:
        failures.append("the library has text relocations")
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--api", type=Path, required=True)
    parser.add_argument("--torch-libraries", type=Path, required=True, help="folder of libtorch_cpu.so")
    arguments = parser.parse_args()

    functions = [function["name"] for function in json.loads(arguments.api.read_text())["functions"]]
    lines = output("nm", "-D", "--defined-only", str(arguments.library)).splitlines()
    symbols = [(line.split()[-2], line.split()[-1]) for line in lines]

    # The check must be able to say no: one symbol too many, one too few, one without a version.
    some = next((pair for pair in symbols if pair[0] == "T"), ("T", "ctorch_version"))
    for wrong in ([*symbols, ("W", "_ZN3c105ErrorD1Ev@@CTORCH_0")], [s for s in symbols if s != some]):
        if not check_symbols(wrong, functions):
            print("the check accepts a wrong export list")
            return 1

    # libtorch is an empty library that pulls the accelerator's in; a linker drops it unless told otherwise.
    libraries = ["libtorch.so", "libtorch_cpu.so", "libc10.so"]
    libraries += [name for name in ("libtorch_cuda.so",) if (arguments.torch_libraries / name).exists()]
    failures = check_symbols(symbols, functions)
    failures += check_dynamic_section(output("readelf", "-dW", str(arguments.library)), libraries)
    print("\n".join(failures[:50]))
    print(f"{len(symbols)} dynamic symbols, {len(functions)} functions in api.json, {len(failures)} differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
