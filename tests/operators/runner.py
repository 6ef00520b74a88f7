"""Run the workers side by side, start them again after a crash, and collect what they report."""

from __future__ import annotations

import fnmatch
import json
import os
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.operators import expectations, operators

# Memory that nobody has written to holds the same bytes on both sides, and so does what LAPACK computes, whichever way
# its arguments happen to be aligned.
ENVIRONMENT = {"CTORCH_DEBUG_HANDLES": "1", "MALLOC_PERTURB_": "165", "MKL_CBWR": "COMPATIBLE", "OMP_NUM_THREADS": "1"}
PACKAGES = str(Path(__file__).parents[2])


Report = dict[str, Any]
MOST_CRASHES = 50


def run(names: list[str], folder: Path, processes: int = 2, worker: str = "tests.operators.worker") -> list[Report]:
    """The reports of all operators, in order. A crash becomes part of the operator's report."""
    shards = [names[i::processes] for i in range(processes)]
    with ThreadPoolExecutor(processes) as pool:
        parts = list(pool.map(lambda i: _Shard(shards[i], folder / str(i), worker).run(), range(processes)))
    position = {name: i for i, name in enumerate(names)}
    return sorted((report for part in parts for report in part), key=lambda r: position[r["operator"]])


class _Shard:
    """The operators of one process, and of the next one after a crash."""

    def __init__(self, names: list[str], folder: Path, worker: str):
        self.names = names
        self.folder = folder
        self.worker = worker
        folder.mkdir(parents=True)
        self.done: dict[str, Report] = {}
        self.crashes: dict[str, list[tuple[str, str, str]]] = {}
        self.skip: list[str] = []

    def run(self) -> list[Report]:
        for attempt in range(MOST_CRASHES):
            last = self._start(attempt)
            if last is None:
                return self._with_crashes()
            self.skip.append(last["case"])
        raise RuntimeError(f"more than {MOST_CRASHES} crashes, see {self.folder}")

    def _start(self, attempt: int) -> dict[str, Any] | None:
        """Run what is left. The call that crashed the process, or None if it came to its end."""
        plan, results, log = (self.folder / f"{kind}-{attempt}" for kind in ("plan.json", "results.jsonl", "log.txt"))
        left = [n for n in self.names if n not in self.done]
        addresses = expectations.load()["addresses"]
        plan.write_text(json.dumps({"operators": left, "skip": self.skip, "addresses": addresses}))
        search = os.pathsep.join(filter(None, (PACKAGES, os.environ.get("PYTHONPATH"))))
        command = [sys.executable, "-m", self.worker, str(plan), str(results)]
        with open(log, "wb") as output:
            environment = os.environ | ENVIRONMENT | {"PYTHONPATH": search}
            process = subprocess.run(command, stdout=output, stderr=output, env=environment, cwd=self.folder)
        last = self._read(results)
        if process.returncode == 0:
            return None
        if last is None or process.returncode > 0:
            raise RuntimeError(f"a worker failed ({process.returncode}): {log.read_text(errors='replace')[-3000:]}")
        death = signal.Signals(-process.returncode)
        how = "hangs" if death == signal.SIGALRM else f"crashes ({death.name})"
        self.crashes.setdefault(last["operator"], []).append((last["case"], last["side"], how))
        return last

    def _read(self, results: Path) -> dict[str, Any] | None:
        """Take over the finished reports; the last call if it did not end."""
        last = None
        for line in results.read_text().splitlines() if results.exists() else []:
            record = json.loads(line)
            last = record if "side" in record else None
            if last is None:
                self.done[record["operator"]] = record
        return last

    def _with_crashes(self) -> list[Report]:
        for name, found in self.crashes.items():
            report = self.done[name]
            report["crashes"] = [f"{case}: {side} {how}" for case, side, how in found]
            ours = [f"{case}: ctorch {how}, PyTorch does not" for case, side, how in found if side == "ctorch"]
            report["differences"] += ours
        return list(self.done.values())


def summary(reports: list[Report]) -> str:
    calls = sum(r["calls"] for r in reports)
    reached = sum(1 for r in reports if r["successes"])
    differences = sum(len(r["differences"]) for r in reports)
    crashes = sum(len(r.get("crashes", [])) for r in reports)
    return (
        f"{len(reports)} overloads called, {calls} calls compared, {reached} overloads succeed, "
        f"{len(reports) - reached} do not, {crashes} crashes, {differences} differences"
    )


def main() -> None:
    """`python -m parity.runner PATTERN…`: compare the overloads of that name; print what differs or never succeeds."""
    patterns = sys.argv[1:] or ["*"]
    names = [o.name for o in operators.load(os.environ["CTORCH_API"])]
    names = [n for n in names if any(fnmatch.fnmatch(n, p) for p in patterns)]
    with tempfile.TemporaryDirectory() as folder:
        reports = run(names, Path(folder), min(2, len(names)))
    for report in reports:
        for text in report["differences"] + report.get("crashes", []):
            print("differs ", report["operator"], text)
        if not report["successes"]:
            print("refused ", report["operator"], *report["errors"][:1])
    print(summary(reports))


if __name__ == "__main__":
    main()
