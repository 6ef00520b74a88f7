"""examples/train_digits.c: what it learns, what it writes and how it answers bad input.

CTORCH_TRAIN_DIGITS names the built program. The numbers it must reach come from Python PyTorch, which trains the same
network here in the same way, and from the digits themselves.
"""

import importlib
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = os.environ.get("CTORCH_TRAIN_DIGITS", "")
DATA = Path(__file__).parents[2] / "examples" / "data"
IDX_FILES = {
    "train": ("train-images-idx3-ubyte", "train-labels-idx1-ubyte"),
    "t10k": ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"),
}
SHAPES = {
    "conv1.weight": (32, 1, 3, 3),
    "conv1.bias": (32,),
    "conv2.weight": (64, 32, 3, 3),
    "conv2.bias": (64,),
    "fc1.weight": (128, 1024),
    "fc1.bias": (128,),
    "fc2.weight": (10, 128),
    "fc2.bias": (10,),
}

pytestmark = pytest.mark.skipif(not PROGRAM, reason="CTORCH_TRAIN_DIGITS names no program")


def run(*arguments, data=DATA, environment=(), **options):
    command = [PROGRAM, *(["--data", str(data)] if data else []), *map(str, arguments)]
    environment = {**os.environ, "CTORCH_DEBUG_HANDLES": "1", **dict(environment)}
    options = {"capture_output": True, **options}
    return subprocess.run(command, env=environment, text=True, timeout=300, **options)


def assert_ok(result):
    assert result.returncode == 0, result.stderr
    return result


def assert_fails(result, *words):
    """Exit status 1, one line that has these words, and nothing that looks like a result."""
    assert result.returncode == 1, result
    (line,) = [line for line in result.stderr.splitlines() if not line.startswith(("epoch", "  at "))]
    assert line.startswith("train_digits: "), line
    for word in words:
        assert str(word) in line
    assert "accuracy" not in result.stdout


def assert_usage(result, *words):
    assert result.returncode == 2, result
    for word in words:
        assert word in result.stderr
    assert "--help" in result.stderr
    assert result.stdout == ""


def accuracy(stdout):
    """As printed: a share of the test images, which is so many of them."""
    percent = float(re.fullmatch(r"test loss [\d.]+, accuracy ([\d.]+) %\n", stdout)[1])
    return percent / 100


def epoch_losses(stderr):
    return [float(loss) for loss in re.findall(r"^epoch .* loss ([\d.]+) ", stderr, re.MULTILINE)]


def read_idx(path):
    data = path.read_bytes()
    sizes = struct.unpack_from(f">{data[3]}I", data, 4)
    return sizes, data[4 + 4 * data[3] :]


def write_idx(path, sizes, elements):
    path.write_bytes(struct.pack(f">BBBB{len(sizes)}I", 0, 0, 8, len(sizes), *sizes) + bytes(elements))


