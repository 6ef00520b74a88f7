// JavaScript values as values of the C API and back: each kind, what is refused, what functions take.
import {
  aten,
  Complex,
  core,
  Device,
  Dtype,
  enableGrad,
  float,
  fromValue,
  getNumThreads,
  inferenceMode,
  initialSeed,
  int,
  isGradEnabled,
  Layout,
  manualSeed,
  MemoryFormat,
  nn,
  noGrad,
  optim,
  PythonObject,
  setNumThreads,
  Stream,
  tensor,
  toValue,
  Tuple,
} from "ctorch";
import { done, equal, fails, that } from "./check.mjs";

const BIG = 1606938044258990275541962092341162602522202993782792835301376n; // 2^200
const text = (value) => core.value_repr(toValue(value));

await that("a round trip gives an equal value", () => {
  const known = [
    [null, "None"],
    [true, "True"],
    [-7, "-7"],
    [9007199254740993n, "9007199254740993"],
    [9223372036854775807n, "9223372036854775807"],
    [9223372036854775808n, "9223372036854775808"],
    [-9223372036854775808n, "-9223372036854775808"],
    [-9223372036854775809n, "-9223372036854775809"],
    [BIG, "1606938044258990275541962092341162602522202993782792835301376"],
    [-BIG, "-1606938044258990275541962092341162602522202993782792835301376"],
    [0.5, "0.5"],
    [-0, "-0.0"],
    [Infinity, "inf"],
    [1e300, "1e+300"],
    [new Complex(1, -2), "(1-2j)"],
    ["", "''"],
    ["é 🙂", "'é 🙂'"],
    [Buffer.alloc(0), "b''"],
    [Buffer.from([97, 0, 98, 255]), "b'a\\x00b\\xff'"],
    [new Dtype("float32"), "torch.float32"],
    [new Layout("sparse_csr"), "torch.sparse_csr"],
    [new MemoryFormat("channels_last"), "torch.channels_last"],
    [new Device("cuda:1"), "device(type='cuda', index=1)"],
    [new Stream(3, "cpu", 0), null],
    [[], "[]"],
    [Tuple.of(), "()"],
    [new Map(), "{}"],
    [new Set(), "set()"],
    [[1, [2.5, Tuple.of("x", null)]], "[1, [2.5, ('x', None)]]"],
    [new Map([["a", new Set([1, 2])]]), "{'a': {1, 2}}"],
    [new Map([[1, [Buffer.from([0])]], [null, "k"]]), "{1: [b'\\x00'], None: 'k'}"],
  ];
  for (const [value, expected] of known) {
    if (expected !== null) {
      equal(text(value), expected);
    }
    equal(fromValue(toValue(value)), value);
  }
  equal(fromValue(toValue("a\0b")), "a\0b");
  equal(fromValue(toValue(NaN)), NaN);
});

await that("what JavaScript has several forms for comes back as one", () => {
  equal(fromValue(toValue(undefined)), null);
  equal(fromValue(toValue(5n)), 5);
  equal(core.value_kind_of(toValue(float(2))), "double");
  equal(core.value_kind_of(toValue(int(2))), "int");
  equal(fromValue(toValue(new Uint8Array([1, 0]))), Buffer.from([1, 0]));
  equal(fromValue(toValue({ lr: 0.5, nested: { b: [1] } })), new Map([["lr", 0.5], ["nested", new Map([["b", [1]]])]]));
  equal(fromValue(null), null);
  equal(text([, 1]), "[None, 1]");
});

await that("tensors, generators and storages are shared", () => {
  const x = tensor([1, 2]);
  const found = fromValue(toValue(new Map([["x", [x]], ["g", core.generator_default()], ["s", core.storage_from_tensor(x)]])));
  aten.fill_(found.get("x")[0], 7);
  equal(x.toArray(), [7, 7]);
  equal(found.get("g").kind, "generator");
  equal(core.storage_nbytes(found.get("s")), 8);
});

await that("what lies in two places does so in C", () => {
  const inner = [1];
  const value = toValue([inner, inner, [1]]);
  const [first, second, other] = [0, 1, 2].map((i) => core.value_get(value, i));
  equal([core.value_is(first, second), core.value_is(first, other)], [true, false]);
});

await that("an object of a class of Python's is readable", () => {
  const size = fromValue(toValue(new PythonObject("torch", "Size", [Tuple.of(2, 3)])));
  equal([size.module, size.name, size.args, size.items, size.state], ["torch", "Size", Tuple.of(Tuple.of(2, 3)), null, null]);
  equal(text(size), "torch.Size([2, 3])");
  const module = new PythonObject("nets", "Net.Inner", [1], { items: [2], state: { weight: 2n ** 70n } });
  const found = fromValue(toValue([module]))[0];
  equal(found.attributes, new Map([["weight", 1180591620717411303424n]]));
  equal(module.attributes, new Map(Object.entries({ weight: 1180591620717411303424n })));
  equal([found.name, found.items, `${found}`], ["Net.Inner", [2], "<nets.Net.Inner>"]);
  equal(fromValue(toValue(new PythonObject("builtins", "print"))).args, null);
});

