package org.ctorch;

import java.io.EOFException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import org.ctorch.raw.AutogradFunctionBackwardCallback;
import org.ctorch.raw.AutogradFunctionForwardCallback;
import org.ctorch.raw.AutogradFunctionJvpCallback;
import org.ctorch.raw.Bridge;
import org.ctorch.raw.DatasetGetCallback;
import org.ctorch.raw.DatasetIterateCallback;
import org.ctorch.raw.DestroyCallback;
import org.ctorch.raw.InterruptCallback;
import org.ctorch.raw.IteratorLoadCallback;
import org.ctorch.raw.IteratorNextCallback;
import org.ctorch.raw.IteratorSaveCallback;
import org.ctorch.raw.JitTraceCallback;
import org.ctorch.raw.KernelCallback;
import org.ctorch.raw.LoaderCollateCallback;
import org.ctorch.raw.LoaderIterateCallback;
import org.ctorch.raw.LoaderWorkerCallback;
import org.ctorch.raw.LoggerCallback;
import org.ctorch.raw.LrLambdaCallback;
import org.ctorch.raw.LrScaleCallback;
import org.ctorch.raw.MemoryPressureCallback;
import org.ctorch.raw.ModuleBackwardHookCallback;
import org.ctorch.raw.ModuleBackwardPreHookCallback;
import org.ctorch.raw.ModuleCallCallback;
import org.ctorch.raw.ModuleCallback;
import org.ctorch.raw.ModuleCopyCallback;
import org.ctorch.raw.ModuleForwardCallback;
import org.ctorch.raw.ModuleForwardHookCallback;
import org.ctorch.raw.ModuleForwardPreHookCallback;
import org.ctorch.raw.ModuleLoadStateDictPostHookCallback;
import org.ctorch.raw.ModuleLoadStateDictPreHookCallback;
import org.ctorch.raw.ModuleSetValueCallback;
import org.ctorch.raw.ModuleStateDictHookCallback;
import org.ctorch.raw.ModuleStateDictPreHookCallback;
import org.ctorch.raw.ModuleValueCallback;
import org.ctorch.raw.NodeHookCallback;
import org.ctorch.raw.NodePrehookCallback;
import org.ctorch.raw.OptimizerCallback;
import org.ctorch.raw.OptimizerStateDictCallback;
import org.ctorch.raw.PostAccumulateGradHookCallback;
import org.ctorch.raw.ReaderProgressCallback;
import org.ctorch.raw.ReaderReadCallback;
import org.ctorch.raw.SamplerIterateCallback;
import org.ctorch.raw.SavedTensorsDestroyCallback;
import org.ctorch.raw.SavedTensorsPackCallback;
import org.ctorch.raw.SavedTensorsUnpackCallback;
import org.ctorch.raw.SerializationAllowCallback;
import org.ctorch.raw.SerializationMapLocationCallback;
import org.ctorch.raw.SnapshotsLoadCallback;
import org.ctorch.raw.SnapshotsSaveCallback;
import org.ctorch.raw.TensorHookCallback;
import org.ctorch.raw.TensorsCallback;
import org.ctorch.raw.TrainerEventCallback;
import org.ctorch.raw.TrainerMetricCallback;
import org.ctorch.raw.TrainerStepCallback;
import org.ctorch.raw.TransformCallback;
import org.ctorch.raw.WarningCallback;
import org.ctorch.raw.WriterProgressCallback;
import org.ctorch.raw.WriterWriteCallback;

/**
 * One C function for each kind of callback, made when it is needed first, that finds the Java one by its payload. They
 * are never freed, so C cannot call one that is gone.
 */
final class Stubs {
  private Stubs() {}

  static final class Destroy {
    static final long ADDRESS = Bridge.stub(DestroyCallback.class, Registry::remove);
  }

  static final class Tensors {
    static final long ADDRESS =
        Bridge.stub(
            TensorsCallback.class,
            (out, inputs, count, error, payload) ->
                Callbacks.guard(
                    error,
                    () ->
                        Callbacks.put(
                            out,
                            Callbacks.find(payload, Callbacks.Tensors.class)
                                .apply(Tensor.retained(inputs, Math.toIntExact(count))))));
  }

