"""The sweep: every export of libctorch is called with nonsense and with every kind of small tensor (cases.py).

Whatever a caller passes short of a dangling pointer gets an answer: no crash, no hang, no leak, outputs untouched on
failure, and an error that names the function. Where PyTorch itself dies, bindings-gen/policy.toml says so under
`upstream_crash`, with the Python line that dies too; both are checked here.

CTORCH_LIBRARY and CTORCH_API name the library and its api.json; by default those of build/cmake.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

from tests.sweep.replay import heap_check

pytestmark = pytest.mark.slow(0)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIBRARY = Path(os.environ.get("CTORCH_LIBRARY", ROOT / "build/cmake/libctorch.so"))
API = Path(os.environ.get("CTORCH_API", ROOT / "build/cmake/generated/api.json"))
WORKERS = 2
ENVIRONMENT = os.environ | heap_check()
LISTED = {
    e["operator"]: e for e in tomllib.loads((ROOT / "bindings-gen/policy.toml").read_text()).get("upstream_crash", [])
}


def worker(report: Path, *arguments: str, api: Path = API) -> subprocess.Popen:
    command = [sys.executable, str(HERE / "worker.py"), "--library", str(LIBRARY), "--api", str(api)]
    # Some operators write files: in the folder of the report.
    return subprocess.Popen([*command, "--report", str(report), *arguments], env=ENVIRONMENT, cwd=report.parent)


def entries(report: Path) -> list[dict]:
    return [json.loads(line) for line in report.read_text().splitlines()]


@pytest.fixture(scope="session")
def functions() -> dict[str, dict]:
    return {f["name"]: f for f in json.loads(API.read_text())["functions"]}


@pytest.fixture(scope="session")
def sweep(tmp_path_factory) -> dict[str, list[dict]]:
    """The reports of all workers by kind: done, problem, crash, hang, cut, bug, end."""
    folder = tmp_path_factory.mktemp("sweep")
    reports = [folder / str(part) / "report.jsonl" for part in range(WORKERS)]  # each in its own: they write files
    for report in reports:
        report.parent.mkdir()
    processes = [worker(r, "--part", f"{part}/{WORKERS}") for part, r in enumerate(reports)]
    assert [p.wait() for p in processes] == [0] * WORKERS
    by_kind = defaultdict(list)
    for report in reports:
        for entry in entries(report):
            by_kind[entry["kind"]].append(entry)
    assert not by_kind["bug"], by_kind["bug"][0]["traceback"]
    assert len(by_kind["end"]) == WORKERS
    calls = sum(e["error"] + e["success"] for e in by_kind["done"])
    success = sum(e["success"] for e in by_kind["done"])
    print(
        f"\nsweep: {calls} calls counted, {success} with success; {len(by_kind['crash'])} crashes and "
        f"{len(by_kind['hang'])} hangs in {len({e['function'] for e in by_kind['crash'] + by_kind['hang']})} functions"
    )
    return by_kind


class Python:
    """A process with PyTorch that tells what the same call does there."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, str(HERE / "replay.py")]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=ENVIRONMENT, cwd=folder)

    def ask(self, request: object) -> tuple[str, int, str]:
        """The call as text, the signal it died of (0 if it did not), and what it raised."""
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        text, killed_by, raised = json.loads(self.process.stdout.readline())
        return text, killed_by, raised


@pytest.fixture(scope="session")
def pytorch(tmp_path_factory):
    python = Python(tmp_path_factory.mktemp("pytorch"))
    yield python
    python.process.stdin.close()
    python.process.wait()


def operator_of(function: dict) -> str:
    return (function["schema"] or "").partition("(")[0].removeprefix("aten::")


def test_every_export_is_called_to_the_end(sweep, functions):
    finished = {e["function"] for e in sweep["done"]} | {e["function"] for e in sweep["cut"]}
    crashed = {e["function"] for e in sweep["crash"]}
    assert finished | crashed == set(functions)
    assert len(functions) > 3101


