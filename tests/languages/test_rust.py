"""The Rust crates: their own tests, documentation tests, leaks, and the training program beside the one in C."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.harness.build import BUILD
from tests.languages import data_program, exported_model, file_exchange, text_sample, training

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent / "rust"
CRATES = BUILD / "generated/bindings/rust"
FOLDER = BUILD / "consumers/rust"
SOURCES = [*(ROOT / "examples/rust").glob("*.rs"), ROOT / "tests/bench/rust/overhead.rs"]

if shutil.which("cargo") is None:
    pytest.skip("cargo is missing: apt-get install cargo rustc", allow_module_level=True)


@pytest.fixture(scope="session")
def environment():
    """A package for cargo, made once: the sources, the crates beside them, and a ctorch.pc for the build tree."""
    shutil.copytree(HERE, FOLDER, dirs_exist_ok=True, copy_function=copy_if_changed)
    for source in SOURCES:
        copy_if_changed(source, FOLDER / source.name)
    program = FOLDER / "src/bin/every_symbol.rs"
    if not program.exists() or program.read_text() != every_symbol():
        program.write_text(every_symbol())
    link = FOLDER / "crates"
    if not link.is_symlink():
        link.symlink_to(CRATES)
    (FOLDER / "ctorch.pc").write_text(
        "Name: ctorch\nDescription: ctorch of this build\nVersion: 0.1.0\n"
        f"Cflags: -I{ROOT / 'include'}\nLibs: -L{BUILD} -lctorch\n"
    )
    return {
        **os.environ,
        "PKG_CONFIG_PATH": str(FOLDER),
        "CARGO_TARGET_DIR": str(FOLDER / "target"),
        "CARGO_NET_OFFLINE": "true",
        "LD_LIBRARY_PATH": str(BUILD),
        "CTORCH_DEBUG_HANDLES": "0",
    }


def raw_functions():
    return re.findall(r"^    pub fn (ctorch_\w+)", (CRATES / "ctorch-sys/src/lib.rs").read_text(), re.M)


def every_symbol():
    entries = "".join(f"        ctorch::sys::{name} as *const (),\n" for name in raw_functions())
    return (
        f"fn main() {{\n    let all = [\n{entries}    ];\n"
        '    assert!(all.iter().all(|f| !f.is_null()));\n    println!("{}", all.len());\n}\n'
    )


def copy_if_changed(source, target):
    """What cargo sees as old is not compiled again."""
    if not Path(target).exists() or Path(target).read_bytes() != Path(source).read_bytes():
        shutil.copyfile(source, target)
    return target


@pytest.fixture(scope="session")
def programs(environment):
    cargo("build", "--release", "--bins", environment=environment)
    return FOLDER / "target/release"


def cargo(*arguments, environment, folder=FOLDER):
    done = subprocess.run(
        ["nice", "cargo", *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    assert "warning:" not in done.stderr, done.stderr[-3000:]
    return done.stdout


def run(program, *arguments, environment, status=0):
    done = subprocess.run(
        [program, *map(str, arguments)], env=environment, capture_output=True, text=True, timeout=300, cwd=ROOT
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


def passed(output):
    return sum(int(n) for n in re.findall(r"test result: ok\. (\d+) passed; 0 failed", output))


def test_suite(environment, programs, subtests):
    output = cargo("test", "--release", "--test", "suite", environment=environment)
    for name in re.findall(r"^test (\S+).*\.\.\. ok$", output, re.M):
        with subtests.test(name):
            pass
    assert passed(output) == len(re.findall(r"#\[test\]", "".join(p.read_text() for p in HERE.glob("tests/suite/*"))))


@pytest.mark.turns
def test_documentation(environment, programs):
    output = cargo("test", "--release", "--doc", "-p", "ctorch", environment=environment)
    names = re.findall(r"^test (\S+ - .*) \.\.\. ok$", output, re.M)
    assert sum("Readme" in n for n in names) == 8
    assert sum("compile fail" in n for n in names) == 2  # a tensor on another thread
    assert passed(output) == len(names) == 29


def test_nothing_leaks(environment, programs):
    counting = {**environment, "CTORCH_DEBUG_HANDLES": "1"}
    assert run(programs / "leaks", environment=counting) == "0 live handles\n"
    assert run(programs / "leaks", "forget", environment=counting) == "1 live handles\n"  # it does count


@pytest.mark.turns
def test_a_program_runs_as_the_readme_says(environment, tmp_path):
    """From an installed tree, with nothing set but PKG_CONFIG_PATH; and by itself, with the build.rs of the README."""
    readme = (CRATES / "README.md").read_text()
    prefix = tmp_path / "prefix"
    (prefix / "share/ctorch/bindings").mkdir(parents=True)
    (prefix / "share/ctorch/bindings/rust").symlink_to(CRATES)
    (prefix / "lib/pkgconfig").mkdir(parents=True)
    for name in ("libctorch.so", "libctorch.so.0"):
        (prefix / "lib" / name).symlink_to(BUILD / name)
    (prefix / "lib/pkgconfig/ctorch.pc").write_text(
        "prefix=${pcfiledir}/../..\nName: ctorch\nDescription: installed\nVersion: 0.1.0\n"
        "Libs: -L${prefix}/lib -lctorch -Wl,-rpath,${prefix}/lib\n"
    )
    blocks = re.findall(r"```(\w+)\S*\n(.*?)```", readme, re.S)
    dependencies, command, build, program = (text.replace("<prefix>", str(prefix)) for _, text in blocks[:4])
    package = tmp_path / "program"
    (package / "src").mkdir(parents=True)
    (package / "Cargo.toml").write_text('[package]\nname = "program"\nedition = "2021"\n\n' + dependencies)
    (package / "src/main.rs").write_text(program)
    unset = ("LD_LIBRARY_PATH", "PKG_CONFIG_PATH")
    bare = {k: v for k, v in environment.items() if k not in unset} | {"CARGO_TARGET_DIR": str(FOLDER / "readme")}
    done = subprocess.run(["sh", "-ec", command], cwd=package, env=bare, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    (package / "build.rs").write_text(build)
    done = subprocess.run(["sh", "-ec", command], cwd=package, env=bare, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    run(FOLDER / "readme/debug/program", environment=bare)


def test_every_symbol_links(environment, programs):
    """A program that needs the address of each function: the linker found all of them in the library."""
    functions = {f["name"] for f in json.loads(Path(os.environ["CTORCH_API"]).read_text())["functions"]}
    names = raw_functions()
    assert len(names) == len(set(names)) > 3600 and set(names) == functions
    assert run(programs / "every_symbol", environment=environment) == f"{len(names)}\n"


@pytest.mark.turns
def test_train_digits_equals_the_c_program(environment, programs, tmp_path):
    options = ["--epochs", "2", "--seed", "3", "--data", ROOT / "examples/data"]
    c = run(BUILD / "examples/train_digits", *options, "--losses", tmp_path / "c", "--quiet", environment=environment)
    more = "--workers", 2, "--snapshots", tmp_path / "snapshots", "--losses", tmp_path / "rust"
    for _ in range(2):  # the second time nothing is left to do
        rust = run(programs / "train_digits", *options, *more, environment=environment)
        assert (tmp_path / "rust").read_bytes() == (tmp_path / "c").read_bytes()
        assert rust.splitlines()[-1] == c.splitlines()[-1]


@pytest.mark.turns
def test_image_folder_equals_the_c_program(environment, programs):
    shapes = ROOT / "examples/data/shapes"
    c = run(BUILD / "examples/image_folder", shapes, environment=environment)
    assert len(c.splitlines()) == 16 and run(programs / "image_folder", shapes, environment=environment) == c


@pytest.mark.turns
def test_gpt_equals_the_c_program(environment, programs):
    arguments = [ROOT / "examples/data/sonnets.txt", "3"]
    c = subprocess.run([BUILD / "examples/gpt", *arguments], capture_output=True, timeout=300, check=True)
    rust = subprocess.run([programs / "gpt", *arguments], env=environment, capture_output=True, timeout=300, check=True)
    assert c.stdout.startswith(b"step 1: loss ") and rust.stdout == c.stdout


@pytest.mark.turns
@pytest.mark.parametrize("kind", exported_model.WRITERS)
def test_a_model_of_python_runs(environment, programs, kind):
    printed = run(programs / "run_model", kind, exported_model.file(kind), environment=environment)
    exported_model.assert_equal(kind, printed)


@pytest.mark.turns
def test_texts_are_encoded_judged_and_logged_as_in_python(environment, programs, tmp_path):
    text_sample.write(tmp_path)
    counting = {**environment, "CTORCH_DEBUG_HANDLES": "1"}
    text_sample.assert_equal(tmp_path, run(programs / "text", tmp_path, environment=counting))
    rated = run(programs / "rate_reviews", tmp_path / "tokenizer.json", tmp_path / "log", environment=environment)
    text_sample.assert_rated(tmp_path, rated)


@pytest.mark.turns
def test_training_gives_the_numbers_of_python(environment, programs):
    training.check(run(programs / "training", environment=environment))


@pytest.mark.turns
def test_data_and_the_trainer_give_what_python_does(environment, programs, tmp_path):
    folder = data_program.give(tmp_path)
    output = run(programs / "data", folder, environment={**environment, "CTORCH_DEBUG_HANDLES": "1"})
    data_program.check(output, folder)
    assert output.endswith("\n0 live handles\n")


@pytest.mark.turns
def test_files_are_exchanged_with_python(environment, programs, tmp_path):
    given, made = file_exchange.give(tmp_path / "given"), tmp_path / "made"
    made.mkdir()
    counting = {**environment, "CTORCH_DEBUG_HANDLES": "1"}
    assert run(programs / "files", given, made, environment=counting) == "0 live handles\n"
    file_exchange.check(made)


def test_overhead_prints_a_line_for_each_case(environment, programs):
    if not os.environ.get("CTORCH_BENCH"):
        pytest.skip("figures: set CTORCH_BENCH=1")
    output = run(programs / "overhead", environment=environment)
    assert [line.split()[0] for line in output.splitlines()] == ["version", "size", "add", "cat"]
    print(output)


def test_unsafe_code_under_miri(environment, programs):
    """Miri interprets Rust alone: miri.rs has the C that its tests need."""
    if subprocess.run(["cargo", "+nightly", "miri", "--version"], capture_output=True).returncode != 0:
        pytest.skip("Miri is missing: rustup +nightly component add miri")
    environment = {**environment, "CARGO_TARGET_DIR": str(FOLDER / "miri")}
    assert passed(cargo("+nightly", "miri", "test", "--test", "miri", environment=environment)) == 1


@pytest.mark.slow(2)
def test_unsafe_code_without_the_library(environment, programs):
    """The same test as a program, which at least runs where there is no Miri; under valgrind where that is."""
    flags = {"RUSTFLAGS": "--cfg miri", "CARGO_TARGET_DIR": str(FOLDER / "fake")}
    output = cargo("test", "--no-run", "--test", "miri", "--message-format=json", environment=environment | flags)
    program = next(e for e in re.findall(r'"executable":"([^"]+/miri-[^"]+)"', output))
    valgrind = ["valgrind", "--quiet", "--error-exitcode=9"] if shutil.which("valgrind") else []
    done = subprocess.run([*valgrind, program], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and passed(done.stdout) == 1, done.stdout + done.stderr


def test_clippy(environment):
    if not os.environ.get("CTORCH_LINT"):
        pytest.skip("clippy checks the crates in another pass of the compiler: set CTORCH_LINT=1")
    if shutil.which("cargo-clippy") is None:
        pytest.skip("clippy is missing: apt-get install rust-clippy")
    cargo("clippy", "--release", "-p", "ctorch", "--", "-D", "warnings", environment=environment)


def test_hand_written_files_have_the_style_of_rustfmt():
    if shutil.which("rustfmt") is None:
        pytest.skip("rustfmt is missing: apt-get install rustfmt")
    sources = [*(ROOT / "bindings-gen/languages/rust").glob("**/*.rs"), *HERE.glob("**/*.rs")]
    files = [f for f in sources if f.name not in ("lib.rs", "main.rs")]  # rustfmt follows what they are made of
    files += SOURCES
    done = subprocess.run(
        ["rustfmt", "--edition", "2021", "--check", "--config", "max_width=120,use_small_heuristics=Max", *files],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:]
