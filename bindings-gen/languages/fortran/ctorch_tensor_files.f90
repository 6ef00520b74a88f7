! Tensors by their names in files: one reader for all formats, and what writes safetensors, npy, npz and shards.
!
!     type(ctorch_weights) :: weights
!     weights = ctorch_open_weights('model.safetensors', mmap=.true.)
!     embedding = weights%tensor('embedding.weight')
!     part = weights%part('embedding.weight', [0_c_int64_t], [100_c_int64_t])
!     call ctorch_safetensors_save_file(weights%tensors(), 'copy.safetensors')
!
! A ctorch_weights is a handle as any other is: a scope releases it, or ctorch_weights_release(weights%handle). Of dicts
! that are written, all entries are tensors; `metadata` is one of texts.
module ctorch_tensor_files
  use ctorch
  use ctorch_dicts
  use ctorch_errors
  use ctorch_files
  use ctorch_modules
  implicit none
  private
  public :: ctorch_weights, ctorch_open_weights, ctorch_open_weights_bytes, ctorch_load_tensors
  public :: ctorch_safetensors_save_file, ctorch_safetensors_save, ctorch_save_model, ctorch_load_model
  public :: ctorch_npy_save_file, ctorch_npy_save, ctorch_npy_load_file
  public :: ctorch_npz_save_file, ctorch_npz_save, ctorch_sharded_save

  type :: ctorch_weights
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: format => weights_format
    procedure :: count => weights_count
    procedure :: name => weights_name
    procedure :: has => weights_has
    procedure :: dtype => weights_dtype
    procedure :: shape => weights_shape
    procedure :: tensor => weights_tensor
    procedure :: part => weights_part
    procedure :: metadata => weights_metadata
    procedure :: tensors => weights_tensors
  end type ctorch_weights

