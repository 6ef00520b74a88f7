// Which object stands for which handle of C's, for kinds whose objects are more than the handle: there is one for each,
// as long as somebody needs it.
import { makers } from "./handles.js";
import { declare } from "./library.js";

/** The objects of a kind; `classFor` tells the class for a C pointer, whose constructor takes that. */
export class Objects {
  #objects = new Map(); // the C pointer -> a WeakRef to its object
  #gone = new FinalizationRegistry((pointer) => {
    if (this.#objects.get(pointer)?.deref() === undefined) {
      this.#objects.delete(pointer);
    }
  });
  #wantsPointer = false;

  constructor(kind, classFor) {
    makers[kind] = (pointer) => {
      if (this.#wantsPointer) {
        return pointer;
      }
      const object = this.#objects.get(pointer)?.deref();
      if (object !== undefined && !object.closed) {
        declare(`ctorch_${kind}_release`)(pointer);
        return object;
      }
      return new (classFor(pointer))(pointer);
    };
  }

  /** Keep in mind that this is the object of its handle. */
  remember(object) {
    this.#objects.set(object.pointer, new WeakRef(object));
    this.#gone.register(object, object.pointer);
  }

  /** The C pointer of what is made for an object that is under construction. */
  pointerTo(make) {
    const before = this.#wantsPointer;
    this.#wantsPointer = true;
    try {
      return make();
    } finally {
      this.#wantsPointer = before;
    }
  }
}

/**
 * The function that makes objects of a class of Python's, with or without `new`; `has` tells whether an object is one.
 * `made` is what the namespace has under that name, with its overloads and `async`.
 */
export function constructorOf(name, made, has, make = made) {
  const constructor = function (...given) {
    return make(...given);
  };
  Object.defineProperty(constructor, "name", { value: name });
  Object.defineProperty(constructor, Symbol.hasInstance, { value: has });
  for (const member of Object.keys(made)) {
    Object.defineProperty(constructor, member, { get: () => made[member] });
  }
  return constructor;
}

/** The name, in a Map of classes, of a class or of the one that it is derived from. */
export function nameIn(classes, kind) {
  for (let found = kind; typeof found === "function"; found = Object.getPrototypeOf(found)) {
    if (classes.get(found.name) === found) {
      return found.name;
    }
  }
  return undefined;
}
