! Optimizers as variables, and what changes their learning rates.
!
!     type(ctorch_optim) :: optimizer
!     type(ctorch_scheduler) :: scheduler
!     optimizer = ctorch_adamw(net%parameters(), lr=1d-3)
!     call ctorch_check(ctorch_lr_scheduler_ExponentialLR(scheduler%handle, optimizer%handle, 0.9d0, -1_c_int64_t))
!     …
!     call optimizer%zero_grad()
!     …
!     call optimizer%step()
!     call scheduler%step()
!
! Every optimizer of generated/optim.h is made by its function, ctorch_optim_Adam, into `optimizer%handle`; three have a
! function here whose options may be left out. Such a variable is a handle as any other is: a scope releases it, or
! ctorch_optimizer_release(optimizer%handle). With `stat` a failure is told, as by ctorch_check. (`errmsg` is not handed
! on as it is: gfortran 12 then forgets its length.)
module ctorch_optimizers
  use ctorch
  use ctorch_errors
  implicit none
  private
  public :: ctorch_optim, ctorch_scheduler
  public :: ctorch_sgd, ctorch_adam, ctorch_adamw, ctorch_loss, ctorch_factor
  public :: ctorch_lambda_lr, ctorch_multiplicative_lr

  type :: ctorch_optim
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: step => optimizer_step
    procedure :: step_with => optimizer_step_with
    procedure :: zero_grad => optimizer_zero_grad
    procedure :: num_groups => optimizer_num_groups
    procedure :: option => optimizer_option
    procedure :: set_option => optimizer_set_option
    procedure :: lr => optimizer_lr
    procedure :: set_lr => optimizer_set_lr
    procedure :: add_group => optimizer_add_group
    procedure :: state_dict => optimizer_state_dict
    procedure :: load_state_dict => optimizer_load_state_dict
    procedure :: text => optimizer_text
  end type ctorch_optim

  type :: ctorch_scheduler
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: step => scheduler_step
    procedure :: step_metric => scheduler_step_metric
    procedure :: last_lr => scheduler_last_lr
    procedure :: last_epoch => scheduler_last_epoch
    procedure :: state_dict => scheduler_state_dict
    procedure :: load_state_dict => scheduler_load_state_dict
  end type ctorch_scheduler

  abstract interface
    ! Compute the loss, gradients included: `loss` is a handle that its caller owns. If it fails, `error` is what a
    ! function answered.
    subroutine ctorch_loss(loss, error)
      import :: c_ptr
      type(c_ptr), intent(inout) :: loss, error
    end subroutine ctorch_loss

    ! Compute the factor of the learning rate of a group, from 0 on, in an epoch. If it fails, `error` is what a
    ! function answered.
    subroutine ctorch_factor(group, epoch, factor, error)
      import :: c_int64_t, c_double, c_ptr
      integer(c_int64_t), intent(in) :: group, epoch
      real(c_double), intent(inout) :: factor
      type(c_ptr), intent(inout) :: error
    end subroutine ctorch_factor
  end interface

  ! What C keeps of such procedures.
  type :: loss_payload
    procedure(ctorch_loss), pointer, nopass :: compute => null()
  end type loss_payload

  type :: factor_payload
    procedure(ctorch_factor), pointer, nopass :: compute => null()
  end type factor_payload

