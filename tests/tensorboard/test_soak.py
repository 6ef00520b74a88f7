"""A million scalars through one writer, whose files follow one another: all are there, and memory does not grow."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCALARS, FILE_BYTES, MOST_GROWTH = 1_000_000, 8 << 20, 4 << 20


def write(folder: Path) -> dict[str, int]:
    from tests.harness.malloc import allocated
    from tests.tensorboard.events import NULL, Reader, Writer, ffi, lib, ok

    there = ffi.new("bool *", True)
    with Writer(folder, max_queue=100) as writer:
        writer.set_rotation(FILE_BYTES, 0.0)
        add, handle = lib.ctorch_summary_writer_add_scalar, writer.handle
        for step in range(SCALARS):
            if step == SCALARS // 10:
                begin = allocated()
            ok(add(handle, b"loss", step, step, NULL, False, False))
        grown = allocated() - begin
        writer.finish()
    with Reader(folder) as reader:
        begin, advance, events, last = allocated(), lib.ctorch_summary_reader_next, 0, -1
        while True:
            ok(advance(there, reader.handle))
            if not there[0]:
                break
            events, last = events + 1, lib.ctorch_summary_reader_step(reader.handle)
        read = allocated() - begin
    return {"grown": grown, "read": read, "events": events, "last": last}


def test_a_million_scalars_cost_no_memory(tmp_path):
    command = [sys.executable, "-m", "tests.tensorboard.test_soak", str(tmp_path)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, cwd=root)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    sizes = [path.stat().st_size for path in tmp_path.iterdir()]
    assert (found["events"] - len(sizes), found["last"]) == (SCALARS, SCALARS - 1)  # each file begins with its version
    assert found["grown"] < MOST_GROWTH and found["read"] < MOST_GROWTH + FILE_BYTES, found
    assert len(sizes) >= 4 and max(sizes) <= FILE_BYTES


if __name__ == "__main__":
    print(json.dumps(write(Path(sys.argv[1]))))