def test_no_call_breaks_the_contract(sweep, functions):
    """But for operators that damage memory before they die of it: what they leave behind says nothing about ctorch."""
    damaged = {e["function"] for e in sweep["crash"] if operator_of(functions[e["function"]]) in LISTED}
    found = [
        f"{e['function']} #{e['case']} ({e['family']}): {e['problem']}"
        for e in sweep["problem"]
        if e["function"] not in damaged
    ]
    assert not found, f"{len(found)} problems:\n" + "\n".join(found[:100])


def test_what_dies_in_ctorch_dies_in_pytorch_too(sweep, functions, pytorch):
    """Each operator that dies or hangs is listed, and dies in Python too of one of the same calls.

    Of one, not of all: such a kernel reads what lies beyond its arguments, and what that does differs between two
    processes. No entry excuses a crash on arguments that ctorch has to refuse.
    """
    ours = []
    found = defaultdict(list)
    for entry in sweep["crash"] + sweep["hang"]:
        found[entry["function"]].append(entry)
    for name, deaths in found.items():
        function = functions[name]
        if function["kind"] == "aten" and operator_of(function) in LISTED:
            answers = [{**e, "python": "listed"} for e in deaths if e["refusable"]]
            rest = [e for e in deaths if e["alone"] and not e["refusable"]]
            proof = LISTED[operator_of(function)]["python"]
            if rest and not any(pytorch.ask(call)[1] for call in [*([function, e["args"]] for e in rest), proof]):
                answers += [{**e, "python": "survives"} for e in rest]
        else:
            answers = [{**e, "python": fate_in(pytorch, function, e)} for e in deaths]
        for e in answers:
            killed_by = signal.Signals(e["signal"]).name
            ours.append(
                f"{name} #{e['case']} ({e['family']}), {killed_by}; Python: {e['python']}\n  {e['stderr'][-200:]}"
            )
    assert not ours, f"{len(ours)} crashes:\n" + "\n".join(ours[:100])


def fate_in(pytorch: Python, function: dict, entry: dict) -> str:
    if function["kind"] != "aten":
        return "no such call"
    text, killed_by, raised = pytorch.ask([function, entry["args"]])
    return f"{signal.Signals(killed_by).name if killed_by else raised or 'returns'}: {text or entry['args']}"


@pytest.mark.parametrize("operator", LISTED)
def test_a_listed_crash_is_pytorchs_own(operator, sweep, functions, pytorch):
    """The Python line dies. A write beyond a block is not always noticed: then a call of the sweep has to have died."""
    _, killed_by, raised = pytorch.ask(LISTED[operator]["python"])
    died = {operator_of(functions[e["function"]]) for e in sweep["crash"] + sweep["hang"]}
    assert killed_by or operator in died, (
        f"PyTorch survives this call now: {raised or 'it returns'}. Take the entry out of policy.toml."
    )


def doctored(tmp_path: Path, name: str, change) -> Path:
    """api.json with something untrue about one function."""
    api = json.loads(API.read_text())
    change(next(f for f in api["functions"] if f["name"] == name))
    path = tmp_path / "api.json"
    path.write_text(json.dumps(api))
    return path


def test_the_sweep_notices_a_leak(tmp_path):
    api = doctored(tmp_path, "ctorch_aten_relu", lambda f: f["params"][0].update(owned=False))
    assert worker(tmp_path / "report", "--only", "ctorch_aten_relu$", api=api).wait() == 0
    assert any("+1 live handles" in e.get("problem", "") for e in entries(tmp_path / "report"))


def test_the_sweep_notices_a_value_that_should_be_refused(tmp_path):
    def change(function):
        next(p for p in function["params"] if p["name"] == "dim").update(type="SymInt")

    api = doctored(tmp_path, "ctorch_aten__softmax", change)
    assert worker(tmp_path / "report", "--only", "ctorch_aten__softmax$", api=api).wait() == 0
    assert any("where (31,) is due" in e.get("problem", "") for e in entries(tmp_path / "report"))


def test_the_sweep_notices_a_crash(tmp_path):
    """An operator that is known to die, and too intricate to be guarded."""
    name = "ctorch_aten__thnn_differentiable_lstm_cell_backward$"
    assert worker(tmp_path / "report", "--only", name).wait() == 0
    assert any(e["kind"] == "crash" and e["alone"] for e in entries(tmp_path / "report"))
