! What a Fortran program needs besides the interfaces: errors as `stat` and `errmsg`, and texts of C.
module ctorch_errors
  use, intrinsic :: iso_fortran_env, only: error_unit
  use ctorch
  implicit none
  private
  public :: ctorch_check, ctorch_text

contains

  ! Look at what a function answered, and release it. `stat` gets the code, 0 for success, and `errmsg` the message;
  ! without `stat` a failure ends the program, as for Fortran's own statements.
  subroutine ctorch_check(error, stat, errmsg)
    type(c_ptr), intent(in) :: error
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: message

    if (present(stat)) stat = 0
    if (.not. c_associated(error)) return
    message = ctorch_text(ctorch_error_message(error))
    if (.not. present(stat)) then
      write (error_unit, '(4a)') ctorch_text(ctorch_error_function(error)), ': ', &
        ctorch_text(ctorch_error_kind_name(ctorch_error_kind_of(error))), ': '//message
      error stop 1
    end if
    stat = ctorch_error_kind_of(error)
    if (present(errmsg)) errmsg = message
    call ctorch_error_release(error)
  end subroutine ctorch_check

  ! A copy of a text that C lends; '' for NULL.
  function ctorch_text(c, c_len) result(text)
    type(c_ptr), intent(in) :: c
    integer(c_size_t), intent(in), optional :: c_len
    character(:), allocatable :: text
    character(kind=c_char), pointer :: characters(:)
    integer(c_size_t) :: length, i

    interface
      function strlen(s) bind(c)
        import
        type(c_ptr), value :: s
        integer(c_size_t) :: strlen
      end function strlen
    end interface

    length = 0
    if (present(c_len)) then
      length = c_len
    else if (c_associated(c)) then
      length = strlen(c)
    end if
    allocate (character(length) :: text)
    if (length > 0) call c_f_pointer(c, characters, [length])
    do i = 1, length
      text(i:i) = characters(i)
    end do
  end function ctorch_text
end module ctorch_errors
