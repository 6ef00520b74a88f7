package org.ctorch;

import java.nio.ByteBuffer;
import java.util.Iterator;
import org.ctorch.raw.Bridge;

/**
 * The functions that ctorch calls back. Whatever one throws, checked or not, is thrown by the call that it ran in. What
 * they are given belongs to Java: it may be kept, and is closed or forgotten like any other handle.
 */
public final class Callbacks {
  private static final int OK = CallbackStatus.OK.code();
  private static final int FAILED = 0;

  private Callbacks() {}

  /** A function from tensors to tensors, for whatever calls one: transforms, gradient checks, checkpoints. */
  @FunctionalInterface
  public interface Tensors {
    Tensor[] apply(Tensor[] inputs) throws Exception;
  }

  /** Computes the outputs of a differentiable function: see {@link AutogradFunction}. */
  @FunctionalInterface
  public interface AutogradFunctionForward {
    Tensor[] apply(AutogradContext context, Tensor[] inputs) throws Exception;
  }

  /** Computes gradients of the inputs, null for none, from those of the outputs. */
  @FunctionalInterface
  public interface AutogradFunctionBackward {
    Tensor[] apply(AutogradContext context, Tensor[] gradOutputs) throws Exception;
  }

  /** Computes tangents of the outputs, null for none, from those of the inputs. */
  @FunctionalInterface
  public interface AutogradFunctionJvp {
    Tensor[] apply(AutogradContext context, Tensor[] tangents) throws Exception;
  }

  /** Looks at a gradient; answers what replaces it, or null to keep it. */
  @FunctionalInterface
  public interface TensorHook {
    Tensor apply(Tensor grad) throws Exception;
  }

  /** Acts on a leaf whose gradient was accumulated. */
  @FunctionalInterface
  public interface PostAccumulateGradHook {
    void apply(Tensor leaf) throws Exception;
  }

  /** Does something to a module. */
  @FunctionalInterface
  public interface Module {
    void apply(org.ctorch.Module module) throws Exception;
  }

  /** Computes what a module gives for one tensor. */
  @FunctionalInterface
  public interface ModuleForward {
    Tensor apply(org.ctorch.Module module, Tensor input) throws Exception;
  }

  /** Computes what a module gives for any values: a tuple of arguments, a dict of keyword arguments. */
  @FunctionalInterface
  public interface ModuleCall {
    Value apply(org.ctorch.Module module, Value args, Value kwargs) throws Exception;
  }

  /** Tells something about a module. */
  @FunctionalInterface
  public interface ModuleValue {
    Value apply(org.ctorch.Module module) throws Exception;
  }

  /** Lets a module take something over. */
  @FunctionalInterface
  public interface ModuleSetValue {
    void apply(org.ctorch.Module module, Value value) throws Exception;
  }

  /** Makes a module of the same kind for a copy. */
  @FunctionalInterface
  public interface ModuleCopy {
    org.ctorch.Module apply(org.ctorch.Module module) throws Exception;
  }

  /** Looks at what a module is applied to; answers what replaces it, or null to keep it. */
  @FunctionalInterface
  public interface ModuleForwardPreHook {
    Value apply(org.ctorch.Module module, Value args, Value kwargs) throws Exception;
  }

  /** Looks at what a module gave, or null if it failed; answers what replaces it, or null to keep it. */
  @FunctionalInterface
  public interface ModuleForwardHook {
    Value apply(org.ctorch.Module module, Value args, Value kwargs, Value output) throws Exception;
  }

  /** Looks at the gradients of what a module gave; answers what replaces them, or null to keep them. */
  @FunctionalInterface
  public interface ModuleBackwardPreHook {
    Tensor[] apply(org.ctorch.Module module, Tensor[] gradOutputs) throws Exception;
  }

  /** Looks at the gradients of what a module was applied to; answers what replaces them, or null. */
  @FunctionalInterface
  public interface ModuleBackwardHook {
    Tensor[] apply(
        org.ctorch.Module module, Tensor[] gradInputs, Tensor[] gradOutputs) throws Exception;
  }

  /** Acts before the state of a module is taken. */
  @FunctionalInterface
  public interface ModuleStateDictPreHook {
    void apply(org.ctorch.Module module, String prefix, boolean keepVars) throws Exception;
  }

  /** Acts on the state of a module. */
  @FunctionalInterface
  public interface ModuleStateDictHook {
    void apply(
        org.ctorch.Module module, Value stateDict, String prefix, Value metadata) throws Exception;
  }

  /** Acts before a module takes its state over. */
  @FunctionalInterface
  public interface ModuleLoadStateDictPreHook {
    void apply(
        org.ctorch.Module module,
        Value stateDict,
        String prefix,
        long version,
        Value missing,
        Value unexpected) throws Exception;
  }

