// JavaScript functions that C calls.
//
// koffi has room for some thousand C function pointers, so there is one for each type of callback, made when first
// needed and kept. Which function is meant, C says by the payload: a number in `held`.
//
// JavaScript runs on its own thread only. A callback of a synchronous call runs within it; one of an asynchronous call
// waits for the event loop. A synchronous call that waits for another thread whose callback waits for the event loop
// would wait forever, so from the first callback on, backward passes that this thread starts run on it alone
// (ctorch_multithreading_mode_push). PyTorch moves passes that are nested more than 60 deep to other threads; callbacks
// fail before that.
import koffi from "koffi";
import { fromC, toHandles, toMemory } from "./convert.js";
import { check, CtorchError, describe, exportError, refuse } from "./errors.js";
import { borrow, pointerOf } from "./handles.js";
import { C, declare, table } from "./library.js";
import { parse } from "./signatures.js";
import { toValue } from "./values.js";

const DEEPEST = 50;

const held = new Map();
let last = 0n;

/** A number for C to hand back. */
export function reserve() {
  return ++last;
}

export function hold(payload, content) {
  held.set(payload, content);
}

export function letGo(payload) {
  const number = BigInt(payload ?? 0);
  const content = held.get(number);
  held.delete(number);
  content?.iterator_next?.leave?.();
}

/** A handle that was made for a callback to return, and that nobody else needs. */
export class Made {
  constructor(handle) {
    this.handle = handle;
  }
}

/** What is to be called, if it is a function. */
export function toFunction(value, where) {
  return typeof value === "function" ? value : refuse(where, "a function", value);
}

/** How many values C keeps, for tests. */
export function count() {
  return held.size;
}

// An array of C's: its address, and how many entries it has.
function listOf(type, args, at) {
  const length = Number(args[at + 1]);
  return length > 0 ? Array.from(koffi.decode(args[at], type, length), (entry) => fromC(entry, type)) : [];
}

// What JavaScript gets for the C arguments from `at` on, and how many there are.
const read = {
  handle: (word, args, at) => [borrow(word.type, args[at]), 1],
  handles: (word, args, at) => {
    const length = Number(args[at + 1]);
    const pointers = length > 0 ? Array.from(koffi.decode(args[at], "uint64_t", length)) : [];
    return [pointers.map((pointer) => borrow(word.type, BigInt(pointer))), 2];
  },
  string: (_, args, at) => [args[at], 1],
  strings: (_, args, at) => [listOf("char *", args, at), 2],
  list: (word, args, at) => [listOf(word.type, args, at), 2],
  value: (word, args, at) => [fromC(args[at], word.type), 1],
  address: (_, args, at) => [held.get(BigInt(args[at] ?? 0))?.packed, 1],
  // Memory, as a copy that JavaScript may keep; how many bytes it has is not told besides.
  memory: (_, args, at) => [Buffer.from(new Uint8Array(koffi.view(args[at], Number(args[at + 1])))), 2],
};

function storePointer(out, pointer) {
  koffi.encode(out, "uint64_t", pointer);
}

function retained(kind, value) {
  const pointer = pointerOf(kind, value, "what the callback returned");
  declare(`ctorch_${kind}_retain`)(pointer);
  return pointer;
}