def write_part(folder, part, count):
    """The first images of a part as a data set of their own."""
    for name in IDX_FILES[part]:
        sizes, elements = read_idx(DATA / name)
        write_idx(folder / name, (count, *sizes[1:]), elements[: count * len(elements) // sizes[0]])


@pytest.fixture
def small(tmp_path):
    """A folder with 64 images to train on and 32 to test on."""
    folder = tmp_path / "small"
    folder.mkdir()
    write_part(folder, "train", 64)
    write_part(folder, "t10k", 32)
    return folder


def load_digits(part):
    torch = pytest.importorskip("torch")
    (count, *_), pixels = read_idx(DATA / IDX_FILES[part][0])
    images = torch.frombuffer(bytearray(pixels), dtype=torch.uint8).reshape(count, 1, 8, 8) / 16
    return images, torch.tensor(list(read_idx(DATA / IDX_FILES[part][1])[1]))


def forward(parameters, x):
    from torch.nn import functional

    x = functional.relu(functional.conv2d(x, parameters[0], parameters[1], padding=1))
    x = functional.relu(functional.conv2d(x, parameters[2], parameters[3], padding=1))
    x = functional.max_pool2d(x, 2).flatten(1)
    return functional.linear(functional.relu(functional.linear(x, *parameters[4:6])), *parameters[6:8])


def train_in_python(epochs, batch_size, lr, seed):
    """The training of train_digits.c with PyTorch's own classes; the parameters, and the mean loss of each epoch."""
    import torch
    from torch.nn import functional
    from torch.utils.data import DataLoader

    from tests.harness import sample_seed, vision

    v2 = vision.torchvision("transforms.v2")
    torch.manual_seed(seed)
    images, labels = load_digits("train")
    parameters, bound = [], 0.0
    for shape in SHAPES.values():
        bound = torch.Size(shape[1:]).numel() ** -0.5 if len(shape) > 1 else bound
        parameters.append(torch.empty(shape).uniform_(-bound, bound).requires_grad_())
    optimizer = torch.optim.SGD(parameters, lr, momentum=0.9, weight_decay=1e-3, fused=True)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, epochs)
    affine = v2.RandomAffine(10, (0.1, 0.1), (0.85, 1.15), 10, v2.InterpolationMode.BILINEAR)
    loader, losses = DataLoader(range(len(labels)), batch_size, shuffle=True), []
    for epoch in range(epochs):
        losses.append(0.0)
        indices = iter(loader)
        for batch in indices:
            samples = []
            for index in batch.tolist():
                with torch.random.fork_rng(devices=[]):
                    torch.manual_seed(sample_seed.seed_of(indices._base_seed, epoch, index))
                    samples.append(affine(images[index]))
            loss = functional.cross_entropy(forward(parameters, torch.stack(samples)), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses[-1] += loss.item() / len(loader)
        scheduler.step()
    return [parameter.detach() for parameter in parameters], losses


@pytest.fixture
def one_thread():
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield torch
    torch.set_num_threads(threads)


# What it learns


def test_reaches_97_percent_and_goes_on_from_a_file(tmp_path):
    result = assert_ok(run("--save", tmp_path / "weights", environment={"CTORCH_DEBUG_HANDLES": "0"}))
    right = accuracy(result.stdout) * 382
    assert right == pytest.approx(round(right), abs=0.02) and right / 382 >= 0.97
    assert len(epoch_losses(result.stderr)) == 30

    tested = assert_ok(run("--load", tmp_path / "weights"))
    assert tested.stdout == result.stdout and tested.stderr == ""


@pytest.mark.turns
@pytest.mark.parametrize("workers", [0, 2])
def test_computes_what_python_computes(tmp_path, one_thread, workers):
    torch, load_file = one_thread, pytest.importorskip("safetensors.torch").load_file
    if not importlib.import_module("tests.harness.vision").has_torchvision():
        pytest.skip("no torchvision for this torch")
    files = "--save", tmp_path / "weights", "--losses", tmp_path / "losses"
    result = assert_ok(run("-e", 2, "-b", 50, "--lr", 0.1, "--seed", 7, "-w", workers, *files))
    parameters, losses = train_in_python(epochs=2, batch_size=50, lr=0.1, seed=7)
    weights = load_file(tmp_path / "weights")
    assert {name: tuple(tensor.shape) for name, tensor in weights.items()} == SHAPES
    for name, expected in zip(SHAPES, parameters, strict=True):
        torch.testing.assert_close(
            weights[name], expected, rtol=1e-4, atol=1e-5, msg=lambda text, name=name: f"{name}: {text}"
        )
    assert epoch_losses(result.stderr) == pytest.approx(losses, rel=1e-3)
    assert [float(line) for line in (tmp_path / "losses").read_text().splitlines()] == pytest.approx(losses, rel=1e-5)

    images, labels = load_digits("t10k")
    predictions = forward([weights[name] for name in SHAPES], images).argmax(1)
    assert accuracy(result.stdout) == pytest.approx((predictions == labels).double().mean().item(), abs=5e-5)


def test_the_same_seed_gives_the_same_weights_and_another_one_others(tmp_path):
    for name, seed in (("first", 3), ("again", 3), ("other", 4)):
        assert_ok(run("-e", 2, "-q", "--seed", seed, "--save", tmp_path / name))
    assert (tmp_path / "first").read_bytes() == (tmp_path / "again").read_bytes()
    assert (tmp_path / "first").read_bytes() != (tmp_path / "other").read_bytes()


def test_a_last_batch_may_be_short_and_a_batch_larger_than_the_data(small):
    for batch_size in (1, 48, 100000):
        assert_ok(run("-e", 1, "-b", batch_size, data=small))


def test_losses_are_written_with_all_their_digits(small, tmp_path):
    result = assert_ok(run("-e", 3, "--losses", tmp_path / "losses", data=small))
    lines = (tmp_path / "losses").read_text().splitlines()
    assert [f"{float(line):.17g}" for line in lines] == lines
    assert [float(f"{float(line):.4g}") for line in lines] == epoch_losses(result.stderr)
    assert_fails(run("-e", 1, "--losses", tmp_path / "no/losses", data=small), "no/losses", "No such file")
    assert_fails(run("-e", 1, "--losses", "/dev/full", data=small), "/dev/full", "cannot be written")


@pytest.mark.turns
@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_ended_goes_on_to_the_same_losses(tmp_path, how, workers):
    options = "-e", "8", "-w", str(workers)
    plain = {"CTORCH_DEBUG_HANDLES": "0"}
    assert_ok(run(*options, "--losses", tmp_path / "whole", environment=plain))
    snapshots = "--snapshots", str(tmp_path / "snapshots")
    process = subprocess.Popen(
        [PROGRAM, "-d", DATA, *options, *snapshots], stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    for epoch in (1, 2):  # whose line comes before its snapshot
        assert process.stderr.readline().startswith(f"epoch {epoch}/8".encode())
    process.send_signal(how)
    process.communicate(timeout=300)
    assert process.returncode == (-how if how == signal.SIGKILL else 0)
    result = assert_ok(run(*options, *snapshots, "--losses", tmp_path / "parts", environment=plain))
    assert 0 < len(epoch_losses(result.stderr)) < 8, result.stderr
    assert (tmp_path / "parts").read_text() == (tmp_path / "whole").read_text()


# What it shows


def test_progress_is_plain_lines_where_there_is_no_terminal(small):
    result = assert_ok(run("-e", 3, data=small))
    lines = result.stderr.splitlines()
    assert len(lines) == 3 and "\r" not in result.stderr
    for epoch, line in enumerate(lines, 1):
        assert line.startswith(f"epoch {epoch}/3  loss ") and " accuracy " in line


def test_quiet_leaves_only_the_result(small):
    result = assert_ok(run("-e", 1, "--quiet", data=small))
    assert result.stderr == ""
    assert accuracy(result.stdout) in [i / 32 for i in range(33)]


def test_help_names_every_option():
    result = assert_ok(run("--help", data=None))
    assert result.stderr == ""
    for option in "epochs batch-size lr seed threads workers data save load losses quiet help".split():
        assert f"--{option}" in result.stdout


def test_standard_output_that_cannot_be_written_is_an_error(small):
    with open("/dev/full", "w") as full:
        result = run("-e", 1, "-q", data=small, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert result.returncode == 1
    assert "standard output" in result.stderr


# The command line


@pytest.mark.parametrize("option", ["--epochs", "--batch-size", "--lr", "--threads"])
@pytest.mark.parametrize("value", ["0", "-1", "", "1x", "nan", "1e999"])
def test_a_bad_number_is_a_usage_error(option, value):
    assert_usage(run(option, value), option, f"'{value}'")


@pytest.mark.parametrize("option", ["--epochs", "--batch-size", "--threads"])
def test_a_number_that_is_too_large_is_a_usage_error(option):
    assert_usage(run(option, 10**20), option, f"'{10**20}'")


@pytest.mark.parametrize("value", ["-1", "", "1x", " 1", "18446744073709551616"])
def test_a_bad_seed_is_a_usage_error(value):
    assert_usage(run("--seed", value), "--seed", f"'{value}'")


def test_the_largest_seed_is_taken(small):
    assert_ok(run("-e", 1, "--seed", 2**64 - 1, data=small))


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--no-such-option"], "no-such-option"),
        (["--epochs"], "epochs"),
        (["-z"], "z"),
        (["surplus"], "surplus"),
        (["--save", "a", "--load", "b"], "--save"),
    ],
)
def test_a_wrong_command_line_is_a_usage_error(arguments, word):
    assert_usage(run(*arguments), word)


# Missing and damaged data


@pytest.mark.parametrize("name", [name for part in IDX_FILES.values() for name in part])
def test_a_missing_file_is_named(small, name):
    (small / name).unlink()
    assert_fails(run(data=small), small / name, "No such file")


def test_a_missing_folder_is_named(tmp_path):
    assert_fails(run(data=tmp_path / "nowhere"), tmp_path / "nowhere", "No such file")


def test_a_name_that_is_not_utf8_is_an_error(tmp_path):
    folder = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    assert_fails(run(data=folder), "not UTF-8")


@pytest.mark.parametrize("part", IDX_FILES)
@pytest.mark.parametrize(
    ("kind", "damage", "word"),
    [
        (0, lambda data: b"", "ends"),
        (0, lambda data: data[:-1], "ends"),
        (1, lambda data: data + b"\0", "behind"),
        (1, lambda data: data[:4] + struct.pack(">I", len(data) - 9) + data[8:-1], "labels"),
    ],
)
def test_a_damaged_file_is_named(small, part, kind, damage, word):
    path = small / IDX_FILES[part][kind]
    path.write_bytes(damage(path.read_bytes()))
    assert_fails(run("-e", 1, data=small), small / part, word)


def test_a_label_of_no_class_is_an_error(small):
    path = small / IDX_FILES["train"][1]
    path.write_bytes(path.read_bytes()[:-1] + b"\x0a")
    assert_fails(run("-e", 1, data=small), "Target 10 is out of bounds")


# The weights file


@pytest.fixture
def weights(small):
    path = small / "weights"
    assert_ok(run("-e", 1, "-q", "--save", path, data=small))
    return path


def test_a_damaged_weights_file_is_named(weights):
    weights.write_bytes(weights.read_bytes()[:-1])
    assert_fails(run("--load", weights, data=weights.parent), weights)


def test_a_missing_weights_file_is_named(small):
    assert_fails(run("--load", small / "nowhere", data=small), small / "nowhere", "No such file")


def test_saving_replaces_an_older_file(weights):
    before = weights.read_bytes()
    assert_ok(run("-e", 1, "-q", "--seed", 1, "--save", weights, data=weights.parent))
    assert weights.read_bytes() != before
    assert_ok(run("--load", weights, data=weights.parent))


def limit_file_size():
    """Let writing fail as on a full disk, at 100,000 bytes of about 600,000."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


def test_a_failed_save_leaves_the_older_file_and_nothing_else(weights):
    before, files = weights.read_bytes(), sorted(weights.parent.iterdir())
    result = run("-e", 1, "-q", "--seed", 1, "--save", weights, data=weights.parent, preexec_fn=limit_file_size)
    assert result.returncode == 1
    assert f"cannot write {weights}: File too large" in result.stderr
    assert weights.read_bytes() == before
    assert sorted(weights.parent.iterdir()) == files


def test_saving_where_nothing_can_be_written_is_an_error(small):
    path = small / "nowhere" / "weights"
    result = run("-e", 1, "-q", "--save", path, data=small)
    assert result.returncode == 1
    assert str(path) in result.stderr and "No such file" in result.stderr


# The digits, and memory


def test_the_digits_are_those_that_the_script_makes(tmp_path):
    pytest.importorskip("sklearn")
    subprocess.run([sys.executable, DATA / "make_digits.py", tmp_path], check=True)
    for name in (name for part in IDX_FILES.values() for name in part):
        assert (tmp_path / name).read_bytes() == (DATA / name).read_bytes()


@pytest.mark.turns
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_valgrind_finds_nothing_in_the_program(small):
    """What valgrind reports counts if the program or ctorch is on the stack and MKL's own buffers are not the matter.

    MKL keeps a buffer per thread for matrix products and points into its middle: "possibly lost" to valgrind.
    """
    log = small / "valgrind.log"
    command = ["valgrind", "--leak-check=full", "--num-callers=40", f"--log-file={log}", PROGRAM]
    options = ["--data", str(small), "-e", "1", "-b", "64", "-q", "--save", str(small / "weights")]
    result = subprocess.run([*command, *options], capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, result.stderr + log.read_text()
    text = re.sub(r"^==\d+== ?", "", log.read_text(), flags=re.MULTILINE)
    assert "ERROR SUMMARY" in text
    blocks = [block for block in text.split("\n\n") if re.search(r"^   (at|by) 0x", block, re.MULTILINE)]
    ours = [block for block in blocks if re.search(r"train_digits|libctorch", block) and "mkl_serv_" not in block]
    assert ours == []
