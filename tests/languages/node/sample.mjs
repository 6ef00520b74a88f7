// Make the calls of a sample (operator_sample.py) and print what comes out as lines of text.
//
//     node sample.mjs CALLS [--async]
//
// CALLS is a JSON file with the list of calls. Before the lines of each stands `call N`. With --async each call is made
// on a worker thread.
import { readFileSync } from "node:fs";
import { aten, complex, core, float, fromData, int, liveHandles, Tensor } from "ctorch";

const CALL_SEED = 4;
const asynchronous = process.argv[3] === "--async";
const types = JSON.parse(readFileSync(new URL("./generated/operators.json", import.meta.resolve("ctorch"))));

const toDouble = (hex) => Buffer.from(hex, "hex").readDoubleLE();

function fromDouble(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes.toString("hex");
}

const scalars = { int: (text) => int(BigInt(text)), float: (hex) => float(toDouble(hex)), bool: (value) => value };

const decoders = {
  tensor: ([dtype, shape, hex]) => fromData(Buffer.from(hex, "hex"), shape, dtype),
  int: BigInt,
  float: toDouble,
  bool: (value) => value,
  text: (value) => value,
  none: () => null,
  list: (values) => values.map(decode),
  generator: (seed) => {
    const made = core.generator_new("cpu");
    core.generator_manual_seed(made, seed);
    return made;
  },
  scalar: (value) => scalars[Object.keys(value)[0]](Object.values(value)[0]),
  complex: ([re, im]) => complex(toDouble(re), toDouble(im)),
};

function decode(value) {
  const [[kind, content]] = Object.entries(value);
  return decoders[kind](content);
}

function describe(value, type) {
  if (value === null || value === undefined) {
    return ["none"];
  }
  if (value instanceof Tensor) {
    return [`tensor ${value.dtype} [${value.shape}] ${Buffer.from(value.toBytes()).toString("hex")}`];
  }
  if (Array.isArray(value)) {
    return [`list ${value.length}`, ...value.flatMap((item) => describe(item))];
  }
  if (typeof value === "boolean") {
    return [`bool ${value}`];
  }
  if (typeof value === "string") {
    return [`text ${value}`];
  }
  return type === "double" || (type === "scalar" && !Number.isInteger(value))
    ? [`float ${fromDouble(value)}`]
    : [`int ${value}`];
}

function resultTypes(call) {
  const [, , signature] = types[call.operator].find(([overload]) => overload === call.overload);
  return [...signature.matchAll(/>\w+:\w+:(\w+)/g)].map(([, type]) => type);
}

async function run(call) {
  const values = Object.fromEntries(Object.entries(call.arguments).map(([name, value]) => [name, decode(value)]));
  core.random_manual_seed(CALL_SEED);
  const operator = aten[call.operator][call.overload];
  const returned = asynchronous ? await operator.async(values) : operator(values);
  const expected = resultTypes(call);
  const results = expected.length > 1 ? returned : [returned];
  const lines = expected.flatMap((type, i) => describe(results[i], type));
  for (const name of Object.keys(values).sort()) {
    const items = Array.isArray(values[name]) ? values[name] : [values[name]];
    lines.push(...items.filter((item) => item instanceof Tensor).flatMap((item) => describe(item)));
  }
  return lines;
}

core.threads_set_num(1);
const calls = JSON.parse(readFileSync(process.argv[2]));
for (const [i, call] of calls.entries()) {
  console.log(`call ${i + 1}`);
  try {
    console.log((await run(call)).join("\n"));
  } catch (failure) {
    console.log(`error ${failure.stack}`);
  }
}
await new Promise((resolve) => setImmediate(resolve));
console.log(`live ${liveHandles()}`);
