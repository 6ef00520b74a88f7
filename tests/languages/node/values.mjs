// Values on their way in and out: numbers, lists, options, names, indices.
import { aten, Complex, complex, core, float, fromData, init, int, nn, slice, Stream, tensor } from "ctorch";
import { done, equal, fails, that } from "./check.mjs";

await that("defaults and keywords", () => {
  const [a, b] = [tensor([1, 2]), tensor([10, 20])];
  equal(aten.add(a, b).toArray(), [11, 22]);
  equal(aten.add(a, b, { alpha: 2 }).toArray(), [21, 42]);
  equal(aten.add({ self: a, other: b, alpha: 0.5 }).toArray(), [6, 12]);
  equal(aten.add.Tensor(a, { other: b }).toArray(), [11, 22]);
});

await that("overloads by the types of the arguments", () => {
  const a = tensor([
    [1, 5],
    [7, 3],
  ]);
  equal(aten.max(a).item(), 7);
  equal(
    aten.max(a, 1).map((t) => t.toArray()),
    [
      [5, 7],
      [1, 0],
    ],
  );
  equal(aten.max(a, tensor([4, 4])).toArray(), [
    [4, 5],
    [7, 4],
  ]);
  equal([a.sum().item(), a.sum({ dim: 0 }).toArray(), a.sum([0, 1]).item()], [16, [8, 8], 16]);
  equal(a.pow(2).toArray(), [
    [1, 25],
    [49, 9],
  ]);
  equal(aten.pow(2, a).toArray(), [
    [2, 32],
    [128, 8],
  ]);
  equal(a.split(1)[1].toArray(), [[7, 3]]);
  equal(aten.div(a, a, { rounding_mode: "floor" }).toArray(), [
    [1, 1],
    [1, 1],
  ]);
});

await that("modules of schema files, with what Python draws and computes from the same seed", async () => {
  core.random_manual_seed(0);
  let conv = nn.Conv2d(1, 2, [3, 2], { stride: 2, padding: 1 });
  let y = core.module_forward(conv, aten.ones([1, 1, 4, 4]));
  equal([y.shape, Math.round(y.at(0, 1, 1, 2).item() * 1e6)], [[1, 2, 2, 3], -438072]); // the last digits are the processor's
  equal(core.module_parameters(conv, true).length, 2);
  core.random_manual_seed(0);
  conv = await nn.Conv2d.async(1, 2, 3, { padding: "same", bias: false });
  y = core.module_forward(conv, aten.ones([1, 1, 4, 4]));
  equal(y.at(0, 0, 0, 0).item(), 0.19571614265441895);
  core.random_manual_seed(0);
  const weight = aten.zeros([2, 2]);
  equal(init.kaiming_uniform_(weight, { nonlinearity: "relu" }) === weight, true);
  equal(weight.at(1, 0).item(), -1.425555944442749);
  fails("VALUE", "groups must be positive", nn.Conv2d, 1, 1, 1, { groups: 0 });
  fails("TYPE", "no overload of Conv2d", nn.Conv2d, 1, 1, "3");
});

await that("64-bit integers are exact", () => {
  for (const value of [2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n]) {
    const t = aten.full([2], value, { dtype: "int64" });
    equal([t.at(0).item(), t.toArray(), t.toTypedArray()[1]], [value, [value, value], value]);
  }
  equal(tensor([2n ** 63n - 1n]).item(), 2n ** 63n - 1n);
  equal(tensor([3n]).item(), 3);
  equal(aten.full([], 2n ** 64n - 1n, { dtype: "uint64" }).item(), 2n ** 64n - 1n);
  core.random_manual_seed(2n ** 64n - 2n);
  equal(core.random_initial_seed("cpu"), 2n ** 64n - 2n);
});

await that("numbers that are no 64-bit integers are refused", () => {
  const t = tensor([1]);
  for (const value of [1.5, Infinity, NaN, 2 ** 53, 2n ** 63n, -(2n ** 63n) - 1n, "1", true, [1], {}]) {
    fails("TYPE", "", aten.select.int, t, 0, value);
  }
  fails("TYPE", "from 0", core.storage_new, -1);
  fails("TYPE", "from", core.threads_set_num, 2 ** 31);
});

