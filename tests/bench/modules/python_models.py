"""The models of models.h in Python, and their times and memory as bench_modules prints them.

python_models.py [--cpu] [--threads N] [--rounds N] [--model NAME] [--batch N]
python_models.py --memory --pass forward|training --model NAME --batch N
"""

import argparse
import time

import torch
import torch.nn.functional as F
from torch import nn

BATCHES = (1, 32, 256)


def mlp():
    return nn.Sequential(nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 128))


def lenet():
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
    )  # fmt: skip


class BasicBlock(nn.Module):
    def __init__(self, inside, outside, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outside)
        self.conv2 = nn.Conv2d(outside, outside, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outside)
        self.downsample = None
        if stride != 1 or inside != outside:
            self.downsample = nn.Sequential(nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside))

    def forward(self, x):
        y = self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x)))))
        return torch.relu(y + (x if self.downsample is None else self.downsample(x)))


def resnet18():
    layers = [nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU()]
    inside = 64
    for outside in (64, 128, 256, 512):
        layers += [BasicBlock(inside, outside, 1 if inside == outside else 2), BasicBlock(outside, outside, 1)]
        inside = outside
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10))


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(64, 128, num_layers=2, batch_first=True)
        self.fc = nn.Linear(128, 10)

    def forward(self, x):
        return self.fc(self.lstm(x)[0][:, -1])


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.c_attn = nn.Linear(384, 3 * 384)
        self.c_proj = nn.Linear(384, 384)

    def forward(self, x):
        batch, steps, width = x.shape
        q, k, v = (part.view(batch, steps, 6, 64).transpose(1, 2) for part in self.c_attn(x).split(384, 2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.c_proj(y.transpose(1, 2).reshape(batch, steps, width))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1 = nn.LayerNorm(384)
        self.attn = Attention()
        self.ln_2 = nn.LayerNorm(384)
        self.mlp = nn.Sequential(nn.Linear(384, 4 * 384), nn.GELU(), nn.Linear(4 * 384, 384))

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(65, 384)
        self.wpe = nn.Embedding(32, 384)
        self.h = nn.Sequential(*[Block() for _ in range(6)])
        self.ln_f = nn.LayerNorm(384)
        self.lm_head = nn.Linear(384, 65, bias=False)

    def forward(self, x):
        return self.lm_head(self.ln_f(self.h(self.wte(x) + self.wpe(torch.arange(x.shape[1])))))


MODELS = {
    "mlp": (mlp, lambda batch: torch.randn(batch, 128)),
    "lenet": (lenet, lambda batch: torch.randn(batch, 1, 28, 28)),
    "resnet18": (resnet18, lambda batch: torch.randn(batch, 3, 32, 32)),
    "lstm": (Classifier, lambda batch: torch.randn(batch, 32, 64)),
    "gpt": (GPT, lambda batch: torch.randint(65, (batch, 32))),
}


def forward(model, x):
    with torch.no_grad():
        return model(x)


def training(model, x):
    output = model(x)
    output.sum().backward()
    model.zero_grad()
    return output.detach()


def microseconds(step, model, x, calls: int, clock) -> float:
    begin = clock()
    for _ in range(calls):
        step(model, x)
    return (clock() - begin) / calls / 1e3


def measure(step, model, x, rounds: int, clock) -> float:
    """As main.c does."""
    for _ in range(2):
        step(model, x)
    once = microseconds(step, model, x, 1, clock)
    calls = int(2e3 / once) + 1 if once < 2e3 else 1
    rounds = max(3, min(rounds, int(4e6 / once)))
    return min(microseconds(step, model, x, calls, clock) for _ in range(rounds))


def peak() -> int:
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--model", choices=MODELS)
    parser.add_argument("--batch", type=int)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--pass", dest="which", choices=("forward", "training"))
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    for name in [given.model] if given.model else MODELS:
        make, batch_of = MODELS[name]
        for batch in [given.batch] if given.batch else BATCHES:
            for step in (forward, training):
                if given.which not in (None, step.__name__):
                    continue
                torch.manual_seed(1)
                model, x = make().train(step is training), batch_of(batch)
                if not given.memory:
                    clock = time.process_time_ns if given.cpu else time.perf_counter_ns
                    best = measure(step, model, x, given.rounds, clock)
                    print(name, batch, step.__name__, "python", f"{best:.3f}", sep="\t", flush=True)
                    continue
                step(model, batch_of(1))
                before = peak()
                for _ in range(3):
                    step(model, x)
                print(peak() - before)


if __name__ == "__main__":
    main()
