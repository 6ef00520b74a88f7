// Models that Python wrote, run without Python.
//
//     const model = new JitModule("model.pt"); //           torch.jit.save
//     const model = new Package("model.pt2"); //            torch._inductor.aoti_compile_and_package
//     const model = new ExportedProgram("model.pt2").module(); // torch.export.save
//     const y = model.call(x);
//
// Arguments are tensors, numbers, texts, arrays and maps, and a plain object at the end gives arguments by name; results
// come back the same way (values.js). streams.js says what may stand for a path.
import { classes, Handle } from "./handles.js";
import { Objects } from "./objects.js";
import { functionsByName as core } from "./operators.js";
import { taken, toArguments } from "./optimizers.js";
import { reading, toPath, writing } from "./streams.js";

const modules = new Objects("jit_module", () => JitModule);
const packages = new Objects("package", () => Package);
const programs = new Objects("exported_program", () => ExportedProgram);

// Positional arguments as an array, and those by name as a Map; null without any.
function split(given) {
  const [args, named] = toArguments(given);
  return [[...args], named.size > 0 ? named : null];
}

/** A module of TorchScript: of a file, of `JitModule.compile`, or of `JitModule.trace`. */
export class JitModule extends Handle {
  constructor(source, { device = null } = {}) {
    const load = () => reading(source, {}, "JitModule", (reader) => core.jit_load(reader, device));
    super(typeof source === "bigint" ? source : modules.pointerTo(load));
    modules.remember(this);
  }

  /** A module whose methods are the functions of a source text. */
  static compile(source) {
    return core.jit_compile(source);
  }

  /** What a module computes on these inputs, with its parameters and buffers under their names. */
  static trace(module, inputs) {
    return core.jit_trace_module(module, inputs);
  }

  /** Call forward. */
  call(...given) {
    return this.method("forward", ...given);
  }

  /** Call a method. */
  method(name, ...given) {
    return taken(core.jit_module_call(this, name, ...split(given)));
  }

  methodNames() {
    return taken(core.jit_module_method_names(this));
  }

  /** A Map of the parameters by their dotted names. */
  namedParameters() {
    return taken(core.jit_module_named_parameters(this, true));
  }

  /** An attribute by its dotted name. */
  attribute(name) {
    return taken(core.jit_module_get_attribute(this, name));
  }

  setAttribute(name, value) {
    core.jit_module_set_attribute(this, name, value);
  }

  train(mode = true) {
    core.jit_module_train(this, mode);
    return this;
  }

  eval() {
    return this.train(false);
  }

  /** A method as source text. */
  code(method = "forward") {
    return `${core.jit_module_code(this, method)}`;
  }

  /** Write it for torch.jit.load; without a target the bytes are returned. */
  save(target = null) {
    return writing(target, {}, "save", (writer) => core.jit_save(this, writer));
  }
}

/** A compiled model: a program, so load those alone whose origin you trust. `numRunners` calls may run at once. */
export class Package extends Handle {
  constructor(path, { modelName = null, singleThreaded = false, numRunners = 1, device = null } = {}) {
    const load = () => core.package_load(toPath(path), modelName, singleThreaded, numRunners, device);
    super(typeof path === "bigint" ? path : packages.pointerTo(load));
    packages.remember(this);
  }

  /** The models in a file. */
  static modelNames(path) {
    return taken(core.package_model_names(toPath(path)));
  }

  /** Call it as the model is called in Python. */
  call(...given) {
    return taken(core.package_call(this, ...split(given)));
  }

  /** Call it with its tensors in a row, which gives those of its results in a row. */
  run(...inputs) {
    return [...core.package_run(this, inputs)];
  }

  metadata() {
    return taken(core.package_metadata(this));
  }

  /** A Map of the weights in use by their names. */
  constants() {
    return taken(core.package_constants(this, false));
  }
}

/** A graph of operators with its weights, which runs as a module. */
export class ExportedProgram extends Handle {
  constructor(source, { modelName = null } = {}) {
    const open = () => reading(source, {}, "ExportedProgram", (reader) => core.exported_program_open(reader, modelName));
    super(typeof source === "bigint" ? source : programs.pointerTo(open));
    programs.remember(this);
  }

  /** A module that runs the graph on weights of its own, and is trained as any other. */
  module() {
    return core.exported_program_module(this);
  }

  stateDict() {
    return taken(core.exported_program_state_dict(this));
  }

  metadata() {
    return taken(core.exported_program_metadata(this));
  }

  /** The operators that it calls and that are not here. */
  missingOperators() {
    return taken(core.exported_program_missing_operators(this));
  }

  /** The graph as text. */
  get text() {
    return `${core.exported_program_text(this)}`;
  }
}

for (const [kind, one] of Object.entries({ jit_module: JitModule, package: Package, exported_program: ExportedProgram })) {
  Object.defineProperty(one.prototype, "kind", { value: kind });
  classes[kind] = one;
}
