"""What a call through the Python package costs, in ns: the cases of the other languages, best of 5 rounds.

PYTHONPATH=build/cmake/generated/bindings/python python tests/languages/python/overhead.py   one line a case
… overhead.py --torch     beside Python's torch, both measured by turns in this process, with their ratio
… overhead.py --start-up  seconds to load the libraries, and to import the package after that
"""

import argparse
import sys
import time

CALLS, ROUNDS = 20_000, 5


def best(cases):
    """The least time of a call of each case; the cases take turns, so that a disturbance hits all of them."""
    times = dict.fromkeys(cases, float("inf"))
    for _ in range(ROUNDS):
        for part in range(4):
            for name, function in cases.items():
                start = time.perf_counter_ns()
                for _ in range(CALLS // 4):
                    function()
                times[name] = min(times[name], (time.perf_counter_ns() - start) / (CALLS // 4))
    return times


def ctorch_cases():
    import ctorch
    from ctorch import aten

    ctorch.raw.threads_set_num(1)
    a, b = aten.ones([8]), aten.ones([8])
    four = [aten.ones([8]) for _ in range(4)]
    return {
        "version": ctorch.version,
        "size": lambda: a.size(0),
        "add": lambda: aten.add(a, b),
        "cat": lambda: aten.cat(four),
        "a + b": lambda: a + b,
        "a * 2.0": lambda: a * 2.0,
        "a.sum(0)": lambda: a.sum(0),
        "a[0]": lambda: a[0],
        "a.shape": lambda: a.shape,
    }


def torch_cases():
    import torch

    torch.set_num_threads(1)
    a, b = torch.ones(8), torch.ones(8)
    four = [torch.ones(8) for _ in range(4)]
    return {
        "size": lambda: a.size(0),
        "add": lambda: torch.add(a, b),
        "cat": lambda: torch.cat(four),
        "a + b": lambda: a + b,
        "a * 2.0": lambda: a * 2.0,
        "a.sum(0)": lambda: a.sum(0),
        "a[0]": lambda: a[0],
        "a.shape": lambda: a.shape,
    }


def start_up():
    start = time.perf_counter()
    import ctypes
    import importlib.util
    from pathlib import Path

    for folder in importlib.util.find_spec("torch").submodule_search_locations:
        for name in ("libc10.so", "libtorch_cpu.so", "libtorch.so"):
            ctypes.CDLL(str(Path(folder) / "lib" / name))
    loaded = time.perf_counter()
    import ctorch

    imported = time.perf_counter()
    ctorch.aten.add(ctorch.tensor([1.0]), 1)
    print(f"libraries {loaded - start:.3f}")
    print(f"import {imported - loaded:.3f}")
    print(f"first-call {time.perf_counter() - imported:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--torch", action="store_true", help="compare with Python's torch")
    parser.add_argument("--start-up", action="store_true", help="measure the start instead")
    options = parser.parse_args()
    if options.start_up:
        start_up()
    elif options.torch:
        ours, theirs = ctorch_cases(), torch_cases()
        times = best({**{(n, "ctorch"): f for n, f in ours.items()}, **{(n, "torch"): f for n, f in theirs.items()}})
        for name in theirs:
            a, b = times[name, "ctorch"], times[name, "torch"]
            print(f"{name:10} {a:8.0f} {b:8.0f} {a / b:6.2f}")
    else:
        for name, time_of_call in best(dict(list(ctorch_cases().items())[:4])).items():
            print(f"{name} {time_of_call:.1f}")


if __name__ == "__main__":
    sys.exit(main())
