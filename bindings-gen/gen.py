#!/usr/bin/env python3
"""Generate ctorch from PyTorch's native_functions.yaml, the hand-written headers and schema/*.schema.

    gen.py                 write the committed outputs, which must agree with abi/*.lock: include/ctorch/generated/,
                           examples/generated/
    gen.py --check         write nothing; fail with a diff if a committed output is stale
    gen.py --update-lock   add what is new to abi/*.lock, then write; nothing there ever changes or goes
    gen.py --build DIR     write what the build needs to DIR; fail if a committed output is stale. The hand-written
                           layers of bindings come from layers.py

The yaml is that of the installed torchgen, which comes with PyTorch's Python package, unless --yaml names another.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections import Counter
from pathlib import Path

from ctorchgen.interpreter import run_by_venv

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
try:
    from ctorchgen import constructors, headers, lock, operators, python_names, schema, vocabulary
    from ctorchgen.api import Api
    from ctorchgen.emit.apijson import ApiJson
    from ctorchgen.emit.c.cdef import CDef
    from ctorchgen.emit.c.constructors import ConstructorsC
    from ctorchgen.emit.c.cpp import CppShards
    from ctorchgen.emit.c.exports import Exports
    from ctorchgen.emit.c.header import CHeader
    from ctorchgen.emit.c.loader import Loader
    from ctorchgen.emit.c.shorthand import Shorthand
    from ctorchgen.emit.c.structured import StructuredCpp
    from ctorchgen.emit.c.tape_roles import TapeRolesCpp
    from ctorchgen.emit.coverage import Coverage, LeftOut, rows
    from ctorchgen.emit.fortran.binding import Fortran
    from ctorchgen.emit.from_python import FromPython
    from ctorchgen.emit.go.binding import Go
    from ctorchgen.emit.java.binding import Java
    from ctorchgen.emit.luajit.binding import LuaJit
    from ctorchgen.emit.node.binding import Node
    from ctorchgen.emit.python.binding import Python
    from ctorchgen.emit.python.stubs import PythonStubs
    from ctorchgen.emit.ruby.binding import Ruby
    from ctorchgen.emit.rust.binding import Rust
    from ctorchgen.emit.simple.binding import Simple
    from ctorchgen.emit.word.c import WordC
    from ctorchgen.emit.word.table import WordTable
    from ctorchgen.outputs import write, write_all
    from ctorchgen.policy import read_policy
    from ctorchgen.schema import GeneratorError
except ImportError as error:
    if __name__ != "__main__":
        raise
    sys.exit(f"gen.py: {run_by_venv(ROOT, error)}")

MAX_DIFF_LINES = 60
BINDINGS = (
    Fortran(),
    Go(),
    Java(),
    LuaJit(),
    Node(),
    Python(),
    PythonStubs(),
    Ruby(),
    Rust(),
    Simple(),
    WordC(),
    WordTable(),
)  # emit(api) -> {"bindings/<language>/…": text}


def main() -> int:
    args = parse_arguments()
    try:
        return generate(args)
    except (GeneratorError, OSError) as error:
        print(f"gen.py: {error}", file=sys.stderr)
        return 1


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="compare the committed outputs, write nothing")
    what.add_argument("--update-lock", action="store_true", help="add new functions to the lock files, then write")
    what.add_argument("--build", type=Path, metavar="DIR", help="write the outputs that are not committed to DIR")
    parser.add_argument("--yaml", type=Path, help="another native_functions.yaml, with its tags.yaml beside it")
    parser.add_argument("--torch-version", help="version of the LibTorch that the yaml belongs to")
    parser.add_argument("--root", type=Path, default=ROOT, help="the tree to read and write (default: this one)")
    return parser.parse_args()


def generate(args: argparse.Namespace) -> int:
    include, abi = args.root / "include", args.root / "bindings-gen/abi"
    yaml = args.yaml or schema.native_functions_path()
    torch_version = args.torch_version or torch_version_beside(yaml)
    version = ctorch_version(include / "ctorch/abi/version.h")
    since = ".".join(version.split(".")[:2])

    ops = schema.read_operators(yaml)
    entries = constructors.read_schemas(args.root / "bindings-gen/schema")
    locks = lock.read_all(abi, {"aten", "core"} | {c.namespace for c in entries})
    aten_lock = locks["aten"]
    kinds = lock.read_kinds(abi / "word.lock")
    locked = {e.schema.split("(")[0].removeprefix("aten::"): e.location for e in aten_lock.values()}
    policy = read_policy(args.root / "bindings-gen/policy.toml", {op.name for op in ops}, locked, torch_version)
    core = headers.read_headers(include)
    opaque, kinds, added_kinds = lock.number(kinds, core.opaque)
    tape_roles = operators.tape_roles({op.name for op in ops} | locked.keys(), policy)
    aten = operators.build(ops, aten_lock, policy, since, torch_version, core.enums)
    functions = (*core.functions, *aten, *constructors.build(entries, locks, since))
    api = Api(
        version,
        torch_version,
        core.enums,
        core.structs,
        opaque,
        core.callbacks,
        tuple(sorted(functions, key=lambda f: f.header)),
    )
    generated = CHeader().emit(api) | Shorthand().emit(api)
    committed = {include / "ctorch/generated" / path: text for path, text in generated.items()}
    if (args.root / "bindings-gen/python").is_dir():
        committed |= {args.root / path: text for path, text in page_for_python(args.root).emit(api).items()}
    added: list[str] = []
    for kind, old in locks.items():
        record, new = lock.extend(old, [f for f in functions if f.kind == kind], f"abi/{kind}.lock")
        committed[abi / f"{kind}.lock"] = lock.text(record, kind)
        added += new
    committed[abi / "word.lock"] = lock.kinds_text(kinds)
    added += added_kinds
    vocabulary.check(api, BINDINGS)
    left_out = LeftOut(
        {op.name: policy.skip[op.name] for op in ops if op.name in policy.skip},
        policy.out_of_abi,
        Counter(t for op in ops if (t := operators.out_of_abi(op, policy))),
    )
    report(api, left_out)

    if args.check or args.build:
        if not check(committed, args.root, added):
            return 1
        if args.build:
            structured = StructuredCpp(operators.prebuilt(schema.read_structured(yaml), policy))
            emitters = (
                CppShards(),
                structured,
                TapeRolesCpp(tape_roles),
                ConstructorsC(),
                Exports(),
                Loader(),
                ApiJson(),
                CDef(),
                Coverage(left_out),
            )
            outputs: dict[str, str] = {}
            for emitter in (*emitters, *BINDINGS):
                outputs |= emitter.emit(api)
            write_all(args.build, outputs, "outputs.txt")
        return 0
    if added and not args.update_lock:
        some = ", ".join(added[:5]) + (", …" if len(added) > 5 else "")
        raise GeneratorError(
            f"{len(added)} functions or types are not in abi/*.lock yet ({some}); gen.py --update-lock adds them"
        )
    for path, text in committed.items():
        write(path, text)
    stale = set((include / "ctorch/generated").glob("*")) - set(committed)
    for path in stale:
        path.unlink()
    return 0


def page_for_python(root: Path) -> FromPython:
    folder = root / "bindings-gen/python"
    version, names = python_names.read_names(folder / "names.txt")
    table = python_names.read_table(folder / "table.toml")
    example = (root / "examples/fused_adamw.c").read_text()
    step = re.search(r"^/\* One step.*?^}\n", example, re.MULTILINE | re.DOTALL)
    if not step:
        raise GeneratorError('examples/fused_adamw.c has no function under a comment "One step"')
    return FromPython(version, names, table, step[0])


def check(committed: dict[Path, str], root: Path, added: list[str]) -> bool:
    """Whether every committed output is what would be written now; prints how it differs."""
    folder = root / "include/ctorch/generated"
    wanted: dict[Path, str | None] = {**dict.fromkeys(folder.glob("*")), **committed}
    stale = False
    for path, text in sorted(wanted.items()):
        old = path.read_text() if path.exists() else ""
        if old == (text or "") and text is not None:
            continue
        stale = True
        name = str(path.relative_to(root))
        print(f"{name} {'is stale' if path.exists() else 'is missing'}:", file=sys.stderr)
        diff = list(
            difflib.unified_diff(old.splitlines(), (text or "").splitlines(), name, f"{name} (now)", "", "", 1, "")
        )
        print("\n".join(diff[:MAX_DIFF_LINES]), file=sys.stderr)
        if len(diff) > MAX_DIFF_LINES:
            print(f"… and {len(diff) - MAX_DIFF_LINES} more lines", file=sys.stderr)
    if stale:
        new = f", {len(added)} functions or types are new" if added else ""
        print(
            f"gen.py: committed outputs are stale{new}. Legal ways out: gen.py writes the headers of what is "
            "locked; gen.py --update-lock adds new ones; a function that changed has to be restored, or added under a "
            "new name. Never edit a generated file.",
            file=sys.stderr,
        )
    return not stale


def report(api: Api, left_out: LeftOut) -> None:
    counted = rows(api, left_out)
    print(
        f"ctorch {api.version} for LibTorch {api.torch_version}: " + ", ".join(f"{v} {k}" for k, v in counted.items())
    )


def ctorch_version(header: Path) -> str:
    numbers = [re.search(rf"CTORCH_VERSION_{part} (\d+)", header.read_text()) for part in ("MAJOR", "MINOR", "PATCH")]
    if not all(numbers):
        raise GeneratorError(f"{header}: CTORCH_VERSION_MAJOR, _MINOR and _PATCH are not all defined")
    return ".".join(n[1] for n in numbers)


def torch_version_beside(yaml: Path) -> str:
    """torchgen/packaged/ATen/native/native_functions.yaml lies beside torch/version.py."""
    for folder in yaml.resolve().parents:
        file = folder / "torch/version.py"
        if file.exists():
            found = re.search(r"__version__ = '([^'+]+)", file.read_text())
            if found:
                return found[1]
    raise GeneratorError(f"{yaml}: no torch/version.py beside it; give --torch-version")


if __name__ == "__main__":
    sys.exit(main())
