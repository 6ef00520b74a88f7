! A scope ends when its procedure returns; every line is `claim T`, or test_fortran.py fails.
program scopes
  use ctorch
  use ctorch_errors
  use ctorch_scopes
  implicit none

  type(c_ptr) :: kept
  type(ctorch_scoped) :: around

  call leave(kept)
  call claim('the scope has ended, but for what it keeps', ctorch_debug_live_handles() == 1)
  call ctorch_tensor_release(kept)
  call around%begin()
  call leave(kept)
  call around%begin()
  call claim('beginning again ends what was before', ctorch_debug_live_handles() == 1)
  call around%end()
  call around%end()
  call claim('nothing is left', ctorch_debug_live_handles() == 0)

contains

  subroutine leave(result)
    type(c_ptr), intent(out) :: result
    type(ctorch_scoped) :: scope
    type(c_ptr) :: x
    integer :: i

    call scope%begin()
    do i = 1, 10
      call ctorch_check(ctorch_aten_ones(x, [3_c_int64_t], 1_c_size_t))
    end do
    result = x
    call scope%keep(result)
    if (i > 0) return
  end subroutine leave

  subroutine claim(what, holds)
    character(*), intent(in) :: what
    logical, intent(in) :: holds
    print '(a, 1x, l1)', what, holds
  end subroutine claim
end program scopes
