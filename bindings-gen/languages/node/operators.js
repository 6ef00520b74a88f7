// The operators by name: `aten.add(a, b)`, `aten.add.Tensor(a, b, { alpha: 2 })`, `await aten.add.async(a, b)`.
//
// `aten.<name>` looks for the first overload that the arguments fit, those with few arguments first;
// `aten.<name>.<overload>` is one of them and saves the search. The overload without a name is `default`. Each is made
// when first used. `nn` and `init`, which come from schema files, are alike.
import { accepts, compile } from "./call.js";
import { CtorchError, describe } from "./errors.js";
import { table } from "./library.js";
import { parse } from "./signatures.js";

const signatures = table("operators");
const namespaces = table("namespaces");

function refuse(name, overloads, given) {
  const known = overloads
    .map(({ overload, parsed }) => `${overload}(${[...parsed.index.keys()].join(", ")})`)
    .join(", ");
  throw new CtorchError("TYPE", `no overload of ${name} takes (${given.map(describe).join(", ")}); there are ${known}`);
}

function makeOperator(name, entries) {
  const overloads = entries.map(([overload, symbol, signature]) => {
    let parsed;
    let call;
    const where = overload === "default" ? name : `${name}.${overload}`;
    return {
      overload,
      get parsed() {
        return (parsed ??= parse(signature));
      },
      get call() {
        return (call ??= compile(symbol, signature, where));
      },
    };
  });
  const find = (given) =>
    (overloads.length === 1 ? overloads[0] : overloads.find(({ parsed }) => accepts(parsed, given))) ??
    refuse(name, overloads, given);
  const operator = (...given) => find(given).call(...given);
  operator.async = async (...given) => find(given).call.async(...given);
  Object.defineProperty(operator, "name", { value: name });
  for (const entry of overloads) {
    Object.defineProperty(operator, entry.overload, { get: () => entry.call, configurable: true, enumerable: true });
  }
  return operator;
}

// A namespace whose members are made when first asked for.
export function lazily(names, make) {
  return new Proxy(
    {},
    {
      get: (_, name) => make(name),
      has: (_, name) => Object.hasOwn(names, name),
      ownKeys: () => Object.keys(names),
      getOwnPropertyDescriptor: (_, name) =>
        Object.hasOwn(names, name) ? { value: make(name), enumerable: true, configurable: true } : undefined,
    },
  );
}

// The operators of a table, or what a schema file offers.
function namespace(members) {
  const made = new Map();
  return lazily(members, (name) => {
    if (typeof name !== "string" || !Object.hasOwn(members, name)) {
      return undefined;
    }
    if (!made.has(name)) {
      made.set(name, makeOperator(name, members[name]));
    }
    return made.get(name);
  });
}

export const aten = namespace(signatures);

/** What stands above the operators: `nn.Conv2d(1, 32, 3, { padding: 1 })`. */
export const namespaced = Object.fromEntries(Object.entries(namespaces).map(([name, members]) => [name, namespace(members)]));

/** The names of all operators, each with the names of its overloads. */
export const operatorNames = Object.fromEntries(
  Object.entries(signatures).map(([name, entries]) => [name, entries.map(([overload]) => overload)]),
);

const functions = table("functions");
const core = new Map();

/** The functions of the C library that are no operators, without the prefix: `core.tensor_size(x, 0)`. */
export const functionNames = Object.keys(functions);

export const functionsByName = lazily(functions, (name) => {
  if (typeof name !== "string" || !Object.hasOwn(functions, name)) {
    return undefined;
  }
  if (!core.has(name)) {
    core.set(name, compile(`ctorch_${name}`, functions[name], name));
  }
  return core.get(name);
});