await that("whole numbers are integer Scalars, others are floats", () => {
  const dtype = (value) => aten.arange(value).dtype;
  equal([2, 2n, 2.5, float(2), int(1)].map(dtype), ["int64", "int64", "float32", "float32", "int64"]);
  const sum = (value) => aten.zeros([], { dtype: "int64" }).add(value).dtype;
  equal([2, 2.5, float(2), true].map(sum), ["int64", "float32", "float32", "int64"]);
});

await that("where a number alone decides the dtype, it is that of its type", async () => {
  const dtype = (value) => aten.full([1], value).dtype;
  equal([0, 1, 0.5, -3, 2n ** 53n, float(2), true, int(1), complex(1, 2)].map(dtype), [
    ...new Array(4).fill("float32"),
    "int64",
    "float32",
    "bool",
    "int64",
    "complex64",
  ]);
  equal((await aten.full.async([1], 1)).dtype, "float32");
  const either = (a, b) => aten.where(tensor([true, false]), a, b);
  equal([either(1, 0).dtype, either(0.5, 0).dtype, either(1n, 0n).dtype], ["float32", "float32", "int64"]);
  equal(aten.full([1], 2 ** 53 - 1, { dtype: "int64" }).item(), 2 ** 53 - 1);
  equal(1 / aten.full([], -0).item(), -Infinity);
});

await that("NaN and infinity", () => {
  equal(tensor([Infinity, -Infinity, NaN]).toArray(), [Infinity, -Infinity, NaN]);
  equal(aten.full([], NaN).item(), NaN);
});

await that("complex", () => {
  equal(aten.full([1], complex(1.5, -2)).item(), new Complex(1.5, -2));
  equal(aten.full([1], complex(1.5, -2)).toArray(), [new Complex(1.5, -2)]);
});

await that("empty lists, and null in lists", () => {
  equal([aten.zeros([]).ndim, aten.zeros([0, 3]).toArray()], [0, []]);
  const t = tensor([
    [1, 2],
    [3, 4],
  ]);
  equal(aten.index.Tensor(t, [null, tensor([1n])]).toArray(), [[2], [4]]);
  fails("VALUE", "non-empty", aten.cat, []);
  equal([aten.sum(t, []).item(), aten.sum(t, null).item()], [10, 10]);
});

await that("results: several, lists, undefined, numbers, booleans, names", () => {
  const [values, indices] = tensor([3, 1, 2]).sort();
  equal(
    [values.toArray(), indices.toArray()],
    [
      [1, 2, 3],
      [1, 2, 0],
    ],
  );
  const [x, w] = [aten.ones([1, 1, 3, 3]), aten.ones([1, 1, 2, 2])];
  const [a, b, c] = aten.convolution_backward(
    aten.ones([1, 1, 2, 2]),
    x,
    w,
    null,
    [1, 1],
    [0, 0],
    [1, 1],
    false,
    [0, 0],
    1,
    [true, false, true],
  );
  equal([a.shape, b, c.item()], [[1, 1, 3, 3], null, 4]);
  equal([x.equal(x), aten.result_type(x, 1), aten.sym_size(x, 2)], [true, "float32", 3]);
});

await that("in-place operators and out= give the argument back", () => {
  const t = tensor([1, 2]);
  equal(t.add_(1) === t, true);
  equal(t.mul_(2).sub_(1).toArray(), [3, 5]);
  const out = aten.empty([0]);
  equal(aten.add(t, t, { out }) === out, true);
  equal(out.toArray(), [6, 10]);
  const [values, indices] = [aten.empty([0]), aten.empty([0], { dtype: "int64" })];
  const sorted = aten.sort(t, { descending: true, values, indices });
  equal([sorted.length, sorted[0] === values, sorted[1] === indices], [2, true, true]);
  equal(aten.rrelu_with_noise_(t, aten.zeros([2])) === t, true); // the noise is changed, but not returned
});

