// Each kind of error that a CPU can raise arrives as a CtorchError with its code, message and details.
import { aten, C, core, CtorchError, tensor } from "ctorch";
import { done, equal, fails, raises, that } from "./check.mjs";

const ones = (shape, options = {}) => aten.ones(shape, options);

await that("SHAPE_MISMATCH tells both shapes", () => {
  const e = fails("SHAPE_MISMATCH", "cannot be multiplied", aten.mm, ones([2, 3]), ones([4, 5]));
  equal([e.code, e.function, e.name, e instanceof Error], [20, "ctorch_aten_mm", "CtorchError", true]);
  equal(
    [e.details.expectedShape.length > 0, e.details.gotShape.length > 0, e.stack.includes("errors.mjs")],
    [true, true, true],
  );
});

await that("DTYPE_MISMATCH tells both dtypes", () => {
  const e = fails("DTYPE_MISMATCH", "dtype", aten.mm, ones([2, 2]), ones([2, 2], { dtype: "float64" }));
  equal([e.details.expectedDtype, e.details.gotDtype], ["float32", "float64"]);
});

await that("DEVICE_MISMATCH tells both devices", () => {
  const e = fails(
    "DEVICE_MISMATCH",
    "device",
    core.tensor_set_grad,
    ones([2]).requiresGrad_(),
    ones([2], { device: "meta" }),
  );
  equal([typeof e.details.expectedDevice, typeof e.details.gotDevice], ["string", "string"]);
});

await that("OUT_OF_MEMORY tells the bytes", () => {
  const e = fails("OUT_OF_MEMORY", "memory", aten.empty, [2 ** 45]);
  equal([e.details.requestedBytes, e.details.availableBytes > 0], [2 ** 47, true]);
});

await that("INDEX", () => fails("INDEX", "out of range", aten.select, ones([2]), 0, 5));
await that("VALUE", () => fails("VALUE", "non-empty", aten.cat, []));
await that("TYPE", () => fails("TYPE", "expected a tensor", aten.neg.default, 5));
await that("RUNTIME", () => fails("RUNTIME", "grad", () => ones([2]).backward()));
await that("NOT_IMPLEMENTED", () => fails("NOT_IMPLEMENTED", "", aten.bitwise_and, ones([2]), ones([2])));
await that("LINALG", () => fails("LINALG", "singular", aten.linalg_inv, aten.zeros([2, 2])));
await that("SYNTAX", () => {
  using(core.library_new("node_syntax"), (library) =>
    fails("SYNTAX", "", core.library_define, library, "not a schema(("),
  );
});
await that("INVALID_ARGUMENT", () => fails("INVALID_ARGUMENT", "", core.threads_set_num, -1));
await that("UNSUPPORTED", () => fails("UNSUPPORTED", "", core.graph_new, "cpu", false));
await that("IO", () => {
  core.profiler_start(["cpu"], 0);
  using(core.profiler_stop(), (profile) =>
    fails("IO", "", core.profiler_result_export_chrome_trace, profile, "/no/such/folder/file"),
  );
});
await that("INVALID_HANDLE for a closed tensor", () => {
  const t = ones([2]);
  t.close();
  fails("INVALID_HANDLE", "closed", aten.add, t, t);
  fails("INVALID_HANDLE", "closed", () => t.shape);
  fails("INVALID_HANDLE", "closed", aten.cat, [t]);
});

await that("NULL_ARGUMENT, of a raw call, which answers with the pointer to an error", () => {
  const failure = C.ctorch_aten_neg(null, null);
  equal([typeof failure, C.ctorch_error_kind_of(failure)], ["bigint", 30]);
  C.ctorch_error_release(failure);
});

await that("errors of one's own", () => {
  const e = new CtorchError("FORMAT", "not a file of ours");
  equal(
    [
      e.code,
      e.codeName,
      raises(() => {
        throw e;
      }) === e,
    ],
    [35, "FORMAT", true],
  );
  equal(raises(() => new CtorchError("NO_SUCH_CODE", "x")) instanceof TypeError, true);
});

await that("a failed call leaves its arguments usable", () => {
  const a = tensor([1, 1]);
  for (let i = 0; i < 1000; i++) {
    raises(aten.add, a, ones([3]));
  }
  equal(a.add(a).toArray(), [2, 2]);
});

function using(handle, body) {
  try {
    body(handle);
  } finally {
    handle.close();
  }
}

await done();
