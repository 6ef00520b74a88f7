package org.ctorch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ctorch.raw.RawOptimizer;

/**
 * What changes parameters by their gradients: those of {@link Optim}, and by name.
 *
 * <pre>{@code
 * Optimizer optimizer = Optim.AdamW(model.parameters(), Options.with().lr(1e-3));
 * for (Batch batch : batches) {
 *   optimizer.zeroGrad();
 *   loss(model, batch).backward();
 *   optimizer.step();
 * }
 * }</pre>
 */
public final class Optimizer extends OptimizerMethods {
  Optimizer(long address) {
    super(address);
  }

  /**
   * An optimizer by the name of its class.
   *
   * @param params tensors, {@link Tuple}s of a name and a tensor, or maps, each a group with "params" and options of its
   *     own; in a list or array
   * @param options by Python's names; one may be a tensor where it may in Python
   */
  public static Optimizer of(String name, Object params, Map<String, ?> options) {
    try (Value args = Values.of(Tuple.of(params));
        Value kwargs = Values.of(options)) {
      return Ctorch.optimCreate(name, args, kwargs);
    }
  }

  /**
   * Lets a function compute the loss, gradients included, then changes the parameters. The function may be called several
   * times; what it gave first is returned.
   */
  public Tensor step(Callbacks.OptimizerClosure closure) {
    return stepClosure(closure);
  }

  /** Forgets the gradients of all parameters. */
  public void zeroGrad() {
    zeroGrad(true);
  }

  /** Some parameters with options of their own, read and changed by Python's names. */
  public final class Group {
    private final long index;

    private Group(long index) {
      this.index = index;
    }

    /** The very tensors. */
    public Tensor[] params() {
      return Optimizer.this.params(index);
    }

    public Object get(String name) {
      return taken(getOption(index, name));
    }

    public void set(String name, Object value) {
      try (Value made = Values.of(value)) {
        setOption(index, name, made);
      }
    }

    /** A copy of all options. */
    public Map<String, Object> options() {
      return named(Optimizer.this.options(index));
    }

    @Override
    public String toString() {
      return options().toString();
    }
  }

  public List<Group> paramGroups() {
    List<Group> groups = new ArrayList<>();
    for (long i = 0; i < numGroups(); i++) {
      groups.add(new Group(i));
    }
    return groups;
  }

  /** One more group: "params", and those options that are not the optimizer's own. */
  public void addParamGroup(Map<String, ?> group) {
    try (Value value = Values.of(group)) {
      addParamGroup(value);
    }
  }

  /** The options of a group that names none. */
  public Map<String, Object> defaults() {
    return named(call(RawOptimizer::ctorch_optimizer_defaults));
  }

  /** What is remembered of a parameter, with the very tensors; empty before the first step. */
  public Map<String, Object> state(Tensor parameter) {
    Call call = Call.begin();
    try {
      long out = call.out();
      call.check(RawOptimizer.ctorch_optimizer_state(out, call.handle(this), call.handle(parameter)));
      return named(call.getHandle(out, Value::new));
    } finally {
      call.end();
    }
  }

  public void setState(Tensor parameter, Map<String, ?> state) {
    try (Value value = Values.of(state)) {
      setState(parameter, value);
    }
  }

  /** States and options, to be saved: "state" and "param_groups", with numbers in the place of parameters. */
  public Map<String, Object> stateDict() {
    return named(call(RawOptimizer::ctorch_optimizer_state_dict));
  }

  /** Takes states and options over. Tensors of the right kind are shared, not copied. */
  public void loadStateDict(Map<String, ?> stateDict) {
    try (Value value = Values.of(stateDict)) {
      loadStateDict(value);
    }
  }

  @Override
  public String toString() {
    return isClosed() ? "an optimizer (closed)" : repr();
  }

  /** A C function that gives a value of a handle. */
  interface Giving {
    long apply(long out, long self);
  }

  private Value call(Giving function) {
    return call(this, function);
  }

  static Value call(Handle self, Giving function) {
    Call call = Call.begin();
    try {
      long out = call.out();
      call.check(function.apply(out, call.handle(self)));
      return call.getHandle(out, Value::new);
    } finally {
      call.end();
    }
  }

  /** What a value holds, which is closed. */
  static Object taken(Value value) {
    try (value) {
      return Values.get(value);
    }
  }

  static Map<String, Object> named(Value value) {
    Map<String, Object> entries = new LinkedHashMap<>();
    ((Map<?, ?>) taken(value)).forEach((name, entry) -> entries.put((String) name, entry));
    return entries;
  }
}
