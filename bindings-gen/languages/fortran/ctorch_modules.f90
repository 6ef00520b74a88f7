! Modules as variables: torch.nn's layers with their methods, and modules whose forward is a procedure of your own.
!
!     type(ctorch_net) :: net
!     net = ctorch_new_net('Residual', residual)
!     call ctorch_check(ctorch_nn_Linear(layer, 3_c_int64_t, 3_c_int64_t, .true._c_bool))
!     call net%add('inner', layer)
!     y = net%apply(x)
!
!     subroutine residual(self, input, output, error)
!       type(ctorch_net), intent(in) :: self
!       type(c_ptr), intent(in) :: input
!       type(c_ptr), intent(inout) :: output, error
!       type(c_ptr) :: inner, y
!       error = ctorch_module_get_submodule(inner, self%handle, 'inner'//c_null_char)
!       …
!     end subroutine residual
!
! Such a procedure asks `self` for its parts each time: a copy has others. What it gets it releases, but for `output`. A
! ctorch_net is a handle as any other is: a scope releases it, or ctorch_module_release(net%handle).
module ctorch_modules
  use ctorch
  use ctorch_errors
  implicit none
  private
  public :: ctorch_net, ctorch_net_of, ctorch_new_net, ctorch_forward

  type :: ctorch_net
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: apply
    procedure :: add
    procedure :: add_parameter
    procedure :: child
    procedure :: parameter
    procedure :: parameters
    procedure :: parameter_name
    procedure :: num_parameters
    procedure :: train
    procedure :: eval
    procedure :: zero_grad
    procedure :: state_dict
    procedure :: load_state_dict
    procedure :: text
  end type ctorch_net

  ! What a module computes: `output` is a handle that its caller owns. If it fails, `error` is what a function answered.
  abstract interface
    subroutine ctorch_forward(self, input, output, error)
      import :: ctorch_net, c_ptr
      type(ctorch_net), intent(in) :: self
      type(c_ptr), intent(in) :: input
      type(c_ptr), intent(inout) :: output, error
    end subroutine ctorch_forward
  end interface

  ! What C keeps of such a module.
  type :: payload
    procedure(ctorch_forward), pointer, nopass :: forward => null()
  end type payload

contains

  ! A module that a function of ctorch gave, as `ctorch_nn_Linear`.
  function ctorch_net_of(handle) result(net)
    type(c_ptr), intent(in) :: handle
    type(ctorch_net) :: net
    net%handle = handle
  end function ctorch_net_of

  ! A module whose forward is a procedure; `name` is that of its class.
  function ctorch_new_net(name, forward) result(net)
    character(*), intent(in) :: name
    procedure(ctorch_forward) :: forward
    type(ctorch_net) :: net
    type(payload), pointer :: kept

    allocate (kept)
    kept%forward => forward
    call ctorch_check(ctorch_module_new( &
      net%handle, name//c_null_char, c_funloc(call_forward), c_funloc(destroy), c_loc(kept)))
  end function ctorch_new_net

  function call_forward(out, module, input, error, kept) bind(c, name='') result(status)
    type(c_ptr), intent(inout) :: out
    type(c_ptr), value :: module, input
    type(c_ptr), intent(inout) :: error
    type(c_ptr), value :: kept
    integer(c_int32_t) :: status
    type(payload), pointer :: own

    call c_f_pointer(kept, own)
    call own%forward(ctorch_net_of(module), input, out, error)
    status = merge(0, CTORCH_CALLBACK_OK, c_associated(error))
  end function call_forward

  subroutine destroy(kept) bind(c, name='')
    type(c_ptr), value :: kept
    type(payload), pointer :: own
    call c_f_pointer(kept, own)
    deallocate (own)
  end subroutine destroy

  ! Apply the module to a tensor, with its hooks. With `stat` a failure is told, as by ctorch_check.
  function apply(self, input, stat, errmsg) result(output)
    class(ctorch_net), intent(in) :: self
    type(c_ptr), intent(in) :: input
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: message
    type(c_ptr) :: output
    output = c_null_ptr
    call ctorch_check(ctorch_module_forward(output, self%handle, input), stat, message)
    if (present(errmsg) .and. allocated(message)) errmsg = message ! gfortran loses the length of one that is handed on
  end function apply

  ! Put a module inside this one.
  subroutine add(self, name, module)
    class(ctorch_net), intent(in) :: self
    character(*), intent(in) :: name
    type(c_ptr), intent(in) :: module
    call ctorch_check(ctorch_module_register_module(self%handle, name//c_null_char, module))
  end subroutine add

  ! Make a leaf of the graph one of the parameters.
  subroutine add_parameter(self, name, tensor)
    class(ctorch_net), intent(in) :: self
    character(*), intent(in) :: name
    type(c_ptr), intent(in) :: tensor
    call ctorch_check(ctorch_module_register_parameter(self%handle, name//c_null_char, tensor))
  end subroutine add_parameter

  ! The module of a dotted name.
  function child(self, name) result(net)
    class(ctorch_net), intent(in) :: self
    character(*), intent(in) :: name
    type(ctorch_net) :: net
    call ctorch_check(ctorch_module_get_submodule(net%handle, self%handle, name//c_null_char))
  end function child

  ! The parameter of a dotted name.
  function parameter(self, name) result(tensor)
    class(ctorch_net), intent(in) :: self
    character(*), intent(in) :: name
    type(c_ptr) :: tensor
    call ctorch_check(ctorch_module_get_parameter(tensor, self%handle, name//c_null_char))
  end function parameter

  ! All parameters, each once: what an optimizer is given.
  function parameters(self) result(tensors)
    class(ctorch_net), intent(in) :: self
    type(c_ptr), allocatable :: tensors(:)
    type(c_ptr) :: named
    integer(c_size_t) :: i

    call ctorch_check(ctorch_module_named_parameters( &
      named, self%handle, recurse=.true._c_bool, remove_duplicate=.true._c_bool))
    allocate (tensors(ctorch_named_tensors_len(named)))
    do i = 1, size(tensors, kind=c_size_t)
      call ctorch_check(ctorch_named_tensors_get(tensors(i), named, i - 1))
    end do
    call ctorch_named_tensors_release(named)
  end function parameters

  ! The dotted name of the i-th parameter, from 1 on.
  function parameter_name(self, i) result(name)
    class(ctorch_net), intent(in) :: self
    integer, intent(in) :: i
    character(:), allocatable :: name
    type(c_ptr) :: named

    call ctorch_check(ctorch_module_named_parameters( &
      named, self%handle, recurse=.true._c_bool, remove_duplicate=.true._c_bool))
    name = ctorch_text(ctorch_named_tensors_name(named, int(i - 1, c_size_t)))
    call ctorch_named_tensors_release(named)
  end function parameter_name

  ! Number of elements of all parameters.
  function num_parameters(self) result(number)
    class(ctorch_net), intent(in) :: self
    integer(c_int64_t) :: number
    call ctorch_check(ctorch_module_num_parameters(number, self%handle, .false._c_bool))
  end function num_parameters

  subroutine train(self)
    class(ctorch_net), intent(in) :: self
    call ctorch_check(ctorch_module_train(self%handle, .true._c_bool))
  end subroutine train

  subroutine eval(self)
    class(ctorch_net), intent(in) :: self
    call ctorch_check(ctorch_module_train(self%handle, .false._c_bool))
  end subroutine eval

  subroutine zero_grad(self)
    class(ctorch_net), intent(in) :: self
    call ctorch_check(ctorch_module_zero_grad(self%handle, .true._c_bool))
  end subroutine zero_grad

  ! Parameters and persistent buffers by their dotted names: a dict, as ctorch_value.
  function state_dict(self) result(state)
    class(ctorch_net), intent(in) :: self
    type(c_ptr) :: state, metadata
    call ctorch_check(ctorch_module_state_dict(state, metadata, self%handle, c_null_char, .false._c_bool))
    call ctorch_value_release(metadata)
  end function state_dict

  ! Take them over from such a dict. With `strict`, the default, names that are missing or that nothing has are an error.
  ! With `stat` a failure is told, as by ctorch_check.
  subroutine load_state_dict(self, state, strict, stat, errmsg)
    class(ctorch_net), intent(in) :: self
    type(c_ptr), intent(in) :: state
    logical, intent(in), optional :: strict
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: message
    type(c_ptr) :: missing, unexpected
    logical(c_bool) :: strictly

    strictly = .true._c_bool
    if (present(strict)) strictly = logical(strict, c_bool)
    missing = c_null_ptr
    unexpected = c_null_ptr
    call ctorch_check(ctorch_module_load_state_dict( &
      missing, unexpected, self%handle, state, c_null_ptr, strictly, .false._c_bool), stat, message)
    if (present(errmsg) .and. allocated(message)) errmsg = message
    call ctorch_value_release(missing)
    call ctorch_value_release(unexpected)
  end subroutine load_state_dict

  ! What Python prints of the module.
  function text(self) result(lines)
    class(ctorch_net), intent(in) :: self
    character(:), allocatable :: lines
    type(c_ptr) :: string
    call ctorch_check(ctorch_module_repr(string, self%handle))
    lines = ctorch_text(ctorch_string_data(string), ctorch_string_len(string))
    call ctorch_string_release(string)
  end function text
end module ctorch_modules