// Store what JavaScript returned where C wants it.
const store = {
  handle: (word, args, at, returned) => {
    if (returned === null || returned === undefined) {
      return;
    }
    if (returned instanceof Made) {
      storePointer(args[at], retained(word.type, returned.handle));
      returned.handle.close();
    } else if (word.type === "tensor_list") {
      const list = Array.isArray(returned) ? returned : [returned];
      const [memory, length] = toHandles(list, "tensor", "what the callback returned");
      check(C.ctorch_tensor_list_new(args[at], memory, length));
    } else {
      storePointer(args[at], retained(word.type, returned));
    }
  },
  handles: (_, args, at, returned) => {
    const results = Array.isArray(returned) ? returned : [returned];
    if (results.length > Number(args[at + 1])) {
      throw new CtorchError("VALUE", `the kernel returned ${results.length} results, its schema has ${args[at + 1]}`);
    }
    results.forEach((result, i) => {
      const slot = BigInt(args[at]) + BigInt(8 * i);
      if (result?.kind === "tensor") {
        check(C.ctorch_value_from_tensor(slot, result.pointer));
      } else if (result !== null && result !== undefined) {
        const value = result?.kind === "value" ? result : toValue(result, "what the kernel returned");
        storePointer(slot, retained("value", value));
      }
    });
  },
  // The bytes of which C has said how many it wants.
  memory: (_, args, at, returned) => {
    const length = Number(args[at + 1]);
    if (!ArrayBuffer.isView(returned)) {
      throw new CtorchError("TYPE", `the function must return bytes, not ${describe(returned)}`);
    }
    if (returned.byteLength !== length) {
      throw new CtorchError("VALUE", `the function must return ${length} bytes, not ${returned.byteLength}`);
    }
    const data = new Uint8Array(returned.buffer, returned.byteOffset, length);
    new Uint8Array(koffi.view(args[at], length)).set(data);
  },
  // A device; nothing leaves what is there.
  struct: (word, args, at, returned) => {
    if (returned !== null && returned !== undefined) {
      const memory = toMemory([returned], word.type, "what the callback returned");
      new Uint8Array(koffi.view(args[at], memory.length)).set(memory);
    }
  },
  // A number that JavaScript computed; a tensor of one element is one. Or a boolean.
  value: (word, args, at, returned) => {
    if (word.type === "bool") {
      if (typeof returned !== "boolean") {
        throw new CtorchError("TYPE", `the function must return a boolean, not ${describe(returned)}`);
      }
      koffi.encode(args[at], "bool", returned);
      return;
    }
    const number = returned?.kind === "tensor" ? returned.item() : returned;
    if (typeof number !== "number") {
      throw new CtorchError("TYPE", `the function must return a number, not ${describe(number)}`);
    }
    koffi.encode(args[at], word.type, number);
  },
  address: (_, args, at, returned) => {
    const packed = reserve();
    hold(packed, { packed: returned });
    storePointer(args[at], packed);
  },
};

// Memory that C wants read or filled is an address and a number of bytes.
function kindOf(word) {
  return word.kind === "address" && word.name === "data" ? "memory" : word.kind;
}

function answer(kind, parsed, args) {
  const given = [];
  const results = [];
  let at = 0;
  let told = false; // of the word before, how many bytes it has
  for (const word of parsed.words) {
    if (told || word.kind === "payload") {
      told = false;
      at += 1;
    } else if (word.result) {
      if (word.name !== "error") {
        results.push([word, at]);
      }
      at += word.kind === "handles" ? 2 : 1;
    } else {
      const [value, width] = read[kindOf(word)](word, args, at);
      given.push(value);
      told = kindOf(word) === "memory";
      at += told ? 1 : width;
    }
  }
  const func = held.get(BigInt(args.at(-1) ?? 0))?.[kind];
  const returned = func?.(...given);
  for (const [word, place] of results) {
    store[kindOf(word)](word, args, place, returned);
  }
  return given;
}

let depth = 0;

function trampoline(kind, parsed) {
  const fails = parsed.returned === "value";
  const pushes = kind === "autograd_function_forward"; // what forward computes is not recorded, also if it runs elsewhere
  return (...args) => {
    depth += 1;
    let pushed = false;
    try {
      if (depth > DEEPEST) {
        throw new CtorchError("RUNTIME", `callbacks are nested more than ${DEEPEST} deep`);
      }
      if (pushes) {
        check(C.ctorch_grad_mode_push(false));
        pushed = true;
      }
      answer(kind, parsed, args);
      return fails ? 1 : undefined;
    } catch (failure) {
      if (fails) {
        exportError(args.at(-2), failure);
        return 0;
      }
      return undefined;
    } finally {
      if (pushed) {
        C.ctorch_grad_mode_pop();
      }
      if (kind === "saved_tensors_destroy") {
        letGo(args[0]);
      }
      depth -= 1;
    }
  };
}

const entries = new Map();

// All of them at once, before the first is used: koffi takes what is registered inside a callback for one of a deeper
// stack, and calls it on the wrong one from outside.
function registerAll() {
  check(C.ctorch_multithreading_mode_push(false));
  for (const [kind, signature] of Object.entries(table("callbacks"))) {
    const type = kind.endsWith("_closure") ? `ctorch_${kind}` : `ctorch_${kind}_callback`;
    entries.set(kind, koffi.register(trampoline(kind, parse(signature)), type));
  }
  entries.set("destroy", koffi.register(letGo, "ctorch_destroy_callback"));
}

/** The C function pointer for callbacks of a type: "tensor_hook". */
export function entry(kind) {
  if (entries.size === 0) {
    registerAll();
  }
  return entries.get(kind);
}

/** The C function pointer that lets a payload go. */
export function destroy() {
  return entry("destroy");
}
