"""TensorBoard on localhost, and Chromium that looks at what ctorch logged: `tests/slow browser`."""

import os
import re
import subprocess
import sys

import pytest
import torch

from tests.tensorboard.browser import Browser, executable
from tests.tensorboard.events import Writer, wall

pytestmark = pytest.mark.skipif(executable() is None, reason="no chromium is installed (Debian: apt install chromium)")


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Where TensorBoard shows a run."""
    folder = tmp_path_factory.mktemp("runs")
    with Writer(folder / "first") as writer:
        for step in range(50):
            writer.add_scalar("loss/train", 1 / (step + 1), step, wall(step), False, False)
        writer.add_histogram("weights", torch.arange(100.0), 1, None, wall(1), 0)
        writer.add_image("picture", torch.rand(3, 16, 16), 1, wall(1), None)
        writer.close()
    command = [sys.executable, "-m", "tensorboard.main", "--logdir", str(folder), "--port", "0", "--load_fast", "false"]
    environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
        for line in server.stderr:
            found = re.search(r"http://localhost:\d+/", line)
            if found:
                yield found[0]
                break
        server.kill()


@pytest.fixture
def browser(tmp_path):
    with Browser(str(tmp_path)) as browser:
        yield browser


def test_the_chart_of_a_scalar_is_drawn(address, browser):
    browser.open(f"{address}#timeseries")
    card = (
        "[...document.querySelectorAll('card-view')].find(c => c.innerText.replace(/\\s+/g, '').includes('loss/train'))"
    )
    browser.wait(f"!!{card}")
    browser.wait(f"{card}.querySelector('line-chart').getBoundingClientRect().width > 100")
    browser.wait(f"{card}.innerText.includes('0.02')")  # the last value, 1 / 50, in the table below the chart


def test_an_image_is_shown(address, browser):
    browser.open(f"{address}#timeseries")
    browser.wait("[...document.querySelectorAll('card-view img')].some(i => i.naturalWidth == 16)")
