! The trainer: the usual loop over batches.
!
!     type(ctorch_trainer) :: trainer
!     trainer = ctorch_new_trainer(net, optimizer)
!     call trainer%set_loss(loss)
!     call trainer%set_length(epochs=10)
!     call trainer%add_metric('accuracy')
!     call trainer%set_validation(validation)
!     call trainer%fit(loader)
!     print *, trainer%metric(10, 'val_accuracy')
!
! A batch has inputs and, at its end, the target; a procedure of `set_step` takes batches of any form. What it knows of a
! run are metrics by name: 'loss', those of add_metric, and of validation the same with 'val_' before it. Epochs are counted
! from 1 on. A trainer is a handle as any other is: a scope releases it, or ctorch_trainer_release(trainer%handle).
module ctorch_trainers
  use ctorch
  use ctorch_data
  use ctorch_dicts
  use ctorch_errors
  use ctorch_modules
  use ctorch_optimizers
  use ctorch_runs
  implicit none
  private
  public :: ctorch_trainer, ctorch_new_trainer, ctorch_batch_loss, ctorch_batch_metric, ctorch_event

  type :: ctorch_trainer
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: set_loss
    procedure :: set_step
    procedure :: add_metric
    procedure :: set_length
    procedure :: set_accumulation
    procedure :: set_clipping
    procedure :: set_scheduler
    procedure :: set_validation
    procedure :: set_early_stopping
    procedure :: set_snapshots
    procedure :: set_progress
    procedure :: set_tape
    procedure :: set_interruptible
    procedure :: on
    procedure :: fit
    procedure :: evaluate
    procedure :: stop => trainer_stop
    procedure :: epoch => trainer_epoch
    procedure :: step => trainer_step
    procedure :: stopped => trainer_stopped
    procedure :: loss => trainer_loss
    procedure :: metric => trainer_metric
  end type ctorch_trainer

  abstract interface
    ! Compute the loss of a batch: `loss` is a handle that its caller owns. If it fails, `error` is what a function
    ! answered.
    subroutine ctorch_batch_loss(trainer, net, batch, loss, error)
      import :: ctorch_trainer, ctorch_net, ctorch_sample, c_ptr
      type(ctorch_trainer), intent(in) :: trainer
      type(ctorch_net), intent(in) :: net
      type(ctorch_sample), intent(in) :: batch
      type(c_ptr), intent(inout) :: loss, error
    end subroutine ctorch_batch_loss

    ! Compute the mean over the samples of a batch of what the model gave for it, `output`. If it fails, `error` is what a
    ! function answered.
    subroutine ctorch_batch_metric(output, batch, metric, error)
      import :: ctorch_sample, c_double, c_ptr
      type(ctorch_sample), intent(in) :: output, batch
      real(c_double), intent(inout) :: metric
      type(c_ptr), intent(inout) :: error
    end subroutine ctorch_batch_metric

    ! Do something at a point of the loop, one of CTORCH_TRAINER_EVENT_…. If it fails, `error` is what a function answered.
    subroutine ctorch_event(trainer, event, error)
      import :: ctorch_trainer, c_int32_t, c_ptr
      type(ctorch_trainer), intent(in) :: trainer
      integer(c_int32_t), intent(in) :: event
      type(c_ptr), intent(inout) :: error
    end subroutine ctorch_event
  end interface

  ! What C keeps of such procedures.
  type :: payload
    procedure(ctorch_batch_loss), pointer, nopass :: step => null()
    procedure(ctorch_batch_metric), pointer, nopass :: metric => null()
    procedure(ctorch_event), pointer, nopass :: event => null()
  end type payload

