// Transforms: what is done to images and the like before a model sees them, as torchvision.transforms.v2 has them.
//
//     const augment = transforms.Compose([
//       transforms.RandomCrop([32], { padding: [4] }),
//       transforms.RandomHorizontalFlip(),
//       (image) => image.div(255),
//     ]);
//     const [image, boxes] = augment(pixels, tv_tensors.BoundingBoxes(corners, { format: "XYXY", canvas_size: [48, 64] }));
//
// A transform is called with a tensor, or with anything that values hold. What is drawn comes from the default generator,
// or from the one that is given: `augment(pixels, { generator })`. A function stands for a transform.
import { isOptions } from "./call.js";
import { Made, toFunction } from "./callbacks.js";
import { namespaceOf } from "./data.js";
import { adapters, classes, Handle } from "./handles.js";
import { functionsByName as core, namespaced } from "./operators.js";
import { taken, toArguments } from "./optimizers.js";
import { toValue, Tuple } from "./values.js";

// The body of a transform: a function, so that it can be called.
function callable(prototype) {
  const body = (...given) => apply(body, given);
  delete body.length;
  delete body.name;
  return Object.setPrototypeOf(body, prototype);
}

const isGenerator = (value) => isOptions(value) && Object.keys(value).length === 1 && value.generator !== undefined;

function apply(transform, given) {
  const last = given.length > 1 && isGenerator(given.at(-1)) ? given.pop() : {};
  const [input] = given.length === 1 ? given : [Tuple.of(...given)];
  return taken(core.transform_call(transform, input, last.generator ?? null));
}

/** What is done to a sample. It is called. */
export class Transform extends Handle {
  constructor(pointer) {
    super(pointer, callable(new.target.prototype));
  }

  /**
   * A transform of your own. `call(input, generator)` gets what the transform is called with, and where to draw from:
   * null for the default generator. The generator is lent for the call.
   */
  static from(call, { name = null } = {}) {
    const run = toFunction(call, "Transform.from");
    return core.transform_from_callback(name, (input, generator) => {
      try {
        return new Made(toValue(run(taken(input), generator), "what the transform returned"));
      } finally {
        generator?.close();
      }
    });
  }

  /** A transform by the name of its class, whose arguments are values: `Transform.create("Resize", [32])`. */
  static create(name, ...given) {
    return core.transform_create(name, ...toArguments(given));
  }

  /** Name of the class. */
  get name() {
    return core.transform_name(this);
  }

  toString() {
    return core.transform_repr(this);
  }
}

Object.defineProperty(Transform.prototype, "kind", { value: "transform" });
classes.transform = Transform;
adapters.transform = (call) => Transform.from(call, { name: call.name || null });

/** torchvision.transforms.v2: `transforms.Resize([32])`, and `transforms.functional.resize(image, [32])`. */
export const transforms = namespaceOf("transforms", ["transform"], {
  Transform,
  functional: namespaced.transforms_functional,
});

/** Marks on tensors, which tell transforms what they are: `tv_tensors.Mask(tensor)`. */
export const { tv_tensors } = namespaced;
