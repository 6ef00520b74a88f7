#!/usr/bin/env python3
"""What loading and saving weights costs, beside torch.load and torch.save, safetensors and NumPy: Markdown.

    tests/bench/files.py                     1 GiB: loading from the disk and from memory, saving, memory of a lazy load
    tests/bench/files.py --mib 256 --only load --format pt

It needs the library. Each time is of a process of its own; the ways take turns, and the best time of each counts. A
loaded tensor is looked at once, a word of each page, because mapping a file alone reads nothing. "cold" is with the
file driven out of memory; how well that works is the system's business. ctorch brings what it saves to the disk
before it answers, and Python does not: so its files are brought there too, and where the disk would hide the rest,
choose a `--folder` in memory. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Path(os.environ.get("CTORCH_LIBRARY", ROOT / "build/cmake/libctorch.so"))
TENSORS = 32
LOADS = {
    "pt": ("ctorch", "ctorch mmap", "torch", "torch mmap"),
    "safetensors": ("ctorch", "ctorch mmap", "safetensors"),
    "npz": ("ctorch", "ctorch mmap", "numpy"),
    "npy": ("ctorch", "ctorch mmap", "numpy", "numpy mmap"),
}
SAVES = {"pt": "torch", "safetensors": "safetensors", "npz": "numpy", "npy": "numpy"}


class Ctorch:
    """The few functions that are called here; an error ends the program."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL(str(LIBRARY))
        self.library.ctorch_error_message.restype = ctypes.c_char_p
        self.library.ctorch_weights_name.restype = ctypes.c_char_p

    def __call__(self, name: str, *given: object) -> None:
        function = self.library["ctorch_" + name]
        function.restype = ctypes.c_void_p
        error = function(*given)
        if error:
            raise SystemExit(self.library.ctorch_error_message(ctypes.c_void_p(error)).decode())

    def made(self, name: str, *given: object) -> ctypes.c_void_p:
        out = ctypes.c_void_p()
        self(name, ctypes.byref(out), *given)
        return out

    def count(self, name: str, *given: object) -> int:
        function = self.library["ctorch_" + name]
        function.restype = ctypes.c_size_t
        return function(*given)

    def place(self, tensor: ctypes.c_void_p) -> tuple[int, int]:
        return self.made("tensor_const_data", tensor).value or 0, self.count("tensor_nbytes", tensor)

    def weights(self, path: Path, mmap: bool) -> ctypes.c_void_p:
        return self.made("weights_open_file", os.fsencode(path), ctypes.c_bool(mmap))

    def load(self, path: Path, mmap: bool) -> list[ctypes.c_void_p]:
        """The tensors of a file; a pt file is read as torch.load reads it, with all that it holds."""
        if path.suffix == ".pt":
            value = self.made("serialization_load_file", os.fsencode(path), ctypes.c_bool(mmap), None)
        else:
            value = self.made("weights_load", self.weights(path, mmap), None)
        return self.tensors(value)

    def tensors(self, value: ctypes.c_void_p) -> list[ctypes.c_void_p]:
        values = self.made("value_dict_values", value)
        items = [self.made("value_get", values, ctypes.c_size_t(i)) for i in range(self.count("value_len", values))]
        return [self.made("value_to_tensor", item) for item in items]


def peak_kib() -> int:
    """The most memory that this process had so far, pages of mapped files included."""
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(fields["VmHWM"].split()[0])


