"""What bench_tape measures, in Python: eager, or compiled; or packages for it that AOTInductor makes.

python_steps.py [--rounds N] [--model NAME] [--compile]
python_steps.py --export FOLDER [--model NAME]
"""

import argparse
import math
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

WORDS, HEAD = 65, 16


class Mlp(nn.Sequential):
    def __init__(self, *sizes: int):
        layers: list[nn.Module] = []
        for before, after in zip(sizes, sizes[1:], strict=False):
            layers += [nn.Linear(before, after), nn.ReLU()]
        super().__init__(*layers[:-1])


class Block(nn.Module):
    def __init__(self, width: int, steps: int):
        super().__init__()
        self.width, self.heads = width, width // HEAD
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention, self.projection = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.register_buffer("keys", torch.randn(1, self.heads, steps, HEAD))
        self.register_buffer("values", torch.randn(1, self.heads, steps, HEAD))

    def forward(self, x: Tensor, position: Tensor, mask: Tensor) -> Tensor:
        parts = self.attention(self.norm1(x)).split(self.width, -1)
        query, key, value = (part.view(1, self.heads, 1, HEAD) for part in parts)
        self.keys.index_copy_(2, position, key)
        self.values.index_copy_(2, position, value)
        attended = functional.scaled_dot_product_attention(query, self.keys, self.values, mask)
        x = x + self.projection(attended.view(1, self.width))
        return x + self.down(functional.gelu(self.up(self.norm2(x))))


class Gpt(nn.Module):
    """A token more, with a cache."""

    def __init__(self, blocks: int, width: int, steps: int):
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, width), nn.Embedding(steps, width)
        self.blocks = nn.ModuleList(Block(width, steps) for _ in range(blocks))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, WORDS)
        self.register_buffer("mask", torch.full((steps, steps), -math.inf).triu(1))

    def forward(self, token: Tensor, position: Tensor) -> Tensor:
        x = self.words(token) + self.places(position)
        mask = self.mask.index_select(0, position).view(1, 1, 1, -1)
        for block in self.blocks:
            x = block(x, position, mask)
        return self.head(self.norm(x))


def lenet() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(1, 6, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        *Mlp(64, 64, 10),
    )


Inputs = tuple[Tensor, ...]
Step = Callable[..., Tensor]


def token_and_place(steps: int) -> Callable[[], Inputs]:
    return lambda: (torch.randint(WORDS, (1,)), torch.randint(steps, (1,)))


INFERENCE: dict[str, tuple[Callable[[], nn.Module], Callable[[], Inputs]]] = {
    "mlp": (lambda: Mlp(128, 128, 128, 128), lambda: (torch.randn(1, 128),)),
    "gru": (lambda: nn.GRUCell(128, 128), lambda: (torch.randn(1, 128), torch.randn(1, 128))),
    "gpt": (lambda: Gpt(2, 64, 64), token_and_place(64)),
    "lenet": (lenet, lambda: (torch.randn(1, 1, 8, 8),)),
    "large gpt": (lambda: Gpt(6, 384, 128), token_and_place(128)),
}


def inference(name: str, compiled: bool) -> tuple[Step, Callable[[], Inputs]]:
    make, inputs = INFERENCE[name]
    model = make().eval().requires_grad_(False)
    called = torch.compile(model) if compiled else model

    def step(*given: Tensor) -> Tensor:
        with torch.no_grad():
            return called(*given)

    return step, inputs


def training(name: str, batch: int, compiled: bool) -> tuple[Step, Callable[[], Inputs]]:
    model = lenet() if name == "lenet" else Mlp(128, 128, 128, 10)
    called = torch.compile(model) if compiled else model
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01, fused=True)

    def step(x: Tensor, target: Tensor) -> Tensor:
        optimizer.zero_grad()
        loss = functional.cross_entropy(called(x), target)
        loss.backward()
        optimizer.step()
        return loss

    shape = (batch, 1, 8, 8) if name == "lenet" else (batch, 128)
    return step, lambda: (torch.randn(shape), torch.randint(10, (batch,)))


def dqn(batch: int, compiled: bool) -> tuple[Step, Callable[[], Inputs]]:
    model, target = Mlp(8, 64, 64, 4), Mlp(8, 64, 64, 4)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)
    weights, averages = list(model.parameters()), list(target.parameters())

    def loss_of(seen: Tensor, action: Tensor, got: Tensor, then: Tensor, goes_on: Tensor) -> Tensor:
        with torch.no_grad():
            goal = got + 0.99 * (target(then).max(1).values * goes_on)
        return functional.smooth_l1_loss(model(seen).gather(1, action).squeeze(1), goal)

    called = torch.compile(loss_of) if compiled else loss_of

    def step(*given: Tensor) -> Tensor:
        optimizer.zero_grad()
        loss = called(*given)
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            torch._foreach_lerp_(averages, weights, 0.005)
        return loss

    return step, lambda: (
        torch.randn(batch, 8),
        torch.randint(4, (batch, 1)),
        torch.randn(batch),
        torch.randn(batch, 8),
        torch.randn(batch),
    )


def begin(name: str, compiled: bool) -> tuple[Step, Callable[[], Inputs]]:
    if name in INFERENCE:
        return inference(name, compiled)
    *kind, batch = name.split()
    return dqn(int(batch), compiled) if kind == ["dqn"] else training(kind[1], int(batch), compiled)


MODELS = (*INFERENCE, "train mlp 1", "train mlp 32", "train lenet 1", "train lenet 32", "dqn 1", "dqn 32")


def microseconds(step: Step, inputs: Inputs, calls: int) -> float:
    start = time.perf_counter_ns()
    for _ in range(calls):
        step(*inputs)
    return (time.perf_counter_ns() - start) / calls / 1e3


def measure(step: Step, inputs: Callable[[], Inputs], rounds: int) -> float:
    """As main.c does."""
    for _ in range(5):
        once = microseconds(step, inputs(), 1)
    calls = int(1e3 / once) + 1 if once < 1e3 else 1
    return min(microseconds(step, inputs(), calls) for _ in range(rounds))


def export(name: str, folder: Path) -> None:
    make, inputs = INFERENCE[name]
    with torch.no_grad():
        program = torch.export.export(make().eval().requires_grad_(False), inputs())
        torch._inductor.aoti_compile_and_package(program, package_path=str(folder / f"{name}.pt2"))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--model", choices=MODELS)
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--export", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    for name in [given.model] if given.model else MODELS:
        if given.export:
            if name in INFERENCE:
                export(name, given.export)
            continue
        best = measure(*begin(name, given.compile), given.rounds)
        print(name, "compiled" if given.compile else "python", f"{best:.3f}", sep="\t", flush=True)


if __name__ == "__main__":
    main()
