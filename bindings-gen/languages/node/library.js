// The C library. CTORCH_LIBRARY names it; without that the system's loader looks for libctorch.so.0.
//
// Functions are declared to koffi when first used, by their line of ctorch.cdef.h as it stands.
import { readFileSync } from "node:fs";
import koffi from "koffi";

export function generated(name) {
  return readFileSync(new URL(`./generated/${name}`, import.meta.url), "utf8");
}

export function table(name) {
  return JSON.parse(generated(`${name}.json`));
}

// Calls run on stacks that koffi allocates, for asynchronous ones of 128 KiB by default: operators need more.
koffi.config({ sync_stack_size: 8 * 2 ** 20, async_stack_size: 2 * 2 ** 20, max_async_calls: 1024 });

const file = process.env.CTORCH_LIBRARY || "libctorch.so.0";

function load() {
  try {
    return koffi.load(file);
  } catch (failure) {
    const text = `ctorch: cannot load ${file}: ${failure.message}. CTORCH_LIBRARY names libctorch.so`;
    throw new Error(`${text}; LibTorch is found beside it, or in LD_LIBRARY_PATH.`, { cause: failure });
  }
}

const library = load();

const declarations = new Map(); // function -> its line

function declareType(line) {
  let found;
  if ((found = /^typedef int32_t (\w+);$/.exec(line))) {
    koffi.alias(found[1], "int32_t");
  } else if ((found = /^typedef struct (\w+) \1;$/.exec(line))) {
    koffi.opaque(found[1]);
  } else if ((found = /^typedef struct (\w+) \{ (.*) \} \1;$/.exec(line))) {
    const fields = found[2].split(";").filter((field) => field.trim() !== "");
    koffi.struct(found[1], Object.fromEntries(fields.map((field) => field.trim().split(" ").reverse())));
  } else if ((found = /^typedef (.*)\(\*(\w+)\)(\(.*\));$/.exec(line))) {
    koffi.alias(found[2], koffi.pointer(koffi.proto(`${found[1]}${found[2]}_function${found[3]}`)));
  } else {
    throw new Error(`ctorch.cdef.h: cannot read ${line}`);
  }
}

for (const line of generated("ctorch.cdef.h").split("\n")) {
  if (line.startsWith("typedef ")) {
    declareType(line);
  } else if (line.endsWith(");")) {
    declarations.set(line.slice(0, line.indexOf("(")).match(/\w+$/)[0], line);
  }
}

const declared = new Map();

// The C function of this name, as koffi calls it.
export function declare(name) {
  let found = declared.get(name);
  if (found === undefined) {
    const line = declarations.get(name);
    if (line === undefined) {
      return undefined;
    }
    found = library.func(line);
    declared.set(name, found);
  }
  return found;
}

// As koffi gives a text, it ends at a NUL; this is its address.
export const stringAddress = library.func("uint64_t ctorch_string_data(const ctorch_string *self)");

// `C.ctorch_tensor_ndim(pointer)`: raw calls. Pointers are BigInt or typed arrays.
export const C = new Proxy(
  {},
  {
    get: (_, name) => (typeof name === "string" ? declare(name) : undefined),
    has: (_, name) => declarations.has(name),
    ownKeys: () => [...declarations.keys()],
    getOwnPropertyDescriptor: (_, name) =>
      declarations.has(name) ? { enumerable: true, configurable: true, value: declare(name) } : undefined,
  },
);
