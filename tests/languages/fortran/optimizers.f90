! Optimizers, learning rate schedulers and gradient scaling through the Fortran layer.
module procedures
  use ctorch
  use ctorch_errors
  implicit none
  type(c_ptr) :: leaf

contains

  ! The sum of squares.
  subroutine squares(loss, error)
    type(c_ptr), intent(inout) :: loss, error
    type(c_ptr) :: product

    error = ctorch_aten_mul_Tensor(product, leaf, leaf)
    if (.not. c_associated(error)) error = ctorch_aten_sum(loss, product)
    if (.not. c_associated(error)) call ctorch_tensor_release(product)
    if (.not. c_associated(error)) error = ctorch_tensor_backward(loss, c_null_ptr, create_graph=.false._c_bool)
  end subroutine squares

  subroutine failing(loss, error)
    type(c_ptr), intent(inout) :: loss, error
    loss = c_null_ptr
    if (.not. c_associated(ctorch_error_new(error, CTORCH_ERROR_VALUE, 'not today'//c_null_char))) return
  end subroutine failing

  subroutine harmonic(group, epoch, factor, error)
    integer(c_int64_t), intent(in) :: group, epoch
    real(c_double), intent(inout) :: factor
    type(c_ptr), intent(inout) :: error
    factor = 1d0 / (1 + epoch + group)
    error = c_null_ptr
  end subroutine harmonic

  subroutine no_factor(group, epoch, factor, error)
    integer(c_int64_t), intent(in) :: group, epoch
    real(c_double), intent(inout) :: factor
    type(c_ptr), intent(inout) :: error
    factor = real(group + epoch, c_double)
    if (.not. c_associated(ctorch_error_new(error, CTORCH_ERROR_VALUE, 'no factor'//c_null_char))) return
  end subroutine no_factor
end module procedures

program optimizers
  use procedures
  use ctorch_optimizers
  use ctorch_scaling
  use ctorch_scopes
  implicit none
  logical :: right = .true.

  call run()
  call schedule()
  call scaling()
  call claim('nothing is left', ctorch_debug_live_handles() == 0)
  if (.not. right) error stop 1

contains

  subroutine claim(text, holds)
    character(*), intent(in) :: text
    logical, intent(in) :: holds
    print '(a, l2)', text, holds
    right = right .and. holds
  end subroutine claim

  function new_leaf(value) result(tensor)
    real(c_double), intent(in), target :: value
    type(c_ptr) :: tensor
    call ctorch_check(ctorch_tensor_from_data( &
      tensor, c_loc(value), 8_c_size_t, [1_c_int64_t], 1_c_size_t, CTORCH_DTYPE_FLOAT64))
    call ctorch_check(ctorch_tensor_set_requires_grad(tensor, .true._c_bool))
  end function new_leaf

  function item(tensor) result(number)
    type(c_ptr), intent(in) :: tensor
    real(c_double) :: number
    call ctorch_check(ctorch_tensor_item_double(number, tensor))
  end function item

  subroutine backward(loss)
    type(c_ptr), intent(in) :: loss
    call ctorch_check(ctorch_tensor_backward(loss, c_null_ptr, create_graph=.false._c_bool))
  end subroutine backward

  subroutine run()
    type(ctorch_scoped) :: scope
    type(ctorch_optim) :: optimizer, other
    type(c_ptr) :: loss, grad, state, second
    character(:), allocatable :: message
    real(c_double) :: number
    integer :: code

    call scope%begin()
    leaf = new_leaf(3d0)
    optimizer = ctorch_sgd([leaf], lr=0.5d0)
    loss = optimizer%step_with(squares)
    call claim('a closure computes the loss', item(loss) == 9)
    call claim('a step follows the gradient', item(leaf) == 0)
    call optimizer%zero_grad()
    call ctorch_check(ctorch_tensor_grad(grad, leaf))
    call claim('gradients are forgotten', .not. c_associated(grad))
    call optimizer%step()
    call claim('without a gradient all stays', item(leaf) == 0)
    loss = optimizer%step_with(failing, code, message)
    call claim('a closure''s error is the call''s', code == CTORCH_ERROR_VALUE .and. message == 'not today')
    call claim('and there is no loss', .not. c_associated(loss))

    second = new_leaf(1d0)
    other = ctorch_adamw([leaf], betas=[0.5d0, 0.75d0])
    call other%add_group([second], lr=0.25d0)
    call claim('groups', other%num_groups() == 2)
    call claim('rates', other%lr() == 1d-3 .and. other%lr(2) == 0.25d0)
    call other%set_option('weight_decay', 0.5d0, group=2)
    call claim('options', other%option('weight_decay') == 1d-2 .and. other%option('weight_decay', 2) == 0.5d0)
    call other%set_lr(0.125d0)
    call claim('a rate for all', other%lr(1) == 0.125d0 .and. other%lr(2) == 0.125d0)
    call claim('its text is Python''s', index(other%text(), 'AdamW ('//new_line('a')//'Parameter Group 0') == 1)
    number = other%option('no such', stat=code)
    call claim('no such option', code == CTORCH_ERROR_INDEX .and. number == 0)
    call other%add_group([second], stat=code, errmsg=message)
    call claim('a parameter in two groups', code == CTORCH_ERROR_VALUE .and. len(message) > 0)
    optimizer = ctorch_adam([leaf], lr=-1d0, stat=code)
    call claim('a negative rate', code == CTORCH_ERROR_VALUE .and. .not. c_associated(optimizer%handle))
    optimizer = ctorch_adam([second, leaf])
    state = optimizer%state_dict()
    call other%load_state_dict(state, code)
    call claim('another number of groups', code == CTORCH_ERROR_VALUE)
    other = ctorch_adam([second, leaf], lr=0.5d0)
    call other%load_state_dict(state)
    call claim('a state dict has the options', other%lr() == 1d-3)
  end subroutine run

  subroutine schedule()
    type(ctorch_scoped) :: scope
    type(ctorch_optim) :: optimizer
    type(ctorch_scheduler) :: scheduler, other
    character(:), allocatable :: message
    integer :: code

    call scope%begin()
    leaf = new_leaf(1d0)
    optimizer = ctorch_sgd([leaf], lr=1d0)
    call ctorch_check(ctorch_lr_scheduler_ExponentialLR(scheduler%handle, optimizer%handle, 0.5d0, -1_c_int64_t))
    call optimizer%step()
    call scheduler%step()
    call claim('a scheduler', all(scheduler%last_lr() == [0.5d0]) .and. optimizer%lr() == 0.5d0)
    call scheduler%step_metric(1d0, code)
    call claim('it takes no metric', code == CTORCH_ERROR_TYPE)
    call ctorch_check(ctorch_lr_scheduler_ExponentialLR(other%handle, optimizer%handle, 0.25d0, -1_c_int64_t))
    call other%load_state_dict(scheduler%state_dict())
    call claim('its state is taken over', other%last_epoch() == 1)
    optimizer = ctorch_sgd([leaf], lr=1d0)
    scheduler = ctorch_lambda_lr(optimizer, harmonic)
    call optimizer%step()
    call scheduler%step()
    call claim('by a procedure', all(scheduler%last_lr() == [0.5d0]))
    scheduler = ctorch_multiplicative_lr(optimizer, harmonic)
    call scheduler%step()
    call claim('by products', all(scheduler%last_lr() == [0.25d0]))
    scheduler = ctorch_lambda_lr(optimizer, no_factor, stat=code, errmsg=message)
    call claim('a procedure that fails', code == CTORCH_ERROR_VALUE .and. message == 'no factor')
  end subroutine schedule

  subroutine scaling()
    type(ctorch_scoped) :: scope
    type(ctorch_optim) :: optimizer
    type(ctorch_scaler) :: scaler, other
    type(c_ptr) :: infinite
    integer :: code

    call scope%begin()
    leaf = new_leaf(1d0)
    optimizer = ctorch_sgd([leaf], lr=0.5d0)
    scaler = ctorch_new_scaler('cpu')
    call scaler%unscale_(optimizer, code)
    call claim('nothing was scaled', code == CTORCH_ERROR_VALUE)
    call backward(scaler%scale(leaf))
    call scaler%unscale_(optimizer)
    call scaler%step(optimizer)
    call scaler%update()
    call claim('a scaled step', item(leaf) == 0.5d0 .and. scaler%get_scale() == 65536)
    call optimizer%zero_grad()
    call ctorch_check(ctorch_aten_div_Scalar(infinite, leaf, ctorch_scalar(kind=CTORCH_SCALAR_FLOAT, re=0d0)))
    call backward(scaler%scale(infinite))
    call scaler%step(optimizer)
    call scaler%update()
    call claim('none by infinite gradients', item(leaf) == 0.5d0 .and. scaler%get_scale() == 32768)
    other = ctorch_new_scaler('cpu', init_scale=1d0)
    call other%load_state_dict(scaler%state_dict())
    call claim('the factor is taken over', other%get_scale() == 32768)
    call scaler%update(8d0)
    call claim('and set', scaler%get_scale() == 8)
  end subroutine scaling
end program optimizers
