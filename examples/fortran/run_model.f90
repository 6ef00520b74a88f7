! Run a model that Python wrote on an array of Fortran: the program of ../run_model.c in Fortran.
!
!     run_model script model.pt      torch.jit.save
!     run_model program model.pt2    torch.export.save
!     run_model package model.pt2    torch._inductor.aoti_compile_and_package
program run_model
  use, intrinsic :: iso_fortran_env, only: int8
  use ctorch
  use ctorch_errors
  use ctorch_files
  use ctorch_scopes
  implicit none

  integer, parameter :: ROWS = 2, FEATURES = 4, CLASSES = 3
  character(20) :: kind
  character(500) :: path

  if (command_argument_count() /= 2) error stop 'usage: run_model script|program|package MODEL'
  call get_command_argument(1, kind)
  call get_command_argument(2, path)
  call run(trim(kind), trim(path))

contains

  ! What the model makes of an array, whose first index is the column.
  subroutine run(kind, path)
    character(*), intent(in) :: kind, path
    type(ctorch_scoped) :: scope
    real(c_float), target :: x(FEATURES, ROWS), y(CLASSES, ROWS)
    type(c_ptr) :: input, output
    integer :: i

    call scope%begin()
    x = reshape([(real(i, c_float) / 10, i=0, ROWS * FEATURES - 1)], shape(x))
    call ctorch_check(ctorch_tensor_from_data(input, c_loc(x), 4_c_size_t * size(x, kind=c_size_t), &
      [int(ROWS, c_int64_t), int(FEATURES, c_int64_t)], 2_c_size_t, CTORCH_DTYPE_FLOAT32))
    select case (kind)
    case ('script')
      output = of_script(path, input)
    case ('program')
      output = of_program(path, input)
    case default
      output = of_package(path, input)
    end select
    call ctorch_check(ctorch_tensor_copy_to_buffer(output, c_loc(y), 4_c_size_t * size(y, kind=c_size_t), CTORCH_DTYPE_FLOAT32))
    print '(g0.9)', y
    call scope%end()
  end subroutine run

  function of_script(path, x) result(y)
    character(*), intent(in) :: path
    type(c_ptr), intent(in) :: x
    type(c_ptr) :: model, y
    call ctorch_check(ctorch_jit_load(model, ctorch_bytes_reader(content(path))))
    call ctorch_check(ctorch_jit_module_forward(y, model, x))
  end function of_script

  function of_program(path, x) result(y)
    character(*), intent(in) :: path
    type(c_ptr), intent(in) :: x
    type(c_ptr) :: exported, model, y
    call ctorch_check(ctorch_exported_program_open(exported, ctorch_bytes_reader(content(path))))
    call ctorch_check(ctorch_exported_program_module(model, exported))
    call ctorch_check(ctorch_module_forward(y, model, x))
  end function of_program

  function of_package(path, x) result(y)
    character(*), intent(in) :: path
    type(c_ptr), intent(in) :: x
    type(c_ptr) :: model, outputs, y
    call ctorch_check(ctorch_package_load(model, path//c_null_char, single_threaded=.false._c_bool, num_runners=1_c_int64_t))
    call ctorch_check(ctorch_package_run(outputs, model, [x], 1_c_size_t))
    call ctorch_check(ctorch_tensor_list_get(y, outputs, 0_c_size_t))
  end function of_package

  function content(path) result(bytes)
    character(*), intent(in) :: path
    integer(int8), allocatable :: bytes(:)
    integer :: unit, length, status
    open (newunit=unit, file=path, access='stream', form='unformatted', status='old', action='read', iostat=status)
    if (status /= 0) error stop 'the model cannot be read'
    inquire (unit, size=length)
    allocate (bytes(length))
    read (unit) bytes
    close (unit)
  end function content
end program run_model
