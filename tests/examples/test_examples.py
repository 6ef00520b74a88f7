"""The programs of examples/: each prints what the same program prints in Python, and forgets no handle.

The functions below are that program, written with Python's torch; `program_<name>` belongs to examples/<name>.c.
train_digits has a test of its own: test_train_digits.py.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

EXAMPLES = Path(__file__).parents[2] / "examples"
BUILT = Path(os.environ.get("CTORCH_BUILD", "")) / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.c") if not path.with_suffix(".h").exists())
LONGEST = 150  # lines

pytestmark = pytest.mark.skipif(
    not os.environ.get("CTORCH_BUILD") or not (BUILT / "train_digits").exists(),
    reason="CTORCH_BUILD names no build of the examples",
)


TRAINING = {"bert", "dqn", "gan", "lstm_text", "ppo", "vae"}  # test_training_examples.py
ELSEWHERE = {"image_folder", "run_model", "sentence_embedding", "voice_activity"}  # test_<name>.py


def run(name: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [BUILT / name, *arguments],
        env={**os.environ, "CTORCH_DEBUG_HANDLES": "1", "KINETO_LOG_LEVEL": "6", **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def output(name: str, *arguments: str) -> str:
    """Standard output of a program that succeeds, says nothing else, and leaves no handle behind."""
    done = run(name, *arguments)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return done.stdout


def message(call: Callable) -> str:
    """What Python's exception says."""
    with pytest.raises(Exception) as caught:  # noqa: PT011
        call()
    return str(caught.value).splitlines()[0]


def yes(value: bool) -> str:
    return "true" if value else "false"


# Each example in Python


def program_tensors() -> None:
    def describe(name, x):
        shape, strides = " ".join(map(str, x.shape)), " ".join(map(str, x.stride()))
        dtype = str(x.dtype).removeprefix("torch.")
        contiguous = "contiguous" if x.is_contiguous() else "not contiguous"
        print(f"{name}: {dtype}, shape {shape}, strides {strides}, {contiguous}")

    x = torch.tensor([[1.0, 2, 3], [4, 5, 6]])
    describe("x", x)
    print(f"its mean is {x.mean().item():g}")
    print(x - x.mean())
    print(torch.add(x, x.mean(), alpha=-2))
    doubles = x.sum(0, keepdim=True, dtype=torch.float64)
    describe("sum over rows", doubles)
    print(doubles)
    describe("transposed", x.t())
    x.t().mul_(10)
    print("x in row-major order:", *(f"{number:g}" for number in x.flatten().tolist()))
    print("samples:", *(f"{number:g}" for number in torch.arange(1.0, 5).cumsum(0).tolist()))
    print("the samples are no longer needed")


def program_errors() -> None:
    x, y = torch.ones(2, 3), torch.ones(4, 5)
    print("SHAPE_MISMATCH in ctorch_aten_mm", f"  {message(lambda: torch.mm(x, y))}", sep="\n")
    print("  expected shape: 3 5", "  got shape: 4 5", sep="\n")
    print("RUNTIME in ctorch_aten_dot", f"  {message(lambda: torch.dot(x, x))}", sep="\n")
    print("DTYPE_MISMATCH in ctorch_aten_mm", f"  {message(lambda: torch.mm(x, x.double().t()))}", sep="\n")
    print("  expected dtype: float32", "  got dtype: float64", sep="\n")
    print("INDEX in ctorch_tensor_index_text", f"  {message(lambda: x[2, 0])}", sep="\n")
    print("NULL_ARGUMENT in ctorch_aten_mm", "  mat2 must not be NULL", sep="\n")
    print("OUT_OF_MEMORY in ctorch_aten_empty_memory_format", f"  {message(lambda: torch.empty(2**50))}", sep="\n")
    print(f"  requested bytes: {2**50 * 4}", "no output was touched: true", sep="\n")
    matrix = torch.tensor([[1, 2.5], [2.5, 1]])
    for jitter in (0, 1):
        with pytest.raises(torch.linalg.LinAlgError):
            torch.linalg.cholesky(matrix + jitter * torch.eye(2))
    print("factorised with 2 more on the diagonal")
    print(torch.linalg.cholesky(matrix + 2 * torch.eye(2)))
    print("main got: not positive definite with 4 more either")
    lines = (EXAMPLES / "errors.c").read_text().splitlines()
    (line,) = (i for i, text in enumerate(lines, 1) if "notes this line" in text)
    print(f"by way of errors.c:{line}: run")


