"""Ctrl-C in programs of the Python package: it ends waits and training, and is lost nowhere."""

from __future__ import annotations

import pytest

from tests.languages.test_python import run

WAITING = """
import gc, os, signal, sys, threading
import ctorch
from ctorch import data, nn, optim
signal.signal(signal.SIGINT, signal.default_int_handler)  # which whoever runs the tests may ignore
begun, go = threading.Event(), threading.Event()
class Slow(data.Dataset):
    def __len__(self):
        return 4
    def __getitem__(self, index):
        begun.set()
        go.wait()
        return ctorch.tensor([float(index)]), index
main = threading.main_thread().ident
def is_waiting():  # in C, for what a worker makes
    return begun.is_set() and sys._current_frames()[main].f_code.co_name == "iterator_next"
def press_when(ready):
    over = threading.Event()
    def press():
        while not ready():
            over.wait(0.01)
        while not over.is_set():  # one that comes before the wait is not missed
            os.kill(os.getpid(), signal.SIGINT)
            over.wait(2)
    threading.Thread(target=press, daemon=True).start()
    return over
def trainer_of(epochs):
    model = nn.Linear(1, 4)
    return ctorch.Trainer(model, optim.SGD(model.parameters(), lr=0.1), nn.CrossEntropyLoss(), epochs=epochs)
"""


def interrupted(tmp_path, code):
    (tmp_path / "program.py").write_text(WAITING + code)
    done = run(tmp_path / "program.py")
    assert done.returncode == 0 and "ignored" not in done.stderr, done.stderr
    return done.stdout.split("\n")[:-1]


@pytest.mark.parametrize("persistent", [False, True])
def test_ctrl_c_ends_the_wait_for_a_worker(tmp_path, persistent):
    lines = interrupted(
        tmp_path,
        f"""
loader = data.DataLoader(Slow(), num_workers=2, persistent_workers={persistent})
batches = iter(loader)
over = press_when(is_waiting)
try:
    next(batches)
except KeyboardInterrupt as error:
    over.set()
    print(type(error).__name__, error.__context__)
def mine(number, frame):
    raise LookupError("mine")
signal.signal(signal.SIGINT, mine)
over = press_when(is_waiting)
try:
    next(batches)
except LookupError as error:
    over.set()
    print(error)
def let_go(number, frame):  # a handler that does not raise ends nothing
    over.set()
    go.set()
signal.signal(signal.SIGINT, let_go)
over = press_when(is_waiting)
print([index.item() for _, index in batches])
print([index.item() for _, index in loader])
""",
    )
    assert lines == ["KeyboardInterrupt None", "mine", "[0, 1, 2, 3]", "[0, 1, 2, 3]"]


def test_workers_that_are_still_busy_after_ctrl_c_hold_nothing_up(tmp_path):
    lines = interrupted(
        tmp_path,
        """
over = press_when(is_waiting)
try:
    for batch in data.DataLoader(Slow(), num_workers=2):
        print("no batch was expected")
except KeyboardInterrupt:
    over.set()
    print("interrupted")
gc.collect()
""",  # and the process ends while they wait
    )
    assert lines == ["interrupted"]


STORM = """
import os, signal, subprocess, sys
import ctorch

presses = 2000
script = (
    "import os, signal, sys"
    "\\nfor _ in range(int(sys.argv[2])):"
    "\\n    sys.stdin.buffer.read(1)"
    "\\n    os.kill(int(sys.argv[1]), signal.SIGINT)"
)
signal.signal(signal.SIGINT, signal.default_int_handler)
command = [sys.executable, "-c", script, str(os.getpid()), str(presses)]
presser = subprocess.Popen(command, stdin=subprocess.PIPE, bufsize=0, start_new_session=True)
for _ in range(presses):
    try:
        presser.stdin.write(b".")
        while True:
            ctorch.ones([4])
    except KeyboardInterrupt:
        pass
presser.wait()
print(ctorch.raw.debug_live_handles())
"""


def test_ctrl_c_while_handles_are_given_back_is_not_lost(tmp_path):
    program = tmp_path / "storm.py"
    program.write_text(STORM)
    done = run(program)
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_ctrl_c_ends_training(tmp_path):
    lines = interrupted(
        tmp_path,
        """
loader = data.DataLoader(data.TensorDataset(ctorch.zeros(8, 1), ctorch.zeros(8, dtype=ctorch.int64)), 4)
trainer = trainer_of(2**60)
over = press_when(lambda: trainer.step > 0)
try:
    trainer.fit(loader)
except KeyboardInterrupt:
    over.set()
    print("interrupted", trainer.step > 0)
slow = trainer_of(2)
over = press_when(begun.is_set)
try:
    slow.fit(data.DataLoader(Slow(), 2, num_workers=2))
except KeyboardInterrupt:
    over.set()
    print("interrupted", slow.step)
go.set()
slow.fit(data.DataLoader(Slow(), 2, num_workers=2))
print(slow.step)
class Quick(Slow):  # on the thread of the trainer: signals are noticed where Python is called
    __getitem__ = lambda self, index: (ctorch.tensor([float(index)]), index)
for _ in range(5):
    quick = trainer_of(2**60)
    over = press_when(lambda: quick.step > 0)
    try:
        quick.fit(data.DataLoader(Quick(), 2))
    except KeyboardInterrupt:
        over.set()
        print("interrupted", quick.step > 0)
""",
    )
    assert lines == ["interrupted True", "interrupted 0", "4", *["interrupted True"] * 5]
