"""Every overload of the operators, captured and replayed with other values, gives what a call of it gives, bit for bit.

The calls are those of tests/operators. What cannot be replayed is in refused.txt, with the reason: an operator that is
newly refused, or no longer, is noticed. `python -m tape.test_operators` in tests/ writes that file anew.

The usual run takes one case of each overload; TAPE_CASES=1000 TAPE_VERIFY=1 all of them, each verified.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from tests.operators import operators, runner
from tests.operators.test_values import recorded_here

pytestmark = pytest.mark.slow(1)

REFUSED = Path(__file__).parent / "refused.txt"
ENOUGH = 2500  # overloads that are replayed
HEAD = """\
# Overloads whose first case cannot be replayed, by reason. Written by test_operators.py.
"""


def run(folder: Path) -> list[runner.Report]:
    return runner.run([o.name for o in operators.load(os.environ["CTORCH_API"])], folder, 2, "tests.tape.worker")


@pytest.fixture(scope="module")
def reports(tmp_path_factory) -> list[runner.Report]:
    return run(tmp_path_factory.mktemp("tape"))


def summary(reports: list[runner.Report]) -> str:
    called, replayed = (sum(1 for r in reports if r[what]) for what in ("cases", "replayed"))
    cases, good = (sum(r[what] for r in reports) for what in ("cases", "replayed"))
    ways = Counter(way for r in reports for way, n in Counter(r["ways"]).items() for _ in range(n))
    ways_of = Counter(way for r in reports for way in r["ways"])
    return (
        f"{called} overloads captured, {replayed} replayed ({cases} and {good} cases); overloads by way "
        + ", ".join(f"{way} {n}" for way, n in ways_of.most_common())
        + f"; {sum(ways.values())} steps: "
        + ", ".join(f"{way} {n}" for way, n in ways.most_common())
    )


def refused(reports: list[runner.Report]) -> dict[str, list[str]]:
    """The overloads of which no case is replayed, by reason."""
    found = defaultdict(list)
    for report in reports:
        if report["cases"] and not report["replayed"]:
            found[min(report["reasons"])].append(report["operator"])
    return {reason: sorted(names) for reason, names in sorted(found.items())}


def listed() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    names: list[str] = []
    for line in REFUSED.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            names.append(line.strip())
        elif line and not line.startswith("#"):
            names = found.setdefault(line, [])
    return found


@pytest.fixture(scope="module", autouse=True)
def figures(reports, request):
    yield
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print("\ntapes: " + summary(reports))


def test_no_replay_differs_from_a_call(reports):
    assert [text for r in reports for text in r["differences"]] == []


def test_nothing_crashes(reports):
    assert [text for r in reports for text in r.get("crashes", [])] == []


def test_nothing_is_left(reports):
    assert [(r["operator"], r["live handles"]) for r in reports if r["live handles"]] == []


def test_enough_overloads_are_replayed(reports):
    assert sum(1 for r in reports if r["replayed"]) >= ENOUGH


@recorded_here
@pytest.mark.skipif(os.environ.get("TAPE_CASES", "1") != "1", reason="the list is of first cases")
def test_the_overloads_that_are_refused_are_the_listed_ones(reports):
    found = {(name, reason) for reason, names in refused(reports).items() for name in names}
    expected = {(name, reason) for reason, names in listed().items() for name in names}
    assert sorted(found - expected) == [], "refused, but not listed"
    assert sorted(expected - found) == [], "listed, but replayed, or refused for another reason"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        results = run(Path(made))
    print(summary(results))
    lines = [line for reason, names in refused(results).items() for line in [reason, *(f"  {n}" for n in names)]]
    REFUSED.write_text(HEAD + "".join(line + "\n" for line in lines), encoding="utf-8")
