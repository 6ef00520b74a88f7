// Run a model that Python wrote on an array of JavaScript: ../run_model.c in JavaScript.
//
//     node run_model.mjs script model.pt         torch.jit.save
//     node run_model.mjs program model.pt2       torch.export.save
//     node run_model.mjs package model.pt2       torch._inductor.aoti_compile_and_package
import { readFileSync } from "node:fs";
import { ExportedProgram, JitModule, Package, tensor } from "ctorch";

const FEATURES = [
  [0, 0.1, 0.2, 0.3],
  [0.4, 0.5, 0.6, 0.7],
];

function load(kind, path) {
  switch (kind) {
    case "script": {
      const model = new JitModule(readFileSync(path));
      return (x) => model.call(x);
    }
    case "program":
      return new ExportedProgram(readFileSync(path)).module(); // a module is called as a function
    default: {
      const model = new Package(path);
      return (x) => model.call(x);
    }
  }
}

const [kind, path] = process.argv.slice(2);
if (path === undefined) {
  console.error("usage: run_model.mjs script|program|package MODEL");
  process.exit(2);
}
for (const score of load(kind, path)(tensor(FEATURES)).toTypedArray()) {
  console.log(score);
}
