! Files of Python's torch.save, and where any file is read from and written to: units and bytes of Fortran's own.
!
!     type(ctorch_dict) :: state
!     call ctorch_save(state, 'state.pt')
!     state = ctorch_load('state.pt', mmap=.true.)
!
! Nothing that is in a file is run. Bytes are integer(c_int8_t). Readers and writers are handles, which a scope releases, or
! ctorch_reader_release and ctorch_writer_release.
module ctorch_files
  use ctorch
  use ctorch_dicts
  use ctorch_errors
  implicit none
  private
  public :: ctorch_save, ctorch_save_bytes, ctorch_save_to, ctorch_load, ctorch_load_bytes, ctorch_load_from
  public :: ctorch_bytes_reader, ctorch_unit_reader, ctorch_unit_writer, ctorch_written, ctorch_allow

  abstract interface
    ! Whether a class that ctorch does not know may be in a file.
    function ctorch_allow(module, name) result(allowed)
      character(*), intent(in) :: module, name
      logical :: allowed
    end function ctorch_allow
  end interface

  ! What C keeps while it loads, and of a unit.
  type :: load_payload
    procedure(ctorch_allow), pointer, nopass :: allow => null()
    type(ctorch_device) :: device
  end type load_payload

  type :: unit_payload
    integer :: unit
  end type unit_payload

