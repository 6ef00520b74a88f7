package org.ctorch;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ctorch.raw.RawModule;

/**
 * A layer, a network of them, and what a class of your own is derived from.
 *
 * <pre>{@code
 * class Net extends Module {
 *   final Module conv = register("conv", NN.Conv2d(1, 32, 3));
 *   final Tensor scale = parameter("scale", Tensor.ones(32, 1, 1));
 *
 *   Net() {
 *     super("Net");
 *   }
 *
 *   @Override
 *   public Tensor forward(Tensor x) {
 *     return conv.call(x).relu().mul(scale);
 *   }
 * }
 * }</pre>
 *
 * <p>{@link #call(Tensor)} applies a module, with its hooks. What it holds stands in C, where a class of your own is a
 * module like any other: part of an {@link #sequential}, printed, saved and loaded. The object of such a module is needed
 * as long as C may call it: keep it, or the object of a module around it that it was registered with. After a copy or a
 * load of other tensors the fields of a class are those of before: ask {@link #getParameter} then.
 */
public class Module extends ModuleMethods {
  private static final Map<Long, WeakReference<Module>> OWN = new ConcurrentHashMap<>();

  private final boolean own;
  private final Map<String, Module> inside = new LinkedHashMap<>(); // so that their objects live as long

  Module(long address) {
    super(address);
    own = false;
  }

  /** What a class of your own begins with; {@code name} is its name, as the module's text shows it. */
  protected Module(String name) {
    this(new Box(), name);
  }

  private Module(Box box, String name) {
    super(box.make(name));
    own = true;
    box.object = new WeakReference<>(this);
    OWN.values().removeIf(reference -> reference.get() == null);
    OWN.put(address(), box.object);
    if (overrides("extraRepr")) {
      setExtraRepr(module -> Values.of(box.get().extraRepr()));
    }
    if (overrides("resetParameters")) {
      setResetParameters(module -> box.get().resetParameters());
    }
    if (overrides("copied")) {
      setCopy(module -> box.get().copied());
    }
  }

  private boolean overrides(String method) {
    for (Class<?> type = getClass(); type != Module.class; type = type.getSuperclass()) {
      try {
        type.getDeclaredMethod(method);
        return true;
      } catch (NoSuchMethodException absent) {
        continue;
      }
    }
    return false;
  }

  /** The object for a reference that is taken over: that of a class of one's own, if there is one. */
  static Module of(long address) {
    WeakReference<Module> known = OWN.get(address);
    Module object = known == null ? null : known.get();
    if (object == null || object.isClosed()) {
      return new Module(address);
    }
    RawModule.ctorch_module_release(address);
    return object;
  }

  /** One more reference to what C lends; null for none. It may be closed, which an object of one's own must not be. */
  static Module retained(long address) {
    if (address == 0) {
      return null;
    }
    RawModule.ctorch_module_retain(address);
    return new Module(address);
  }

  /** What C needs of an object that is under construction. */
  private static final class Box {
    WeakReference<Module> object;
    private String name;

    Module get() {
      Module found = object.get();
      if (found == null) {
        throw new IllegalStateException(
            "the object of this " + name + " is gone: keep it, or that of a module around it");
      }
      return found;
    }

    long make(String name) {
      this.name = name;
      try (Module made = ModuleMethods.newOfValues(name, (module, args, kwargs) -> get().run(args, kwargs))) {
        long address = made.address();
        RawModule.ctorch_module_retain(address);
        return address;
      }
    }
  }

  private Value run(Value args, Value kwargs) {
    List<?> given = ((Tuple) Values.get(args)).entries();
    Map<?, ?> named = (Map<?, ?>) Values.get(kwargs);
    if (given.size() == 1 && named.isEmpty() && given.get(0) instanceof Tensor) {
      return Values.of(forward((Tensor) given.get(0)));
    }
    return Values.of(forward(given, named));
  }

  // What a class of one's own says

  /** What the module computes of one tensor; for a layer with its hooks. A class of your own has its own forward. */
  @Override
  public Tensor forward(Tensor input) {
    if (own) {
      throw missing();
    }
    return super.forward(input);
  }

  /** What a class of your own computes of any arguments, and of those by name. */
  protected Object forward(List<?> arguments, Map<?, ?> named) {
    throw missing();
  }

