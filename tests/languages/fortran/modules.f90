! Modules through the Fortran layer: a forward of one's own, and what a module holds.
module forwards
  use ctorch
  use ctorch_errors
  use ctorch_modules
  implicit none
contains

  ! input * weight + inner(input)
  subroutine residual(self, input, output, error)
    type(ctorch_net), intent(in) :: self
    type(c_ptr), intent(in) :: input
    type(c_ptr), intent(inout) :: output, error
    type(c_ptr) :: inner, weight, y, scaled

    error = ctorch_module_get_submodule(inner, self%handle, 'inner'//c_null_char)
    if (c_associated(error)) return
    error = ctorch_module_forward(y, inner, input)
    call ctorch_module_release(inner)
    if (c_associated(error)) return
    error = ctorch_module_get_parameter(weight, self%handle, 'weight'//c_null_char)
    if (.not. c_associated(error)) then
      error = ctorch_aten_mul_Tensor(scaled, input, weight)
      call ctorch_tensor_release(weight)
    end if
    if (.not. c_associated(error)) then
      error = ctorch_aten_add_Tensor(output, scaled, y)
      call ctorch_tensor_release(scaled)
    end if
    call ctorch_tensor_release(y)
  end subroutine residual
end module forwards

program modules
  use forwards
  use ctorch_scopes
  implicit none
  logical :: right = .true.

  call run()
  call claim('nothing is left', ctorch_debug_live_handles() == 0)
  if (.not. right) error stop 1

contains

  subroutine claim(text, holds)
    character(*), intent(in) :: text
    logical, intent(in) :: holds
    print '(a, l2)', text, holds
    right = right .and. holds
  end subroutine claim

  function ones(sizes) result(tensor)
    integer(c_int64_t), intent(in) :: sizes(:)
    type(c_ptr) :: tensor
    call ctorch_check(ctorch_aten_ones(tensor, sizes, size(sizes, kind=c_size_t)))
  end function ones

  function tensor_of(tensor) result(value)
    type(c_ptr), intent(in) :: tensor
    type(c_ptr) :: value
    call ctorch_check(ctorch_value_from_tensor(value, tensor))
  end function tensor_of

  ! What a list with one weight of two ones in it saves and loads.
  subroutine states(list, weight)
    type(ctorch_net), intent(in) :: list
    type(c_ptr), intent(in) :: weight
    type(c_ptr) :: state, copied, other, sum, none(0)
    character(:), allocatable :: message
    real(c_double) :: number
    logical(c_bool) :: same
    integer :: code

    state = list%state_dict()
    call claim('a state has names and values', ctorch_value_len(state) == 1)
    call ctorch_check(ctorch_grad_mode_push(.false._c_bool))
    call ctorch_check(ctorch_aten_zero_(weight))
    copied = list%state_dict()
    call ctorch_check(ctorch_value_equal(same, state, copied))
    call claim('it shares memory with the parameters', logical(same))
    call ctorch_check(ctorch_value_from_dict(other, none, 0_c_size_t, none, 0_c_size_t))
    call list%load_state_dict(other, stat=code, errmsg=message)
    call claim('what is missing is an error', code == CTORCH_ERROR_RUNTIME .and. index(message, '0.weight') > 0)
    call list%load_state_dict(other, strict=.false.)
    call ctorch_check(ctorch_value_dict_put(other, '0.weight'//c_null_char, tensor_of(ones([2_c_int64_t]))))
    call list%load_state_dict(other)
    call ctorch_check(ctorch_grad_mode_pop())
    call ctorch_check(ctorch_aten_sum(sum, weight))
    call ctorch_check(ctorch_tensor_item_double(number, sum))
    call claim('a state is taken over', number == 2)
  end subroutine states

  subroutine run()
    type(ctorch_scoped) :: scope
    type(ctorch_net) :: net, list, got
    type(c_ptr) :: layer, weight, y, loss, grad
    type(c_ptr), allocatable :: all(:)
    character(:), allocatable :: message
    real(c_double) :: number
    integer :: code

    call scope%begin()
    net = ctorch_new_net('Residual', residual)
    call ctorch_check(ctorch_nn_Identity(layer))
    call net%add('inner', layer)
    weight = ones([2_c_int64_t])
    call ctorch_check(ctorch_tensor_set_requires_grad(weight, .true._c_bool))
    call net%add_parameter('weight', weight)

    y = net%apply(ones([2_c_int64_t]))
    call ctorch_check(ctorch_aten_sum(loss, y))
    call ctorch_check(ctorch_tensor_item_double(number, loss))
    call claim('a forward of one''s own computes', number == 4)
    call ctorch_check(ctorch_tensor_backward(loss, c_null_ptr, create_graph=.false._c_bool))
    call ctorch_check(ctorch_tensor_grad(grad, net%parameter('weight')))
    call ctorch_check(ctorch_aten_sum(grad, grad))
    call ctorch_check(ctorch_tensor_item_double(number, grad))
    call claim('gradients flow through it', number == 2)
    call net%zero_grad()
    call ctorch_check(ctorch_tensor_grad(grad, net%parameter('weight')))
    call claim('they are forgotten', .not. c_associated(grad))

    call claim('its text is Python''s', net%text() == 'Residual('//new_line('a')//'  (inner): Identity()'//new_line('a')//')')
    call ctorch_check(ctorch_nn_Sequential(list%handle))
    call ctorch_check(ctorch_module_append(list%handle, net%handle))
    allocate (all, source=list%parameters())
    call claim('it stands among others', size(all) == 1 .and. list%num_parameters() == 2)
    call claim('names are dotted', list%parameter_name(1) == '0.weight')
    call list%eval()
    got = list%child('0')
    call claim('modes reach it', .not. logical(ctorch_module_training(got%handle)))
    call list%train()
    call claim('and back', logical(ctorch_module_training(got%handle)))

    call states(list, weight)
    call ctorch_check(ctorch_module_unregister(net%handle, 'weight'//c_null_char))
    y = list%apply(ones([2_c_int64_t]), code, message)
    call claim('an error of its forward is the call''s', code == CTORCH_ERROR_INDEX .and. index(message, 'weight') > 0)
    call claim('its message is as long as it is', len(message) < 200)
    call claim('and gives nothing', .not. c_associated(y))
  end subroutine run
end program modules
