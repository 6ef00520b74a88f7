"""Whatever words it is given, libspl_ctorch.so answers: every function, random words, threads, under sanitizers."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bindings-gen"))
pytest.register_assert_rewrite("tests.languages.word.fixtures")

from tests.languages.word.fixtures import GENERATED, INCLUDE, LIBRARY, SOURCES, WORD_LIBRARY, compiler, python  # noqa: E402

pytest_plugins = ("tests.languages.word.fixtures",)
SANITIZE_EVERY = 40  # of how many operators one is in the sanitized library


# Whatever it is given


def test_no_word_that_is_no_handle_gets_through():
    done = python("tests.languages.word.sweep", str(WORD_LIBRARY))
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]


def test_random_words_get_an_answer():
    done = python("tests.languages.word.fuzz", str(WORD_LIBRARY), CTORCH_DEBUG_HANDLES="1")
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]


def test_threads_race_for_handles(tmp_path):
    command = [compiler(), "-std=gnu11", "-O1", "-g", "-fsanitize=thread", "-pthread", *INCLUDE]
    sources = [ROOT / "tests/languages/word/race.c", SOURCES / "handles.c"]
    subprocess.run([*command, *sources, "-o", tmp_path / "race"], check=True)
    done = subprocess.run([tmp_path / "race"], capture_output=True, text=True)
    if "unexpected memory mapping" in done.stderr:
        pytest.skip("ThreadSanitizer does not run with this kernel's address space layout")
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]


def is_used(body: str) -> bool:
    return body.startswith(("int64_t rt_ctorch_aten_ones(", "int64_t rt_ctorch_aten_mm("))


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory) -> Path:
    """The library under AddressSanitizer and UndefinedBehaviorSanitizer, with a part of the operators."""
    folder = tmp_path_factory.mktemp("sanitized")
    bodies = "\n".join(p.read_text() for p in sorted((GENERATED / "word").glob("word_*.c"))).split("\n\n")
    needed = [b for b in bodies if not b.startswith("int64_t rt_ctorch_aten_") or is_used(b)]
    (folder / "bodies.c").write_text(
        "\n\n".join(needed + [b for b in bodies if b not in set(needed)][::SANITIZE_EVERY])
    )
    flags = ["-std=gnu11", "-O1", "-g1", "-fPIC", "-fvisibility=hidden", *INCLUDE, "-c"]
    checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    by_hand = [*sorted(SOURCES.glob("*.c")), GENERATED / "word" / "kinds.c"]
    subprocess.run([compiler(), *flags, *checks, *by_hand], cwd=folder, check=True)
    subprocess.run([compiler(), *flags, *checks, "-O0", "bodies.c"], cwd=folder, check=True)
    library = folder / "libspl_ctorch.so"
    link = ["-shared", *checks[:1], *sorted(folder.glob("*.o")), "-o", library, str(LIBRARY)]
    script = f"-Wl,--version-script,{GENERATED / 'word' / 'exports.map'}"
    rpath = f"-Wl,-z,nodelete,-rpath,{LIBRARY.resolve().parent}"
    subprocess.run([compiler(), *link, script, rpath], check=True)
    return library


@pytest.mark.parametrize("program", ["sweep", "fuzz"])
def test_nothing_is_found_by_sanitizers(sanitized, program):
    runtimes = [
        subprocess.run([compiler(), f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    options = "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=16"
    environment = {"LD_PRELOAD": " ".join(runtimes), "ASAN_OPTIONS": options, "UBSAN_OPTIONS": "print_stacktrace=1"}
    arguments = ["10000"] if program == "fuzz" else ["some"]
    done = python(f"tests.languages.word.{program}", str(sanitized), *arguments, **environment)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
