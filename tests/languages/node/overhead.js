// What a call costs from Node.js: `name ns` lines, the best of 5 rounds.
//
// `add_raw` is koffi alone, `add` the binding with close(), `add_operator` with a search for the overload; `load` is
// the time to import the binding, the C library included. The package is the one that the tests install, or `ctorch` as
// found.
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

const installed = join(__dirname, "../../../build/node/node_modules/ctorch/index.js");

const ROUNDS = 5;

function measure(name, count, body) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (let i = 0; i < count; i++) {
      body();
    }
    best = Math.min(best, ((performance.now() - start) / count) * 1e6);
  }
  console.log(`${name} ${best.toFixed(1)}`);
}

async function main() {
  const before = performance.now();
  const { aten, C, core, tensor } = await import(existsSync(installed) ? pathToFileURL(installed) : "ctorch");
  const load = performance.now() - before;

  core.threads_set_num(1);
  const ones = tensor([1, 1, 1, 1, 1, 1, 1, 1]);
  const pointer = ones.pointer;
  const [add, cat] = [aten.add.Tensor, aten.cat.default];
  const { ctorch_aten_add_Tensor, ctorch_tensor_release } = C;
  const out = new BigUint64Array(1);
  const list = [ones, ones, ones, ones];

  measure("version", 100000, C.ctorch_version);
  measure("size", 100000, () => core.tensor_size(ones, 0));
  measure("add_raw", 50000, () => {
    ctorch_aten_add_Tensor(out, pointer, pointer, null);
    ctorch_tensor_release(out[0]);
  });
  measure("add", 50000, () => add(ones, ones).close());
  measure("add_operator", 50000, () => aten.add(ones, ones).close());
  measure("cat", 50000, () => cat(list, 0).close());
  console.log(`load ${(load * 1e6).toFixed(0)}`);
}

main();
