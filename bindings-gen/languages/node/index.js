// ctorch for Node.js.
//
//     import { aten, tensor } from "ctorch";
//     const x = tensor([[1, 2], [3, 4]]);
//     const y = aten.sum(aten.mul(x, 2), { dim: [0] });
//     console.log(`${y}`, y.dtype, y.shape);
//
// `aten.<operator>` are the operators, `nn` makes modules (modules.js), `init` gives parameters their initial values,
// `optim` trains them (optimizers.js, schedulers.js), and a Trainer does so with what `data` and `datasets` load and
// `transforms` change (trainer.js, data.js, transforms.js). `save` and `load` are torch's (serialization.js), `safetensors`,
// `npy`, `npz` and `sharded` other formats, `Weights` reads any of them, `Snapshots` lets a training run go on,
// `capture` replays a step. JitModule, Package and ExportedProgram are models that Python wrote (deployment.js), a
// Tokenizer makes ids of texts (text.js), `metrics` say how good predictions are (metrics.js), and a SummaryWriter logs
// for TensorBoard (summary.js).
// `core.<function>` are the other functions of the C library without their prefix, `C` is the library itself for raw
// calls. A plain object as the last argument gives arguments by name; each function has a variant `async`. Where C
// takes a value of any type, JavaScript's stand for it (values.js). Tensors and other handles have close(), and are
// closed when nobody uses them any more.
import { functionsByName, namespaced } from "./operators.js";
export { Module, nn, Parameter } from "./modules.js";
export { Dataset, data, DataLoader, datasets, Sampler, ValueIterator } from "./data.js";
export { Transform, transforms, tv_tensors } from "./transforms.js";
export { Trainer } from "./trainer.js";
export { amp, GradScaler } from "./grad_scaler.js";
export { Optimizer } from "./optimizers.js";
export { LRScheduler, optim } from "./schedulers.js";

export { aten, functionNames, operatorNames } from "./operators.js";
export { C } from "./library.js";
export { CtorchError } from "./errors.js";
export { Complex, complex, float, int, Stream, TypedScalar } from "./convert.js";
export { classes, collect, Handle, heldBytes, liveHandles, setMemoryThreshold } from "./handles.js";
export { count as heldCallbacks } from "./callbacks.js";
export { fromData, Slice, slice, Tensor, tensor } from "./tensor.js";
export { customFunction, enableGrad, grad, inferenceMode, isGradEnabled, noGrad } from "./autograd.js";
export { npy, npz, safetensors, sharded } from "./formats.js";
export { load, save } from "./serialization.js";
export { ExportedProgram, JitModule, Package } from "./deployment.js";
export { Metric, MetricCollection, metrics } from "./metrics.js";
export { Snapshots } from "./snapshots.js";
export { Logger, SummaryReader, SummaryWriter } from "./summary.js";
export { capture, Tape } from "./tape.js";
export { DecodeStream, Encoding, EncodingBatch, Tiktoken, Tokenizer } from "./text.js";
export { Weights } from "./weights.js";
export { getNumThreads, initialSeed, manualSeed, setNumThreads } from "./settings.js";
export { Device, Dtype, fromValue, Layout, MemoryFormat, NamedTuple, PythonObject, toValue, Tuple } from "./values.js";

export const core = functionsByName;
export const { functional, init, utils } = namespaced;
export const version = () => functionsByName.version();
