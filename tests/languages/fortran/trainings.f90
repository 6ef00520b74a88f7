! What training.py has in Python: three small trainings, whose numbers are equal to the last bit.
module layers
  use ctorch
  use ctorch_errors
  implicit none
  integer, parameter :: STEPS = 8
  type(c_ptr) :: weight, bias, x, y ! of the layer that is trained

contains

  function tensor(values, sizes) result(made)
    real(c_double), intent(in), target :: values(:)
    integer(c_int64_t), intent(in) :: sizes(:)
    type(c_ptr) :: made
    call ctorch_check(ctorch_tensor_from_data(made, c_loc(values), 8_c_size_t * size(values, kind=c_size_t), sizes, &
      size(sizes, kind=c_size_t), CTORCH_DTYPE_FLOAT64))
  end function tensor

  subroutine new_layer()
    integer :: i

    weight = tensor([0.1d0, -0.2d0, 0.3d0], [1_c_int64_t, 3_c_int64_t])
    bias = tensor([0.05d0], [1_c_int64_t])
    call ctorch_check(ctorch_tensor_set_requires_grad(weight, .true._c_bool))
    call ctorch_check(ctorch_tensor_set_requires_grad(bias, .true._c_bool))
    x = tensor([(i / 10d0, i=0, 11)], [4_c_int64_t, 3_c_int64_t])
    y = tensor([(i / 4d0, i=0, 3)], [4_c_int64_t, 1_c_int64_t])
  end subroutine new_layer

  ! The loss, which is not an error's to give.
  subroutine forward(loss, error)
    type(c_ptr), intent(inout) :: loss, error
    type(c_ptr) :: out

    error = ctorch_aten_linear(out, x, weight, bias)
    if (.not. c_associated(error)) error = ctorch_aten_mse_loss(loss, out, y, 1_c_int64_t)
    if (.not. c_associated(error)) call ctorch_tensor_release(out)
  end subroutine forward

  ! Anew: gradients to zero, forward, backward.
  subroutine compute(loss, error)
    type(c_ptr), intent(inout) :: loss, error

    error = ctorch_tensor_set_grad(weight, c_null_ptr)
    if (.not. c_associated(error)) error = ctorch_tensor_set_grad(bias, c_null_ptr)
    if (.not. c_associated(error)) call forward(loss, error)
    if (.not. c_associated(error)) error = ctorch_tensor_backward(loss, c_null_ptr, create_graph=.false._c_bool)
  end subroutine compute

  subroutine show(number)
    real(c_double), intent(in) :: number
    print '(es26.17e3)', number
  end subroutine show

  subroutine show_tensor(given)
    type(c_ptr), intent(in) :: given
    real(c_double), allocatable, target :: values(:)
    integer :: i

    allocate (values(ctorch_tensor_numel(given)))
    call ctorch_check(ctorch_tensor_copy_to_buffer( &
      given, c_loc(values), 8_c_size_t * size(values, kind=c_size_t), CTORCH_DTYPE_FLOAT64))
    do i = 1, size(values)
      call show(values(i))
    end do
  end subroutine show_tensor
end module layers

program trainings
  use layers
  use ctorch_optimizers
  use ctorch_scaling
  use ctorch_scopes
  implicit none

  call with_a_scheduler()
  call with_groups_and_a_closure()
  call with_a_scaler()
  if (ctorch_debug_live_handles() > 0) error stop 'handles are left'

contains

  subroutine with_a_scheduler()
    type(ctorch_scoped) :: scope
    type(ctorch_optim) :: optimizer
    type(ctorch_scheduler) :: scheduler
    type(c_ptr) :: loss, error
    integer :: i

    call scope%begin()
    call new_layer()
    optimizer = ctorch_adamw([weight, bias], lr=0.05d0, weight_decay=0.1d0)
    call ctorch_check(ctorch_lr_scheduler_StepLR( &
      scheduler%handle, optimizer%handle, 3_c_int64_t, 0.5d0, -1_c_int64_t))
    do i = 1, STEPS
      call optimizer%zero_grad()
      error = c_null_ptr
      call forward(loss, error)
      call ctorch_check(error)
      call ctorch_check(ctorch_tensor_backward(loss, c_null_ptr, create_graph=.false._c_bool))
      call optimizer%step()
      call scheduler%step()
      call show_tensor(loss)
      call show(sum(scheduler%last_lr()))
    end do
    call show_tensor(weight)
    call show_tensor(bias)
  end subroutine with_a_scheduler

  subroutine with_groups_and_a_closure()
    type(ctorch_scoped) :: scope
    type(ctorch_optim) :: optimizer
    integer :: i

    call scope%begin()
    call new_layer()
    optimizer = ctorch_sgd([weight], lr=0.05d0, momentum=0.9d0, weight_decay=0.001d0)
    call optimizer%add_group([bias], lr=0.01d0)
    do i = 1, STEPS
      call show_tensor(optimizer%step_with(compute))
    end do
    call show_tensor(weight)
    call show_tensor(bias)
  end subroutine with_groups_and_a_closure

  subroutine with_a_scaler()
    type(ctorch_scoped) :: scope
    type(ctorch_optim) :: optimizer
    type(ctorch_scaler) :: scaler
    type(c_ptr) :: loss, seen, error
    integer :: i

    call scope%begin()
    call new_layer()
    optimizer = ctorch_sgd([weight, bias], lr=0.05d0)
    scaler = ctorch_new_scaler('cpu', init_scale=1024d0, growth_interval=2_c_int64_t)
    do i = 1, STEPS
      call optimizer%zero_grad()
      error = c_null_ptr
      call forward(loss, error)
      call ctorch_check(error)
      seen = loss
      if (i == 4) then
        call ctorch_check(ctorch_aten_div_Scalar(seen, loss, ctorch_scalar(kind=CTORCH_SCALAR_FLOAT, re=0d0)))
      end if
      call ctorch_check(ctorch_tensor_backward(scaler%scale(seen), c_null_ptr, create_graph=.false._c_bool))
      call scaler%step(optimizer)
      call scaler%update()
      call show_tensor(loss)
      call show(scaler%get_scale())
    end do
    call show_tensor(weight)
    call show_tensor(bias)
  end subroutine with_a_scaler
end program trainings
