"""Every operator gives through the C ABI what it gives through PyTorch's Python, bit for bit.

Each overload of api.json is called both ways in one process with equal arguments (cases.py) and everything that a
caller can see is compared (compare.py), failures and their messages included. The calls run in worker processes, so
that a crash is one overload's and not the test's. CTORCH_LIBRARY and CTORCH_API name the library and its api.json;
without them, they are looked for in CTORCH_BUILD.

To look at single operators: `python -m parity.runner 'add*'` in tests/.
"""

import os
from pathlib import Path

import pytest
import torch

from tests.operators import cases, expectations, operators, runner

ROOT = Path(__file__).parents[2]
ENOUGH = 2600  # overloads that succeed on a CPU


def is_recorded_here() -> bool:
    """Cases and expected failures were recorded with one LibTorch; others have other operators, and refuse others."""
    recorded = (Path(__file__).parent / "generated" / "recorded.txt").read_text().splitlines()[0]
    return torch.__version__.partition("+")[0] in recorded


recorded_here = pytest.mark.skipif(not is_recorded_here(), reason="the cases belong to another LibTorch")


@pytest.fixture(scope="module")
def api() -> list[operators.Operator]:
    build = Path(os.environ.get("CTORCH_BUILD", ROOT / "build" / "cmake"))
    os.environ.setdefault("CTORCH_LIBRARY", str(build / "libctorch.so"))
    os.environ.setdefault("CTORCH_API", str(build / "generated" / "api.json"))
    return operators.load(os.environ["CTORCH_API"])


@pytest.fixture(scope="module")
def reports(api, tmp_path_factory) -> list[runner.Report]:
    return runner.run([o.name for o in api], tmp_path_factory.mktemp("parity"))


@pytest.fixture(scope="module", autouse=True)
def summary(reports, request):
    yield
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print("\nparity: " + runner.summary(reports))


def test_every_overload_is_called(api, reports):
    assert [r["operator"] for r in reports] == [o.name for o in api]
    assert [r["operator"] for r in reports if not r["calls"]] == []


def test_nothing_differs_from_pytorch(reports):
    assert [text for r in reports for text in r["differences"]] == []


def test_no_call_crashes(reports):
    crashes = [text for r in reports for text in r.get("crashes", [])]
    if not is_recorded_here():  # cases that crash PyTorch are left out of what was recorded
        crashes = [text for text in crashes if ": PyTorch crashes" not in text]
    assert crashes == []


def test_no_handle_is_left(reports):
    assert [(r["operator"], r["live handles"]) for r in reports if r["live handles"]] == []


@recorded_here
def test_the_overloads_that_never_succeed_are_the_listed_ones(reports):
    listed = expectations.load()["failures"]
    refused = {r["operator"]: r["errors"] for r in reports if not r["successes"]}
    assert {name: refused[name] for name in refused.keys() - listed.keys()} == {}, "not listed"
    assert sorted(listed.keys() - refused.keys()) == [], "listed, but they succeed or do not exist"


def test_enough_overloads_succeed(reports):
    assert sum(1 for r in reports if r["successes"]) >= ENOUGH


@recorded_here
def test_every_case_is_for_an_operator_that_exists(api):
    assert cases.Cases(api).unknown == []


@recorded_here
def test_every_named_address_is_of_an_operator_that_exists(api):
    assert sorted(expectations.load()["addresses"].keys() - {o.name for o in api}) == []
