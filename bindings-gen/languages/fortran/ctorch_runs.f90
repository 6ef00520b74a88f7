! Snapshots of a training run, so that it goes on where it was after it was interrupted.
!
!     type(ctorch_snapshots) :: snapshots
!     snapshots = ctorch_open_snapshots('run')
!     call snapshots%add('model', net)
!     call snapshots%add('optimizer', optimizer)
!     call snapshots%set_keep(last=3, best=1)
!     call snapshots%resume(epoch, step)
!     …
!     call snapshots%save(epoch, step, metric=loss)
!
! State of one's own is a ctorch_dict, which is filled again, or what two procedures save and load. A ctorch_snapshots is a
! handle as any other is: a scope releases it, or ctorch_snapshots_release(snapshots%handle).
module ctorch_runs
  use ctorch
  use ctorch_dicts
  use ctorch_errors
  use ctorch_modules
  use ctorch_optimizers
  use ctorch_scaling
  implicit none
  private
  public :: ctorch_snapshots, ctorch_open_snapshots, ctorch_state

  type :: ctorch_snapshots
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure, private :: add_net
    procedure, private :: add_optimizer
    procedure, private :: add_scheduler
    procedure, private :: add_scaler
    procedure, private :: add_dict
    procedure, private :: add_procedures
    ! What is saved, under a name of its own.
    generic :: add => add_net, add_optimizer, add_scheduler, add_scaler, add_dict, add_procedures
    procedure :: set_every
    procedure :: set_keep
    procedure :: set_async
    procedure :: step => snapshots_step
    procedure :: save => snapshots_save
    procedure :: wait => snapshots_wait
    procedure :: resume => snapshots_resume
    procedure :: count => snapshots_count
    procedure :: step_of
    procedure :: metric => snapshots_metric
    procedure :: path => snapshots_path
  end type ctorch_snapshots

  abstract interface
    ! Put what is to be saved into an empty dict, or take over what was. If it fails, `error` is what a function answered.
    subroutine ctorch_state(state, error)
      import :: ctorch_dict, c_ptr
      type(ctorch_dict), intent(in) :: state
      type(c_ptr), intent(inout) :: error
    end subroutine ctorch_state
  end interface

  ! What C keeps of such procedures.
  type :: state_payload
    procedure(ctorch_state), pointer, nopass :: save => null()
    procedure(ctorch_state), pointer, nopass :: load => null()
  end type state_payload

