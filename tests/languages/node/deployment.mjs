// Models that Python wrote (exported_model.write): what they show, take and refuse; and one for Python to read.
import { writeFileSync, readFileSync } from "node:fs";
import { aten, ExportedProgram, fromValue, JitModule, NamedTuple, nn, Package, tensor, toValue, Tuple } from "ctorch";
import { done, equal, fails, that } from "./check.mjs";

const folder = process.argv[2];
const path = (name) => `${folder}/${name}`;
const ones = (...shape) => aten.ones(shape);

await that("functions are compiled, and take arguments by name", () => {
  const functions = JitModule.compile("def scale(x: Tensor, by: float = 2.0) -> Tensor:\n    return x * by\n");
  equal(functions.methodNames(), ["scale"]);
  equal(functions.method("scale", tensor([1, 2])).toArray(), [2, 4]);
  equal(functions.method("scale", tensor([1, 2]), { by: 3 }).toArray(), [3, 6]);
  fails("TYPE", "multiple values", () => functions.method("scale", tensor([1]), 1, { by: 3 }));
});

await that("TorchScript comes from a path and from bytes", () => {
  for (const source of [path("scripted.pt"), readFileSync(path("scripted.pt"))]) {
    const model = new JitModule(source);
    const [sum, name] = model.call(ones(2, 3), ["a", "b"]);
    equal([sum.toArray(), name], [[[7, 7], [7, 7]], "a-b"]);
    equal([...model.namedParameters().keys()], ["weight", "bias"]);
    model.setAttribute("bias", aten.zeros([2]));
    equal(model.call(ones(1, 3), [])[0].toArray(), [[6, 6]]);
    equal(model.eval().attribute("training"), false);
    fails("RUNTIME", "Traceback of TorchScript", () => model.call(ones(1, 4), []));
  }
  fails("FORMAT", "torch.jit.save", () => new JitModule(new Uint8Array([1, 2, 3])));
});

await that("a NamedTuple keeps its names", () => {
  const [name, ...fields] = readFileSync(path("named.txt"), "utf8").split("\n");
  const model = new JitModule(path("named.pt"));
  const found = model.call(tensor([1, 2]));
  equal([found.constructor.name, ...found.constructor.fields], [name, ...fields]);
  equal([found.logits.toArray(), found.count, found.length], [[2, 4], 3, 2]);
  equal(fields.map((field, i) => found[field] === found[i]), [true, true]);
  const [logits, count] = found;
  equal([logits === found.logits, count], [true, 3]);
  equal([found instanceof NamedTuple, found instanceof Tuple, Array.isArray(found)], [true, true, true]);
  equal(found.map(() => 1).constructor, Tuple);
  equal(model.call(tensor([1])).constructor, found.constructor);
  equal(fromValue(toValue(found)).constructor, Tuple);
});

await that("a module is traced and saved", () => {
  const net = new nn.Linear(3, 2);
  const traced = JitModule.trace(net, [ones(1, 3)]);
  const x = aten.randn([5, 3]);
  equal(traced.call(x).toArray(), net(x).toArray());
  traced.save(path("traced.pt"));
  writeFileSync(path("again.pt"), traced.save());
  equal(new JitModule(path("again.pt")).call(x).toArray(), net(x).toArray());
});

await that("an exported program is a module", () => {
  const program = new ExportedProgram(readFileSync(path("program.pt2")));
  equal([...program.stateDict().keys()], ["0.weight", "0.bias", "2.weight", "2.bias"]);
  equal(program.missingOperators(), []);
  equal(program.text.includes("linear"), true);
  const model = program.module();
  equal(model(ones(2, 4)).shape, [2, 3]);
  equal([...model.parameters()].length, 4);
  fails("FORMAT", "no exported program", () => new ExportedProgram(readFileSync(path("scripted.pt"))));
});

await that("a package is called and looked at", () => {
  equal(Package.modelNames(path("package.pt2")), ["model"]);
  const model = new Package(path("package.pt2"), { numRunners: 2 });
  const y = model.call(ones(2, 4));
  equal(model.run(ones(2, 4))[0].toArray(), y.toArray());
  equal(y.shape, [2, 3]);
  equal(model.constants().get("0.weight").shape, [16, 4]);
  equal(model.metadata().get("AOTI_DEVICE_KEY"), "cpu");
  fails("SHAPE_MISMATCH", "", () => model.call(ones(3, 4)));
  fails("IO", "missing.pt2", () => new Package(path("missing.pt2")));
});

await done();
