"""The Ruby binding: the programs in ruby/, and the example. Debian: ruby ruby-ffi."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
import torch

from tests.languages import data_sample, exported_model, forgotten, text_sample, training_sample

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).resolve().parent / "ruby"
FILES = "errors values native ownership callbacks raw modules optimizers".split()


@pytest.fixture(scope="session")
def build() -> Path:
    if "CTORCH_BUILD" not in os.environ:
        pytest.skip("CTORCH_BUILD is not set")
    ruby = shutil.which("ruby")
    if not ruby or subprocess.run([ruby, "-e", "require 'ffi'"], capture_output=True).returncode != 0:
        pytest.skip("no ruby with ffi: apt-get install ruby ruby-ffi")
    return Path(os.environ["CTORCH_BUILD"])


def start(build: Path, *words: str, text: bool = True) -> subprocess.CompletedProcess:
    library = os.environ.get("CTORCH_LIBRARY", str(build / "libctorch.so"))
    environment = os.environ | {"CTORCH_LIBRARY": library, "CTORCH_DEBUG_HANDLES": "1", "LANG": "C.UTF-8"}
    command = ["ruby", "-w", "-I", str(build / "generated/bindings/ruby/lib"), *words]
    return subprocess.run(command, env=environment, capture_output=True, text=text, timeout=240)


@pytest.mark.turns
@pytest.mark.parametrize("what", [*forgotten.COUNTS, *forgotten.SMALL])
def test_what_small_handles_keep_is_collected(build: Path, what: str, tmp_path: Path) -> None:
    library = os.environ.get("CTORCH_LIBRARY", str(build / "libctorch.so"))
    command = ["ruby", "-I", str(build / "generated/bindings/ruby/lib"), str(PROGRAMS / "forgotten.rb")]
    forgotten.check(what, command, {**os.environ, "CTORCH_LIBRARY": library}, tmp_path)


@pytest.fixture(scope="session")
def ran(build: Path) -> list[str]:
    """The lines of the test programs, which run once."""
    done = start(build, str(PROGRAMS / "checks.rb"), *(str(PROGRAMS / f"{file}.rb") for file in FILES))
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "warning:" not in done.stderr.replace("Warning:", ""), done.stderr[-3000:]
    assert "was released: made by" not in done.stderr, done.stderr[-3000:]  # a second release
    return done.stdout.splitlines()


@pytest.mark.parametrize("file", FILES)
def test_program(file: str, ran: list[str], subtests: pytest.Subtests) -> None:
    public = (PROGRAMS / f"{file}.rb").read_text().partition("  class << self\n")[2].split("    private\n")[0]
    methods = re.findall(r"^    def (\w+)$", public, re.MULTILINE)
    assert methods
    for method in methods:
        with subtests.test(method):
            name = f"{file.capitalize()}Test.{method}"
            failure = next((i for i, line in enumerate(ran) if line == f"FAIL {name}"), None)
            assert failure is None, "\n".join(ran[failure : failure + 10])
            assert f"PASS {name}" in ran


@pytest.mark.turns
def test_training_is_that_of_python(build: Path) -> None:
    done = start(build, str(PROGRAMS / "training.rb"))
    assert done.returncode == 0, done.stderr[-3000:]
    training_sample.assert_equal(done.stdout)


@pytest.mark.turns
def test_what_is_loaded_and_trained_is_that_of_python(build: Path, tmp_path: Path) -> None:
    done = start(build, str(PROGRAMS / "data_sample.rb"), str(tmp_path))
    assert done.returncode == 0, done.stderr[-3000:]
    data_sample.assert_equal(done.stdout)


def test_a_thread_may_end_after_ruby(build: Path, tmp_path: Path) -> None:
    """Ruby before 3.3 keeps a native thread for three seconds; here the process takes five to end."""
    program = tmp_path / "program.rb"
    program.write_text("""
        require "ffi"
        module C
          extend FFI::Library
          ffi_lib FFI::Library::LIBC
          attach_function :__cxa_atexit, %i[pointer pointer pointer], :int
        end
        C.__cxa_atexit(C.ffi_libraries.first.find_symbol("sleep"), FFI::Pointer.new(5), nil)
        require "ctorch"
        Thread.new { Ctorch::Aten.zeros([2]) + 1 }.join
        puts "done"
    """)
    done = start(build, str(program))
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


def test_a_program_that_c_has_called_back_ends(build: Path, tmp_path: Path) -> None:
    """What ffi starts with the first function of Ruby's for C ends when Ruby says so, wherever that was made."""
    program = tmp_path / "program.rb"
    program.write_text("""
        require "ctorch"
        x = Ctorch::Aten.ones([2]).requires_grad!
        y = x * 2
        y.register_hook { |grad| grad * 3 }
        y.sum.backward
        p x.grad.to_a
    """)
    for _ in range(3):
        done = start(build, str(program))
        assert (done.returncode, done.stdout) == (0, "[6.0, 6.0]\n"), done.stderr