  static final class AutogradFunctionForward {
    static final long ADDRESS =
        Bridge.stub(
            AutogradFunctionForwardCallback.class,
            (out, context, inputs, count, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (AutogradContext borrowed = AutogradContext.retained(context)) {
                        Callbacks.put(
                            out,
                            Callbacks.find(payload, Callbacks.AutogradFunctionForward.class)
                                .apply(borrowed, Tensor.retained(inputs, Math.toIntExact(count))));
                      }
                    }));
  }

  static final class AutogradFunctionBackward {
    static final long ADDRESS =
        Bridge.stub(
            AutogradFunctionBackwardCallback.class,
            (out, context, grads, count, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (AutogradContext borrowed = AutogradContext.retained(context)) {
                        Callbacks.put(
                            out,
                            Callbacks.find(payload, Callbacks.AutogradFunctionBackward.class)
                                .apply(borrowed, Tensor.retained(grads, Math.toIntExact(count))));
                      }
                    }));
  }

  static final class AutogradFunctionJvp {
    static final long ADDRESS =
        Bridge.stub(
            AutogradFunctionJvpCallback.class,
            (out, context, tangents, count, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (AutogradContext borrowed = AutogradContext.retained(context)) {
                        Callbacks.put(
                            out,
                            Callbacks.find(payload, Callbacks.AutogradFunctionJvp.class)
                                .apply(borrowed, Tensor.retained(tangents, Math.toIntExact(count))));
                      }
                    }));
  }

  static final class TensorHook {
    static final long ADDRESS =
        Bridge.stub(
            TensorHookCallback.class,
            (out, grad, error, payload) ->
                Callbacks.guard(
                    error,
                    () ->
                        Callbacks.put(
                            out,
                            Callbacks.find(payload, Callbacks.TensorHook.class).apply(Tensor.retained(grad)))));
  }

  static final class PostAccumulateGradHook {
    static final long ADDRESS =
        Bridge.stub(
            PostAccumulateGradHookCallback.class,
            (leaf, error, payload) ->
                Callbacks.guard(
                    error,
                    () ->
                        Callbacks.find(payload, Callbacks.PostAccumulateGradHook.class)
                            .apply(Tensor.retained(leaf))));
  }

  static final class Module {
    static final long ADDRESS =
        Bridge.stub(
            ModuleCallback.class,
            (module, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (org.ctorch.Module borrowed = org.ctorch.Module.retained(module)) {
                        Callbacks.find(payload, Callbacks.Module.class).apply(borrowed);
                      }
                    }));
  }

  static final class ModuleForward {
    static final long ADDRESS =
        Bridge.stub(
            ModuleForwardCallback.class,
            (out, module, input, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (org.ctorch.Module self = org.ctorch.Module.retained(module)) {
                        Callbacks.put(
                            out,
                            Callbacks.find(payload, Callbacks.ModuleForward.class)
                                .apply(self, Tensor.retained(input)));
                      }
                    }));
  }

  static final class ModuleCall {
    static final long ADDRESS =
        Bridge.stub(
            ModuleCallCallback.class,
            (out, module, args, kwargs, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (org.ctorch.Module self = org.ctorch.Module.retained(module)) {
                        Callbacks.put(
                            out,
                            Callbacks.find(payload, Callbacks.ModuleCall.class)
                                .apply(self, Value.retained(args), Value.retained(kwargs)));
                      }
                    }));
  }

  static final class ModuleValue {
    static final long ADDRESS =
        Bridge.stub(
            ModuleValueCallback.class,
            (out, module, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (org.ctorch.Module self = org.ctorch.Module.retained(module)) {
                        Callbacks.put(
                            out, Callbacks.find(payload, Callbacks.ModuleValue.class).apply(self));
                      }
                    }));
  }

  static final class ModuleSetValue {
    static final long ADDRESS =
        Bridge.stub(
            ModuleSetValueCallback.class,
            (module, value, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (org.ctorch.Module self = org.ctorch.Module.retained(module)) {
                        Callbacks.find(payload, Callbacks.ModuleSetValue.class)
                            .apply(self, Value.retained(value));
                      }
                    }));
  }

  static final class ModuleCopy {
    static final long ADDRESS =
        Bridge.stub(
            ModuleCopyCallback.class,
            (out, module, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (org.ctorch.Module self = org.ctorch.Module.retained(module)) {
                        Callbacks.put(
                            out, Callbacks.find(payload, Callbacks.ModuleCopy.class).apply(self));
                      }
                    }));
  }

  static final class ModuleForwardPreHook {
    static final long ADDRESS =
        Bridge.stub(
            ModuleForwardPreHookCallback.class,
            (out, module, args, kwargs, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (org.ctorch.Module self = org.ctorch.Module.retained(module)) {
                        Callbacks.put(
                            out,
                            Callbacks.find(payload, Callbacks.ModuleForwardPreHook.class)
                                .apply(
                                    self,
                                    Value.retained(args),
                                    Value.retained(kwargs)));
                      }
                    }));
  }

  static final class ModuleForwardHook {
    static final long ADDRESS =
        Bridge.stub(
            ModuleForwardHookCallback.class,
            (out, module, args, kwargs, output, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (org.ctorch.Module self = org.ctorch.Module.retained(module)) {
                        Callbacks.put(
                            out,
                            Callbacks.find(payload, Callbacks.ModuleForwardHook.class)
                                .apply(
                                    self,
                                    Value.retained(args),
                                    Value.retained(kwargs),
                                    Value.retained(output)));
                      }
                    }));
  }

  static final class ModuleBackwardPreHook {
    static final long ADDRESS =
        Bridge.stub(
            ModuleBackwardPreHookCallback.class,
            (out, module, gradOutputs, gradOutputsCount, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (org.ctorch.Module self = org.ctorch.Module.retained(module)) {
                        Callbacks.put(
                            out,
                            Callbacks.find(payload, Callbacks.ModuleBackwardPreHook.class)
                                .apply(
                                    self,
                                    Tensor.retained(gradOutputs, Math.toIntExact(gradOutputsCount))));
                      }
                    }));
  }

  static final class ModuleBackwardHook {
    static final long ADDRESS =
        Bridge.stub(
            ModuleBackwardHookCallback.class,
            (out, module, gradInputs, gradInputsCount, gradOutputs, gradOutputsCount, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (org.ctorch.Module self = org.ctorch.Module.retained(module)) {
                        Callbacks.put(
                            out,
                            Callbacks.find(payload, Callbacks.ModuleBackwardHook.class)
                                .apply(
                                    self,
                                    Tensor.retained(gradInputs, Math.toIntExact(gradInputsCount)),
                                    Tensor.retained(gradOutputs, Math.toIntExact(gradOutputsCount))));
                      }
                    }));
  }

  static final class ModuleStateDictPreHook {
    static final long ADDRESS =
        Bridge.stub(
            ModuleStateDictPreHookCallback.class,
            (module, prefix, keepVars, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (org.ctorch.Module self = org.ctorch.Module.retained(module)) {
                        Callbacks.find(payload, Callbacks.ModuleStateDictPreHook.class)
                            .apply(
                                    self,
                                    Bridge.getText(prefix),
                                    keepVars != 0);
                      }
                    }));
  }

  static final class ModuleStateDictHook {
    static final long ADDRESS =
        Bridge.stub(
            ModuleStateDictHookCallback.class,
            (module, stateDict, prefix, metadata, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (org.ctorch.Module self = org.ctorch.Module.retained(module)) {
                        Callbacks.find(payload, Callbacks.ModuleStateDictHook.class)
                            .apply(
                                    self,
                                    Value.retained(stateDict),
                                    Bridge.getText(prefix),
                                    Value.retained(metadata));
                      }
                    }));
  }

  static final class ModuleLoadStateDictPreHook {
    static final long ADDRESS =
        Bridge.stub(
            ModuleLoadStateDictPreHookCallback.class,
            (module, stateDict, prefix, version, missing, unexpected, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (org.ctorch.Module self = org.ctorch.Module.retained(module)) {
                        Callbacks.find(payload, Callbacks.ModuleLoadStateDictPreHook.class)
                            .apply(
                                    self,
                                    Value.retained(stateDict),
                                    Bridge.getText(prefix),
                                    version,
                                    Value.retained(missing),
                                    Value.retained(unexpected));
                      }
                    }));
  }

  static final class ModuleLoadStateDictPostHook {
    static final long ADDRESS =
        Bridge.stub(
            ModuleLoadStateDictPostHookCallback.class,
            (module, missing, unexpected, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (org.ctorch.Module self = org.ctorch.Module.retained(module)) {
                        Callbacks.find(payload, Callbacks.ModuleLoadStateDictPostHook.class)
                            .apply(
                                    self,
                                    Value.retained(missing),
                                    Value.retained(unexpected));
                      }
                    }));
  }

  static final class Optimizer {
    static final long ADDRESS =
        Bridge.stub(
            OptimizerCallback.class,
            (optimizer, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (org.ctorch.Optimizer self = org.ctorch.Optimizer.retained(optimizer)) {
                        Callbacks.find(payload, Callbacks.Optimizer.class).apply(self);
                      }
                    }));
  }

  static final class OptimizerClosure {
    static final long ADDRESS =
        Bridge.stub(
            org.ctorch.raw.OptimizerClosure.class,
            (out, error, payload) ->
                Callbacks.guard(
                    error,
                    () ->
                        Callbacks.put(
                            out, Callbacks.find(payload, Callbacks.OptimizerClosure.class).apply())));
  }

  static final class OptimizerStateDict {
    static final long ADDRESS =
        Bridge.stub(
            OptimizerStateDictCallback.class,
            (out, optimizer, stateDict, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (org.ctorch.Optimizer self = org.ctorch.Optimizer.retained(optimizer)) {
                        Callbacks.put(
                            out,
                            Callbacks.find(payload, Callbacks.OptimizerStateDict.class)
                                .apply(self, Value.retained(stateDict)));
                      }
                    }));
  }

  static final class LrLambda {
    static final long ADDRESS =
        Bridge.stub(
            LrLambdaCallback.class,
            (out, group, epoch, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> putDouble(out, Callbacks.find(payload, Callbacks.LrLambda.class).apply(group, epoch))));
  }

  static final class LrScale {
    static final long ADDRESS =
        Bridge.stub(
            LrScaleCallback.class,
            (out, x, error, payload) ->
                Callbacks.guard(
                    error, () -> putDouble(out, Callbacks.find(payload, Callbacks.LrScale.class).apply(x))));
  }

  private static void putDouble(long out, double value) {
    Bridge.putLong(out, Double.doubleToRawLongBits(value));
  }

  private static final long PIECE = 1 << 30; // a buffer has less than 2 GiB

  static final class ReaderRead {
    static final long ADDRESS =
        Bridge.stub(
            ReaderReadCallback.class,
            (data, nbytes, offset, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      Callbacks.ReaderRead read = Callbacks.find(payload, Callbacks.ReaderRead.class);
                      for (long done = 0; done < nbytes; done += PIECE) {
                        ByteBuffer room = Bridge.view(data + done, Math.min(PIECE, nbytes - done));
                        read.apply(room, offset + done);
                        if (room.hasRemaining()) {
                          throw new EOFException(room.remaining() + " bytes at " + (offset + done) + " are missing");
                        }
                      }
                    }));
  }

  static final class WriterWrite {
    static final long ADDRESS =
        Bridge.stub(
            WriterWriteCallback.class,
            (data, nbytes, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      Callbacks.WriterWrite write = Callbacks.find(payload, Callbacks.WriterWrite.class);
                      for (long done = 0; done < nbytes; done += PIECE) {
                        write.apply(Bridge.view(data + done, Math.min(PIECE, nbytes - done)).asReadOnlyBuffer());
                      }
                    }));
  }

  static final class ReaderProgress {
    static final long ADDRESS =
        Bridge.stub(
            ReaderProgressCallback.class,
            (nbytes, error, payload) ->
                Callbacks.guard(
                    error, () -> Callbacks.find(payload, Callbacks.ReaderProgress.class).apply(nbytes)));
  }

  static final class WriterProgress {
    static final long ADDRESS =
        Bridge.stub(
            WriterProgressCallback.class,
            (nbytes, error, payload) ->
                Callbacks.guard(
                    error, () -> Callbacks.find(payload, Callbacks.WriterProgress.class).apply(nbytes)));
  }

  static final class SerializationAllow {
    static final long ADDRESS =
        Bridge.stub(
            SerializationAllowCallback.class,
            (out, module, name, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      boolean allowed =
                          Callbacks.find(payload, Callbacks.SerializationAllow.class)
                              .apply(Bridge.getText(module), Bridge.getText(name));
                      Bridge.view(out, 1).put(0, (byte) (allowed ? 1 : 0));
                    }));
  }

  static final class SerializationMapLocation {
    static final long ADDRESS =
        Bridge.stub(
            SerializationMapLocationCallback.class,
            (out, location, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      ByteBuffer device = Bridge.view(out, 8);
                      int type = device.getInt(0);
                      Device answer =
                          Callbacks.find(payload, Callbacks.SerializationMapLocation.class)
                              .apply(
                                  Bridge.getText(location),
                                  type < 0 ? null : new Device(DeviceType.of(type), device.getInt(4)));
                      if (answer != null) {
                        device.putInt(0, answer.type().code()).putInt(4, answer.index());
                      }
                    }));
  }

  static final class SnapshotsSave {
    static final long ADDRESS =
        Bridge.stub(
            SnapshotsSaveCallback.class,
            (out, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (Value state = Values.of(Callbacks.find(payload, Callbacks.SnapshotsSave.class).apply())) {
                        Callbacks.put(out, state);
                      }
                    }));
  }

  static final class SnapshotsLoad {
    static final long ADDRESS =
        Bridge.stub(
            SnapshotsLoadCallback.class,
            (state, error, payload) ->
                Callbacks.guard(
                    error,
                    () ->
                        Callbacks.find(payload, Callbacks.SnapshotsLoad.class)
                            .apply(org.ctorch.Optimizer.taken(Value.retained(state)))));
  }

  static final class IteratorNext {
    static final long ADDRESS =
        Bridge.stub(
            IteratorNextCallback.class,
            (out, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      Object value = Callbacks.find(payload, Callbacks.IteratorNext.class).apply();
                      if (value != ValueIterator.END) {
                        put(out, value);
                      }
                    }));
  }

  static final class IteratorSave {
    static final long ADDRESS =
        Bridge.stub(
            IteratorSaveCallback.class,
            (out, error, payload) ->
                Callbacks.guard(
                    error, () -> put(out, Callbacks.find(payload, ResumableIterator.class).stateDict())));
  }

  static final class IteratorLoad {
    static final long ADDRESS =
        Bridge.stub(
            IteratorLoadCallback.class,
            (state, error, payload) ->
                Callbacks.guard(
                    error, () -> Callbacks.find(payload, ResumableIterator.class).loadStateDict(taken(state))));
  }

  static final class DatasetGet {
    static final long ADDRESS =
        Bridge.stub(
            DatasetGetCallback.class,
            (out, index, error, payload) ->
                Callbacks.guard(
                    error, () -> put(out, Callbacks.find(payload, Callbacks.DatasetGet.class).apply(index))));
  }

  static final class DatasetIterate {
    static final long ADDRESS =
        Bridge.stub(
            DatasetIterateCallback.class,
            (out, error, payload) ->
                Callbacks.guard(
                    error, () -> begin(out, Callbacks.find(payload, Callbacks.DatasetIterate.class).apply())));
  }

  static final class SamplerIterate {
    static final long ADDRESS =
        Bridge.stub(
            SamplerIterateCallback.class,
            (out, error, payload) ->
                Callbacks.guard(
                    error, () -> begin(out, Callbacks.find(payload, Callbacks.SamplerIterate.class).apply())));
  }

  static final class LoaderIterate {
    static final long ADDRESS =
        Bridge.stub(
            LoaderIterateCallback.class,
            (out, error, payload) ->
                Callbacks.guard(
                    error, () -> begin(out, Callbacks.find(payload, Callbacks.LoaderIterate.class).apply())));
  }

  static final class LoaderCollate {
    static final long ADDRESS =
        Bridge.stub(
            LoaderCollateCallback.class,
            (out, samples, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> put(out, Callbacks.find(payload, Callbacks.LoaderCollate.class).apply(taken(samples)))));
  }

  static final class LoaderWorker {
    static final long ADDRESS =
        Bridge.stub(
            LoaderWorkerCallback.class,
            (worker, error, payload) ->
                Callbacks.guard(
                    error, () -> Callbacks.find(payload, Callbacks.LoaderWorker.class).apply(worker)));
  }

  static final class Transform {
    static final long ADDRESS =
        Bridge.stub(
            TransformCallback.class,
            (out, input, generator, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (Generator borrowed = Generator.retained(generator)) {
                        put(
                            out,
                            Callbacks.find(payload, Callbacks.Transform.class).apply(taken(input), borrowed));
                      }
                    }));
  }

  static final class TrainerStep {
    static final long ADDRESS =
        Bridge.stub(
            TrainerStepCallback.class,
            (out, trainer, module, batch, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (Trainer self = Trainer.retained(trainer);
                          org.ctorch.Module model = org.ctorch.Module.retained(module)) {
                        Callbacks.put(
                            out,
                            Callbacks.find(payload, Callbacks.TrainerStep.class).apply(self, model, taken(batch)));
                      }
                    }));
  }

  static final class TrainerMetric {
    static final long ADDRESS =
        Bridge.stub(
            TrainerMetricCallback.class,
            (out, output, batch, error, payload) ->
                Callbacks.guard(
                    error,
                    () ->
                        putDouble(
                            out,
                            Callbacks.find(payload, Callbacks.TrainerMetric.class)
                                .apply(taken(output), taken(batch)))));
  }

  static final class TrainerEvent {
    static final long ADDRESS =
        Bridge.stub(
            TrainerEventCallback.class,
            (trainer, event, error, payload) ->
                Callbacks.guard(
                    error,
                    () -> {
                      try (Trainer self = Trainer.retained(trainer)) {
                        Callbacks.find(payload, Callbacks.TrainerEvent.class)
                            .apply(self, org.ctorch.TrainerEvent.of(event));
                      }
                    }));
  }

  static final class Logger {
    static final long ADDRESS =
        Bridge.stub(
            LoggerCallback.class,
            (names, namesLength, values, valuesLength, step, wallTime, error, payload) ->
                Callbacks.guard(
                    error,
                    () ->
                        Callbacks.find(payload, Callbacks.Logger.class)
                            .apply(texts(names, namesLength), doubles(values, valuesLength), step, wallTime)));
  }

  private static String[] texts(long address, long length) {
    long[] addresses = Bridge.getLongs(address, Math.toIntExact(length));
    String[] texts = new String[addresses.length];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = Bridge.getText(addresses[i]);
    }
    return texts;
  }

  private static double[] doubles(long address, long length) {
    long[] bits = Bridge.getLongs(address, Math.toIntExact(length));
    double[] doubles = new double[bits.length];
    for (int i = 0; i < doubles.length; i++) {
      doubles[i] = Double.longBitsToDouble(bits[i]);
    }
    return doubles;
  }

  /** Hands over whatever Values takes. */
  private static void put(long out, Object object) {
    try (Value value = Values.of(object)) {
      Callbacks.put(out, value);
    }
  }

  /** What C lends, in Java. */
  private static Object taken(long value) {
    return org.ctorch.Optimizer.taken(Value.retained(value));
  }

  private static void begin(long out, Iterator<?> values) {
    if (values == null) {
      throw new IllegalStateException("the function gave no iterator");
    }
    try (ValueIterator iterator = ValueIterator.of(values)) {
      Callbacks.put(out, iterator);
    }
  }

  static final class NodePrehook {
    static final long ADDRESS =
        Bridge.stub(
            NodePrehookCallback.class,
            (out, grads, count, error, payload) ->
                Callbacks.guard(
                    error,
                    () ->
                        Callbacks.put(
                            out,
                            Callbacks.find(payload, Callbacks.NodePrehook.class)
                                .apply(Tensor.retained(grads, Math.toIntExact(count))))));
  }

  static final class NodeHook {
    static final long ADDRESS =
        Bridge.stub(
            NodeHookCallback.class,
            (out, inputs, inputCount, outputs, outputCount, error, payload) ->
                Callbacks.guard(
                    error,
                    () ->
                        Callbacks.put(
                            out,
                            Callbacks.find(payload, Callbacks.NodeHook.class)
                                .apply(
                                    Tensor.retained(inputs, Math.toIntExact(inputCount)),
                                    Tensor.retained(outputs, Math.toIntExact(outputCount))))));
  }

  /** What is given values, and answers as many as are asked for. */
  private interface OfValues {
    Value[] apply(Value[] arguments) throws Exception;
  }

  private static void answer(
      String what, OfValues function, long results, long resultCount, long arguments, long argumentCount)
      throws Exception {
    Value[] given = new Value[Math.toIntExact(argumentCount)];
    for (int i = 0; i < given.length; i++) {
      given[i] = Value.retained(Bridge.getLong(arguments + 8L * i));
    }
    Value[] made = function.apply(given);
    int count = made == null ? 0 : made.length;
    if (count != resultCount) {
      throw new IllegalStateException(
          "expected " + resultCount + " results, the " + what + " made " + count);
    }
    for (int i = 0; i < count; i++) {
      Callbacks.put(results + 8L * i, made[i]);
    }
  }

  static final class Kernel {
    static final long ADDRESS =
        Bridge.stub(
            KernelCallback.class,
            (results, resultCount, arguments, argumentCount, error, payload) ->
                Callbacks.guard(
                    error,
                    () ->
                        answer(
                            "kernel",
                            Callbacks.find(payload, Callbacks.Kernel.class)::apply,
                            results,
                            resultCount,
                            arguments,
                            argumentCount)));
  }

  static final class JitTrace {
    static final long ADDRESS =
        Bridge.stub(
            JitTraceCallback.class,
            (results, resultCount, arguments, argumentCount, error, payload) ->
                Callbacks.guard(
                    error,
                    () ->
                        answer(
                            "function",
                            Callbacks.find(payload, Callbacks.JitTrace.class)::apply,
                            results,
                            resultCount,
                            arguments,
                            argumentCount)));
  }

  static final class Interrupt {
    static final long ADDRESS =
        Bridge.stub(
            InterruptCallback.class,
            (error, payload) ->
                Callbacks.guard(error, () -> Callbacks.find(payload, Callbacks.Interrupt.class).apply()));
  }

  static final class MemoryPressure {
    static final long ADDRESS =
        Bridge.stub(
            MemoryPressureCallback.class,
            (reason, held, requested, error, payload) ->
                Callbacks.guard(
                    error,
                    () ->
                        Callbacks.find(payload, Callbacks.MemoryPressure.class)
                            .apply(MemoryPressureReason.of(reason), held, requested)));
  }

  static final class SavedTensorsPack {
    static final long ADDRESS =
        Bridge.stub(
            SavedTensorsPackCallback.class,
            (out, tensor, error, payload) ->
                Callbacks.guard(
                    error,
                    () ->
                        Bridge.putLong(
                            out,
                            Registry.add(
                                new Packed(
                                    Callbacks.find(payload, Callbacks.SavedTensorsPack.class)
                                        .apply(Tensor.retained(tensor)))))));
  }

  static final class SavedTensorsUnpack {
    static final long ADDRESS =
        Bridge.stub(
            SavedTensorsUnpackCallback.class,
            (out, packed, error, payload) ->
                Callbacks.guard(
                    error,
                    () ->
                        Callbacks.put(
                            out,
                            Callbacks.find(payload, Callbacks.SavedTensorsUnpack.class)
                                .apply(((Packed) Registry.get(packed)).object()))));
  }

  static final class SavedTensorsDestroy {
    static final long ADDRESS =
        Bridge.stub(SavedTensorsDestroyCallback.class, (packed, payload) -> Registry.remove(packed));
  }

  static final class Warning {
    static final long ADDRESS =
        Bridge.stub(
            WarningCallback.class,
            (kind, message, file, function, line, error, payload) ->
                Callbacks.guard(
                    error,
                    () ->
                        Callbacks.find(payload, Callbacks.Warning.class)
                            .apply(
                                WarningKind.of(kind),
                                Bridge.getText(message),
                                Bridge.getText(file),
                                Bridge.getText(function),
                                line)));
  }

  /** What a user's pack function made, null too. */
  private record Packed(Object object) {}
}