await that("dtypes, layouts, devices, memory formats by name", () => {
  const t = aten.zeros([1, 2, 2, 2], { dtype: "float64", device: "cpu", layout: "strided" });
  equal([t.dtype, t.device, t.layout], ["float64", "cpu", "strided"]);
  equal(aten.contiguous(t, { memory_format: "channels_last" }).strides, [8, 1, 4, 2]);
  equal(aten.zeros([2], { device: "meta" }).device, "meta");
  fails("TYPE", "a dtype", aten.zeros.default, [2], { dtype: "float33" });
  fails("TYPE", "a dtype", aten.zeros.default, [2], { dtype: "toString" });
  fails("TYPE", "a device", aten.zeros.default, [2], { device: "cpu:" });
  fails("INVALID_ARGUMENT", "dtype", aten.zeros.default, [2], { dtype: 999 });
  fails("TYPE", "a Stream", aten.record_stream, t, 5);
  equal(new Stream(0, "cpu", 0).deviceType, "cpu");
});

await that("strings", () => {
  equal(aten.einsum("ij->ji", [tensor([[1, 2]])]).toArray(), [[1], [2]]);
  fails("VALUE", "NUL", aten.einsum, "i\0", [tensor([1])]);
  const value = core.value_from_string("größer 数");
  equal(core.value_to_string(value)[0], "größer 数");
  equal(core.value_repr(core.value_from_strings(["a", "b"])), "['a', 'b']");
  equal(core.value_repr(core.value_from_bytes(Buffer.from("a\0b"))), "b'a\\x00b'");
});

await that("one number for a list of fixed length", () => {
  equal(aten.max_pool2d(aten.ones([1, 4, 4]), 2).shape, [1, 2, 2]);
});

await that("indices", () => {
  const t = aten.arange(12).reshape([3, 4]);
  equal(t.at(0).toArray(), [0, 1, 2, 3]);
  equal(t.at(-1, -1).item(), 11);
  equal(t.at(slice(0, 2), 1).toArray(), [1, 5]);
  equal(t.at("...", slice(null, null, 2)).toArray(), [
    [0, 2],
    [4, 6],
    [8, 10],
  ]);
  equal(t.at(null, 0).shape, [1, 4]);
  equal(t.at(t.gt(9)).toArray(), [10, 11]);
  equal(t.at([0, 2]).toArray(), [
    [0, 1, 2, 3],
    [8, 9, 10, 11],
  ]);
  t.setAt([0], 7);
  t.setAt([1, slice(2)], tensor([0n, 0n]));
  equal(t.toArray(), [
    [7, 7, 7, 7],
    [4, 5, 0, 0],
    [8, 9, 10, 11],
  ]);
  fails("INDEX", "out of", () => t.at(3));
  fails("TYPE", "index", () => t.at("x"));
  equal(
    [...t].map((row) => row.shape),
    [[4], [4], [4]],
  );
});

await that("properties", () => {
  const t = aten.zeros([2, 3]);
  equal([t.shape, t.strides, t.ndim, t.numel, t.nbytes, t.isLeaf, t.grad], [[2, 3], [3, 1], 2, 6, 24, true, null]);
  equal([t.size(), t.size(-1), t.T.shape, `${tensor([1, 2.5])}`], [[2, 3], 3, [3, 2], "tensor([1.0000, 2.5000])"]);
});

await that("nested arrays of unequal length or type are refused", () => {
  fails("VALUE", "not of one length", tensor, [[1, 2], [3]]);
  fails("TYPE", "numbers", tensor, [1, "2"]);
  fails("TYPE", "booleans", tensor, [true, 1]);
  fails("TYPE", "64 bits", tensor, [2n ** 64n]);
});

await that("dtypes without a typed array come out as floats", () => {
  equal(tensor([1.5], { dtype: "bfloat16" }).toArray(), [1.5]);
  equal(tensor([true, false]).toArray(), [true, false]);
});

await that("memory in and out", () => {
  equal(fromData(new Float32Array([1, 2, 3]), [3], "float32").toArray(), [1, 2, 3]);
  equal(fromData(new Float32Array([0, 1, 2, 3]).subarray(1), [3], "float32").toArray(), [1, 2, 3]);
  fails("INVALID_ARGUMENT", "", fromData, new Uint8Array(1), [2], "uint8");
  equal(tensor([1, 2]).toTypedArray(), new Float32Array([1, 2]));
});

