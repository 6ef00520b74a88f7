"""Run the workers side by side, start them again after a crash, and collect what they report."""

from __future__ import annotations

import fnmatch
import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import expectations
import operators

# Memory that nobody has written to holds the same bytes on both sides, and so does what LAPACK computes, whichever way
# its arguments happen to be aligned.
ENVIRONMENT = {"MALLOC_PERTURB_": "165", "MKL_CBWR": "COMPATIBLE", "OMP_NUM_THREADS": "1"}
WORKER = Path(__file__).with_name("worker.py")


def run(names: list[str], folder: Path, addresses: dict[str, list[str]], processes: int = 2) -> list[dict[str, Any]]:
    """The reports of all operators, in order. A crash becomes part of the operator's report."""
    shards = [names[i::processes] for i in range(processes)]
    with ThreadPoolExecutor(processes) as pool:
        reports = [r for shard in pool.map(lambda i: _run_shard(shards[i], folder, i, addresses), range(processes)) for r in shard]
    position = {name: i for i, name in enumerate(names)}
    return sorted(reports, key=lambda r: position[r["operator"]])


def _run_shard(names: list[str], folder: Path, number: int, addresses: dict[str, list[str]]) -> list[dict[str, Any]]:
    done: dict[str, dict[str, Any]] = {}
    crashes: dict[str, list[tuple[str, str, str]]] = {}
    skip: list[str] = []
    attempt = 0
    while len(done) < len(names):
        plan = {"operators": [n for n in names if n not in done], "skip": skip, "addresses": addresses}
        plan_path, results_path = (folder / f"{kind}-{number}-{attempt}.json" for kind in ("plan", "results"))
        plan_path.write_text(json.dumps(plan))
        log = open(folder / f"log-{number}-{attempt}.txt", "wb")
        status = subprocess.run([sys.executable, str(WORKER), str(plan_path), str(results_path)], stdout=log, stderr=log, env=os.environ | ENVIRONMENT).returncode
        log.close()
        last = _read(results_path, done)
        attempt += 1
        if status == 0:
            break
        if last is None or status > 0:
            raise RuntimeError(f"worker failed ({status}), see {log.name}:\n" + Path(log.name).read_text()[-3000:])
        how = "hangs" if -status == signal.SIGALRM else f"crashes ({signal.Signals(-status).name})"
        crashes.setdefault(last["operator"], []).append((last["side"], last["case"], how))
        skip.append(last["case"])
    for name, found in crashes.items():
        report = done[name]
        report["crashes"] = [f"{case}: {side} {how}" for side, case, how in found]
        report["differences"] += [f"{case}: ctorch {how}, PyTorch does not" for side, case, how in found if side == "ctorch"]
    return list(done.values())


def _read(path: Path, done: dict[str, dict[str, Any]]) -> dict[str, Any] | None:
    """Take over the finished reports; the last unfinished call, if any."""
    last = None
    for line in path.read_text().splitlines() if path.exists() else []:
        record = json.loads(line)
        if "side" in record:
            last = record
        else:
            done[record["operator"]] = record
            last = None
    return last


def main() -> None:
    """`python runner.py FOLDER [PATTERN…]`: run the named operators and print what differs or never succeeds."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*-*-*.*"):
        old.unlink()
    patterns = sys.argv[2:] or ["*"]
    names = [o.name for o in operators.load(os.environ["CTORCH_API"])]
    names = [n for n in names if any(fnmatch.fnmatch(n, p) for p in patterns)]
    reports = run(names, folder, expectations.load()["addresses"])
    for report in reports:
        for text in report["differences"] + report.get("crashes", []):
            print("DIFF", report["operator"], text)
        if not report["successes"]:
            print("NONE", report["operator"], report["errors"][:1])
    reached = sum(1 for r in reports if r["successes"])
    print(len(reports), "called", sum(r["calls"] for r in reports), "calls", reached, "reached")
    (folder / "reports.json").write_text(json.dumps(reports, indent=1))


if __name__ == "__main__":
    main()