WAITING = """
    require "timeout"
    require "ctorch"
    Thread.report_on_exception = false
    A = Ctorch::Aten
    MAIN = Thread.main

    def ended_by(*types)
      yield
    rescue *types => e
      puts "#{e.class} #{e.message}"
    end

    def meanwhile(over = -> { MAIN.stop? })
      Thread.new do
        Thread.pass until over.call
        yield
      end
    end
"""


def test_what_comes_for_a_thread_ends_its_wait_for_a_worker(build: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.rb"
    program.write_text(
        WAITING
        + """
        begun, gate = Thread::Queue.new, Thread::Queue.new
        sample = FFI::Function.new(:int32, %i[pointer int64 pointer pointer]) do |out, index, error, _|
          begun << index
          gate.pop
          error.write_pointer(Ctorch::Raw.ctorch_value_from_int(out, index))
          Ctorch::CONSTANTS[:callback_status][:ok]
        end
        at = FFI::MemoryPointer.new(:pointer)
        Ctorch::Raw.ctorch_dataset_from_callback(at, 4, sample, true, nil, nil)
        batches = Ctorch::Data.DataLoader(Ctorch::Dataset.take(at.read_pointer), num_workers: 1).iterate
        meanwhile { begun.pop && Process.kill("INT", Process.pid) }
        ended_by(Interrupt) { batches.next }
        trap("USR1") { raise KeyError, "mine" }
        meanwhile { Process.kill("USR1", Process.pid) }
        ended_by(KeyError) { batches.next }
        meanwhile { MAIN.raise(IndexError, "raised") }
        ended_by(IndexError) { batches.next }
        ended_by(Timeout::Error) { Timeout.timeout(0.01) { batches.next } }
        killed = Thread.new { batches.next }
        Thread.pass until killed.stop?
        killed.kill
        ended_by(Ctorch::Jump) { killed.join }
        trap("USR1") { gate.close } # a handler that does not raise ends nothing
        meanwhile { Process.kill("USR1", Process.pid) }
        p batches.map { |index| index.to_a }
        batches.close
    """
    )
    done = start(build, str(program))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "Interrupt ",
        "KeyError mine",
        "IndexError raised",
        "Timeout::Error execution expired",
        "Ctorch::Jump a block that C calls was left by the end of its thread",
        "[[0], [1], [2], [3]]",
    ]


