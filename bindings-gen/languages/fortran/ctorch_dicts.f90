! Dicts as variables: tensors, numbers, texts and other values by their names, as files and snapshots hold them.
!
!     type(ctorch_dict) :: state
!     state = ctorch_new_dict()
!     call state%put('weight', weight)
!     call state%put('step', 7)
!     …
!     weight = state%tensor('weight')
!     step = state%whole('step')
!
! A ctorch_dict is a handle as any other is: a scope releases it, or ctorch_value_release(state%handle). It may also hold
! a value that is no dict, such as a file may have; `kind` tells. With `stat` a failure is told, as by ctorch_check.
module ctorch_dicts
  use ctorch
  use ctorch_errors
  implicit none
  private
  public :: ctorch_dict, ctorch_new_dict, ctorch_dict_of

  type :: ctorch_dict
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure, private :: put_tensor
    procedure, private :: put_integer
    procedure, private :: put_whole
    procedure, private :: put_number
    procedure, private :: put_logical
    procedure, private :: put_text
    procedure, private :: put_dict
    ! One more entry, or another value of one that is there. A c_ptr is a tensor.
    generic :: put => put_tensor, put_integer, put_whole, put_number, put_logical, put_text, put_dict
    procedure :: put_value
    procedure :: count => dict_count
    procedure :: name => dict_name
    procedure :: has => dict_has
    procedure :: kind => dict_kind
    procedure :: tensor => dict_tensor
    procedure :: whole => dict_whole
    procedure :: number => dict_number
    procedure :: truth => dict_truth
    procedure :: text => dict_text
    procedure :: dict => dict_dict
    procedure :: value => dict_value
    procedure :: print_text => dict_print_text
  end type ctorch_dict