def reset_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def look_at(places: list[tuple[int, int]]) -> int:
    import numpy as np

    total = 0
    for address, nbytes in places:
        words = np.ctypeslib.as_array((ctypes.c_uint64 * (nbytes // 8)).from_address(address))
        total += int(words[::512].sum())
    return total


def load(way: str, path: Path) -> float:
    """Seconds. For what is set up by the first call, call it with a small file before."""
    who, mmap = way.split()[0], way.endswith("mmap")
    if who == "ctorch":
        ctorch = Ctorch()
        begin = time.perf_counter()
        places = [ctorch.place(t) for t in ctorch.load(path, mmap)]
        look_at(places)
        return time.perf_counter() - begin
    import numpy as np

    if who == "numpy":
        begin = time.perf_counter()
        file = np.load(path, mmap_mode="r" if mmap else None)
        arrays = [file] if path.suffix == ".npy" else [file[name] for name in file.files]
        look_at([(a.ctypes.data, a.nbytes) for a in arrays])
        return time.perf_counter() - begin
    import torch
    from safetensors.torch import load_file

    begin = time.perf_counter()
    tensors = torch.load(path, mmap=mmap, weights_only=True) if who == "torch" else load_file(path)
    look_at([(t.data_ptr(), t.nbytes) for t in tensors.values()])
    return time.perf_counter() - begin


def save(way: str, source: Path, path: Path) -> float:
    """Seconds, to the disk."""
    if way == "ctorch":
        ctorch = Ctorch()
        weights = ctorch.weights(source, False)
        value = ctorch.made("weights_load", weights, None)
        target = os.fsencode(path)
        one = ctorch.tensors(value)[0]
        begin = time.perf_counter()
        if path.suffix == ".pt":
            ctorch("serialization_save_file", value, target)
        elif path.suffix == ".safetensors":
            ctorch("safetensors_write_file", value, None, target)
        elif path.suffix == ".npz":
            ctorch("npz_write_file", value, ctypes.c_bool(False), target)
        else:
            ctorch("npy_write_file", one, target)
        return time.perf_counter() - begin
    import numpy as np
    import torch
    from safetensors.torch import load_file, save_file

    one = np.load(source) if path.suffix == ".npy" else None
    tensors = {name: t.clone() for name, t in load_file(source).items()} if one is None else {}
    arrays = {name: t.numpy() for name, t in tensors.items()}
    begin = time.perf_counter()
    if path.suffix == ".pt":
        torch.save(tensors, path)
    elif path.suffix == ".safetensors":
        save_file(tensors, path)
    elif path.suffix == ".npz":
        np.savez(path, **arrays)
    else:
        np.save(path, one)
    file = os.open(path, os.O_RDONLY)
    os.fsync(file)
    os.close(file)
    return time.perf_counter() - begin


def lazy(path: Path) -> float:
    """MiB that opening a file and reading one of its tensors take at the most."""
    ctorch = Ctorch()
    reset_peak()
    before = peak_kib()
    weights = ctorch.weights(path, True)
    tensor = ctorch.made("weights_tensor", weights, ctorch.library.ctorch_weights_name(weights, ctypes.c_size_t(7)))
    look_at([ctorch.place(tensor)])
    return (peak_kib() - before) / 1024


def drive_out(path: Path) -> None:
    """Of the system's memory."""
    file = os.open(path, os.O_RDONLY)
    os.fsync(file)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(file)


def make_files(folder: Path, rows: int, formats: list[str]) -> dict[str, Path]:
    """`rows` MiB for each of the tensors."""
    import numpy as np
    import torch
    from safetensors.torch import save_file

    torch.manual_seed(0)
    tensors = {f"layer.{i}.weight": torch.rand(rows, 1 << 18) for i in range(TENSORS)}
    arrays = {name: t.numpy() for name, t in tensors.items()}
    paths = {name: folder / f"weights.{name}" for name in (*formats, "safetensors")}
    whole = {
        "pt": lambda path: torch.save(tensors, path),
        "safetensors": lambda path: save_file(tensors, path),
        "npz": lambda path: np.savez(path, **arrays),
        "npy": lambda path: np.save(path, torch.cat(list(tensors.values())).numpy()),
    }
    for name, path in paths.items():
        whole[name](path)
        drive_out(path)
    return paths


def measured(*given: object) -> float:
    command = [sys.executable, __file__, "--one", *map(str, given)]
    return float(subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout)


def best_of(turns: int, ways: tuple[str, ...], run) -> dict[str, float]:
    best = dict.fromkeys(ways, 1e300)
    for turn in range(turns):
        first = turn % len(ways)  # who comes after whom counts, above all when cold
        for way in ways[first:] + ways[:first]:
            best[way] = min(best[way], run(way))
    return best


def row(what: str, best: dict[str, float], mib: int) -> None:
    others = {way: t for way, t in best.items() if not way.startswith("ctorch")}
    ours = min(t for way, t in best.items() if way not in others)
    each = ", ".join(f"{way} {t:.3f}" for way, t in best.items())
    print(f"| {what} | {each} | {mib / 1024 / ours:.2f} | {min(others.values()) / ours:.2f} |", flush=True)


def compare(given: argparse.Namespace, folder: Path) -> None:
    formats = given.format or list(LOADS)
    (folder / "small").mkdir()
    make_files(folder / "small", 1, formats)
    paths = make_files(folder, given.mib // TENSORS, formats)
    print("| what | seconds | ctorch (GiB/s) | the best of Python's time to ctorch's |\n|---|---|---:|---:|")
    for name in formats if "load" in given.only else ():

        def cold(way: str, path: Path = paths[name]) -> float:
            drive_out(path)
            return measured("load", way, path)

        row(f"load {name}, cold", best_of(given.turns, LOADS[name], cold), given.mib)
        warm = best_of(given.turns, LOADS[name], lambda way, path=paths[name]: measured("load", way, path))
        row(f"load {name}, warm", warm, given.mib)
    for name in formats if "save" in given.only else ():
        target = folder / f"saved.{name}"
        ways = ("ctorch", SAVES[name])

        source = paths["npy" if name == "npy" else "safetensors"]

        def saved(way: str, source: Path = source, target: Path = target) -> float:
            target.unlink(missing_ok=True)
            return measured("save", way, source, target)

        row(f"save {name}", best_of(given.turns, ways, saved), given.mib)
        target.unlink()
    if "lazy" in given.only:
        print("\n| one tensor of 32, read lazily | MiB at the most | MiB of the tensor |\n|---|---:|---:|")
        for name in (name for name in formats if name != "npy"):
            drive_out(paths[name])  # else what lies beside in memory comes along
            print(f"| {name} | {measured('lazy', paths[name]):.1f} | {given.mib / TENSORS:.0f} |", flush=True)


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        what, *rest = sys.argv[2:]
        path = Path(rest[-1])
        small = path.parent / "small" / path.name
        if what == "load":
            load(rest[0], small)
            print(load(rest[0], path))
        elif what == "save":
            save(rest[0], small.parent / Path(rest[1]).name, small)
            print(save(rest[0], Path(rest[1]), path))
        else:
            lazy(small)
            print(lazy(path))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mib", type=int, default=1024, help=f"of all tensors; a multiple of {TENSORS}")
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--only", action="append", choices=("load", "save", "lazy"))
    parser.add_argument("--format", action="append", choices=tuple(LOADS))
    parser.add_argument("--folder", type=Path, help="where the files are put; build/ by default")
    given = parser.parse_args()
    given.only = given.only or ["load", "save", "lazy"]
    with tempfile.TemporaryDirectory(dir=given.folder or ROOT / "build", prefix="bench_files_") as folder:
        compare(given, Path(folder))


if __name__ == "__main__":
    main()