def program_scopes() -> None:
    # Three tensors and the scope of main; a function's own tensors and scope are gone when it returns.
    print("a, b, another and the scope: 4 handles")
    for how in ("by hand", "in a scope"):
        distance = (torch.tensor([1.0, 2.0]) - torch.tensor([4.0, 5.0])).norm().item()
        print(f"{how}: {distance:g}", "  with its result: 5 handles", "  without: 4 handles", sep="\n")
        print("  it fails with SHAPE_MISMATCH", "  after that: 4 handles", sep="\n")
    # Difference, square, sum and square root.
    print("its parts and its result belong to main's scope: 8 handles")
    print("at the end: 0 handles")


def program_indexing() -> None:
    x = torch.arange(12).view(3, 4)
    print(x)
    for text in ("1", "-1, ::2", "..., 0", "None, 0, 1:3", "[0, 2], [3, 0]", "x > 8", "1:, :2"):
        print(f"x[{text}]")
        print(eval(f"x[{text}]"))  # noqa: S307
    x[x < 3] = -1
    print("after x[x < 3] = -1", x, sep="\n")
    x[:, -1] = torch.arange(3)
    print("after x[:, -1] = arange(3)", x, sep="\n")
    x[0, :2].fill_(100)
    print("after x[0, :2].fill_(100)", x, sep="\n")
    print("x[0, 4] fails:", message(lambda: x[0, 4]))