await that("functions beside the operators", () => {
  equal([core.dtype_itemsize("float64"), core.device_type_name("cuda")], [8, "cuda"]);
  equal(core.tensor_item_complex(tensor([2])), [2, 0]);
  equal(core.op_argument_name(core.op_find("aten::add", "Tensor"), 1), "other");
  const list = core.value_from_list([core.value_from_int(3), core.value_from_none()]);
  equal([core.value_repr(list), core.value_kind_of(list)], ["[3, None]", "list"]);
});

await that("options are checked", () => {
  const t = tensor([1]);
  fails("TYPE", "no argument beta", aten.add.Tensor, t, t, { beta: 1 });
  fails("TYPE", "given twice", aten.add.Tensor, t, t, { other: t });
  fails("TYPE", "no overload of add takes (Tensor, string x)", aten.add, t, "x");
  fails("TYPE", "takes 2 arguments", aten.add.Tensor, t, t, 3);
  fails("TYPE", "a boolean", aten.sum.dim_IntList, t, [0], 1);
});

await that("typed arrays, alone and as rows", () => {
  const kinds = {
    float32: Float32Array,
    float64: Float64Array,
    int8: Int8Array,
    int16: Int16Array,
    int32: Int32Array,
    uint8: Uint8Array,
    uint16: Uint16Array,
    uint32: Uint32Array,
  };
  for (const [dtype, type] of Object.entries(kinds)) {
    for (const x of [tensor(type.of(1, 0, 3)), tensor([type.of(1, 0, 3)]).at(0)]) {
      equal([x.dtype, x.shape, x.toArray()], [dtype, [3], [1, 0, 3]]);
    }
  }
  equal(tensor(BigInt64Array.of(-(2n ** 63n))).item(), -(2n ** 63n));
  equal(tensor(BigUint64Array.of(2n ** 64n - 1n)).item(), 2n ** 64n - 1n);
  equal(tensor([BigUint64Array.of(2n ** 64n - 1n)]).dtype, "uint64");
  equal(tensor(Buffer.from("ab")).toArray(), [97, 98]);
  equal(tensor(Uint8ClampedArray.of(300)).toArray(), [255]);
  equal(tensor(new Float32Array(0)).shape, [0]);
  const x = tensor(Float32Array.of(1.5), { dtype: "float64", requiresGrad: true });
  equal([x.dtype, x.requiresGrad, x.toArray()], ["float64", true, [1.5]]);
  const source = Float32Array.of(1, 2);
  const copy = tensor(source);
  source[0] = 9;
  equal(copy.toArray(), [1, 2]);
  equal(tensor(new Float64Array([1, 2, 3]).subarray(1)).toArray(), [2, 3]);
  fails("VALUE", "one length", tensor, [Float32Array.of(1), Float32Array.of(1, 2)]);
  fails("TYPE", "numbers", tensor, new DataView(new ArrayBuffer(8)));
});

await that("JSON has the elements, and no other handle", () => {
  equal(JSON.stringify({ x: tensor([[1, 2.5], [3, 4]]) }), '{"x":[[1,2.5],[3,4]]}');
  equal(JSON.stringify([tensor(true), tensor([1n])]), "[true,[1]]");
  fails("TYPE", "JSON has nothing for a generator", JSON.stringify, core.generator_new());
  const closed = tensor([1]);
  closed.close();
  fails("INVALID_HANDLE", "closed", JSON.stringify, closed);
});

await that("a handle is not cloned", () => {
  for (const handle of [tensor([1]), core.generator_new()]) {
    try {
      structuredClone({ handle });
    } catch (failure) {
      equal([failure.name, failure.message.includes("send x.toTypedArray()")], ["DataCloneError", true]);
      continue;
    }
    throw new Error("it was cloned");
  }
  equal([`${tensor([1])}`, Object.keys(tensor([1])).length <= 1], ["tensor([1.])", true]);
});

await done();