contains

  ! Making optimizers. The parameters are what ctorch_net's `parameters()` gives: a copy of the array is kept.

  function ctorch_sgd(params, lr, momentum, dampening, weight_decay, nesterov, maximize, stat, errmsg) result(optimizer)
    type(c_ptr), intent(in) :: params(:)
    real(c_double), intent(in), optional :: lr, momentum, dampening, weight_decay
    logical, intent(in), optional :: nesterov, maximize
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_optim) :: optimizer

    call ctorch_check(ctorch_optim_SGD(optimizer%handle, params, size(params, kind=c_size_t), number(lr, 1d-3), &
      number(momentum, 0d0), number(dampening, 0d0), number(weight_decay, 0d0), flag(nesterov), flag(maximize), &
      differentiable=.false._c_bool), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_sgd

  function ctorch_adam(params, lr, betas, eps, weight_decay, amsgrad, maximize, stat, errmsg) result(optimizer)
    type(c_ptr), intent(in) :: params(:)
    real(c_double), intent(in), optional :: lr, betas(2), eps, weight_decay
    logical, intent(in), optional :: amsgrad, maximize
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_optim) :: optimizer
    real(c_double) :: both(2)

    both = [0.9d0, 0.999d0]
    if (present(betas)) both = betas
    call ctorch_check(ctorch_optim_Adam(optimizer%handle, params, size(params, kind=c_size_t), number(lr, 1d-3), both, &
      2_c_size_t, number(eps, 1d-8), number(weight_decay, 0d0), flag(amsgrad), maximize=flag(maximize), &
      capturable=.false._c_bool, differentiable=.false._c_bool, decoupled_weight_decay=.false._c_bool), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_adam

  function ctorch_adamw(params, lr, betas, eps, weight_decay, amsgrad, maximize, stat, errmsg) result(optimizer)
    type(c_ptr), intent(in) :: params(:)
    real(c_double), intent(in), optional :: lr, betas(2), eps, weight_decay
    logical, intent(in), optional :: amsgrad, maximize
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_optim) :: optimizer
    real(c_double) :: both(2)

    both = [0.9d0, 0.999d0]
    if (present(betas)) both = betas
    call ctorch_check(ctorch_optim_AdamW(optimizer%handle, params, size(params, kind=c_size_t), number(lr, 1d-3), &
      both, 2_c_size_t, number(eps, 1d-8), number(weight_decay, 1d-2), flag(amsgrad), flag(maximize), &
      capturable=.false._c_bool, differentiable=.false._c_bool), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_adamw

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

  ! Methods of optimizers

  ! Change the parameters by their gradients.
  subroutine optimizer_step(self, stat, errmsg)
    class(ctorch_optim), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_optimizer_step(self%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine optimizer_step

  ! Let a procedure compute the loss, then change the parameters; what it gave first is the result.
  function optimizer_step_with(self, compute, stat, errmsg) result(loss)
    class(ctorch_optim), intent(in) :: self
    procedure(ctorch_loss) :: compute
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(c_ptr) :: loss
    type(loss_payload), target :: own

    loss = c_null_ptr
    own%compute => compute
    call ctorch_check(ctorch_optimizer_step_closure(loss, self%handle, c_funloc(call_loss), c_loc(own)), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function optimizer_step_with

  function call_loss(out, error, kept) bind(c, name='') result(status)
    type(c_ptr), intent(inout) :: out, error
    type(c_ptr), value :: kept
    integer(c_int32_t) :: status
    type(loss_payload), pointer :: own

    call c_f_pointer(kept, own)
    call own%compute(out, error)
    status = merge(0, CTORCH_CALLBACK_OK, c_associated(error))
  end function call_loss

  ! Forget the gradients of all parameters.
  subroutine optimizer_zero_grad(self)
    class(ctorch_optim), intent(in) :: self
    call ctorch_check(ctorch_optimizer_zero_grad(self%handle, .true._c_bool))
  end subroutine optimizer_zero_grad

  function optimizer_num_groups(self) result(count)
    class(ctorch_optim), intent(in) :: self
    integer :: count
    count = int(ctorch_optimizer_num_groups(self%handle))
  end function optimizer_num_groups

  ! An option of a group that is a number, by Python's name. Groups are counted from 1 on.
  function optimizer_option(self, name, group, stat, errmsg) result(value)
    class(ctorch_optim), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(in), optional :: group
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    real(c_double) :: value
    type(c_ptr) :: boxed, error
    integer(c_int64_t) :: whole

    value = 0
    boxed = c_null_ptr
    error = ctorch_optimizer_get_option(boxed, self%handle, place(group), name//c_null_char)
    if (.not. c_associated(error)) then
      if (ctorch_value_kind_of(boxed) == CTORCH_VALUE_INT) then
        error = ctorch_value_to_int(whole, boxed)
        if (.not. c_associated(error)) value = real(whole, c_double)
      else
        error = ctorch_value_to_double(value, boxed)
      end if
      call ctorch_value_release(boxed)
    end if
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function optimizer_option

  ! Change or add an option of a group that is a number.
  subroutine optimizer_set_option(self, name, value, group, stat, errmsg)
    class(ctorch_optim), intent(in) :: self
    character(*), intent(in) :: name
    real(c_double), intent(in) :: value
    integer, intent(in), optional :: group
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(c_ptr) :: boxed, error

    error = ctorch_value_from_double(boxed, value)
    if (.not. c_associated(error)) then
      error = ctorch_optimizer_set_option(self%handle, place(group), name//c_null_char, boxed)
      call ctorch_value_release(boxed)
    end if
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine optimizer_set_option

  pure function place(group) result(index)
    integer, intent(in), optional :: group
    integer(c_size_t) :: index
    index = 0
    if (present(group)) index = int(group - 1, c_size_t)
  end function place

  ! The learning rate of a group, also where it is a tensor.
  function optimizer_lr(self, group, stat, errmsg) result(rate)
    class(ctorch_optim), intent(in) :: self
    integer, intent(in), optional :: group
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    real(c_double) :: rate
    rate = 0
    call ctorch_check(ctorch_optimizer_get_lr(rate, self%handle, place(group)), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function optimizer_lr

  ! Give all groups a learning rate.
  subroutine optimizer_set_lr(self, rate)
    class(ctorch_optim), intent(in) :: self
    real(c_double), intent(in) :: rate
    call ctorch_check(ctorch_optimizer_set_lr(self%handle, rate))
  end subroutine optimizer_set_lr

  ! One more group of parameters, with a learning rate of its own or the optimizer's.
  subroutine optimizer_add_group(self, params, lr, stat, errmsg)
    class(ctorch_optim), intent(in) :: self
    type(c_ptr), intent(in) :: params(:)
    real(c_double), intent(in), optional :: lr
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(c_ptr) :: keys(2), values(2), boxes(size(params)), group, error
    integer(c_size_t) :: entries
    integer :: i, made

    error = c_null_ptr
    made = 0
    do i = 1, size(params)
      if (.not. c_associated(error)) error = ctorch_value_from_tensor(boxes(i), params(i))
      if (.not. c_associated(error)) made = i
    end do
    keys = c_null_ptr
    values = c_null_ptr
    entries = merge(2, 1, present(lr))
    if (.not. c_associated(error)) error = ctorch_value_from_string(keys(1), 'params'//c_null_char)
    if (.not. c_associated(error)) error = ctorch_value_from_list(values(1), boxes, size(boxes, kind=c_size_t))
    if (present(lr)) then
      if (.not. c_associated(error)) error = ctorch_value_from_string(keys(2), 'lr'//c_null_char)
      if (.not. c_associated(error)) error = ctorch_value_from_double(values(2), lr)
    end if
    if (.not. c_associated(error)) error = ctorch_value_from_dict(group, keys, entries, values, entries)
    if (.not. c_associated(error)) then
      error = ctorch_optimizer_add_param_group(self%handle, group)
      call ctorch_value_release(group)
    end if
    do i = 1, made
      call ctorch_value_release(boxes(i))
    end do
    do i = 1, 2
      call ctorch_value_release(keys(i))
      call ctorch_value_release(values(i))
    end do
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine optimizer_add_group

  ! States and options, to be saved: a value.
  function optimizer_state_dict(self) result(state)
    class(ctorch_optim), intent(in) :: self
    type(c_ptr) :: state
    call ctorch_check(ctorch_optimizer_state_dict(state, self%handle))
  end function optimizer_state_dict

  ! Take states and options over; tensors of the right kind are shared, not copied.
  subroutine optimizer_load_state_dict(self, state, stat, errmsg)
    class(ctorch_optim), intent(in) :: self
    type(c_ptr), intent(in) :: state
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_optimizer_load_state_dict(self%handle, state), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine optimizer_load_state_dict

  ! What Python prints of it: the class, and the options of each group.
  function optimizer_text(self) result(lines)
    class(ctorch_optim), intent(in) :: self
    character(:), allocatable :: lines
    type(c_ptr) :: string
    call ctorch_check(ctorch_optimizer_repr(string, self%handle))
    lines = ctorch_text(ctorch_string_data(string), ctorch_string_len(string))
    call ctorch_string_release(string)
  end function optimizer_text

  ! Learning rate schedulers. Those without callbacks are made by ctorch_lr_scheduler_StepLR and its like.

  ! The initial learning rate times what a procedure computes.
  function ctorch_lambda_lr(optimizer, factor, last_epoch, stat, errmsg) result(scheduler)
    type(ctorch_optim), intent(in) :: optimizer
    procedure(ctorch_factor) :: factor
    integer(c_int64_t), intent(in), optional :: last_epoch
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_scheduler) :: scheduler
    type(factor_payload), pointer :: kept
    type(c_ptr) :: error

    allocate (kept)
    kept%compute => factor
    error = ctorch_lr_scheduler_lambda_lr(scheduler%handle, optimizer%handle, c_funloc(call_factor), &
      c_funloc(destroy), c_loc(kept), epoch_or_first(last_epoch))
    if (c_associated(error)) deallocate (kept)
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_lambda_lr

  ! The learning rate times what a procedure computes, in each step anew.
  function ctorch_multiplicative_lr(optimizer, factor, last_epoch, stat, errmsg) result(scheduler)
    type(ctorch_optim), intent(in) :: optimizer
    procedure(ctorch_factor) :: factor
    integer(c_int64_t), intent(in), optional :: last_epoch
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_scheduler) :: scheduler
    type(factor_payload), pointer :: kept
    type(c_ptr) :: error

    allocate (kept)
    kept%compute => factor
    error = ctorch_lr_scheduler_multiplicative_lr(scheduler%handle, optimizer%handle, c_funloc(call_factor), &
      c_funloc(destroy), c_loc(kept), epoch_or_first(last_epoch))
    if (c_associated(error)) deallocate (kept)
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_multiplicative_lr

  pure function epoch_or_first(last_epoch) result(epoch)
    integer(c_int64_t), intent(in), optional :: last_epoch
    integer(c_int64_t) :: epoch
    epoch = -1
    if (present(last_epoch)) epoch = last_epoch
  end function epoch_or_first

  function call_factor(out, group, epoch, error, kept) bind(c, name='') result(status)
    real(c_double), intent(inout) :: out
    integer(c_int64_t), value :: group, epoch
    type(c_ptr), intent(inout) :: error
    type(c_ptr), value :: kept
    integer(c_int32_t) :: status
    type(factor_payload), pointer :: own

    call c_f_pointer(kept, own)
    call own%compute(group, epoch, out, error)
    status = merge(0, CTORCH_CALLBACK_OK, c_associated(error))
  end function call_factor

  subroutine destroy(kept) bind(c, name='')
    type(c_ptr), value :: kept
    type(factor_payload), pointer :: own
    call c_f_pointer(kept, own)
    deallocate (own)
  end subroutine destroy

  ! Set the next learning rates.
  subroutine scheduler_step(self, stat, errmsg)
    class(ctorch_scheduler), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_lr_scheduler_step(self%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine scheduler_step

  ! Tell ReduceLROnPlateau a metric.
  subroutine scheduler_step_metric(self, metric, stat, errmsg)
    class(ctorch_scheduler), intent(in) :: self
    real(c_double), intent(in) :: metric
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_lr_scheduler_step_metric(self%handle, metric), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine scheduler_step_metric

  ! The learning rates that it set last, one for each group.
  function scheduler_last_lr(self) result(rates)
    class(ctorch_scheduler), intent(in) :: self
    real(c_double), allocatable :: rates(:)
    type(c_ptr) :: list, boxed, tensor
    integer(c_size_t) :: i

    call ctorch_check(ctorch_lr_scheduler_last_lr(list, self%handle))
    allocate (rates(ctorch_value_len(list)))
    do i = 1, size(rates, kind=c_size_t)
      call ctorch_check(ctorch_value_get(boxed, list, i - 1))
      if (ctorch_value_kind_of(boxed) == CTORCH_VALUE_TENSOR) then
        call ctorch_check(ctorch_value_to_tensor(tensor, boxed))
        call ctorch_check(ctorch_tensor_item_double(rates(i), tensor))
        call ctorch_tensor_release(tensor)
      else
        call ctorch_check(ctorch_value_to_double(rates(i), boxed))
      end if
      call ctorch_value_release(boxed)
    end do
    call ctorch_value_release(list)
  end function scheduler_last_lr

  function scheduler_last_epoch(self) result(epoch)
    class(ctorch_scheduler), intent(in) :: self
    integer(c_int64_t) :: epoch
    call ctorch_check(ctorch_lr_scheduler_last_epoch(epoch, self%handle))
  end function scheduler_last_epoch

  ! All attributes, to be saved: a value.
  function scheduler_state_dict(self) result(state)
    class(ctorch_scheduler), intent(in) :: self
    type(c_ptr) :: state
    call ctorch_check(ctorch_lr_scheduler_state_dict(state, self%handle))
  end function scheduler_state_dict

  subroutine scheduler_load_state_dict(self, state, stat, errmsg)
    class(ctorch_scheduler), intent(in) :: self
    type(c_ptr), intent(in) :: state
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_lr_scheduler_load_state_dict(self%handle, state), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine scheduler_load_state_dict
end module ctorch_optimizers
