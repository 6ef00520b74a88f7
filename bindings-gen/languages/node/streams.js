// Where files are read from and written to.
//
// A source is a path, a file URL, bytes (a typed array), a file descriptor, or an object with `nbytes` and a function
// `read(nbytes, offset)` that returns that many bytes. A target is a path, a file URL, a file descriptor, or a function
// that is called with the bytes, one piece after the other; without one the bytes are returned. Node's streams are no
// sources and targets: they wait for the event loop, and these calls do not. What is written to a path has another name
// until it is complete: a failure leaves what was there before.
import { fstatSync, readSync, writeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import koffi from "koffi";
import { isOptions } from "./call.js";
import { CtorchError, refuse } from "./errors.js";
import { classes } from "./handles.js";
import { C } from "./library.js";
import { functionsByName as core } from "./operators.js";

/** Whether a source or target is named. */
export function isPath(place) {
  return typeof place === "string" || place instanceof URL;
}

export function toPath(place) {
  return place instanceof URL ? fileURLToPath(place) : place;
}

// Close a handle after `body`; if that gives a promise, when it is kept or broken.
function closing(handle, body) {
  let waits = false;
  try {
    const found = body(handle);
    waits = found instanceof Promise;
    return waits ? found.finally(() => handle.close()) : found;
  } finally {
    if (!waits) {
      handle.close();
    }
  }
}

function readAt(descriptor) {
  return (nbytes, offset) => {
    const data = Buffer.alloc(nbytes);
    let done = 0;
    for (let read = -1; done < nbytes && read !== 0; done += read) {
      read = readSync(descriptor, data, done, nbytes - done, offset + done);
    }
    return data.subarray(0, done);
  };
}

function openReader(source, mmap, where) {
  if (isPath(source)) {
    return core.reader_open(toPath(source), mmap);
  }
  if (mmap) {
    throw new CtorchError("VALUE", `${where}: only a file that is named by its path can be mapped`);
  }
  if (ArrayBuffer.isView(source)) {
    return core.reader_from_data(source);
  }
  if (Number.isSafeInteger(source)) {
    return core.reader_from_callback(fstatSync(source).size, readAt(source));
  }
  if (typeof source?.read === "function" && source.nbytes !== undefined) {
    return core.reader_from_callback(source.nbytes, (nbytes, offset) => source.read(nbytes, offset));
  }
  return refuse(where, "a path, bytes, a file descriptor, or an object with nbytes and read", source);
}

/** Call `body`, which may give a promise, with a reader of the source. Tensors that share its memory keep that. */
export function reading(source, { mmap = false, progress = null }, where, body) {
  if (source instanceof classes.reader) {
    return body(source);
  }
  return closing(openReader(source, mmap, where), (reader) => {
    if (progress !== null) {
      core.reader_set_progress(reader, (nbytes) => void progress(nbytes));
    }
    return body(reader);
  });
}

function openWriter(target, where) {
  if (target === null || target === undefined) {
    return core.writer_new();
  }
  if (isPath(target)) {
    return core.writer_open(toPath(target));
  }
  if (typeof target === "function") {
    return core.writer_from_callback((data) => void target(data));
  }
  if (Number.isSafeInteger(target)) {
    return core.writer_from_callback((data) => {
      for (let done = 0; done < data.length; ) {
        done += writeSync(target, data, done);
      }
    });
  }
  return refuse(where, "a path, a file descriptor or a function", target);
}

/** Call `body` with a writer to the target, and finish it. The bytes if there is no target. */
export function writing(target, { progress = null }, where, body) {
  if (target instanceof classes.writer) {
    body(target); // somebody else finishes it
    return undefined;
  }
  return closing(openWriter(target, where), (writer) => {
    if (progress !== null) {
      core.writer_set_progress(writer, (nbytes) => void progress(nbytes));
    }
    body(writer);
    core.writer_finish(writer);
    return target === null || target === undefined ? written(writer) : undefined;
  });
}

/** The same with a `body` that gives a promise: `finish` on a worker thread too. */
export async function writingLater(target, { progress = null }, where, body) {
  if (target instanceof classes.writer) {
    await body(target);
    return undefined;
  }
  return closing(openWriter(target, where), async (writer) => {
    if (progress !== null) {
      core.writer_set_progress(writer, (nbytes) => void progress(nbytes));
    }
    await body(writer);
    await core.writer_finish.async(writer);
    return target === null || target === undefined ? written(writer) : undefined;
  });
}

// A copy of what a writer has in memory.
function written(writer) {
  const length = Number(C.ctorch_writer_nbytes(writer.pointer));
  const data = length === 0 ? [] : new Uint8Array(koffi.view(C.ctorch_writer_data(writer.pointer), length));
  return Buffer.from(data);
}

/** A Map for tensors or texts by their names. */
export function byName(named) {
  return isOptions(named) ? new Map(Object.entries(named)) : named;
}
