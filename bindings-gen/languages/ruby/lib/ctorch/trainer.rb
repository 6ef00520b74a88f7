module Ctorch
  # The usual loop over batches.
  #
  #   trainer = Ctorch::Trainer.new(model, optimizer)
  #                            .set_loss(Ctorch::NN.CrossEntropyLoss)
  #                            .set_length(epochs: 10)
  #                            .add_metric("accuracy")
  #                            .set_validation(validation)
  #                            .set_snapshots(Ctorch::Snapshots.new("run", keep_last: 2))
  #                            .on(:epoch_end) { |trainer| p trainer.history.last }
  #   trainer.fit(loader)
  #
  # A batch is an Array of inputs and, at its end, the target; `set_step` takes batches of any form. What it knows of a run
  # are metrics by name: "loss", those of add_metric, and of validation the same with "val_" before it.
  #
  # A block that needs the trainer takes it as its argument. Blocks hold every variable around them: one that is made where
  # the trainer is a local variable keeps it until it is closed, by itself or by a scope.
  class Trainer
    extend OneObject

    public_class_method :new

    class << self
      def class_for(_)
        Trainer
      end

      # Procs for C, which holds them: made here, lest they hold the trainer.
      def step_of(function)
        ->(trainer, model, batch) { function.call(trainer, model, OneObject.ruby(batch)) }
      end

      def metric_of(function)
        ->(output, batch) { function.call(OneObject.ruby(output), OneObject.ruby(batch)) }
      end
    end

    def initialize(model, optimizer)
      Trainer.adopt(self) { Ctorch.trainer_new(model, optimizer) }
      @parts = { model: model, optimizer: optimizer } # as long as C has what these stand for, they are needed
    end

    # What it does. Each answers the trainer.

    # Compute the loss by a module: `loss.(model.(*inputs), target)`.
    def set_loss(loss)
      Ctorch.trainer_set_loss(self, loss)
      keep(loss: loss)
    end

    # Compute the loss of a batch by a block of (trainer, model, batch), also in validation; without one by a module again.
    def set_step(step = nil, &block)
      step ||= block
      Ctorch.trainer_set_step(self, step: step && Trainer.step_of(Source.check(step, "set_step")))
      self
    end

    # Compute a metric of each batch by a block of (output, batch), which answers the mean over its samples; without it the
    # share of targets that are the index of the greatest output.
    def add_metric(name, metric = nil, &block)
      metric ||= block
      Ctorch.trainer_add_metric(self, name.to_s, metric: metric && Trainer.metric_of(Source.check(metric, "add_metric")))
      self
    end

    # Log what it knows after each epoch, and the loss after so many steps; 0 for epochs alone.
    def add_logger(logger, every_steps: 0)
      Ctorch.trainer_add_logger(self, logger, every_steps)
      self
    end

    # How many epochs, and steps of the optimizer: whatever comes first, 0 for no limit.
    def set_length(epochs: 0, steps: 0)
      Ctorch.trainer_set_length(self, epochs, steps)
      self
    end

    # Step after several batches.
    def set_accumulation(batches)
      Ctorch.trainer_set_accumulation(self, batches)
      self
    end

    # Compute losses under autocast.
    def set_autocast(device_type, enabled: true, dtype: nil)
      Ctorch.trainer_set_autocast(self, device_type, enabled: enabled, dtype: dtype)
      self
    end

    # Scale losses, and step through a GradScaler; nil for none.
    def set_grad_scaler(grad_scaler)
      Ctorch.trainer_set_grad_scaler(self, scaler: grad_scaler)
      keep(grad_scaler: grad_scaler)
    end

    # Clip gradients before each step, by their norm and then by value; 0 for no clipping.
    def set_clipping(max_norm: 0, norm_type: 2, clip_value: 0)
      Ctorch.trainer_set_clipping(self, max_norm, norm_type, clip_value)
      self
    end

    # Step a scheduler after each epoch, or each step; ReduceLROnPlateau is told the metric.
    def set_lr_scheduler(lr_scheduler, each_step: false, metric: nil)
      Ctorch.trainer_set_lr_scheduler(self, scheduler: lr_scheduler, each_step: each_step, metric: metric)
      keep(lr_scheduler: lr_scheduler)
    end

    # Validate with another loader after each epoch, and after so many steps; nil for no validation.
    def set_validation(loader, every_steps: 0)
      Ctorch.trainer_set_validation(self, every_steps, loader: loader)
      keep(validation: loader)
    end

    # Stop when a metric has not become better for `patience` epochs; nil for no early stopping.
    def set_early_stopping(metric, maximize: false, patience: 0, min_delta: 0)
      Ctorch.trainer_set_early_stopping(self, patience, min_delta, metric: metric, maximize: maximize)
      self
    end

    # Save Snapshots after each epoch, and after so many steps, and go on from the last one; nil for none.
    def set_snapshots(snapshots, every_steps: 0, metric: nil)
      Ctorch.trainer_set_snapshots(self, every_steps, snapshots: snapshots, metric: metric)
      keep(snapshots: snapshots)
    end

    # Show on the standard error stream how far it is: :none, :lines, :live, :auto.
    def set_progress(progress)
      Ctorch.trainer_set_progress(self, progress)
      self
    end

    # Capture steps and replay them, one tape for each form of a batch, `most` of them; 0 for none.
    def set_tape(most = 4, fast: false)
      Ctorch.trainer_set_tape(self, most, fast: fast)
      self
    end

    # Let Ctrl-C stop it as `stop` does, while fit runs.
    def set_interruptible(interruptible = true)
      Ctorch.trainer_set_interruptible(self, interruptible: interruptible)
      self
    end

    # Call a block of (trainer, event) at a point of the loop: :begin, :epoch_begin, :batch_end, :gradients, :step,
    # :validation, :epoch_end, :snapshot, :end.
    def on(event, function = nil, &block)
      call = Source.silent(Source.check(function || block, "on"))
      Ctorch.trainer_add_callback(self, event, callback: call)
      self
    end

    # Training

    # Train until the length is reached, it is stopped, or something fails. Called again, it goes on where it was.
    def fit(loader)
      Ctorch.trainer_fit(self, loader)
      self
    end

    # The mean loss and the metrics over a loader, by their names.
    def evaluate(loader)
      OneObject.ruby(Ctorch.trainer_evaluate(self, loader)).transform_keys(&:to_sym)
    end

    # Let it stop after the step that it is at, with a snapshot if it has any.
    def stop
      Ctorch.trainer_stop(self)
    end

    # What it knows

    # Number of epochs that are over.
    def epoch
      Ctorch.trainer_epoch(self)
    end

    # Number of steps so far.
    def step
      Ctorch.trainer_step(self)
    end

    # Whether it ended because it was stopped.
    def stopped?
      Ctorch.trainer_stopped(self)
    end

    # The loss of the last batch.
    def loss
      Ctorch.trainer_loss(self)
    end

    # The metrics of each epoch that is over: Hashes with :epoch, :step, :loss and so on.
    def history
      OneObject.ruby(Ctorch.trainer_history(self)).map { |metrics| metrics.transform_keys(&:to_sym) }
    end

    private

    def keep(parts)
      @parts.merge!(parts)
      self
    end
  end
end
