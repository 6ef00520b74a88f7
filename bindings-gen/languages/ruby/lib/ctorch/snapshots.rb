module Ctorch
  # Snapshots: everything that a training run needs to go on after it was interrupted, saved again and again.
  #
  #   snapshots = Ctorch::Snapshots.new("run", every: 1000, keep_last: 3)
  #   snapshots.add("model", model)
  #   snapshots.add("optimizer", optimizer)
  #   epoch, step = snapshots.resume || [0, 0]
  #   while step < steps
  #     …
  #     snapshots.step(epoch, step += 1) # saves after every 1,000 steps
  #   end
  #
  # A snapshot is a file of the folder, which `torch.load` reads. It is complete or not there.
  class Snapshots
    extend OneObject

    public_class_method :new

    KINDS = { Module => "module", Optimizer => "optimizer", LrScheduler => "lr_scheduler",
              GradScaler => "grad_scaler", Generator => "generator" }.freeze

    class << self
      def class_for(_)
        Snapshots
      end

      # Procs for C, which holds them: made here, lest they hold the snapshots.
      def procs(save, load)
        { save: -> { Value.of(save.call) }, load: ->(state) { load.call(OneObject.ruby(state)) } }
      end

      # The procs of an object that has a state.
      def state_of(part)
        if part.respond_to?(:state_dict) && part.respond_to?(:load_state_dict)
          [-> { part.state_dict }, ->(state) { part.load_state_dict(state) }]
        elsif part.is_a?(Hash) || part.is_a?(Array)
          [-> { part }, ->(state) { part.replace(state) }]
        else
          raise ::TypeError, "expected what has a state, got #{part.class}"
        end
      end
    end

    # A folder of snapshots. `step` saves after `every` so many steps, 0 for never. Of the snapshots the newest
    # `keep_last` are kept, -1 for all, and the `keep_best` by their metric, of which with `maximize` a larger one is
    # better. With `async` they are written on another thread: saving takes as long as copying then.
    def initialize(folder, every: 0, keep_last: -1, keep_best: 0, maximize: false, async: false)
      Snapshots.adopt(self) { Ctorch.snapshots_open(Streams.path(folder)) }
      @parts = [] # as long as C has what these objects stand for, they are needed
      Ctorch.snapshots_set_every(self, every)
      Ctorch.snapshots_set_keep(self, keep_last, keep_best, maximize: maximize)
      Ctorch.snapshots_set_async(self, enabled: async)
    rescue ::StandardError
      close if @owned
      raise
    end

    # Save a module, optimizer, scheduler, scaler or generator, an object with `state_dict` and `load_state_dict`, or a
    # Hash or Array, whose content is replaced when a run goes on.
    def add(name, part)
      _, kind = KINDS.find { |type, _| part.is_a?(type) }
      if kind
        Ctorch.public_send("snapshots_add_#{kind}", self, name, part)
      else
        add_callbacks(name, *Snapshots.state_of(part))
      end
      @parts << part
      self
    end

    # Save what `save.call` answers; resuming calls `load` with it.
    def add_callbacks(name, save, load)
      Ctorch.snapshots_add_callback(self, name, **Snapshots.procs(save, load))
      self
    end

    # Say that a step is over, and so many are done: whether a snapshot was taken.
    def step(epoch, step, metric: nil)
      Ctorch.snapshots_step(self, epoch, step, metric: metric)
    end

    # Save now. A snapshot of the same step is replaced.
    def save(epoch, step, metric: nil)
      Ctorch.snapshots_save(self, epoch, step, metric: metric)
    end

    # Wait until what is being written is written.
    def wait
      Ctorch.snapshots_wait(self)
    end

    # Go on where a snapshot was taken, the "last", the "best", or that of a path: its epoch and step; nil if there is
    # none.
    def resume(which = "last")
      found, epoch, step = Ctorch.snapshots_resume(self, which: Streams.path(which).to_s)
      found ? [epoch, step] : nil
    end

    # How many there are.
    def size
      pointer # of a closed one, an error
      Ctorch.snapshots_len(self)
    end

    # Of each snapshot, from the oldest on: the step, the path, and the metric, which is NaN for one that has none.
    { steps: "step_of", paths: "path", metrics: "metric" }.each do |name, word|
      define_method(name) { Array.new(size) { |i| public_send(word, i) } }
    end
  end
end