  /** Acts after a module took its state over. */
  @FunctionalInterface
  public interface ModuleLoadStateDictPostHook {
    void apply(org.ctorch.Module module, Value missing, Value unexpected) throws Exception;
  }

  /** Acts before or after what an optimizer does. */
  @FunctionalInterface
  public interface Optimizer {
    void apply(org.ctorch.Optimizer optimizer) throws Exception;
  }

  /** Computes the loss anew: sets the gradients to zero, goes forward and backward. */
  @FunctionalInterface
  public interface OptimizerClosure {
    Tensor apply() throws Exception;
  }

  /** Looks at a state dict, which may be changed; answers what replaces it, or null to keep it. */
  @FunctionalInterface
  public interface OptimizerStateDict {
    Value apply(org.ctorch.Optimizer optimizer, Value stateDict) throws Exception;
  }

  /** Computes the factor of a group's learning rate. */
  @FunctionalInterface
  public interface LrLambda {
    double apply(long group, long epoch) throws Exception;
  }

  /** Scales the height of a cycle of learning rates by its number, or by that of the step. */
  @FunctionalInterface
  public interface LrScale {
    double apply(double x) throws Exception;
  }

  /** Fills a buffer with the bytes from an offset on. The buffer is that of the call alone. */
  @FunctionalInterface
  public interface ReaderRead {
    void apply(ByteBuffer data, long offset) throws Exception;
  }

  /** Takes bytes, behind those that it was given before. The buffer is that of the call alone. */
  @FunctionalInterface
  public interface WriterWrite {
    void apply(ByteBuffer data) throws Exception;
  }

  /** Hears how many bytes were read so far. What it throws ends the reading. */
  @FunctionalInterface
  public interface ReaderProgress {
    void apply(long bytes) throws Exception;
  }

  /** Hears how many bytes were written so far. What it throws ends the writing. */
  @FunctionalInterface
  public interface WriterProgress {
    void apply(long bytes) throws Exception;
  }

  /** Decides whether a class that ctorch does not know may be in a file. */
  @FunctionalInterface
  public interface SerializationAllow {
    boolean apply(String module, String name) throws Exception;
  }

  /**
   * Decides where a storage lies: gets what the file says, and the device which that is, null if there is none; answers
   * null to leave it.
   */
  @FunctionalInterface
  public interface SerializationMapLocation {
    Device apply(String location, Device device) throws Exception;
  }

  /** Gives the state of something of your own: whatever {@link Values} takes. */
  @FunctionalInterface
  public interface SnapshotsSave {
    Object apply() throws Exception;
  }

  /** Takes such a state over. */
  @FunctionalInterface
  public interface SnapshotsLoad {
    void apply(Object state) throws Exception;
  }

  /** Gives the next value of an iterator, whatever {@link Values} takes, or {@link ValueIterator#END}. */
  @FunctionalInterface
  interface IteratorNext {
    Object apply() throws Exception;
  }

  /** Gives a sample, whatever {@link Values} takes; the index is from 0 to below the length. */
  @FunctionalInterface
  public interface DatasetGet {
    Object apply(long index) throws Exception;
  }

  /** Begins to go through samples, on the thread that then asks for them. */
  @FunctionalInterface
  public interface DatasetIterate {
    Iterator<?> apply() throws Exception;
  }

  /** Begins an order: gives indices, or lists of them for a batch sampler. */
  @FunctionalInterface
  public interface SamplerIterate {
    Iterator<?> apply() throws Exception;
  }

  /** Begins an epoch; a {@link ResumableIterator} can be gone on from. */
  @FunctionalInterface
  public interface LoaderIterate {
    Iterator<?> apply() throws Exception;
  }

  /** Makes a batch of a list of samples, or of the one sample of a loader that makes no batches. */
  @FunctionalInterface
  public interface LoaderCollate {
    Object apply(Object samples) throws Exception;
  }

  /** Prepares a worker, by its number. */
  @FunctionalInterface
  public interface LoaderWorker {
    void apply(long worker) throws Exception;
  }

  /** Transforms a sample; what is drawn comes from the generator, null for the default one. */
  @FunctionalInterface
  public interface Transform {
    Object apply(Object input, Generator generator) throws Exception;
  }

  /** Computes the loss of a batch. It gets the trainer: a function that held it would keep it for ever. */
  @FunctionalInterface
  public interface TrainerStep {
    Tensor apply(Trainer trainer, org.ctorch.Module module, Object batch) throws Exception;
  }

  /** Computes a metric of what the model gave and of the batch: the mean over its samples. */
  @FunctionalInterface
  public interface TrainerMetric {
    double apply(Object output, Object batch) throws Exception;
  }