await that("functions take JavaScript values for values", () => {
  const value = toValue([]);
  for (const entry of [2n ** 64n, Buffer.from([0]), new Set([1]), "x", null]) {
    core.value_list_append(value, entry);
  }
  equal(fromValue(value), [18446744073709551616n, Buffer.from([0]), new Set([1]), "x", null]);
  const table = core.value_from_dict(["k", Tuple.of(1, 2)], [1, null]);
  equal(fromValue(core.value_dict_get(table, Tuple.of(1, 2))), null);
  equal([core.value_dict_contains(table, "k"), core.value_dict_contains(table, "l")], [true, false]);
  const op = core.op_find("aten::add", "Tensor");
  equal(fromValue(core.op_call(op, [tensor([1, 2]), tensor([10, 20]), 2])).toArray(), [21, 42]);
});

await that("asynchronous calls take them too", async () => {
  const op = core.op_find("aten::add", "Tensor");
  equal(fromValue(await core.op_call.async(op, [tensor([1, 2]), tensor([10, 20]), 2])).toArray(), [21, 42]);
});

await that("kernels return JavaScript values", () => {
  const library = core.library_new("node_values");
  core.library_define(library, "twice(int n, str word) -> (int, str[])");
  core.library_implement(library, "twice", "CompositeExplicitAutograd", (given) => {
    const [number, word] = given.map(fromValue);
    return [2 * number, [word, word]];
  });
  equal(fromValue(core.op_call(core.op_find("node_values::twice"), [21, "é"])), Tuple.of(42, ["é", "é"]));
  library.close();
});

await that("what no value can hold is told by function and argument", () => {
  for (const bad of [() => 1, Symbol("s"), new Date(), new Float32Array(2), [1, new Map([["k", new WeakMap()]])]]) {
    fails("TYPE", "toValue: no value can hold", toValue, bad);
    fails("TYPE", "value_list_append: value: no value can hold", core.value_list_append, toValue([]), bad);
    fails("TYPE", "value_from_list: values: no value can hold", core.value_from_list, [1, bad]);
  }
  fails("VALUE", "half a character", toValue, ["\ud800"]);
  fails("TYPE", "value_list_append: self", core.value_list_append, [], 1);
});

await that("other errors", () => {
  fails("TYPE", "", toValue, new Set([[1]])); // a list is no entry of a set
  fails("TYPE", "", toValue, new Map([[new Map(), 1]]));
  const loop = [];
  loop.push(new Map([["again", loop]]));
  fails("VALUE", "contains itself", toValue, loop);
  const closed = toValue(1);
  closed.close();
  fails("INVALID_HANDLE", "closed", fromValue, closed);
  fails("INVALID_HANDLE", "value_list_append: value: the value is closed", core.value_list_append, toValue([]), [closed]);
  fails("TYPE", "expected a value, got Array", fromValue, [1]);
  fails("VALUE", "equal in JavaScript", fromValue, core.value_from_dict([1, float(1)], ["a", "b"]));
  fails("VALUE", "equal in JavaScript", fromValue, core.value_from_set([1, float(1)]));
  fails("VALUE", 'no dtype: string float33', (name) => new Dtype(name), "float33");
  fails("TYPE", "Device", (name) => new Device(name), "gpu:x");
});

await that("a value that contains itself is an error", () => {
  const value = toValue([]);
  core.value_list_append(value, value);
  fails("RUNTIME", "contains itself", fromValue, value);
  core.value_clear(value);
  let deep = [];
  for (let i = 0; i < 5000; i++) {
    deep = [deep];
  }
  fails("VALUE", "nested more than 1000 deep", toValue, deep);
});

await that("modes, seeds and threads have the names of PyTorch", () => {
  equal([isGradEnabled(), noGrad(isGradEnabled), noGrad(() => enableGrad(isGradEnabled))], [true, false, true]);
  equal([inferenceMode(() => core.inference_mode_enabled()), core.inference_mode_enabled()], [true, false]);
  equal(manualSeed(1234).kind, "generator");
  equal(initialSeed(), 1234);
  const first = aten.rand([3]).toArray();
  manualSeed(1234);
  equal(aten.rand([3]).toArray(), first);
  manualSeed(-1);
  equal(initialSeed(), 18446744073709551615n);
  const before = getNumThreads();
  setNumThreads(1);
  equal(getNumThreads(), 1);
  setNumThreads(before);
});

await that("an object of the user's is not taken for arguments by name", () => {
  const model = nn.Linear(1, 1);
  const weight = () => model.weight.item();
  const state = (value) => ({ weight: aten.full([1, 1], value), bias: aten.zeros([1]) });
  model.loadStateDict(state(1));
  equal(weight(), 1);
  const schedule = new optim.lr_scheduler.StepLR(new optim.SGD(model.parameters(), { lr: 0.1 }), 2);
  core.lr_scheduler_load_state_dict(schedule, { last_epoch: 7 });
  equal(schedule.get("last_epoch"), 7);
  core.lr_scheduler_load_state_dict(schedule, { state_dict: { last_epoch: 8 } });
  equal(schedule.get("last_epoch"), 8);
  core.lr_scheduler_load_state_dict(schedule, { self: 1, last_epoch: 9 }); // a name of an argument, but not of that one
  equal(schedule.get("last_epoch"), 9);
  fails("TYPE", "no argument last_epoch", core.lr_scheduler_name, schedule, { last_epoch: 10 });
});

await done();
