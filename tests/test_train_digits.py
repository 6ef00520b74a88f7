"""examples/train_digits.c: what it learns, what it writes and how it answers bad input.

CTORCH_TRAIN_DIGITS names the built program. The numbers it must reach come from Python PyTorch, which trains the same
network here in the same way, and from the digits themselves.
"""

import os
import pty
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
DATA = Path(__file__).parents[1] / "examples" / "data"
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


def confusion(stdout):
    rows = re.findall(r"^ {3}(\d) ((?: +(?:\d+|\.)){10})$", stdout, re.MULTILINE)
    assert [label for label, _ in rows] == list("0123456789")
    return [[0 if cell == "." else int(cell) for cell in cells.split()] for _, cells in rows]


def accuracy(stdout):
    """(right, total) as printed; the percentage beside them must say the same."""
    percent, right, total = re.search(r"^test accuracy ([\d.]+) % \((\d+) of (\d+)\)$", stdout, re.MULTILINE).groups()
    assert float(percent) == pytest.approx(100 * int(right) / int(total), abs=0.005)
    return int(right), int(total)


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


def read_weights(path):
    """A weights file by the description in examples/weights.h, without its code."""
    data = path.read_bytes()
    checksum = 0xCBF29CE484222325
    for byte in data[:-8]:
        checksum = (checksum ^ byte) * 0x100000001B3 % 2**64
    assert data[-8:] == struct.pack("<Q", checksum)
    assert data[:8] == b"ctorchw1"
    (count,), at, tensors = struct.unpack_from("<I", data, 8), 12, {}
    for _ in range(count):
        (length,) = struct.unpack_from("<I", data, at)
        name = data[at + 4 : at + 4 + length].decode()
        dtype, ndim = struct.unpack_from("<iI", data, at + 4 + length)
        assert dtype == 6  # float32
        at += 4 + length + 8
        shape = struct.unpack_from(f"<{ndim}q", data, at)
        at += 8 * ndim
        torch = pytest.importorskip("torch")
        tensors[name] = torch.frombuffer(
            bytearray(data), dtype=torch.float32, offset=at, count=torch.Size(shape).numel()
        )
        tensors[name] = tensors[name].reshape(shape)
        at += 4 * tensors[name].numel()
    assert at == len(data) - 8
    return tensors


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

    torch.manual_seed(seed)
    images, labels = load_digits("train")
    parameters, bound = [], 0.0
    for shape in SHAPES.values():
        bound = torch.Size(shape[1:]).numel() ** -0.5 if len(shape) > 1 else bound
        parameters.append(torch.empty(shape).uniform_(-bound, bound).requires_grad_())
    optimizer = torch.optim.SGD(parameters, lr, momentum=0.9, weight_decay=1e-3, fused=True)
    losses = []
    for epoch in range(epochs):
        optimizer.param_groups[0]["lr"] = lr * (1 - epoch / epochs)
        losses.append(0.0)
        for batch in torch.randperm(len(labels)).split(batch_size):
            maps = torch.eye(2, 3) + torch.empty(len(batch), 2, 3).uniform_(-0.2, 0.2)
            grid = functional.affine_grid(maps, [len(batch), 1, 8, 8], align_corners=False)
            x = functional.grid_sample(images[batch], grid, align_corners=False)
            loss = functional.cross_entropy(forward(parameters, x), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses[-1] += loss.item() * len(batch) / len(labels)
    return [parameter.detach() for parameter in parameters], losses


@pytest.fixture
def one_thread():
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield torch
    torch.set_num_threads(threads)


# What it learns


def test_reaches_97_percent_and_the_matrix_adds_up(tmp_path):
    result = assert_ok(run("--save", tmp_path / "weights"))
    matrix, (right, total) = confusion(result.stdout), accuracy(result.stdout)
    labels = list(read_idx(DATA / IDX_FILES["t10k"][1])[1])
    assert total == len(labels) == 382
    assert [sum(row) for row in matrix] == [labels.count(digit) for digit in range(10)]
    assert sum(matrix[digit][digit] for digit in range(10)) == right
    assert right / total >= 0.97
    assert len(epoch_losses(result.stderr)) == 30
    assert "loaded again, they predict the same" in result.stdout

    tested = assert_ok(run("--load", tmp_path / "weights"))
    assert confusion(tested.stdout) == matrix
    assert epoch_losses(tested.stderr) == []


def test_computes_what_python_computes(tmp_path, one_thread):
    torch = one_thread
    result = assert_ok(
        run(
            "-e", 2, "-b", 50, "--lr", 0.1, "--seed", 7, "--save", tmp_path / "weights", "--losses", tmp_path / "losses"
        )
    )
    parameters, losses = train_in_python(epochs=2, batch_size=50, lr=0.1, seed=7)
    weights = read_weights(tmp_path / "weights")
    assert {name: tuple(tensor.shape) for name, tensor in weights.items()} == SHAPES
    for (name, tensor), expected in zip(weights.items(), parameters, strict=True):
        torch.testing.assert_close(
            tensor, expected, rtol=1e-4, atol=1e-5, msg=lambda text, name=name: f"{name}: {text}"
        )
    assert epoch_losses(result.stderr) == pytest.approx(losses, abs=1e-4)
    assert [float(line) for line in (tmp_path / "losses").read_text().splitlines()] == pytest.approx(losses, rel=1e-5)

    images, labels = load_digits("t10k")
    expected = torch.zeros(10, 10, dtype=torch.int64)
    predictions = forward(list(weights.values()), images).argmax(1)
    expected.index_put_((labels, predictions), torch.tensor(1), accumulate=True)
    assert confusion(result.stdout) == expected.tolist()


def test_the_same_seed_gives_the_same_weights_and_another_one_others(tmp_path):
    for name, seed in (("first", 3), ("again", 3), ("other", 4)):
        assert_ok(run("-e", 2, "-q", "--seed", seed, "--save", tmp_path / name))
    assert (tmp_path / "first").read_bytes() == (tmp_path / "again").read_bytes()
    assert (tmp_path / "first").read_bytes() != (tmp_path / "other").read_bytes()


def test_a_last_batch_may_be_short_and_a_batch_larger_than_the_data(small):
    for batch_size in (1, 48, 100000):
        result = assert_ok(run("-e", 1, "-b", batch_size, data=small))
        assert "64 of 64 images" in result.stderr


def test_losses_are_written_with_all_their_digits(small, tmp_path):
    result = assert_ok(run("-e", 3, "--losses", tmp_path / "losses", data=small))
    lines = (tmp_path / "losses").read_text().splitlines()
    assert [f"{float(line):.17g}" for line in lines] == lines
    assert [round(float(line), 4) for line in lines] == epoch_losses(result.stderr)
    assert_fails(run("-e", 1, "--losses", tmp_path / "no/losses", data=small), "no/losses", "No such file")
    assert_fails(run("-e", 1, "--losses", "/dev/full", data=small), "/dev/full", "cannot be written")


def test_a_loss_that_is_no_number_ends_the_training(small):
    assert_fails(run("-e", 20, "--lr", 1e30, data=small), "the loss is", "--lr")


# What it shows


def test_progress_is_plain_lines_where_there_is_no_terminal(small):
    result = assert_ok(run("-e", 3, data=small))
    lines = result.stderr.splitlines()
    assert len(lines) == 3 and "\r" not in result.stderr
    for epoch, line in enumerate(lines, 1):
        assert re.fullmatch(rf"epoch  {epoch}/3  64 of 64 images  loss \d+\.\d{{4}}  \d+ images/s", line)


def test_progress_is_a_bar_on_a_terminal(small):
    controller, terminal = pty.openpty()
    result = run("-e", 1, "-b", 1, data=small, capture_output=False, stdout=subprocess.PIPE, stderr=terminal)
    os.close(terminal)
    text = os.read(controller, 1 << 16).decode()
    os.close(controller)
    assert result.returncode == 0, text
    assert re.search(r"\repoch  1/1 \[#{24}\] 100 %  loss \d+\.\d{4}  +\d+ images/s\r\n$", text)


def test_quiet_leaves_only_the_result(small):
    result = assert_ok(run("-e", 1, "--quiet", data=small))
    assert result.stderr == ""
    assert accuracy(result.stdout)[1] == 32


def test_help_names_every_option():
    result = assert_ok(run("--help", data=None))
    assert result.stderr == ""
    for option in "epochs batch-size lr seed threads data save load quiet help".split():
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


def test_a_name_that_is_not_utf8_is_shown_as_far_as_it_can_be(tmp_path):
    folder = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    assert_fails(run(data=folder), f"{tmp_path}/caf?/", "No such file")


@pytest.mark.parametrize("part", IDX_FILES)
@pytest.mark.parametrize(
    ("kind", "damage", "word"),
    [
        (0, lambda data: b"", "no IDX file"),
        (0, lambda data: data[:3], "no IDX file"),
        (0, lambda data: b"\x1f\x8b\x08" + data[3:], "no IDX file"),
        (0, lambda data: data[:2] + b"\x0d" + data[3:], "no IDX file"),
        (0, lambda data: data[:3] + b"\x01" + data[4:], "1 dimensions, expected 3"),
        (0, lambda data: data[:3] + b"\xff" + data[4:], "255 dimensions, expected 3"),
        (1, lambda data: data[:3] + b"\x02" + data[4:], "2 dimensions, expected 1"),
        (0, lambda data: data[:4], "truncated"),
        (0, lambda data: data[:15], "truncated"),
        (0, lambda data: data[:-1], "truncated"),
        (0, lambda data: data[:16], "truncated"),
        (0, lambda data: data[:4] + b"\xff" * 12 + data[16:], "truncated"),
        (1, lambda data: data[:-1], "truncated"),
        (0, lambda data: data + b"\0", "damaged"),
        (0, lambda data: data[:-1] + b"\x11", "pixel of 17"),
        (1, lambda data: data[:-1] + b"\x0a", "label of 10"),
        (1, lambda data: data[:4] + struct.pack(">I", len(data) - 9) + data[8:-1], "labels for the"),
        (0, lambda data: data[:8] + struct.pack(">II", 4, 16) + data[16:], "4 x 16"),
    ],
)
def test_a_damaged_file_is_named(small, part, kind, damage, word):
    path = small / IDX_FILES[part][kind]
    path.write_bytes(damage(path.read_bytes()))
    assert_fails(run("-e", 1, data=small), path, word)


def test_no_images_at_all_is_an_error(small):
    write_idx(small / IDX_FILES["t10k"][0], (0, 8, 8), b"")
    write_idx(small / IDX_FILES["t10k"][1], (0,), b"")
    assert_fails(run(data=small), "no images")


def test_a_folder_in_place_of_a_file_is_an_error(small):
    path = small / IDX_FILES["t10k"][0]
    path.unlink()
    path.mkdir()
    assert_fails(run(data=small), path, "Is a directory")


# The weights file


@pytest.fixture
def weights(small):
    path = small / "weights"
    assert_ok(run("-e", 1, "-q", "--save", path, data=small))
    return path


@pytest.mark.parametrize(
    ("damage", "word"),
    [
        (lambda data: b"", "no weights file"),
        (lambda data: b"PK\x03\x04" + data[4:], "no weights file"),
        (lambda data: data[:10], "truncated"),
        (lambda data: data[:12], "truncated"),
        (lambda data: data[:59], "truncated where conv1.weight should be"),
        (lambda data: data[:100], "truncated inside conv1.weight"),
        (lambda data: data[: len(data) // 2], "truncated inside fc1.weight"),
        (lambda data: data[:-8], "checksum is missing"),
        (lambda data: data[:-1], "checksum is missing"),
        (lambda data: data + b"\0", "something follows"),
        (lambda data: data[:100] + bytes([data[100] ^ 1]) + data[101:], "checksum does not match"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "checksum does not match"),
        (lambda data: data[:8] + b"\x07" + data[9:], "7 tensors, expected 8"),
        (lambda data: data.replace(b"conv2.bias", b"conv3.bias"), "conv2.bias"),
        (lambda data: data.replace(struct.pack("<qq", 128, 1024), struct.pack("<qq", 1024, 128)), "fc1.weight"),
        (lambda data: data.replace(b"fc2.bias\x06", b"fc2.bias\x07"), "fc2.bias"),
        (lambda data: data[:12] + b"\xff" * 4 + data[16:], "conv1.weight"),
    ],
)
def test_a_damaged_weights_file_is_named(weights, damage, word):
    weights.write_bytes(damage(weights.read_bytes()))
    assert_fails(run("--load", weights, data=weights.parent), weights, word)


def test_a_missing_weights_file_is_named(small):
    assert_fails(run("--load", small / "nowhere", data=small), small / "nowhere", "No such file")


def test_saving_replaces_an_older_file(weights):
    before = weights.read_bytes()
    assert_ok(run("-e", 1, "-q", "--seed", 1, "--save", weights, data=weights.parent))
    assert weights.read_bytes() != before
    assert_ok(run("--load", weights, data=weights.parent))


def limit_file_size():
    """Let writing fail as on a full disk, at 100,000 bytes of about 600,000."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


def test_a_failed_save_leaves_the_older_file_and_nothing_else(weights):
    before, files = weights.read_bytes(), sorted(weights.parent.iterdir())
    result = run("-e", 1, "-q", "--seed", 1, "--save", weights, data=weights.parent, preexec_fn=limit_file_size)
    assert result.returncode == 1
    assert f"{weights}: cannot be written: File too large" in result.stderr
    assert weights.read_bytes() == before
    assert sorted(weights.parent.iterdir()) == files


def test_saving_where_nothing_can_be_written_is_an_error(small):
    for path, reason in ((small / "nowhere" / "weights", "No such file"), ("/dev/null", "no regular file")):
        result = run("-e", 1, "-q", "--save", path, data=small)
        assert result.returncode == 1
        assert str(path) in result.stderr and reason in result.stderr
    assert Path("/dev/null").is_char_device()


# The digits, and memory


def test_the_digits_are_those_that_the_script_makes(tmp_path):
    pytest.importorskip("sklearn")
    subprocess.run([sys.executable, DATA / "make_digits.py", tmp_path], check=True)
    for name in (name for part in IDX_FILES.values() for name in part):
        assert (tmp_path / name).read_bytes() == (DATA / name).read_bytes()


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