contains

  ! Use a folder, which is made if it is not there.
  function ctorch_open_snapshots(folder, stat, errmsg) result(snapshots)
    character(*), intent(in) :: folder
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_snapshots) :: snapshots
    call ctorch_check(ctorch_snapshots_open(snapshots%handle, folder//c_null_char), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_open_snapshots

  subroutine add_net(self, name, net, stat, errmsg)
    class(ctorch_snapshots), intent(in) :: self
    character(*), intent(in) :: name
    type(ctorch_net), intent(in) :: net
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_snapshots_add_module(self%handle, name//c_null_char, net%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine add_net

  subroutine add_optimizer(self, name, optimizer, stat, errmsg)
    class(ctorch_snapshots), intent(in) :: self
    character(*), intent(in) :: name
    type(ctorch_optim), intent(in) :: optimizer
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_snapshots_add_optimizer(self%handle, name//c_null_char, optimizer%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine add_optimizer

  subroutine add_scheduler(self, name, scheduler, stat, errmsg)
    class(ctorch_snapshots), intent(in) :: self
    character(*), intent(in) :: name
    type(ctorch_scheduler), intent(in) :: scheduler
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check( &
      ctorch_snapshots_add_lr_scheduler(self%handle, name//c_null_char, scheduler%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine add_scheduler

  subroutine add_scaler(self, name, scaler, stat, errmsg)
    class(ctorch_snapshots), intent(in) :: self
    character(*), intent(in) :: name
    type(ctorch_scaler), intent(in) :: scaler
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_snapshots_add_grad_scaler(self%handle, name//c_null_char, scaler%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine add_scaler

  subroutine add_dict(self, name, dict, stat, errmsg)
    class(ctorch_snapshots), intent(in) :: self
    character(*), intent(in) :: name
    type(ctorch_dict), intent(in) :: dict
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_snapshots_add_value(self%handle, name//c_null_char, dict%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine add_dict

  subroutine add_procedures(self, name, save, load, stat, errmsg)
    class(ctorch_snapshots), intent(in) :: self
    character(*), intent(in) :: name
    procedure(ctorch_state) :: save, load
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(state_payload), pointer :: kept
    type(c_ptr) :: error

    allocate (kept)
    kept%save => save
    kept%load => load
    error = ctorch_snapshots_add_callback(self%handle, name//c_null_char, c_funloc(call_save), c_funloc(call_load), &
      c_funloc(destroy), c_loc(kept))
    if (c_associated(error)) deallocate (kept)
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine add_procedures

  function call_save(out, error, kept) bind(c, name='') result(status)
    type(c_ptr), intent(inout) :: out, error
    type(c_ptr), value :: kept
    integer(c_int32_t) :: status
    type(state_payload), pointer :: own
    type(ctorch_dict) :: state

    call c_f_pointer(kept, own)
    error = ctorch_value_from_dict(state%handle, keys_len=0_c_size_t, values_len=0_c_size_t)
    if (.not. c_associated(error)) then
      call own%save(state, error)
      if (c_associated(error)) then
        call ctorch_value_release(state%handle)
      else
        out = state%handle
      end if
    end if
    status = merge(0, CTORCH_CALLBACK_OK, c_associated(error))
  end function call_save

  function call_load(state, error, kept) bind(c, name='') result(status)
    type(c_ptr), value :: state, kept
    type(c_ptr), intent(inout) :: error
    integer(c_int32_t) :: status
    type(state_payload), pointer :: own

    call c_f_pointer(kept, own)
    error = c_null_ptr
    call own%load(ctorch_dict_of(state), error)
    status = merge(0, CTORCH_CALLBACK_OK, c_associated(error))
  end function call_load

  subroutine destroy(kept) bind(c, name='')
    type(c_ptr), value :: kept
    type(state_payload), pointer :: own
    call c_f_pointer(kept, own)
    deallocate (own)
  end subroutine destroy

  ! When `step` saves: after every so many steps, 0 for never.
  subroutine set_every(self, steps)
    class(ctorch_snapshots), intent(in) :: self
    integer(c_int64_t), intent(in) :: steps
    call ctorch_check(ctorch_snapshots_set_every(self%handle, steps))
  end subroutine set_every

  ! How many of the newest are kept, -1 for all, and of the best by their metric.
  subroutine set_keep(self, last, best, maximize)
    class(ctorch_snapshots), intent(in) :: self
    integer, intent(in), optional :: last, best
    logical, intent(in), optional :: maximize
    integer(c_int64_t) :: numbers(2)
    logical(c_bool) :: larger
    numbers = [-1, 0]
    if (present(last)) numbers(1) = last
    if (present(best)) numbers(2) = best
    larger = .false.
    if (present(maximize)) larger = maximize
    call ctorch_check(ctorch_snapshots_set_keep(self%handle, numbers(1), numbers(2), larger))
  end subroutine set_keep

  ! Write on another thread. What two procedures save is still taken on this one.
  subroutine set_async(self, enabled, stat, errmsg)
    class(ctorch_snapshots), intent(in) :: self
    logical, intent(in) :: enabled
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_snapshots_set_async(self%handle, logical(enabled, c_bool)), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine set_async

  ! A step is over: save if it is time to.
  subroutine snapshots_step(self, epoch, step, metric, saved, stat, errmsg)
    class(ctorch_snapshots), intent(in) :: self
    integer(c_int64_t), intent(in) :: epoch, step
    real(c_double), intent(in), optional :: metric
    logical, intent(out), optional :: saved
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    logical(c_bool) :: done
    done = .false.
    call ctorch_check(ctorch_snapshots_step(done, self%handle, epoch, step, metric), stat, said)
    if (present(saved)) saved = done
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine snapshots_step

  ! Save now.
  subroutine snapshots_save(self, epoch, step, metric, stat, errmsg)
    class(ctorch_snapshots), intent(in) :: self
    integer(c_int64_t), intent(in) :: epoch, step
    real(c_double), intent(in), optional :: metric
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_snapshots_save(self%handle, epoch, step, metric), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine snapshots_save

  ! Wait until what is being written is written.
  subroutine snapshots_wait(self, stat, errmsg)
    class(ctorch_snapshots), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_snapshots_wait(self%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine snapshots_wait

  ! Go on from 'last', 'best' or the path of a snapshot. Without one, `epoch` and `step` are 0 and nothing is changed.
  subroutine snapshots_resume(self, epoch, step, which, found, stat, errmsg)
    class(ctorch_snapshots), intent(in) :: self
    integer(c_int64_t), intent(out), optional :: epoch, step
    character(*), intent(in), optional :: which
    logical, intent(out), optional :: found
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said, from
    integer(c_int64_t) :: at(2)
    logical(c_bool) :: there
    there = .false.
    at = 0
    from = 'last'
    if (present(which)) from = which
    call ctorch_check(ctorch_snapshots_resume(there, at(1), at(2), self%handle, from//c_null_char), stat, said)
    if (present(epoch)) epoch = at(1)
    if (present(step)) step = at(2)
    if (present(found)) found = there
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine snapshots_resume

  ! How many there are. They are counted from 1, the oldest.
  function snapshots_count(self) result(count)
    class(ctorch_snapshots), intent(in) :: self
    integer :: count
    count = int(ctorch_snapshots_len(self%handle))
  end function snapshots_count

  ! The step of a snapshot; -1 if there is none.
  function step_of(self, index) result(step)
    class(ctorch_snapshots), intent(in) :: self
    integer, intent(in) :: index
    integer(c_int64_t) :: step
    step = ctorch_snapshots_step_of(self%handle, int(index - 1, c_size_t))
  end function step_of

  ! The metric of a snapshot; not a number if it has none.
  function snapshots_metric(self, index, stat, errmsg) result(metric)
    class(ctorch_snapshots), intent(in) :: self
    integer, intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    real(c_double) :: metric
    metric = 0
    call ctorch_check(ctorch_snapshots_metric(metric, self%handle, int(index - 1, c_size_t)), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function snapshots_metric

  function snapshots_path(self, index, stat, errmsg) result(path)
    class(ctorch_snapshots), intent(in) :: self
    integer, intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: path, said
    type(c_ptr) :: string, error
    path = ''
    error = ctorch_snapshots_path(string, self%handle, int(index - 1, c_size_t))
    if (.not. c_associated(error)) then
      path = ctorch_text(ctorch_string_data(string), ctorch_string_len(string))
      call ctorch_string_release(string)
    end if
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function snapshots_path
end module ctorch_runs