  /** Acts at a point of the loop. It gets the trainer: a function that held it would keep it for ever. */
  @FunctionalInterface
  public interface TrainerEvent {
    void apply(Trainer trainer, org.ctorch.TrainerEvent event) throws Exception;
  }

  /** Takes the numbers of a training run by their names; the wall time is in seconds since 1970. */
  @FunctionalInterface
  public interface Logger {
    void apply(String[] names, double[] values, long step, double wallTime) throws Exception;
  }

  /** Looks at the gradients that reach a node; answers what replaces them, or null to keep them. */
  @FunctionalInterface
  public interface NodePrehook {
    Tensor[] apply(Tensor[] gradOutputs) throws Exception;
  }

  /** Looks at the gradients that leave a node; answers what replaces them, or null to keep them. */
  @FunctionalInterface
  public interface NodeHook {
    Tensor[] apply(Tensor[] gradInputs, Tensor[] gradOutputs) throws Exception;
  }

  /** The kernel of an operator of your own: answers as many values as its schema has results. */
  @FunctionalInterface
  public interface Kernel {
    Value[] apply(Value[] arguments) throws Exception;
  }

  /** What is traced as TorchScript: answers one value, which its tensors make. */
  @FunctionalInterface
  public interface JitTrace {
    Value[] apply(Value[] arguments) throws Exception;
  }

  /** Throws what a call that waits on this thread shall end with. */
  @FunctionalInterface
  public interface Interrupt {
    void apply() throws Exception;
  }

  /** Frees memory when the tensors that Java has forgotten take too much: see {@link GarbageCollection}. */
  @FunctionalInterface
  public interface MemoryPressure {
    void apply(MemoryPressureReason reason, long heldBytes, long requestedBytes) throws Exception;
  }

  /** Turns a tensor that backward will need into something to keep in its place. */
  @FunctionalInterface
  public interface SavedTensorsPack {
    Object apply(Tensor tensor) throws Exception;
  }

  /** Turns what was kept into the tensor again. */
  @FunctionalInterface
  public interface SavedTensorsUnpack {
    Tensor apply(Object packed) throws Exception;
  }

  /** Hears a warning, on whatever thread it is raised. What it throws is printed: a warning stops nothing. */
  @FunctionalInterface
  public interface Warning {
    void apply(WarningKind kind, String message, String file, String function, int line) throws Exception;
  }

  /** What runs in a callback from C. */
  @FunctionalInterface
  interface Body {
    void run() throws Throwable;
  }

  /** Nothing that Java throws may reach C: it becomes an error, and then the exception of the call around. */
  static int guard(long error, Body body) {
    try {
      body.run();
      return OK;
    } catch (Throwable failure) {
      try {
        Bridge.putLong(error, CtorchException.give(failure));
      } catch (Throwable again) {
        // Out of memory, say. C then finds no error, and makes one that says just that.
      }
      return FAILED;
    }
  }

  /** The callback of that kind among those that were given to C together. */
  static <T> T find(long payload, Class<T> type) {
    Object found = Registry.get(payload);
    if (found instanceof Object[]) {
      for (Object callback : (Object[]) found) {
        if (type.isInstance(callback)) {
          return type.cast(callback);
        }
      }
    }
    throw new IllegalStateException("C calls a " + type.getSimpleName() + " that it was not given: " + payload);
  }

  /** Hands a reference over to C. */
  static void put(long out, Handle value) {
    Call call = Call.begin();
    try {
      if (value != null) {
        long address = call.handle(value);
        value.retain(address);
        Bridge.putLong(out, address);
      }
    } finally {
      call.end();
    }
  }

  /** Hands a list over to C. */
  static void put(long out, Tensor[] values) {
    if (values == null) {
      return;
    }
    Call call = Call.begin();
    try {
      call.check(org.ctorch.raw.RawTensorList.ctorch_tensor_list_new(out, call.handles(values), call.length()));
    } finally {
      call.end();
    }
  }

  /** Hands over whatever Values takes. */
  static void put(long out, Object object) {
    try (Value value = Values.of(object)) {
      put(out, value);
    }
  }

  static void put(long out, Iterator<?> values) {
    if (values == null) {
      throw new IllegalStateException("the function gave no iterator");
    }
    try (ValueIterator iterator = ValueIterator.of(values)) {
      put(out, (Handle) iterator);
    }
  }

  static void put(long out, double value) {
    Bridge.putLong(out, Double.doubleToRawLongBits(value));
  }

  static void put(long out, boolean value) {
    Bridge.view(out, 1).put(0, (byte) (value ? 1 : 0));
  }
}
