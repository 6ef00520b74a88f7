! Datasets, loaders and transforms as variables.
!
!     type(ctorch_dataset) :: images
!     type(ctorch_loader) :: loader
!     type(ctorch_iterator) :: batches
!     type(ctorch_sample) :: batch
!     call ctorch_check(ctorch_datasets_ImageFolder(images%handle, 'photos'//c_null_char, c_null_ptr, c_null_ptr, NO))
!     loader = ctorch_new_loader(images, batch_size=64_c_int64_t, shuffle=.true., workers=2)
!     batches = loader%iterate()
!     do while (batches%next(batch))
!       x = batch%tensor(1)
!       …
!       call batch%release()
!     end do
!
! Every dataset, sampler and transform of ctorch's is made by its function, ctorch_data_Subset, into a `handle`. Samples and
! their parts are counted from 1 on. Procedures of one's own are called on the thread that takes batches, also by a loader
! with workers. These are handles as any others are: a scope releases them, or ctorch_<type>_release. With `stat` a failure
! is told, as by ctorch_check.
module ctorch_data
  use ctorch
  use ctorch_dicts
  use ctorch_errors
  implicit none
  private
  public :: ctorch_sample, ctorch_dataset, ctorch_loader, ctorch_iterator, ctorch_transform
  public :: ctorch_sample_of, ctorch_new_dataset, ctorch_new_loader, ctorch_new_transform
  public :: ctorch_get, ctorch_collate, ctorch_change

  ! A sample or a batch: a value, most often a tuple or list of parts. Part 0 is the whole of it.
  type :: ctorch_sample
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: count => sample_count
    procedure :: part => sample_part
    procedure :: field => sample_field
    procedure :: tensor => sample_tensor
    procedure :: whole => sample_whole
    procedure :: release => sample_release
  end type ctorch_sample

  type :: ctorch_dataset
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: count => dataset_count
    procedure :: sample => dataset_sample
    procedure :: iterate => dataset_iterate
    procedure :: attribute => dataset_attribute
  end type ctorch_dataset

  type :: ctorch_loader
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: count => loader_count
    procedure :: set_collate => loader_set_collate
    procedure :: iterate => loader_iterate
    procedure :: iterate_from => loader_iterate_from
  end type ctorch_loader

  type :: ctorch_iterator
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: next => iterator_next
    procedure :: state_dict => iterator_state_dict
    procedure :: release => iterator_release
  end type ctorch_iterator

  type :: ctorch_transform
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: apply => transform_apply
    procedure :: text => transform_text
  end type ctorch_transform

  abstract interface
    ! Give the sample of a number, from 1 on. If it fails, `error` is what a function answered.
    subroutine ctorch_get(index, sample, error)
      import :: ctorch_sample, c_int64_t, c_ptr
      integer(c_int64_t), intent(in) :: index
      type(ctorch_sample), intent(inout) :: sample
      type(c_ptr), intent(inout) :: error
    end subroutine ctorch_get

    ! Make a batch of samples, the parts of `samples`. If it fails, `error` is what a function answered.
    subroutine ctorch_collate(samples, batch, error)
      import :: ctorch_sample, c_ptr
      type(ctorch_sample), intent(in) :: samples
      type(ctorch_sample), intent(inout) :: batch
      type(c_ptr), intent(inout) :: error
    end subroutine ctorch_collate

    ! Transform a tensor: `output` is a handle that its caller owns. `generator` is where to draw from, or c_null_ptr for
    ! the default one. If it fails, `error` is what a function answered.
    subroutine ctorch_change(input, generator, output, error)
      import :: c_ptr
      type(c_ptr), intent(in) :: input, generator
      type(c_ptr), intent(inout) :: output, error
    end subroutine ctorch_change
  end interface

  ! What C keeps of such procedures.
  type :: payload
    procedure(ctorch_get), pointer, nopass :: get => null()
    procedure(ctorch_collate), pointer, nopass :: collate => null()
    procedure(ctorch_change), pointer, nopass :: change => null()
  end type payload

contains

  ! Samples

  ! A tuple of tensors.
  function ctorch_sample_of(tensors, stat, errmsg) result(sample)
    type(c_ptr), intent(in) :: tensors(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_sample) :: sample
    type(c_ptr) :: parts(size(tensors)), error
    integer :: i, made

    error = c_null_ptr
    made = 0
    do i = 1, size(tensors)
      error = ctorch_value_from_tensor(parts(i), tensors(i))
      if (c_associated(error)) exit
      made = i
    end do
    if (.not. c_associated(error)) then
      error = ctorch_value_from_tuple(sample%handle, parts, size(parts, kind=c_size_t))
    end if
    do i = 1, made
      call ctorch_value_release(parts(i))
    end do
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_sample_of

  ! How many parts it has.
  function sample_count(self) result(count)
    class(ctorch_sample), intent(in) :: self
    integer :: count
    count = int(ctorch_value_len(self%handle))
  end function sample_count

  ! A part.
  function sample_part(self, index) result(part)
    class(ctorch_sample), intent(in) :: self
    integer, intent(in) :: index
    type(ctorch_sample) :: part
    call ctorch_check(ctorch_value_get(part%handle, self%handle, int(index - 1, c_size_t)))
  end function sample_part

  ! A field of a NamedTuple of TorchScript, by its name.
  function sample_field(self, name, stat, errmsg) result(part)
    class(ctorch_sample), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_sample) :: part
    call ctorch_check(ctorch_value_field(part%handle, self%handle, name//c_null_char), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function sample_field

  ! The tensor that a part is.
  function sample_tensor(self, index, stat, errmsg) result(tensor)
    class(ctorch_sample), intent(in) :: self
    integer, intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(c_ptr) :: tensor, error, part

    tensor = c_null_ptr
    if (index == 0) then
      error = ctorch_value_to_tensor(tensor, self%handle)
    else
      error = ctorch_value_get(part, self%handle, int(index - 1, c_size_t))
      if (.not. c_associated(error)) then
        error = ctorch_value_to_tensor(tensor, part)
        call ctorch_value_release(part)
      end if
    end if
    call ctorch_check(error, stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function sample_tensor

  ! The whole number that a part is.
  function sample_whole(self, index) result(number)
    class(ctorch_sample), intent(in) :: self
    integer, intent(in) :: index
    integer(c_int64_t) :: number
    type(ctorch_sample) :: part

    if (index == 0) then
      call ctorch_check(ctorch_value_to_int(number, self%handle))
    else
      part = self%part(index)
      call ctorch_check(ctorch_value_to_int(number, part%handle))
      call part%release()
    end if
  end function sample_whole

  subroutine sample_release(self)
    class(ctorch_sample), intent(inout) :: self
    call ctorch_value_release(self%handle)
    self%handle = c_null_ptr
  end subroutine sample_release

  ! Datasets

  ! So many samples, which a procedure gives.
  function ctorch_new_dataset(count, get) result(dataset)
    integer(c_int64_t), intent(in) :: count
    procedure(ctorch_get) :: get
    type(ctorch_dataset) :: dataset
    type(payload), pointer :: kept

    allocate (kept)
    kept%get => get
    call ctorch_check(ctorch_dataset_from_callback( &
      dataset%handle, count, c_funloc(call_get), .false._c_bool, c_funloc(destroy), c_loc(kept)))
  end function ctorch_new_dataset

  function call_get(out, index, error, kept) bind(c, name='') result(status)
    type(c_ptr), intent(inout) :: out, error
    integer(c_int64_t), value :: index
    type(c_ptr), value :: kept
    integer(c_int32_t) :: status
    type(payload), pointer :: own
    type(ctorch_sample) :: sample

    call c_f_pointer(kept, own)
    call own%get(index + 1, sample, error)
    out = sample%handle
    status = merge(0, CTORCH_CALLBACK_OK, c_associated(error))
  end function call_get

  subroutine destroy(kept) bind(c, name='')
    type(c_ptr), value :: kept
    type(payload), pointer :: own
    call c_f_pointer(kept, own)
    deallocate (own)
  end subroutine destroy

  ! Number of samples.
  function dataset_count(self, stat, errmsg) result(count)
    class(ctorch_dataset), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    integer(c_int64_t) :: count
    count = 0
    call ctorch_check(ctorch_dataset_len(count, self%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function dataset_count

  function dataset_sample(self, index, stat, errmsg) result(sample)
    class(ctorch_dataset), intent(in) :: self
    integer(c_int64_t), intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_sample) :: sample
    call ctorch_check(ctorch_dataset_get(sample%handle, self%handle, index - 1), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function dataset_sample

  function dataset_iterate(self) result(iterator)
    class(ctorch_dataset), intent(in) :: self
    type(ctorch_iterator) :: iterator
    call ctorch_check(ctorch_dataset_iterate(iterator%handle, self%handle))
  end function dataset_iterate

  ! Something that it knows besides its samples: 'classes'.
  function dataset_attribute(self, name, stat, errmsg) result(value)
    class(ctorch_dataset), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_sample) :: value
    call ctorch_check(ctorch_dataset_attribute(value%handle, self%handle, name//c_null_char), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function dataset_attribute

  ! Loaders

  ! What makes batches; `sampler` and `generator` are handles. ctorch_data_DataLoader has the rest.
  function ctorch_new_loader( &
    dataset, batch_size, shuffle, workers, sampler, drop_last, generator, stat, errmsg) result(loader)
    type(ctorch_dataset), intent(in) :: dataset
    integer(c_int64_t), intent(in), optional :: batch_size
    logical, intent(in), optional :: shuffle, drop_last
    integer, intent(in), optional :: workers
    type(c_ptr), intent(in), optional :: sampler, generator
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_loader) :: loader
    integer(c_int64_t) :: threads
    type(c_ptr) :: order, draw

    threads = 0
    if (present(workers)) threads = workers
    order = c_null_ptr
    if (present(sampler)) order = sampler
    draw = c_null_ptr
    if (present(generator)) draw = generator
    call ctorch_check(ctorch_data_DataLoader(loader%handle, dataset%handle, batch_size, flag(shuffle), order, c_null_ptr, &
      threads, .false._c_bool, flag(drop_last), 0d0, draw, persistent_workers=.false._c_bool, &
      in_order=.true._c_bool), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function ctorch_new_loader

  pure function flag(given) result(value)
    logical, intent(in), optional :: given
    logical(c_bool) :: value
    value = .false.
    if (present(given)) value = given
  end function flag

  ! Number of batches.
  function loader_count(self) result(count)
    class(ctorch_loader), intent(in) :: self
    integer(c_int64_t) :: count
    call ctorch_check(ctorch_loader_len(count, self%handle))
  end function loader_count

  ! Let a procedure make the batches.
  subroutine loader_set_collate(self, collate)
    class(ctorch_loader), intent(in) :: self
    procedure(ctorch_collate) :: collate
    type(payload), pointer :: kept

    allocate (kept)
    kept%collate => collate
    call ctorch_check(ctorch_loader_set_collate( &
      self%handle, c_funloc(call_collate), .false._c_bool, c_funloc(destroy), c_loc(kept)))
  end subroutine loader_set_collate

  function call_collate(out, samples, error, kept) bind(c, name='') result(status)
    type(c_ptr), intent(inout) :: out, error
    type(c_ptr), value :: samples, kept
    integer(c_int32_t) :: status
    type(payload), pointer :: own
    type(ctorch_sample) :: batch, given

    call c_f_pointer(kept, own)
    given%handle = samples
    call own%collate(given, batch, error)
    out = batch%handle
    status = merge(0, CTORCH_CALLBACK_OK, c_associated(error))
  end function call_collate

  ! Begin an epoch.
  function loader_iterate(self) result(iterator)
    class(ctorch_loader), intent(in) :: self
    type(ctorch_iterator) :: iterator
    call ctorch_check(ctorch_loader_iterate(iterator%handle, self%handle))
  end function loader_iterate

  ! Begin where an iterator of such a loader was.
  function loader_iterate_from(self, state, stat, errmsg) result(iterator)
    class(ctorch_loader), intent(in) :: self
    type(ctorch_dict), intent(in) :: state
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_iterator) :: iterator
    call ctorch_check(ctorch_loader_iterate_from(iterator%handle, self%handle, state%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function loader_iterate_from

  ! Iterators

  ! Whether there is one more; it is to be released. After a failure the one behind it may be asked for.
  function iterator_next(self, sample, stat, errmsg) result(more)
    class(ctorch_iterator), intent(in) :: self
    type(ctorch_sample), intent(out) :: sample
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    logical :: more

    call ctorch_check(ctorch_iterator_next(sample%handle, self%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
    more = c_associated(sample%handle)
  end function iterator_next

  ! Where it is, to be saved.
  function iterator_state_dict(self, stat, errmsg) result(state)
    class(ctorch_iterator), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(ctorch_dict) :: state
    call ctorch_check(ctorch_iterator_state_dict(state%handle, self%handle), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function iterator_state_dict

  ! End it, and its workers, before or at its end.
  subroutine iterator_release(self)
    class(ctorch_iterator), intent(inout) :: self
    call ctorch_iterator_release(self%handle)
    self%handle = c_null_ptr
  end subroutine iterator_release

  ! Transforms

  ! A transform of tensors, which a procedure makes; `name` is that of its class.
  function ctorch_new_transform(name, change) result(transform)
    character(*), intent(in) :: name
    procedure(ctorch_change) :: change
    type(ctorch_transform) :: transform
    type(payload), pointer :: kept

    allocate (kept)
    kept%change => change
    call ctorch_check(ctorch_transform_from_callback(transform%handle, name//c_null_char, c_funloc(call_change), &
      .false._c_bool, c_funloc(destroy), c_loc(kept)))
  end function ctorch_new_transform

  function call_change(out, input, generator, error, kept) bind(c, name='') result(status)
    type(c_ptr), intent(inout) :: out, error
    type(c_ptr), value :: input, generator, kept
    integer(c_int32_t) :: status
    type(payload), pointer :: own
    type(c_ptr) :: given, changed

    call c_f_pointer(kept, own)
    changed = c_null_ptr
    error = ctorch_value_to_tensor(given, input)
    if (.not. c_associated(error)) then
      call own%change(given, generator, changed, error)
      call ctorch_tensor_release(given)
    end if
    if (.not. c_associated(error)) then
      error = ctorch_value_from_tensor(out, changed)
      call ctorch_tensor_release(changed)
    end if
    status = merge(0, CTORCH_CALLBACK_OK, c_associated(error))
  end function call_change

  ! Apply it to a tensor. ctorch_transform_call takes any value.
  function transform_apply(self, input, generator, stat, errmsg) result(output)
    class(ctorch_transform), intent(in) :: self
    type(c_ptr), intent(in) :: input
    type(c_ptr), intent(in), optional :: generator
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: said
    type(c_ptr) :: output, draw

    output = c_null_ptr
    draw = c_null_ptr
    if (present(generator)) draw = generator
    call ctorch_check(ctorch_transform_call_tensor(self%handle, output, input, draw), stat, said)
    if (present(errmsg) .and. allocated(said)) errmsg = said
  end function transform_apply

  ! What Python prints of it.
  function transform_text(self) result(text)
    class(ctorch_transform), intent(in) :: self
    character(:), allocatable :: text
    type(c_ptr) :: string
    call ctorch_check(ctorch_transform_repr(string, self%handle))
    text = ctorch_text(ctorch_string_data(string), ctorch_string_len(string))
    call ctorch_string_release(string)
  end function transform_text
end module ctorch_data