contains

  ! An empty one.
  function ctorch_new_dict() result(dict)
    type(ctorch_dict) :: dict
    call ctorch_check(ctorch_value_from_dict(dict%handle, keys_len=0_c_size_t, values_len=0_c_size_t))
  end function ctorch_new_dict

  ! A value that a function of ctorch gave, as ctorch_net's state_dict.
  function ctorch_dict_of(handle) result(dict)
    type(c_ptr), intent(in) :: handle
    type(ctorch_dict) :: dict
    dict%handle = handle
  end function ctorch_dict_of

  ! Putting

  subroutine put_tensor(self, name, tensor)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in) :: name
    type(c_ptr), intent(in) :: tensor
    type(c_ptr) :: boxed
    call ctorch_check(ctorch_value_from_tensor(boxed, tensor))
    call put_taken(self, name, boxed)
  end subroutine put_tensor

  subroutine put_integer(self, name, value)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(in) :: value
    call put_whole(self, name, int(value, c_int64_t))
  end subroutine put_integer

  subroutine put_whole(self, name, value)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in) :: name
    integer(c_int64_t), intent(in) :: value
    type(c_ptr) :: boxed
    call ctorch_check(ctorch_value_from_int(boxed, value))
    call put_taken(self, name, boxed)
  end subroutine put_whole

  subroutine put_number(self, name, value)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in) :: name
    real(c_double), intent(in) :: value
    type(c_ptr) :: boxed
    call ctorch_check(ctorch_value_from_double(boxed, value))
    call put_taken(self, name, boxed)
  end subroutine put_number

  subroutine put_logical(self, name, value)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in) :: name
    logical, intent(in) :: value
    type(c_ptr) :: boxed
    call ctorch_check(ctorch_value_from_bool(boxed, logical(value, c_bool)))
    call put_taken(self, name, boxed)
  end subroutine put_logical

  subroutine put_text(self, name, value)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in) :: name, value
    type(c_ptr) :: boxed
    call ctorch_check(ctorch_value_from_string(boxed, value//c_null_char))
    call put_taken(self, name, boxed)
  end subroutine put_text

  subroutine put_dict(self, name, inner)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in) :: name
    type(ctorch_dict), intent(in) :: inner
    call put_value(self, name, inner%handle)
  end subroutine put_dict

  ! A value of any kind, which stays the caller's.
  subroutine put_value(self, name, value)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in) :: name
    type(c_ptr), intent(in) :: value
    call ctorch_check(ctorch_value_dict_put(self%handle, name//c_null_char, value))
  end subroutine put_value

  subroutine put_taken(self, name, boxed)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in) :: name
    type(c_ptr), intent(in) :: boxed
    call put_value(self, name, boxed)
    call ctorch_value_release(boxed)
  end subroutine put_taken

  ! Asking

  function dict_count(self) result(entries)
    class(ctorch_dict), intent(in) :: self
    integer :: entries
    entries = int(ctorch_value_len(self%handle))
  end function dict_count

  ! The name of an entry, from 1 on.
  function dict_name(self, index, stat, errmsg) result(name)
    class(ctorch_dict), intent(in) :: self
    integer, intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: name, said
    type(c_ptr) :: keys, key, error

    name = ''
    keys = c_null_ptr
    error = ctorch_value_dict_keys(keys, self%handle)
    if (.not. c_associated(error)) then
      error = ctorch_value_get(key, keys, int(index - 1, c_size_t))
      call ctorch_value_release(keys)
    end if
    if (.not. c_associated(error)) call read_text(name, error, key)
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function dict_name

  ! The text in a value, which is released.
  subroutine read_text(text, error, boxed)
    character(:), allocatable, intent(inout) :: text
    type(c_ptr), intent(out) :: error
    type(c_ptr), intent(in) :: boxed
    type(c_ptr) :: characters
    error = ctorch_value_to_string(characters, self=boxed)
    if (.not. c_associated(error)) text = ctorch_text(characters)
    call ctorch_value_release(boxed)
  end subroutine read_text

  function dict_has(self, name) result(there)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in) :: name
    logical :: there
    type(c_ptr) :: boxed
    integer :: code
    call ctorch_check(ctorch_value_dict_at(boxed, self%handle, name//c_null_char), code)
    there = code == 0
    if (there) call ctorch_value_release(boxed)
  end function dict_has

  ! CTORCH_VALUE_…: of an entry, or of the whole.
  function dict_kind(self, name, stat, errmsg) result(kind)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in), optional :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    integer(c_int32_t) :: kind
    type(c_ptr) :: boxed, error

    kind = CTORCH_VALUE_NONE
    error = c_null_ptr
    if (present(name)) then
      error = ctorch_value_dict_at(boxed, self%handle, name//c_null_char)
      if (.not. c_associated(error)) then
        kind = ctorch_value_kind_of(boxed)
        call ctorch_value_release(boxed)
      end if
    else
      kind = ctorch_value_kind_of(self%handle)
    end if
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function dict_kind

  ! The very tensor.
  function dict_tensor(self, name, stat, errmsg) result(tensor)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(c_ptr) :: tensor, boxed, error

    tensor = c_null_ptr
    error = ctorch_value_dict_at(boxed, self%handle, name//c_null_char)
    if (.not. c_associated(error)) then
      error = ctorch_value_to_tensor(tensor, boxed)
      call ctorch_value_release(boxed)
    end if
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function dict_tensor

  function dict_whole(self, name, stat, errmsg) result(value)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    integer(c_int64_t) :: value
    type(c_ptr) :: boxed, error

    value = 0
    error = ctorch_value_dict_at(boxed, self%handle, name//c_null_char)
    if (.not. c_associated(error)) then
      error = ctorch_value_to_int(value, boxed)
      call ctorch_value_release(boxed)
    end if
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function dict_whole

  function dict_number(self, name, stat, errmsg) result(value)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    real(c_double) :: value
    type(c_ptr) :: boxed, error

    value = 0
    error = ctorch_value_dict_at(boxed, self%handle, name//c_null_char)
    if (.not. c_associated(error)) then
      error = ctorch_value_to_double(value, boxed)
      call ctorch_value_release(boxed)
    end if
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function dict_number

  function dict_truth(self, name, stat, errmsg) result(value)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    logical :: value
    logical(c_bool) :: found
    type(c_ptr) :: boxed, error

    found = .false.
    error = ctorch_value_dict_at(boxed, self%handle, name//c_null_char)
    if (.not. c_associated(error)) then
      error = ctorch_value_to_bool(found, boxed)
      call ctorch_value_release(boxed)
    end if
    value = found
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function dict_truth

  function dict_text(self, name, stat, errmsg) result(text)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text, said
    type(c_ptr) :: boxed, error

    text = ''
    error = ctorch_value_dict_at(boxed, self%handle, name//c_null_char)
    if (.not. c_associated(error)) call read_text(text, error, boxed)
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function dict_text

  ! An entry that is a dict, the very one.
  function dict_dict(self, name, stat, errmsg) result(inner)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_dict) :: inner
    inner%handle = dict_value(self, name, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function dict_dict

  ! An entry of any kind: a value, as ctorch_value_to_… read it.
  function dict_value(self, name, stat, errmsg) result(value)
    class(ctorch_dict), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(c_ptr) :: value
    value = c_null_ptr
    call ctorch_check(ctorch_value_dict_at(value, self%handle, name//c_null_char), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function dict_value

  ! All of it, as Python prints it.
  function dict_print_text(self) result(lines)
    class(ctorch_dict), intent(in) :: self
    character(:), allocatable :: lines
    type(c_ptr) :: string
    call ctorch_check(ctorch_value_repr(string, self%handle))
    lines = ctorch_text(ctorch_string_data(string), ctorch_string_len(string))
    call ctorch_string_release(string)
  end function dict_print_text
end module ctorch_dicts
