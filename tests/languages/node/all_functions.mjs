// Every function of the API can be called, and C has it as koffi declares it.
import { aten, C, core, functionNames, init, nn, operatorNames } from "ctorch";
import { done, equal, fails, that } from "./check.mjs";

await that("every operator overload", () => {
  let count = 0;
  for (const [name, overloads] of Object.entries(operatorNames)) {
    for (const overload of overloads) {
      equal([typeof aten[name][overload], typeof aten[name][overload].async], ["function", "function"]);
      count++;
    }
  }
  equal(count > 3000, true);
});

await that("every other function", () => {
  for (const name of functionNames) {
    equal(typeof core[name], "function");
  }
  equal(functionNames.length > 500, true);
});

await that("koffi declares every line of the declarations", () => {
  let count = 0;
  for (const name of Object.keys(C)) {
    equal(typeof C[name], "function");
    count++;
  }
  const described = Object.values(nn).length + Object.values(init).length; // at least one overload each
  equal(count >= functionNames.length + Object.values(operatorNames).flat().length + described, true);
});

await that("a call without arguments is refused as an error object", () => {
  for (const name of ["add", "mm", "cat", "conv2d", "_fused_sgd_"]) {
    for (const overload of operatorNames[name]) {
      if (name !== "cat") {
        fails("TYPE", "expected", aten[name][overload]);
      }
    }
  }
});

await that("unknown names are undefined", () => {
  equal(
    [aten.no_such_operator, aten.add.NoSuchOverload, core.no_such_function, C.ctorch_no_such],
    [, , , ,].fill(undefined),
  );
  equal(["add" in aten, "no_such" in aten], [true, false]);
});

await done();
