! Gradient scaling as a variable: a loss times a factor before backward, the gradients over it before a step, so that
! gradients of 16 bits do not vanish.
!
!     type(ctorch_scaler) :: scaler
!     scaler = ctorch_new_scaler('cuda')
!     call ctorch_check(ctorch_tensor_backward(scaler%scale(loss), c_null_ptr, create_graph=.false._c_bool))
!     call scaler%step(optimizer)
!     call scaler%update()
module ctorch_scaling
  use ctorch
  use ctorch_errors
  use ctorch_optimizers
  implicit none
  private
  public :: ctorch_scaler, ctorch_new_scaler

  type :: ctorch_scaler
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: scale => scaler_scale
    procedure :: unscale_ => scaler_unscale
    procedure :: step => scaler_step
    procedure :: update => scaler_update
    procedure :: get_scale => scaler_get_scale
    procedure :: state_dict => scaler_state_dict
    procedure :: load_state_dict => scaler_load_state_dict
  end type ctorch_scaler

contains

  ! A scaler for a type of device, 'cuda' or 'cpu', with Python's defaults.
  function ctorch_new_scaler(device, init_scale, growth_factor, backoff_factor, growth_interval, enabled, &
    stat, errmsg) result(scaler)
    character(*), intent(in) :: device
    real(c_double), intent(in), optional :: init_scale, growth_factor, backoff_factor
    integer(c_int64_t), intent(in), optional :: growth_interval
    logical, intent(in), optional :: enabled
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_scaler) :: scaler
    real(c_double) :: factors(3)
    integer(c_int64_t) :: interval
    logical(c_bool) :: scales

    factors = [65536d0, 2d0, 0.5d0]
    if (present(init_scale)) factors(1) = init_scale
    if (present(growth_factor)) factors(2) = growth_factor
    if (present(backoff_factor)) factors(3) = backoff_factor
    interval = 2000
    if (present(growth_interval)) interval = growth_interval
    scales = .true.
    if (present(enabled)) scales = enabled
    call ctorch_check(ctorch_grad_scaler_new(scaler%handle, device//c_null_char, factors(1), &
      factors(2), factors(3), interval, scales), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_new_scaler

  ! The loss times the factor.
  function scaler_scale(self, loss) result(scaled)
    class(ctorch_scaler), intent(in) :: self
    type(c_ptr), intent(in) :: loss
    type(c_ptr) :: scaled
    call ctorch_check(ctorch_grad_scaler_scale(scaled, self%handle, loss))
  end function scaler_scale

  ! Divide the gradients, to look at them or to clip them before `step`, which does it otherwise.
  subroutine scaler_unscale(self, optimizer, stat, errmsg)
    class(ctorch_scaler), intent(in) :: self
    type(ctorch_optim), intent(in) :: optimizer
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_grad_scaler_unscale_(self%handle, optimizer%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine scaler_unscale

  ! Let the optimizer step if its gradients are finite.
  subroutine scaler_step(self, optimizer, stat, errmsg)
    class(ctorch_scaler), intent(in) :: self
    type(ctorch_optim), intent(in) :: optimizer
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_grad_scaler_step(self%handle, optimizer%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine scaler_step

  ! Raise or lower the factor by what the steps found, or set it.
  subroutine scaler_update(self, new_scale, stat, errmsg)
    class(ctorch_scaler), intent(in) :: self
    real(c_double), intent(in), optional :: new_scale
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_grad_scaler_update(self%handle, new_scale), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine scaler_update

  function scaler_get_scale(self) result(factor)
    class(ctorch_scaler), intent(in) :: self
    real(c_double) :: factor
    call ctorch_check(ctorch_grad_scaler_get_scale(factor, self%handle))
  end function scaler_get_scale

  function scaler_state_dict(self) result(state)
    class(ctorch_scaler), intent(in) :: self
    type(c_ptr) :: state
    call ctorch_check(ctorch_grad_scaler_state_dict(state, self%handle))
  end function scaler_state_dict

  subroutine scaler_load_state_dict(self, state, stat, errmsg)
    class(ctorch_scaler), intent(in) :: self
    type(c_ptr), intent(in) :: state
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_grad_scaler_load_state_dict(self%handle, state), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine scaler_load_state_dict
end module ctorch_scaling