def test_what_comes_for_a_thread_ends_its_training(build: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.rb"
    program.write_text(
        WAITING
        + """
        samples = Ctorch::Data.TensorDataset([A.zeros([8, 1]), A.zeros([8, 1])])
        loader = Ctorch::Data.DataLoader(samples, batch_size: 4)
        model = Ctorch::NN.Linear(1, 1)
        trainer = Ctorch::Trainer.new(model, Ctorch::Optim::SGD.new(model.parameters, lr: 0.1))
                                 .set_loss(Ctorch::NN.MSELoss).set_length(steps: 2**60)
        3.times do
          before = trainer.step
          meanwhile(-> { trainer.step > before }) { Process.kill("INT", Process.pid) }
          ended_by(Interrupt) { trainer.fit(loader) }
        end
        ended_by(Timeout::Error) { Timeout.timeout(0.01) { trainer.fit(loader) } }
        before = trainer.step
        trainer.set_length(steps: before + 1).fit(loader)
        p trainer.step - before, Ctorch.grad_mode_enabled
    """
    )
    done = start(build, str(program))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["Interrupt "] * 3 + ["Timeout::Error execution expired", "1", "true"]


def names(ran: list[str], word: str) -> set[str]:
    return set(next(line for line in ran if line.startswith(f"{word} ")).split()[1:])


def test_every_function_is_bound(ran: list[str], build: Path) -> None:
    functions = json.loads(Path(os.environ.get("CTORCH_API", build / "generated/api.json")).read_text())["functions"]
    assert names(ran, "BOUND") == {f["name"] for f in functions}
    operators = {f["name"].removeprefix("ctorch_aten_") for f in functions if f["kind"] == "aten"}
    assert names(ran, "CALLED") == operators


def test_values_are_those_of_torch(ran: list[str], subtests: pytest.Subtests) -> None:
    torch.manual_seed(7)
    x, y = torch.randn(3, 4), torch.rand(4, 2)
    expected = {
        "x": x,
        "matmul": x @ y,
        "softmax": x.softmax(1),
        "std": x.std(),
        "gelu": torch.nn.functional.gelu(x, approximate="tanh"),
        "sort": x.sort(descending=True).values,
        "clamp": x.clamp(-0.5, 0.5),
        "norm": torch.ops.aten.norm.Scalar(x, 3),
        "svd": torch.linalg.svd(y).S,
        "addcmul": torch.addcmul(x, x, x, value=-2),
        "roll": x.roll([1, 2], [0, 1]),
        "bernoulli": torch.ops.aten.bernoulli.p(x, 0.5),
        "huber": torch.nn.functional.huber_loss(x, x * 3, delta=0.5),
    }
    lines = [line.split(" ") for line in ran if line.startswith("RESULT ")]
    results = {name: (sizes, elements) for _, name, sizes, elements in lines}
    assert results.keys() == expected.keys()
    for name, tensor in expected.items():
        with subtests.test(name):
            sizes, elements = results[name]
            assert sizes == ",".join(map(str, tensor.shape))
            assert bytes.fromhex(elements) == struct.pack(f"<{tensor.numel()}f", *tensor.flatten().tolist())


@pytest.mark.turns
def test_the_example_has_the_losses_of_the_c_program(build: Path, tmp_path: Path) -> None:
    options = ["--epochs", "2", "--seed", "3", "--data", str(ROOT / "examples/data")]
    c = subprocess.run(
        [str(build / "examples/train_digits"), *options, "--losses", str(tmp_path / "c")],
        capture_output=True,
        text=True,
    )
    assert c.returncode == 0, c.stderr
    done = start(build, str(ROOT / "examples/ruby/train_digits.rb"), *options, "--losses", str(tmp_path / "ruby"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "ruby").read_bytes() == (tmp_path / "c").read_bytes()
    assert done.stdout.splitlines()[-1] == c.stdout.splitlines()[-1]


@pytest.mark.turns
def test_image_folder_prints_what_the_c_program_does(build: Path) -> None:
    folder = str(ROOT / "examples/data/shapes")
    c = subprocess.run([str(build / "examples/image_folder"), folder], capture_output=True, text=True, check=True)
    done = start(build, str(ROOT / "examples/ruby/image_folder.rb"), folder)
    assert (done.stdout, done.stderr) == (c.stdout, "")


@pytest.mark.turns
@pytest.mark.parametrize("kind", exported_model.WRITERS)
def test_a_model_of_python_runs(build: Path, kind: str) -> None:
    done = start(build, str(ROOT / "examples/ruby/run_model.rb"), kind, str(exported_model.file(kind)))
    assert (done.returncode, done.stderr) == (0, "")
    exported_model.assert_equal(kind, done.stdout)


@pytest.mark.turns
def test_texts_are_encoded_judged_and_logged_as_in_python(build: Path, tmp_path: Path) -> None:
    text_sample.write(tmp_path)
    done = start(build, str(PROGRAMS / "text.rb"), str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    text_sample.assert_equal(tmp_path, done.stdout)
    rate = str(ROOT / "examples/ruby/rate_reviews.rb")
    done = start(build, rate, str(tmp_path / "tokenizer.json"), str(tmp_path / "log"))
    assert (done.returncode, done.stderr) == (0, "")
    text_sample.assert_rated(tmp_path, done.stdout)


@pytest.mark.turns
def test_gpt_writes_the_bytes_of_the_c_program(build: Path) -> None:
    arguments = [str(ROOT / "examples/data/sonnets.txt"), "3"]
    c = subprocess.run([str(build / "examples/gpt"), *arguments], capture_output=True, check=True)
    done = start(build, str(ROOT / "examples/ruby/gpt.rb"), *arguments, text=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == c.stdout
