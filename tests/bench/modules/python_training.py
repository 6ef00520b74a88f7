"""What bench_training measures, in Python: eager with its fastest AdamW, or compiled.

python_training.py [--threads N] [--rounds N] [--model NAME] [--batch N] [--compile]
python_training.py --memory --model NAME --batch N
"""

import argparse
import time

import torch
from python_models import BATCHES, MODELS, peak


def begin(name: str, batch: int, training: bool, compiled: bool):
    """A step of this model."""
    make, batch_of = MODELS[name]
    torch.manual_seed(1)
    model, x = make().train(training), batch_of(batch)
    called = torch.compile(model) if compiled else model
    if not training:

        def inference(x=x):
            with torch.no_grad():
                return called(x)

        return inference
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
    with torch.no_grad():
        scores = model(x).flatten(0, -2)
    target = torch.randint(scores.shape[1], (len(scores),))

    def step(x=x, target=target):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(called(x).flatten(0, -2), target)
        loss.backward()
        optimizer.step()

    step.target = target
    return step


def microseconds(step, calls: int) -> float:
    start = time.perf_counter_ns()
    for _ in range(calls):
        step()
    return (time.perf_counter_ns() - start) / calls / 1e3


def measure(step, rounds: int) -> float:
    """As training.c does."""
    for _ in range(3):
        step()
    once = microseconds(step, 1)
    calls = int(2e3 / once) + 1 if once < 2e3 else 1
    rounds = max(3, min(rounds, int(4e6 / once)))
    return min(microseconds(step, calls) for _ in range(rounds))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--model", choices=MODELS)
    parser.add_argument("--batch", type=int)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--compile", action="store_true")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    for name in [given.model] if given.model else MODELS:
        if given.memory:
            step = begin(name, 1, True, False)
            step()
            x, target = MODELS[name][1](given.batch), step.target.repeat(given.batch)
            before = peak()
            for _ in range(3):
                step(x, target)
            print(peak() - before)
            continue
        for batch in [given.batch] if given.batch else BATCHES:
            for training in (False, True):
                best = measure(begin(name, batch, training, given.compile), given.rounds)
                which = "training" if training else "inference"
                print(
                    name, batch, which, "compiled" if given.compile else "python", f"{best:.3f}", sep="\t", flush=True
                )


if __name__ == "__main__":
    main()