contains

  ! Writing

  ! Write a file that Python's torch.load reads.
  subroutine ctorch_save(dict, path, stat, errmsg)
    type(ctorch_dict), intent(in) :: dict
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_serialization_save_file(dict%handle, path//c_null_char), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine ctorch_save

  ! Write such a file to wherever a writer writes, which is still to be finished. `flags` is a sum of CTORCH_SAVE_….
  subroutine ctorch_save_to(writer, dict, flags, stat, errmsg)
    type(c_ptr), intent(in) :: writer
    type(ctorch_dict), intent(in) :: dict
    integer(c_int32_t), intent(in), optional :: flags
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    integer(c_int32_t) :: how
    how = 0
    if (present(flags)) how = flags
    call ctorch_check(ctorch_serialization_save(writer, dict%handle, how), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine ctorch_save_to

  ! The bytes of such a file.
  function ctorch_save_bytes(dict, stat, errmsg) result(bytes)
    type(ctorch_dict), intent(in) :: dict
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    integer(c_int8_t), allocatable :: bytes(:)
    type(c_ptr) :: writer, error

    error = ctorch_writer_new(writer)
    if (.not. c_associated(error)) then
      error = ctorch_serialization_save(writer, dict%handle, 0_c_int32_t)
      call ctorch_written(bytes, writer, error)
    end if
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_save_bytes

  ! Finish a writer to memory, unless there was an error, copy its bytes and release it.
  subroutine ctorch_written(bytes, writer, error)
    integer(c_int8_t), allocatable, intent(out) :: bytes(:)
    type(c_ptr), intent(in) :: writer
    type(c_ptr), intent(inout) :: error
    integer(c_int8_t), pointer :: found(:)

    allocate (bytes(0))
    if (.not. c_associated(error)) error = ctorch_writer_finish(writer)
    if (.not. c_associated(error) .and. c_associated(ctorch_writer_data(writer))) then
      call c_f_pointer(ctorch_writer_data(writer), found, [ctorch_writer_nbytes(writer)])
      bytes = found
    end if
    call ctorch_writer_release(writer)
  end subroutine ctorch_written

  ! Reading

  ! Read a file that Python's torch.save wrote: all tensors on one device, or where the file says. With `mmap` they share
  ! the file instead of holding copies.
  function ctorch_load(path, mmap, map_location, allow, stat, errmsg) result(dict)
    character(*), intent(in) :: path
    logical, intent(in), optional :: mmap
    type(ctorch_device), intent(in), optional :: map_location
    procedure(ctorch_allow), optional :: allow
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_dict) :: dict
    logical(c_bool) :: mapped
    type(c_ptr) :: reader, error

    mapped = .false.
    if (present(mmap)) mapped = mmap
    error = ctorch_reader_open(reader, path//c_null_char, mapped)
    if (.not. c_associated(error)) call load(dict, error, reader, map_location, allow)
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_load

  ! Read the bytes of such a file.
  function ctorch_load_bytes(bytes, map_location, allow, stat, errmsg) result(dict)
    integer(c_int8_t), intent(in), target, contiguous :: bytes(:)
    type(ctorch_device), intent(in), optional :: map_location
    procedure(ctorch_allow), optional :: allow
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_dict) :: dict
    type(c_ptr) :: reader, error

    error = new_bytes_reader(reader, bytes)
    if (.not. c_associated(error)) call load(dict, error, reader, map_location, allow)
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_load_bytes

  ! Read such a file from wherever a reader reads, which stays the caller's.
  function ctorch_load_from(reader, map_location, allow, stat, errmsg) result(dict)
    type(c_ptr), intent(in) :: reader
    type(ctorch_device), intent(in), optional :: map_location
    procedure(ctorch_allow), optional :: allow
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_dict) :: dict
    type(c_ptr) :: error

    call ctorch_reader_retain(reader)
    call load(dict, error, reader, map_location, allow)
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_load_from

  ! Read, and release the reader.
  subroutine load(dict, error, reader, map_location, allow)
    type(ctorch_dict), intent(inout) :: dict
    type(c_ptr), intent(out) :: error
    type(c_ptr), intent(in) :: reader
    type(ctorch_device), intent(in), optional :: map_location
    procedure(ctorch_allow), optional :: allow
    type(load_payload), target :: own
    type(c_funptr) :: place

    if (present(allow)) then
      own%allow => allow
      place = c_null_funptr
      if (present(map_location)) then
        own%device = map_location
        place = c_funloc(call_place)
      end if
      error = ctorch_serialization_load_with(dict%handle, reader, place, c_funloc(call_allow), c_loc(own))
    else
      error = ctorch_serialization_load(dict%handle, reader, map_location)
    end if
    call ctorch_reader_release(reader)
  end subroutine load

  function call_allow(out, module, name, error, kept) bind(c, name='') result(status)
    logical(c_bool), intent(inout) :: out
    type(c_ptr), value :: module, name, kept
    type(c_ptr), intent(inout) :: error
    integer(c_int32_t) :: status
    type(load_payload), pointer :: own

    call c_f_pointer(kept, own)
    out = own%allow(ctorch_text(module), ctorch_text(name))
    error = c_null_ptr
    status = CTORCH_CALLBACK_OK
  end function call_allow

  ! The device that was asked for, whatever the file says.
  function call_place(out, location, error, kept) bind(c, name='') result(status)
    type(ctorch_device), intent(inout) :: out
    type(c_ptr), value :: location, kept
    type(c_ptr), intent(inout) :: error
    integer(c_int32_t) :: status
    type(load_payload), pointer :: own

    call c_f_pointer(kept, own)
    if (c_associated(location)) out = own%device
    error = c_null_ptr
    status = CTORCH_CALLBACK_OK
  end function call_place

  ! Readers and writers

  ! A reader of a copy of bytes.
  function ctorch_bytes_reader(bytes, stat, errmsg) result(reader)
    integer(c_int8_t), intent(in), target, contiguous :: bytes(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(c_ptr) :: reader
    reader = c_null_ptr
    call ctorch_check(new_bytes_reader(reader, bytes), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_bytes_reader

  function new_bytes_reader(reader, bytes) result(error)
    type(c_ptr), intent(inout) :: reader
    integer(c_int8_t), intent(in), target, contiguous :: bytes(:)
    type(c_ptr) :: error, address
    address = c_null_ptr
    if (size(bytes) > 0) address = c_loc(bytes)
    error = ctorch_reader_from_data(reader, address, size(bytes, kind=c_size_t), c_null_funptr, c_null_ptr)
  end function new_bytes_reader

  ! A reader of a file that is connected to a unit: access='stream', form='unformatted'.
  function ctorch_unit_reader(unit, stat, errmsg) result(reader)
    integer, intent(in) :: unit
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(c_ptr) :: reader, error
    type(unit_payload), pointer :: kept
    integer(c_int64_t) :: nbytes

    reader = c_null_ptr
    inquire (unit, size=nbytes)
    allocate (kept)
    kept%unit = unit
    error = ctorch_reader_from_callback( &
      reader, int(max(nbytes, 0_c_int64_t), c_size_t), c_funloc(read_unit), c_funloc(destroy_unit), c_loc(kept))
    if (c_associated(error)) deallocate (kept)
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_unit_reader

  ! A writer to a file that is connected to such a unit, from where that stands.
  function ctorch_unit_writer(unit, stat, errmsg) result(writer)
    integer, intent(in) :: unit
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(c_ptr) :: writer, error
    type(unit_payload), pointer :: kept

    writer = c_null_ptr
    allocate (kept)
    kept%unit = unit
    error = ctorch_writer_from_callback(writer, c_funloc(write_unit), c_funloc(destroy_unit), c_loc(kept))
    if (c_associated(error)) deallocate (kept)
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_unit_writer

  function read_unit(data, nbytes, offset, error, kept) bind(c, name='') result(status)
    type(c_ptr), value :: data, kept
    integer(c_size_t), value :: nbytes, offset
    type(c_ptr), intent(inout) :: error
    integer(c_int32_t) :: status
    type(unit_payload), pointer :: own
    integer(c_int8_t), pointer :: bytes(:)
    character(256) :: said
    integer :: code

    call c_f_pointer(kept, own)
    call c_f_pointer(data, bytes, [nbytes])
    read (own%unit, pos=offset + 1, iostat=code, iomsg=said) bytes
    status = answer(error, code, said)
  end function read_unit

  function write_unit(data, nbytes, error, kept) bind(c, name='') result(status)
    type(c_ptr), value :: data, kept
    integer(c_size_t), value :: nbytes
    type(c_ptr), intent(inout) :: error
    integer(c_int32_t) :: status
    type(unit_payload), pointer :: own
    integer(c_int8_t), pointer :: bytes(:)
    character(256) :: said
    integer :: code

    call c_f_pointer(kept, own)
    call c_f_pointer(data, bytes, [nbytes])
    write (own%unit, iostat=code, iomsg=said) bytes
    status = answer(error, code, said)
  end function write_unit

  function answer(error, code, said) result(status)
    type(c_ptr), intent(inout) :: error
    integer, intent(in) :: code
    character(*), intent(in) :: said
    integer(c_int32_t) :: status
    type(c_ptr) :: failure

    error = c_null_ptr
    status = CTORCH_CALLBACK_OK
    if (code == 0) return
    failure = ctorch_error_new(error, CTORCH_ERROR_IO, trim(said)//c_null_char)
    if (c_associated(failure)) error = failure
    status = 0
  end function answer

  subroutine destroy_unit(kept) bind(c, name='')
    type(c_ptr), value :: kept
    type(unit_payload), pointer :: own
    call c_f_pointer(kept, own)
    deallocate (own)
  end subroutine destroy_unit
end module ctorch_files