def program_autograd() -> None:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    for name in ("after one backward:", "after two:"):
        (x**3).sum().backward()
        print(name, x.grad)
    print("forgotten: None")
    (first,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    print("first derivative:", first)
    print("second derivative:", *torch.autograd.grad(first.sum(), x))
    with torch.no_grad():
        print("recorded:", yes((x**3).sum().requires_grad))
    x.grad = None

    def clip(grad):
        print("the hook sees", grad)
        return grad.clamp(max=10)

    x.register_hook(clip)
    (x**3).sum().backward()
    print("clipped:", x.grad)


def program_custom_function() -> None:
    class PositiveLog2(torch.autograd.Function):
        @staticmethod
        def forward(context, x):
            context.save_for_backward(x)
            return x.log2()

        @staticmethod
        def backward(context, grad):
            (x,) = context.saved_tensors
            return grad / (x * torch.tensor(2.0, dtype=torch.float64).log())

    x = torch.tensor([1.0, 2, 8], dtype=torch.float64, requires_grad=True)
    y = PositiveLog2.apply(x)
    print(y)
    y.sum().backward()
    print(x.grad)
    assert torch.autograd.gradcheck(PositiveLog2.apply, x) and torch.autograd.gradgradcheck(PositiveLog2.apply, x)
    print("derivatives: first right, second right")
    print("forward fails: VALUE, positive_log2: a number is not positive")
    print("backward fails: NOT_IMPLEMENTED, positive_log2: its backward is out of order today")
    print("no longer needed, broken: 1")


def program_custom_operator() -> None:
    print("examples::squareplus(Tensor x, float b=4.) -> Tensor")
    for at in range(-2, 3):
        x = torch.tensor(float(at), dtype=torch.float64, requires_grad=True)
        y = (x + (x * x + 4).sqrt()) / 2
        y.backward()
        print(f"squareplus({at:5.2f}, b=4) = {y.item():.6f}, slope {x.grad.item():.6f}")


def program_dlpack_producer() -> None:
    picture = torch.arange(6.0).view(2, 3).numpy()
    x = torch.from_numpy(picture)
    print(x)
    print("the same memory:", yes(x.data_ptr() == picture.ctypes.data))
    x.mul_(2)
    picture[1, 2] = -1
    print("pixels:", *(f"{pixel:g}" for pixel in picture.flatten()))
    print("a row is left of it:", x[1])
    print("the picture of 2 x 3 is deleted", "the picture of 1 x 1 is deleted", "refused: INVALID_ARGUMENT", sep="\n")


def program_dlpack_consumer() -> None:
    x = torch.tensor([[1.0, 2, 3], [4, 5, 6]])
    y = x.t().numpy()
    strides = " ".join(str(stride // y.itemsize) for stride in y.strides)
    print(f"DLPack 1, {y.shape[0]} x {y.shape[1]}, strides {strides}, read-only: {yes(not y.flags.writeable)}")
    print(f"trace {y.trace():g}")
    y[0] *= -1
    print(x)
    print(f"trace {x.numpy().trace():g}")
    print("BUFFER:", message(x.requires_grad_().__dlpack__))
    print("nobody uses the memory any more")


def program_boxed_call() -> None:
    topk = torch.ops.aten.topk.default
    print(topk._schema)
    for argument in topk._schema.arguments:
        by_name = ", by name" if argument.kwarg_only else ""
        default = f", else {argument.default_value}" if argument.has_default_value() else ""
        (type_,) = re.findall(rf"(\w+) {argument.name}\b", str(topk._schema).split("->")[0])
        print(f"  {argument.name}: {type_}{by_name}{default}")
    x = torch.tensor([3.0, 1, 4, 1, 5])
    print("tuple of 2", *topk(x, 2), sep="\n")
    print(torch.ops.aten.add.Tensor(x, x, alpha=10))
    print("TYPE", "TYPE", "UNSUPPORTED", sep="\n")


def program_transforms() -> None:
    def loss(weight, x, y):
        return (weight.dot(x) - y) ** 2

    def curve(x):
        return torch.stack((x[0] * x[1], x[0].sin()))

    x, y, point = torch.arange(1.0, 7).view(3, 2), torch.arange(1.0, 4), torch.tensor([1.0, 2])
    print("loss of each sample", torch.vmap(loss, (None, 0, 0))(point, x, y), sep="\n")
    print("gradient of each sample", torch.vmap(torch.func.grad(loss), (None, 0, 0))(point, x, y), sep="\n")
    print("Jacobian", torch.func.jacrev(curve)(point), sep="\n")
    print("the same by forward mode: true")
    print("Hessian", torch.func.hessian(curve)(point), sep="\n")


def program_random() -> None:
    torch.manual_seed(7)
    print("seed 7:", torch.rand(3))
    with torch.random.fork_rng():
        print("inside a fork:", torch.rand(3))
    print("after it:", torch.rand(3))
    generator = torch.Generator().manual_seed(42)
    print("seed 42:", torch.rand(3, generator=generator))
    state = generator.get_state()
    print("next:", torch.rand(3, generator=generator))
    generator.set_state(state)
    print("again:", torch.rand(3, generator=generator))
    twin = generator.clone_state()
    print("of the one:", torch.rand(3, generator=generator))
    print("of its twin:", torch.rand(3, generator=twin))
    print("an order by seed 42:", torch.randperm(6, generator=generator))


def program_threads() -> None:
    weight = torch.ones(2, 3)
    for number in range(4):
        x = torch.rand(5 if number == 2 else 3, 1000, generator=torch.Generator().manual_seed(number))
        if number == 2:
            print(f"worker {number}: {message(lambda x=x: weight.mm(x))}")
        else:
            print(f"worker {number}: mean {weight.mm(x).mean().item():.6f}, recorded: {yes(number % 2 == 1)}")


def program_fused_adamw() -> None:
    parameters = [torch.nn.Parameter(torch.tensor([1.0, 2, 3])), torch.nn.Parameter(torch.ones(2, 2))]
    optimizer = torch.optim.AdamW(parameters, lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        sum(p.pow(3).sum() for p in parameters).backward()
        optimizer.step()
    for parameter in parameters:
        print(parameter.detach().requires_grad_())


def program_tape() -> None:
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, fused=True)
    for step in range(200):
        x = torch.rand(16, 4)
        loss = torch.nn.functional.mse_loss(model(x), x.square().sum(1, keepdim=True))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if step > 1 and step % 50 == 49:
            print(f"step {step + 1}: loss {loss.item():.6f}")


def program_resnet() -> None:
    class BasicBlock(torch.nn.Module):
        def __init__(self, channels, wanted, stride):
            super().__init__()
            self.conv1 = torch.nn.Conv2d(channels, wanted, 3, stride, 1, bias=False)
            self.bn1 = torch.nn.BatchNorm2d(wanted)
            self.conv2 = torch.nn.Conv2d(wanted, wanted, 3, 1, 1, bias=False)
            self.bn2 = torch.nn.BatchNorm2d(wanted)
            self.downsample = torch.nn.Sequential()
            if channels != wanted or stride != 1:
                self.downsample.append(torch.nn.Conv2d(channels, wanted, 1, stride, bias=False))
                self.downsample.append(torch.nn.BatchNorm2d(wanted))

        def forward(self, x):
            y = self.bn1(self.conv1(x)).relu()
            return (self.bn2(self.conv2(y)) + self.downsample(x)).relu()

    torch.manual_seed(1)
    parts = [torch.nn.Conv2d(3, 64, 7, 2, 3, bias=False), torch.nn.BatchNorm2d(64), torch.nn.ReLU()]
    parts.append(torch.nn.MaxPool2d(3, 2, 1))
    channels = 64
    for i in range(4):
        wanted = 64 << i
        stride = 1 if i == 0 else 2
        parts.append(torch.nn.Sequential(BasicBlock(channels, wanted, stride), BasicBlock(wanted, wanted, 1)))
        channels = wanted
    parts += [torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(512, 10)]
    net = torch.nn.Sequential(*parts)
    print(sum(p.numel() for p in net.parameters()), "parameters")
    images, labels = torch.randn(4, 3, 32, 32), torch.randint(10, (4,))
    for step in range(1, 4):
        loss = torch.nn.functional.cross_entropy(net(images), labels)
        loss.backward()
        with torch.no_grad():
            for parameter in net.parameters():
                parameter.add_(parameter.grad, alpha=-0.01)
        net.zero_grad()
        print(f"step {step}: loss {loss.item():.3f}")
    for i, best in enumerate(net.eval()(images).argmax(1).tolist()):
        print(f"image {i}: class {best}")


def program_transformer() -> None:
    torch.manual_seed(1)
    digits, places = torch.nn.Embedding(10, 32), torch.nn.Embedding(6, 32)
    layer = torch.nn.TransformerEncoderLayer(32, 4, 128, 0.0, "gelu", batch_first=True, norm_first=True)
    encoder = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
    scores = torch.nn.Linear(32, 10)
    net = torch.nn.ModuleList([digits, places, encoder, scores])
    params = list(net.parameters())
    means, squares = ([torch.zeros_like(p) for p in params] for _ in range(2))
    steps = [torch.zeros(()) for _ in params]

    def forward(rows):
        return scores(encoder(digits(rows) + places(torch.arange(6)))).transpose(1, 2)

    print(len(params), "parameters")
    for step in range(1, 61):
        rows = torch.randint(10, (64, 6))
        loss = torch.nn.functional.cross_entropy(forward(rows), rows.flip(1))
        loss.backward()
        with torch.no_grad():
            torch._foreach_add_(steps, 1)
            numbers = {"lr": 3e-3, "beta1": 0.9, "beta2": 0.98, "weight_decay": 0.01, "eps": 1e-8}
            flags = {"amsgrad": False, "maximize": False}
            torch._fused_adamw_(params, [p.grad for p in params], means, squares, [], steps, **numbers, **flags)
        net.zero_grad()
        if step % 20 == 0:
            print(f"step {step}: loss {loss.item():.2f}")
    net.eval()
    with torch.no_grad():
        rows = torch.randint(10, (1, 6))
        turned = forward(rows).argmax(1)
    print(*rows[0].tolist(), "becomes", *turned[0].tolist())


IN_PYTHON = {name.removeprefix("program_"): function for name, function in globals().items() if "program_" in name}


@pytest.mark.parametrize("name", sorted(IN_PYTHON))
def test_prints_what_python_prints(name):
    expected = io.StringIO()
    with contextlib.redirect_stdout(expected):
        IN_PYTHON[name]()
    # A file's name is what the compiler was given.
    assert re.sub(r"by way of \S*/", "by way of ", output(name)) == expected.getvalue()


# What no Python program can print beforehand: times and bytes


def test_the_profiler_counts_what_pythons_counts():
    x, y, weight = torch.randn(64, 8), torch.randn(64, 1), torch.zeros(8, 1, requires_grad=True)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        for _ in range(3):
            with torch.profiler.record_function("forward"):
                loss = torch.ops.aten.mse_loss(x.mm(weight), y)
            loss.backward()
            grad, weight.grad = weight.grad, None
            with torch.no_grad():
                weight.add_(grad, alpha=-0.1)
    expected = {row.key: row.count for row in profile.key_averages()}
    text = output("profiler")
    counted = {name: int(count) for count, name in re.findall(r"^(\d+) x (.+)$", text, re.MULTILINE)}
    assert counted == expected and counted["aten::mm"] == 6

    rows = [re.split(r" {2,}", line.strip()) for line in text.split("Self CPU time total")[0].splitlines()]
    assert rows[1][0] == "Name" and rows[1][-1] == "# of Calls"
    table = {row[0].removesuffix("..."): int(row[-1]) for row in rows[3:-1]}
    assert len(table) == 8
    for shown, count in table.items():
        assert count in [c for name, c in expected.items() if name.startswith(shown)], shown

    shapes = [line for line in text.splitlines() if line.startswith("aten::mm of")]
    assert shapes == ["aten::mm of [64 8] [8 1], in forward", "aten::mm of [8 64] [64 1], in MmBackward0"] * 3


def gpt_in_python(path: Path) -> tuple[list[str], bytes]:
    """The losses that examples/gpt.c prints, and what it then writes."""
    width, heads, blocks, context = 64, 4, 2, 64
    text = torch.tensor(list(path.read_bytes()))
    torch.manual_seed(1)
    shapes = [(3 * width, width), (width, width), (4 * width, width), (width, 4 * width)] * blocks
    params = [(torch.randn(shape) * 0.08).requires_grad_() for shape in (*shapes, (256, width), (context, width))]
    means, squares = ([torch.zeros_like(p) for p in params] for _ in range(2))
    steps = [torch.zeros(()) for _ in params]
    losses = []

    def forward(seen):
        x = params[-2][seen] + params[-1][: seen.shape[1]]
        for qkv, projection, widen, narrow in zip(*(params[i : 4 * blocks : 4] for i in range(4)), strict=True):
            y = torch.layer_norm(x, (width,)) @ qkv.t()
            q, k, v = y.view(*seen.shape, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
            y = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + y.transpose(1, 2).reshape(x.shape) @ projection.t()
            x = x + torch.nn.functional.gelu(torch.layer_norm(x, (width,)) @ widen.t()) @ narrow.t()
        return torch.layer_norm(x, (width,)) @ params[-2].t()

    for step in range(1, 201):
        chosen = text[torch.randint(len(text) - context, (16, 1)) + torch.arange(context + 1)]
        scores = forward(chosen[:, :-1]).transpose(1, 2)
        loss = torch.nn.functional.cross_entropy(scores, chosen[:, 1:])
        grads = torch.autograd.grad(loss, params)
        torch._foreach_add_(steps, 1)
        with torch.no_grad():
            numbers = {"lr": 3e-3, "beta1": 0.9, "beta2": 0.95, "weight_decay": 0.1, "eps": 1e-8}
            flags = {"amsgrad": False, "maximize": False}
            torch._fused_adamw_(params, grads, means, squares, [], steps, **numbers, **flags)
        if step % 50 == 0:
            losses.append(f"step {step}: loss {loss.item():.3f}")
    written = torch.tensor([[ord("\n")]])
    with torch.no_grad():
        for _ in range(200):
            scores = forward(written[:, -context:])[:, -1]
            written = torch.cat((written, torch.multinomial(torch.softmax(scores, -1), 1)), 1)
    return losses, bytes(written[0, 1:].tolist())


def test_the_gpt_learns_as_in_python_and_writes_a_text():
    path = EXAMPLES / "data/sonnets.txt"
    environment = {**os.environ, "CTORCH_DEBUG_HANDLES": "1"}
    done = subprocess.run([BUILT / "gpt", path], env=environment, capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        losses, written = gpt_in_python(path)
    finally:
        torch.set_num_threads(threads)
    *said, first = done.stdout.split(b"\n")[:5]
    ours = [float(line.split()[-1]) for line in said]
    assert ours == pytest.approx([float(line.split()[-1]) for line in losses], abs=0.02)
    assert ours[-1] < 1.7
    assert len(done.stdout) - sum(len(line) + 1 for line in said) == len(written)
    assert first != b""


def test_the_gpt_says_where_it_failed():
    done = subprocess.run([BUILT / "gpt", "/nowhere/text"], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    message, frame = done.stderr.splitlines()
    assert message == "/nowhere/text: No such file or directory"
    assert re.fullmatch(r"  at .*gpt\.c:\d+: run", frame)


def test_checkpoints_save_memory_and_change_no_gradient():
    text = output("checkpoint")
    frugal, plain = map(int, re.search(r"(\d+) MiB with checkpoints, (\d+) MiB without", text).groups())
    assert frugal < plain
    assert text.endswith("gradients are the same to the bit\n")


def test_scopes_says_minus_one_where_handles_are_not_counted():
    done = run("scopes", CTORCH_DEBUG_HANDLES="0")
    assert done.returncode == 0
    assert "with its result: -1 handles" in done.stdout


# The programs as something to read


def test_every_program_is_tested():
    assert {*IN_PYTHON, *TRAINING, *ELSEWHERE, "gpt", "profiler", "checkpoint", "train_digits"} == set(NAMES)


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"train_digits"}))
def test_a_program_is_short_and_explains_itself(name):
    text = (EXAMPLES / f"{name}.c").read_text()
    assert text.startswith("/* ")
    assert len(text.splitlines()) <= LONGEST


def test_the_readme_lists_every_program():
    text = (EXAMPLES / "README.md").read_text()
    assert [name for name in NAMES if f"`{name}.c`" not in text] == []