contains

  function ctorch_new_trainer(net, optimizer) result(trainer)
    type(ctorch_net), intent(in) :: net
    type(ctorch_optim), intent(in) :: optimizer
    type(ctorch_trainer) :: trainer
    call ctorch_check(ctorch_trainer_new(trainer%handle, net%handle, optimizer%handle))
  end function ctorch_new_trainer

  ! Compute the loss by a module, such as ctorch_nn_CrossEntropyLoss gives.
  subroutine set_loss(self, loss)
    class(ctorch_trainer), intent(in) :: self
    type(c_ptr), intent(in) :: loss
    call ctorch_check(ctorch_trainer_set_loss(self%handle, loss))
  end subroutine set_loss

  ! Compute the loss by a procedure, in training and in validation.
  subroutine set_step(self, step)
    class(ctorch_trainer), intent(in) :: self
    procedure(ctorch_batch_loss) :: step
    type(payload), pointer :: kept

    allocate (kept)
    kept%step => step
    call ctorch_check(ctorch_trainer_set_step(self%handle, c_funloc(call_step), c_funloc(destroy), c_loc(kept)))
  end subroutine set_step

  function call_step(out, trainer, module, batch, error, kept) bind(c, name='') result(status)
    type(c_ptr), intent(inout) :: out, error
    type(c_ptr), value :: trainer, module, batch, kept
    integer(c_int32_t) :: status
    type(payload), pointer :: own

    call c_f_pointer(kept, own)
    call own%step(ctorch_trainer(trainer), ctorch_net_of(module), ctorch_sample(batch), out, error)
    status = merge(0, CTORCH_CALLBACK_OK, c_associated(error))
  end function call_step

  subroutine destroy(kept) bind(c, name='')
    type(c_ptr), value :: kept
    type(payload), pointer :: own
    call c_f_pointer(kept, own)
    deallocate (own)
  end subroutine destroy

  ! Compute a metric of each batch by a procedure; without one, the share of targets that are the index of the greatest
  ! output.
  subroutine add_metric(self, name, metric, stat, errmsg)
    class(ctorch_trainer), intent(in) :: self
    character(*), intent(in) :: name
    procedure(ctorch_batch_metric), optional :: metric
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(payload), pointer :: kept
    type(c_ptr) :: error

    if (present(metric)) then
      allocate (kept)
      kept%metric => metric
      error = ctorch_trainer_add_metric( &
        self%handle, name//c_null_char, c_funloc(call_metric), c_funloc(destroy), c_loc(kept))
      if (c_associated(error)) deallocate (kept)
    else
      error = ctorch_trainer_add_metric(self%handle, name//c_null_char, c_null_funptr, c_null_funptr, c_null_ptr)
    end if
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine add_metric

  function call_metric(out, output, batch, error, kept) bind(c, name='') result(status)
    real(c_double), intent(inout) :: out
    type(c_ptr), value :: output, batch, kept
    type(c_ptr), intent(inout) :: error
    integer(c_int32_t) :: status
    type(payload), pointer :: own

    call c_f_pointer(kept, own)
    call own%metric(ctorch_sample(output), ctorch_sample(batch), out, error)
    status = merge(0, CTORCH_CALLBACK_OK, c_associated(error))
  end function call_metric

  ! How many epochs, and steps of the optimizer: whatever comes first, 0 for no limit.
  subroutine set_length(self, epochs, steps, stat, errmsg)
    class(ctorch_trainer), intent(in) :: self
    integer, intent(in), optional :: epochs, steps
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_trainer_set_length(self%handle, whole(epochs), whole(steps)), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine set_length

  pure function whole(given) result(value)
    integer, intent(in), optional :: given
    integer(c_int64_t) :: value
    value = 0
    if (present(given)) value = given
  end function whole

  pure function number(given, otherwise) result(value)
    real(c_double), intent(in), optional :: given
    real(c_double), intent(in) :: otherwise
    real(c_double) :: value
    value = otherwise
    if (present(given)) value = given
  end function number

  pure function flag(given) result(value)
    logical, intent(in), optional :: given
    logical(c_bool) :: value
    value = .false.
    if (present(given)) value = given
  end function flag

  ! Step after several batches.
  subroutine set_accumulation(self, batches)
    class(ctorch_trainer), intent(in) :: self
    integer, intent(in) :: batches
    call ctorch_check(ctorch_trainer_set_accumulation(self%handle, int(batches, c_int64_t)))
  end subroutine set_accumulation

  ! Clip gradients before each step, by their norm and then by value.
  subroutine set_clipping(self, max_norm, norm_type, clip_value)
    class(ctorch_trainer), intent(in) :: self
    real(c_double), intent(in), optional :: max_norm, norm_type, clip_value
    call ctorch_check(ctorch_trainer_set_clipping( &
      self%handle, number(max_norm, 0d0), number(norm_type, 2d0), number(clip_value, 0d0)))
  end subroutine set_clipping

  ! Step a scheduler after each epoch, or each step; ReduceLROnPlateau is told the metric.
  subroutine set_scheduler(self, scheduler, each_step, metric)
    class(ctorch_trainer), intent(in) :: self
    type(ctorch_scheduler), intent(in) :: scheduler
    logical, intent(in), optional :: each_step
    character(*), intent(in), optional :: metric
    if (present(metric)) then
      call ctorch_check( &
        ctorch_trainer_set_lr_scheduler(self%handle, scheduler%handle, flag(each_step), metric//c_null_char))
    else
      call ctorch_check(ctorch_trainer_set_lr_scheduler(self%handle, scheduler%handle, flag(each_step)))
    end if
  end subroutine set_scheduler

  ! Validate with another loader after each epoch, and after so many steps.
  subroutine set_validation(self, loader, every_steps)
    class(ctorch_trainer), intent(in) :: self
    type(ctorch_loader), intent(in) :: loader
    integer, intent(in), optional :: every_steps
    call ctorch_check(ctorch_trainer_set_validation(self%handle, loader%handle, whole(every_steps)))
  end subroutine set_validation

  ! Stop when a metric has not become better for so many epochs.
  subroutine set_early_stopping(self, metric, maximize, patience, min_delta)
    class(ctorch_trainer), intent(in) :: self
    character(*), intent(in) :: metric
    logical, intent(in), optional :: maximize
    integer, intent(in), optional :: patience
    real(c_double), intent(in), optional :: min_delta
    call ctorch_check(ctorch_trainer_set_early_stopping( &
      self%handle, metric//c_null_char, flag(maximize), whole(patience), number(min_delta, 0d0)))
  end subroutine set_early_stopping

  ! Save snapshots after each epoch, and after so many steps, and go on from the last one.
  subroutine set_snapshots(self, snapshots, every_steps, metric)
    class(ctorch_trainer), intent(in) :: self
    type(ctorch_snapshots), intent(in) :: snapshots
    integer, intent(in), optional :: every_steps
    character(*), intent(in), optional :: metric
    if (present(metric)) then
      call ctorch_check( &
        ctorch_trainer_set_snapshots(self%handle, snapshots%handle, whole(every_steps), metric//c_null_char))
    else
      call ctorch_check(ctorch_trainer_set_snapshots(self%handle, snapshots%handle, whole(every_steps)))
    end if
  end subroutine set_snapshots

  ! Show on the standard error stream how far it is: one of CTORCH_TRAINER_PROGRESS_….
  subroutine set_progress(self, progress)
    class(ctorch_trainer), intent(in) :: self
    integer(c_int32_t), intent(in) :: progress
    call ctorch_check(ctorch_trainer_set_progress(self%handle, progress))
  end subroutine set_progress

  ! Capture steps and replay them, one tape for each form of a batch, `most` of them; 0 for none.
  subroutine set_tape(self, most, fast)
    class(ctorch_trainer), intent(in) :: self
    integer, intent(in) :: most
    logical, intent(in), optional :: fast
    logical(c_bool) :: is_fast

    is_fast = .false._c_bool
    if (present(fast)) is_fast = logical(fast, c_bool)
    call ctorch_check(ctorch_trainer_set_tape(self%handle, int(most, c_int64_t), is_fast))
  end subroutine set_tape

  ! Let Ctrl-C stop it as `stop` does, while fit runs.
  subroutine set_interruptible(self, interruptible)
    class(ctorch_trainer), intent(in) :: self
    logical, intent(in) :: interruptible
    call ctorch_check(ctorch_trainer_set_interruptible(self%handle, logical(interruptible, c_bool)))
  end subroutine set_interruptible

  ! Call a procedure at a point of the loop, one of CTORCH_TRAINER_EVENT_….
  subroutine on(self, event, call)
    class(ctorch_trainer), intent(in) :: self
    integer(c_int32_t), intent(in) :: event
    procedure(ctorch_event) :: call
    type(payload), pointer :: kept

    allocate (kept)
    kept%event => call
    call ctorch_check(ctorch_trainer_add_callback( &
      self%handle, event, c_funloc(call_event), c_funloc(destroy), c_loc(kept)))
  end subroutine on

  function call_event(trainer, event, error, kept) bind(c, name='') result(status)
    type(c_ptr), value :: trainer, kept
    integer(c_int32_t), value :: event
    type(c_ptr), intent(inout) :: error
    integer(c_int32_t) :: status
    type(payload), pointer :: own

    call c_f_pointer(kept, own)
    call own%event(ctorch_trainer(trainer), event, error)
    status = merge(0, CTORCH_CALLBACK_OK, c_associated(error))
  end function call_event

  ! Train until the length is reached, it is stopped, or something fails. Called again, it goes on where it was.
  subroutine fit(self, loader, stat, errmsg)
    class(ctorch_trainer), intent(in) :: self
    type(ctorch_loader), intent(in) :: loader
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_trainer_fit(self%handle, loader%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine fit

  ! The mean loss and the metrics over a loader, by their names.
  function evaluate(self, loader, stat, errmsg) result(metrics)
    class(ctorch_trainer), intent(in) :: self
    type(ctorch_loader), intent(in) :: loader
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_dict) :: metrics
    call ctorch_check(ctorch_trainer_evaluate(metrics%handle, self%handle, loader%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function evaluate

  ! Let it stop after the step that it is at, with a snapshot if it has any.
  subroutine trainer_stop(self)
    class(ctorch_trainer), intent(in) :: self
    call ctorch_trainer_stop(self%handle)
  end subroutine trainer_stop

  ! How many epochs are over.
  function trainer_epoch(self) result(epoch)
    class(ctorch_trainer), intent(in) :: self
    integer :: epoch
    epoch = int(ctorch_trainer_epoch(self%handle))
  end function trainer_epoch

  ! How many steps there were.
  function trainer_step(self) result(step)
    class(ctorch_trainer), intent(in) :: self
    integer(c_int64_t) :: step
    step = ctorch_trainer_step(self%handle)
  end function trainer_step

  ! Whether it ended because it was stopped.
  function trainer_stopped(self) result(stopped)
    class(ctorch_trainer), intent(in) :: self
    logical :: stopped
    stopped = ctorch_trainer_stopped(self%handle)
  end function trainer_stopped

  ! The loss of the last batch.
  function trainer_loss(self, stat, errmsg) result(loss)
    class(ctorch_trainer), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    real(c_double) :: loss
    loss = 0
    call ctorch_check(ctorch_trainer_loss(loss, self%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function trainer_loss

  ! A metric of an epoch that is over.
  function trainer_metric(self, epoch, name) result(metric)
    class(ctorch_trainer), intent(in) :: self
    integer, intent(in) :: epoch
    character(*), intent(in) :: name
    real(c_double) :: metric
    type(c_ptr) :: history, entry
    type(ctorch_dict) :: metrics

    call ctorch_check(ctorch_trainer_history(history, self%handle))
    call ctorch_check(ctorch_value_get(entry, history, int(epoch - 1, c_size_t)))
    metrics = ctorch_dict_of(entry)
    metric = metrics%number(name)
    call ctorch_value_release(entry)
    call ctorch_value_release(history)
  end function trainer_metric
end module ctorch_trainers
