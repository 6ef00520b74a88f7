"""The ABI against the record bindings-gen/abi/ctorch.abi.gz, by abidiff: nothing is removed, nothing changes.

    check_abi.py --api api.json --include include/ [--update]

The release library has no debug information. So what it promises is compiled into an object of its own, with -g, that
refers to every function, struct, enumeration and callback type of api.json. What is added is allowed, as everywhere;
--update takes it into the record, which it refuses to do for anything else.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

RECORD = Path(__file__).resolve().parents[2] / "bindings-gen/abi/ctorch.abi.gz"
WRITE = ["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-elf-needed"]


def source(api: dict) -> str:
    lines = ["#include <ctorch.h>"]
    for function in api["functions"]:
        name = function["name"]
        lines.append(f"extern __typeof__(&{name}) const function_{name};")
        lines.append(f"__typeof__(&{name}) const function_{name} = &{name};")
    lines += [f"{c['name']} callback_{c['name']};" for c in api["callbacks"]]
    lines += [f"{s['name']} struct_{s['name']};" for s in api["structs"]]
    for enum in api["enums"]:  # the typedef is an int32_t, whatever its constants are
        constants = ", ".join(f"enum_{name} = {name}" for name in enum["values"])
        lines.append(f"enum enum_{enum['name']} {{ {constants} }} enum_{enum['name']};")
    return "\n".join(lines) + "\n"


def compile_object(api: dict, include: Path, folder: Path) -> Path:
    file, library = folder / "abi.c", folder / "abi.so"
    file.write_text(source(api))
    compiler = [os.environ.get("CC", "cc"), "-std=gnu11", "-g", "-O0", "-shared", "-fPIC", f"-I{include}"]
    subprocess.run([*compiler, file, "-o", library], check=True)
    return library


def differences(record: Path, library: Path) -> tuple[bool, str]:
    """Whether something was removed or changed, and what abidiff says of it."""
    done = subprocess.run(["abidiff", record, library], capture_output=True, text=True)
    if done.returncode == 0:
        return False, ""
    text = done.stdout + done.stderr
    counts = re.findall(r"summary: (\d+) Removed, (\d+) Changed", text)
    if len(counts) != 2:
        raise RuntimeError(f"abidiff said: {text}")
    return any(int(n) for pair in counts for n in pair), text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--api", type=Path, required=True)
    parser.add_argument("--include", type=Path, required=True)
    parser.add_argument("--update", action="store_true", help="take what was added into the record")
    arguments = parser.parse_args()
    api = json.loads(arguments.api.read_text())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        library = compile_object(api, arguments.include, folder)
        if RECORD.exists():
            record = folder / "record.abi"
            record.write_bytes(gzip.decompress(RECORD.read_bytes()))
            broken, text = differences(record, library)
            if broken:
                print(f"{text}\nThe ABI changed. Within a major version things are only added.", file=sys.stderr)
                return 1
        elif not arguments.update:
            print(f"{RECORD} is missing", file=sys.stderr)
            return 1
        if arguments.update:
            text = subprocess.run([*WRITE, library], capture_output=True, check=True).stdout
            RECORD.write_bytes(gzip.compress(text, 9, mtime=0))
    functions, enums = len(api["functions"]), len(api["enums"])
    print(f"{functions} functions, {enums} enumerations, {len(api['structs'])} structs: as in the record, or added")
    return 0


if __name__ == "__main__":
    sys.exit(main())