  private UnsupportedOperationException missing() {
    return new UnsupportedOperationException("Module [" + name() + "] is missing the required \"forward\" function");
  }

  /** What stands between the parentheses of its text. */
  protected String extraRepr() {
    return "";
  }

  /** Another object of the same class for a copy; what it holds is replaced by copies. */
  protected Module copied() {
    throw new UnsupportedOperationException("a " + name() + " has no copied()");
  }

  // Applying

  /** Applies the module to one tensor, with its hooks. */
  public Tensor call(Tensor input) {
    return super.forward(input);
  }

  /** Applies the module to any arguments that a value can hold; an array of tensors is a list. */
  public Object call(Object... arguments) {
    try (Value args = Values.of(Tuple.of(arguments));
        Value out = call(args, null)) {
      return Values.get(out);
    }
  }

  // What it holds

  /** Puts a module inside this one, and gives it. */
  public <M extends Module> M register(String name, M module) {
    registerModule(name, module);
    return module;
  }

  @Override
  public void registerModule(String name, Module module) {
    super.registerModule(name, module);
    inside.put(name, module);
  }

  /** Makes a tensor one of the parameters: a leaf that requires gradients and shares the tensor's memory. */
  public Tensor parameter(String name, Tensor tensor) {
    Tensor leaf = tensor.detach().requiresGrad_();
    registerParameter(name, leaf);
    return leaf;
  }

  /** Gives it a tensor that is no parameter, and is in its state dict. */
  public Tensor buffer(String name, Tensor tensor) {
    registerBuffer(name, tensor, true);
    return tensor;
  }

  @Override
  public void append(Module module) {
    super.append(module);
    inside.put(Long.toString(len() - 1), module);
  }

  @Override
  public void insert(long index, Module module) {
    super.insert(index, module);
    inside.put("inserted " + inside.size(), module);
  }

  /** All parameters, each once: what an optimizer is given. */
  public Tensor[] parameters() {
    return parameters(true);
  }

  /** The parameters by their dotted names. */
  public Map<String, Tensor> namedParameters() {
    return map(namedParameters(null, true, true));
  }

  /** The buffers by their dotted names. */
  public Map<String, Tensor> namedBuffers() {
    return map(namedBuffers(null, true, true));
  }

  private static Map<String, Tensor> map(NamedTensors found) {
    Map<String, Tensor> named = new LinkedHashMap<>();
    try (found) {
      for (long i = 0; i < found.len(); i++) {
        named.put(found.name(i), found.get(i));
      }
    }
    return named;
  }

  /** This module and all inside it. */
  public List<Module> modules() {
    List<Module> modules = new ArrayList<>();
    try (NamedModules found = namedModules(null, true)) {
      for (long i = 0; i < found.len(); i++) {
        modules.add(found.get(i));
      }
    }
    return modules;
  }

  // What is done to all of it

  /** In training mode from now on. */
  public Module train() {
    train(true);
    return this;
  }

  /** In evaluation mode from now on. */
  public Module eval() {
    train(false);
    return this;
  }

  public void zeroGrad() {
    zeroGrad(true);
  }

  public Module to(DType dtype) {
    to(null, dtype, false, null);
    return this;
  }

  public Module to(Device device) {
    to(device, null, false, null);
    return this;
  }

  /** The parameters and persistent buffers by their dotted names. */
  public Map<String, Object> stateDict() {
    Map<String, Object> state = new LinkedHashMap<>();
    try (Results.OutMetadata found = stateDict(null, false)) {
      ((Map<?, ?>) Values.get(found.out())).forEach((name, value) -> state.put((String) name, value));
    }
    return state;
  }

  /** Takes parameters and buffers over; every name must be there. */
  public void loadStateDict(Map<String, ?> stateDict) {
    try (Value state = Values.of(stateDict)) {
      loadStateDict(state, null, true, false).close();
    }
  }

  @Override
  public String toString() {
    return isClosed() ? name() + " (closed)" : repr();
  }

  // Containers

  /** Modules one after another. */
  public static Module sequential(Module... modules) {
    return filled(NN.Sequential(), modules);
  }

  /** Modules in a list. */
  public static Module list(Module... modules) {
    return filled(NN.ModuleList(), modules);
  }

  private static Module filled(Module made, Module... modules) {
    for (Module module : modules) {
      made.append(module);
    }
    return made;
  }
}