contains

  ! Reading

  ! A file of any format, an index of shards, or a folder with one.
  function ctorch_open_weights(path, mmap, stat, errmsg) result(weights)
    character(*), intent(in) :: path
    logical, intent(in), optional :: mmap
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_weights) :: weights
    logical(c_bool) :: mapped
    mapped = .false.
    if (present(mmap)) mapped = mmap
    call ctorch_check(ctorch_weights_open_file(weights%handle, path//c_null_char, mapped), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_open_weights

  ! The bytes of a file.
  function ctorch_open_weights_bytes(bytes, stat, errmsg) result(weights)
    integer(c_int8_t), intent(in), target, contiguous :: bytes(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_weights) :: weights
    type(c_ptr) :: reader
    reader = ctorch_bytes_reader(bytes)
    call ctorch_check(ctorch_weights_open(weights%handle, reader), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
    call ctorch_reader_release(reader)
  end function ctorch_open_weights_bytes

  ! All tensors of a file of any format, or of a folder of shards.
  function ctorch_load_tensors(path, device, stat, errmsg) result(tensors)
    character(*), intent(in) :: path
    type(ctorch_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_dict) :: tensors
    type(c_ptr) :: weights, error
    error = ctorch_weights_open_file(weights, path//c_null_char, .true._c_bool)
    if (.not. c_associated(error)) then
      error = ctorch_weights_load(tensors%handle, weights, device)
      call ctorch_weights_release(weights)
    end if
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_load_tensors

  ! 'pt', 'safetensors', 'npy', 'npz', 'gguf' or 'sharded'.
  function weights_format(self) result(name)
    class(ctorch_weights), intent(in) :: self
    character(:), allocatable :: name
    name = ctorch_text(ctorch_weights_format(self%handle))
  end function weights_format

  function weights_count(self) result(count)
    class(ctorch_weights), intent(in) :: self
    integer :: count
    count = int(ctorch_weights_len(self%handle))
  end function weights_count

  ! The name of a tensor, from 1 on.
  function weights_name(self, index) result(name)
    class(ctorch_weights), intent(in) :: self
    integer, intent(in) :: index
    character(:), allocatable :: name
    name = ctorch_text(ctorch_weights_name(self%handle, int(index - 1, c_size_t)))
  end function weights_name

  function weights_has(self, name) result(there)
    class(ctorch_weights), intent(in) :: self
    character(*), intent(in) :: name
    logical :: there
    integer(c_size_t) :: index
    integer :: code
    call ctorch_check(ctorch_weights_find(index, self%handle, name//c_null_char), code)
    there = code == 0
  end function weights_has

  ! CTORCH_DTYPE_…, with which a tensor is read.
  function weights_dtype(self, name, stat, errmsg) result(dtype)
    class(ctorch_weights), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    integer(c_int32_t) :: dtype
    integer(c_size_t) :: index
    type(c_ptr) :: error
    dtype = -1
    error = ctorch_weights_find(index, self%handle, name//c_null_char)
    if (.not. c_associated(error)) error = ctorch_weights_dtype(dtype, self%handle, index)
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function weights_dtype

  ! Sizes, outermost first, as C counts.
  function weights_shape(self, name, stat, errmsg) result(sizes)
    class(ctorch_weights), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    integer(c_int64_t), allocatable :: sizes(:)
    integer(c_int64_t), pointer :: found(:)
    integer(c_size_t) :: index, ndim
    type(c_ptr) :: error, first

    allocate (sizes(0))
    error = ctorch_weights_find(index, self%handle, name//c_null_char)
    if (.not. c_associated(error)) error = ctorch_weights_shape(first, ndim, self%handle, index)
    if (.not. c_associated(error)) then
      if (ndim > 0) then
        call c_f_pointer(first, found, [ndim])
        sizes = found
      end if
    end if
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function weights_shape

  function weights_tensor(self, name, stat, errmsg) result(tensor)
    class(ctorch_weights), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(c_ptr) :: tensor
    tensor = c_null_ptr
    call ctorch_check(ctorch_weights_tensor(tensor, self%handle, name//c_null_char), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function weights_tensor

  ! A part, and no more is read than that: [begin, end) of each of the first dimensions, as C and Python count them.
  function weights_part(self, name, begin, end, stat, errmsg) result(tensor)
    class(ctorch_weights), intent(in) :: self
    character(*), intent(in) :: name
    integer(c_int64_t), intent(in) :: begin(:), end(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(c_ptr) :: tensor
    tensor = c_null_ptr
    call ctorch_check(ctorch_weights_slice(tensor, self%handle, name//c_null_char, begin, &
      size(begin, kind=c_size_t), end, size(end, kind=c_size_t)), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function weights_part

  ! What the file says beside its tensors.
  function weights_metadata(self, stat, errmsg) result(metadata)
    class(ctorch_weights), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_dict) :: metadata
    call ctorch_check(ctorch_weights_metadata(metadata%handle, self%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function weights_metadata

  ! All tensors.
  function weights_tensors(self, device, stat, errmsg) result(tensors)
    class(ctorch_weights), intent(in) :: self
    type(ctorch_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_dict) :: tensors
    call ctorch_check(ctorch_weights_load(tensors%handle, self%handle, device), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function weights_tensors

  ! Writing

  pure function handle_of(dict) result(handle)
    type(ctorch_dict), intent(in), optional :: dict
    type(c_ptr) :: handle
    handle = c_null_ptr
    if (present(dict)) handle = dict%handle
  end function handle_of

  subroutine ctorch_safetensors_save_file(tensors, path, metadata, stat, errmsg)
    type(ctorch_dict), intent(in) :: tensors
    character(*), intent(in) :: path
    type(ctorch_dict), intent(in), optional :: metadata
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check( &
      ctorch_safetensors_write_file(tensors%handle, handle_of(metadata), path//c_null_char), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine ctorch_safetensors_save_file

  ! The bytes of such a file.
  function ctorch_safetensors_save(tensors, metadata, stat, errmsg) result(bytes)
    type(ctorch_dict), intent(in) :: tensors
    type(ctorch_dict), intent(in), optional :: metadata
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    integer(c_int8_t), allocatable :: bytes(:)
    type(c_ptr) :: writer, error
    error = ctorch_writer_new(writer)
    if (.not. c_associated(error)) then
      error = ctorch_safetensors_write(writer, tensors%handle, handle_of(metadata))
      call ctorch_written(bytes, writer, error)
    end if
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_safetensors_save

  ! The state of a model as safetensors, and of tensors that share memory one.
  subroutine ctorch_save_model(net, path, metadata, stat, errmsg)
    type(ctorch_net), intent(in) :: net
    character(*), intent(in) :: path
    type(ctorch_dict), intent(in), optional :: metadata
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check( &
      ctorch_safetensors_write_model_file(net%handle, handle_of(metadata), path//c_null_char), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine ctorch_save_model

  ! Load a model from a file of any format. With `strict`, the default, names that do not fit are an error.
  subroutine ctorch_load_model(net, path, strict, stat, errmsg)
    type(ctorch_net), intent(in) :: net
    character(*), intent(in) :: path
    logical, intent(in), optional :: strict
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(c_ptr) :: missing, unexpected
    logical(c_bool) :: strictly
    strictly = .true.
    if (present(strict)) strictly = strict
    missing = c_null_ptr
    unexpected = c_null_ptr
    call ctorch_check(ctorch_safetensors_load_model_file( &
      missing, unexpected, net%handle, path//c_null_char, strictly), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
    call ctorch_value_release(missing)
    call ctorch_value_release(unexpected)
  end subroutine ctorch_load_model

  subroutine ctorch_npy_save_file(tensor, path, stat, errmsg)
    type(c_ptr), intent(in) :: tensor
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    call ctorch_check(ctorch_npy_write_file(tensor, path//c_null_char), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine ctorch_npy_save_file

  function ctorch_npy_save(tensor, stat, errmsg) result(bytes)
    type(c_ptr), intent(in) :: tensor
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    integer(c_int8_t), allocatable :: bytes(:)
    type(c_ptr) :: writer, error
    error = ctorch_writer_new(writer)
    if (.not. c_associated(error)) then
      error = ctorch_npy_write(writer, tensor)
      call ctorch_written(bytes, writer, error)
    end if
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_npy_save

  function ctorch_npy_load_file(path, stat, errmsg) result(tensor)
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(c_ptr) :: tensor, weights, error
    tensor = c_null_ptr
    error = ctorch_weights_open_file(weights, path//c_null_char, .false._c_bool)
    if (.not. c_associated(error)) then
      error = ctorch_weights_tensor(tensor, weights, c_null_char)
      call ctorch_weights_release(weights)
    end if
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_npy_load_file

  subroutine ctorch_npz_save_file(tensors, path, compressed, stat, errmsg)
    type(ctorch_dict), intent(in) :: tensors
    character(*), intent(in) :: path
    logical, intent(in), optional :: compressed
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    logical(c_bool) :: smaller
    smaller = .false.
    if (present(compressed)) smaller = compressed
    call ctorch_check(ctorch_npz_write_file(tensors%handle, smaller, path//c_null_char), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine ctorch_npz_save_file

  function ctorch_npz_save(tensors, compressed, stat, errmsg) result(bytes)
    type(ctorch_dict), intent(in) :: tensors
    logical, intent(in), optional :: compressed
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    integer(c_int8_t), allocatable :: bytes(:)
    logical(c_bool) :: smaller
    type(c_ptr) :: writer, error
    smaller = .false.
    if (present(compressed)) smaller = compressed
    error = ctorch_writer_new(writer)
    if (.not. c_associated(error)) then
      error = ctorch_npz_write(writer, tensors%handle, smaller)
      call ctorch_written(bytes, writer, error)
    end if
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_npz_save

  ! Several files in a folder, and an index. `format` is 'safetensors' or 'pt', and a file has up to 5 GB of tensors unless
  ! `max_shard_nbytes` says otherwise.
  subroutine ctorch_sharded_save(tensors, path, format, max_shard_nbytes, metadata, stat, errmsg)
    type(ctorch_dict), intent(in) :: tensors
    character(*), intent(in) :: path
    character(*), intent(in), optional :: format
    integer(c_size_t), intent(in), optional :: max_shard_nbytes
    type(ctorch_dict), intent(in), optional :: metadata
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said, kind
    integer(c_size_t) :: nbytes
    kind = 'safetensors'
    if (present(format)) kind = format
    nbytes = 0
    if (present(max_shard_nbytes)) nbytes = max_shard_nbytes
    call ctorch_check(ctorch_sharded_write( &
      tensors%handle, handle_of(metadata), path//c_null_char, kind//c_null_char, nbytes), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end subroutine ctorch_sharded_save
end module ctorch_tensor_files
