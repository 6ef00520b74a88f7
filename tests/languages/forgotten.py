"""What a program forgets goes before it takes much memory, also where a small handle keeps it alive: the graph behind a
number, a module's parameters, a tokenizer's vocabulary.

Each language has a program `forgotten` that takes the name of what it makes, how many, and the file of a tokenizer.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

# What, how many, and what all of them take at least, in MB.
COUNTS = {"graphs": (100, 400), "modules": (40, 640), "tokenizers": (64, 320)}
MOST_MB = 300
# Small tensors, of which each is a kilobyte with what the binding keeps of it.
SMALL = {"numbers": (500_000, 500)}


def tokenizer(folder: Path) -> Path:
    """One of about 5 MB when it is loaded."""
    vocabulary = {f"token-{i:08}-of-many": i for i in range(60000)}
    path = folder / "words.json"
    path.write_text(
        json.dumps({"version": "1.0", "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "?"}})
    )
    return path


# A small process between: a new one counts what the one that starts it takes as its own until it runs its program.
MEASURE = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=sys.stderr)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)
"""


def peak_mb(command: list[str], environment: dict[str, str]) -> float:
    """The most memory that a process took."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *command], env=environment, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return int(done.stdout) / 1024


def check(what: str, command: list[str], environment: dict[str, str], folder: Path) -> None:
    count, all_mb = (COUNTS | SMALL)[what]
    arguments = [what, "{}", str(tokenizer(folder))]
    few, many = (peak_mb([*command, *(a.format(n) for a in arguments)], environment) for n in (2, count))
    assert many - few < MOST_MB < all_mb, f"{what}: {few:.0f} MB after 2, {many:.0f} MB after {count}"
