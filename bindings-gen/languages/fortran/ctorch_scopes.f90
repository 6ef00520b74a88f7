! A scope as a variable: what its thread makes after `begin` is released when the procedure returns that the variable
! belongs to, or by `end` before that.
module ctorch_scopes
  use ctorch
  use ctorch_errors
  implicit none
  private
  public :: ctorch_scoped

  type :: ctorch_scoped
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: begin
    procedure :: keep
    procedure :: end => end_scope
    final :: finalize
  end type ctorch_scoped

contains

  subroutine begin(self)
    class(ctorch_scoped), intent(inout) :: self
    call self%end()
    call ctorch_check(ctorch_scope_begin(self%handle))
  end subroutine begin

  ! Let a handle outlive this scope: it then belongs to the one around it, or to the program.
  subroutine keep(self, handle)
    class(ctorch_scoped), intent(in) :: self
    type(c_ptr), intent(in) :: handle
    call ctorch_check(ctorch_scope_keep(self%handle, handle))
  end subroutine keep

  subroutine end_scope(self)
    class(ctorch_scoped), intent(inout) :: self
    if (c_associated(self%handle)) call ctorch_scope_end(self%handle)
    self%handle = c_null_ptr
  end subroutine end_scope

  impure elemental subroutine finalize(self)
    type(ctorch_scoped), intent(inout) :: self
    call self%end()
  end subroutine finalize
end module ctorch_scopes
