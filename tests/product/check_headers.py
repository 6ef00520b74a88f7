"""Header matrix: every public header under every C and C++ standard that ctorch supports, with gcc and clang.

Per compiler and standard: all headers together in both orders, and everything twice in two translation units that are
linked into one program. Each header alone, which tells whether it includes what it needs, with the oldest C by one
compiler and the oldest C++ by the other. Nothing may be warned about. The number of compilations is asserted, so a
header or a compiler that goes missing is a failure and not a shorter run.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

C_STANDARDS = ("c99", "c11", "c17", "c2x")
CXX_STANDARDS = ("c++11", "c++17", "c++20")
COMPILERS = {"gcc": "g++", "clang": "clang++"}
ALONE = {("gcc", C_STANDARDS[0]), ("clang", CXX_STANDARDS[0])}
WARNINGS = ("-Wall", "-Wextra", "-pedantic", "-Werror")


def command(c_compiler: str, standard: str, include: Path) -> list[str]:
    if standard in C_STANDARDS:
        return [c_compiler, "-x", "c", f"-std={standard}", *WARNINGS, "-Wstrict-prototypes", f"-I{include}"]
    return [COMPILERS[c_compiler], "-x", "c++", f"-std={standard}", *WARNINGS, f"-I{include}"]


def compile_text(base: list[str], text: str) -> str:
    """Compiler output for `text`; empty if it is accepted."""
    run = subprocess.run([*base, "-fsyntax-only", "-"], input=text, capture_output=True, text=True, check=False)
    return run.stderr if run.returncode or run.stderr else ""


def link_two_units(base: list[str], text: str) -> str:
    """Compiler output for two units of `text` linked into one program; empty if it is accepted."""
    with tempfile.TemporaryDirectory() as folder:
        units = []
        for name, code in (
            ("one", "int one(void);\nint one(void) { return 1; }\n"),
            ("main", "int main(void) { return 0; }\n"),
        ):
            units.append(str(Path(folder, name + ".c")))
            Path(units[-1]).write_text(text + code)
        run = subprocess.run([*base, *units, "-o", folder + "/program"], capture_output=True, text=True, check=False)
        return run.stderr if run.returncode or run.stderr else ""


def includes(headers: list[str]) -> str:
    return "".join(f'#include "{header}"\n' for header in headers)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", type=Path, required=True, help="folder that holds ctorch.h")
    arguments = parser.parse_args()
    include = arguments.include.resolve()

    headers = sorted(str(path.relative_to(include)) for path in include.rglob("*.h"))
    parts = [header for header in headers if header != "ctorch.h"]
    umbrella = (include / "ctorch.h").read_text()
    failures = [f"ctorch.h does not include {part}" for part in parts if f'#include "{part}"' not in umbrella]
    failures += [f"{name} is not installed" for pair in COMPILERS.items() for name in pair if not shutil.which(name)]
    if failures:
        print("\n".join(failures))
        return 1

    # The flags must be able to say no.
    for standard, bad in (("c11", "void f();\n"), ("c++17", "int f(int unused) { return 0; }\n")):
        for compiler in COMPILERS:
            if not compile_text(command(compiler, standard, include), bad):
                print(f"{compiler} -std={standard} accepts {bad!r}: the matrix would prove nothing")
                return 1

    jobs = []
    for compiler in COMPILERS:
        for standard in C_STANDARDS + CXX_STANDARDS:
            base = command(compiler, standard, include)
            label = f"{compiler} -std={standard}"
            for header in headers if (compiler, standard) in ALONE else ():
                jobs.append((f"{label} {header} alone", compile_text, base, includes([header])))
            jobs.append((f"{label} all headers", compile_text, base, includes(parts + ["ctorch.h"])))
            jobs.append((f"{label} all headers backwards", compile_text, base, includes(parts[::-1] + ["ctorch.h"])))
            jobs.append((f"{label} twice in two linked units", link_two_units, base, includes(headers + headers)))

    with ThreadPoolExecutor(max_workers=min(4, os.cpu_count() or 1)) as pool:
        outputs = list(pool.map(lambda job: job[1](job[2], job[3]), jobs))
    compiled = sum(not output for output in outputs)
    for (label, *_), output in zip(jobs, outputs, strict=True):
        if output:
            print(f"FAILED {label}\n{output}")

    expected = len(COMPILERS) * (len(C_STANDARDS) + len(CXX_STANDARDS)) * 3 + len(ALONE) * len(headers)
    print(
        f"{compiled} of {expected} compilations passed: all headers, all backwards, twice in two units; "
        f"{len(C_STANDARDS)} C and {len(CXX_STANDARDS)} C++ standards, {len(COMPILERS)} compilers; {len(headers)} alone"
    )
    return 0 if compiled == expected and len(headers) > 2 else 1


if __name__ == "__main__":
    sys.exit(main())
