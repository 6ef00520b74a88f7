! Train a small convolutional network, in the manner of LeNet (LeCun et al. 1998), on handwritten digits: the program of
! ../train_digits.c in Fortran. The same options give the same losses, to the last digit.
!
!     train_digits [--epochs N] [--batch-size N] [--lr X] [--seed N] [--threads N] [--data DIR] [--losses FILE]
!
! Each step has a scope, which releases what it made.
module digits
  use, intrinsic :: iso_fortran_env, only: int8
  use ctorch
  use ctorch_errors
  use ctorch_modules
  use ctorch_optimizers
  use ctorch_scopes
  implicit none

  integer(c_int64_t), parameter :: CLASSES = 10, IMAGE_SIZE = 8, ONE = 1, TWO = 2
  integer(c_size_t), parameter :: NO_ENTRIES = 0, ONE_ENTRY = 1
  real(c_double), parameter :: MOMENTUM = 0.9d0, WEIGHT_DECAY = 1d-3, DISTORTION = 0.2d0
  logical(c_bool), parameter :: YES = .true., NO = .false.

  type :: labelled_images
    type(c_ptr) :: images ! (N, 1, 8, 8), 0 to 1
    type(c_ptr) :: labels ! (N)
    integer(c_int64_t) :: count
  end type labelled_images

  ! A network, and what changes its parameters: stochastic gradient descent with momentum.
  type :: training
    type(ctorch_net) :: net
    type(ctorch_optim) :: optimizer
  end type training

contains

  ! An IDX file of bytes: 00 00 08, the number of dimensions, each as four big-endian bytes, then the elements.
  function read_idx(path, ndim) result(tensor)
    character(*), intent(in) :: path
    integer, intent(in) :: ndim
    type(c_ptr) :: tensor
    integer(int8), allocatable, target :: bytes(:)
    integer(c_int64_t) :: sizes(ndim)
    integer :: unit, status, length, i, k, start

    open (newunit=unit, file=path, access='stream', form='unformatted', status='old', action='read', iostat=status)
    if (status /= 0) error stop 'a file with data is missing: --data says where they are'
    inquire (unit, size=length)
    allocate (bytes(length))
    read (unit) bytes
    close (unit)
    start = 4 + 4 * ndim
    if (length < start) error stop 'a file with data is truncated'
    if (any(bytes(:4) /= int([0, 0, 8, ndim], int8))) error stop 'no IDX file of bytes'
    sizes = 0
    do i = 1, ndim
      do k = 1, 4
        sizes(i) = 256 * sizes(i) + iand(int(bytes(4 * i + k)), 255)
      end do
    end do
    if (length /= start + product(sizes)) error stop 'a file with data is truncated'
    call ctorch_check(ctorch_tensor_from_data( &
      tensor, c_loc(bytes(start + 1)), int(product(sizes), c_size_t), sizes, int(ndim, c_size_t), CTORCH_DTYPE_UINT8))
  end function read_idx

  function read_digits(folder, part) result(data)
    character(*), intent(in) :: folder, part
    type(labelled_images) :: data
    type(ctorch_scoped) :: scope
    type(c_ptr) :: images

    call scope%begin()
    call ctorch_check(ctorch_aten_unsqueeze(images, read_idx(folder//'/'//part//'-images-idx3-ubyte', 3), ONE))
    call ctorch_check(ctorch_aten_div_Scalar(data%images, images, ctorch_scalar(kind=CTORCH_SCALAR_INT, i=16)))
    call ctorch_check(ctorch_aten_to_dtype( &
      data%labels, read_idx(folder//'/'//part//'-labels-idx1-ubyte', 1), CTORCH_DTYPE_INT64, NO, NO))
    call ctorch_check(ctorch_tensor_size(data%count, data%images, 0_c_int64_t))
    call scope%keep(data%images)
    call scope%keep(data%labels)
  end function read_digits

  function new_training(lr) result(state)
    real(c_double), intent(in) :: lr
    type(training) :: state
    type(ctorch_scoped) :: scope
    type(c_ptr) :: layer

    call scope%begin()
    state%net = ctorch_new_net('Network', forward)
    call ctorch_check(convolution(layer, ONE, 32_c_int64_t))
    call state%net%add('conv1', layer)
    call ctorch_check(convolution(layer, 32_c_int64_t, 64_c_int64_t))
    call state%net%add('conv2', layer)
    call ctorch_check(ctorch_nn_Linear(layer, 64 * 4 * 4_c_int64_t, 128_c_int64_t, YES))
    call state%net%add('fc1', layer)
    call ctorch_check(ctorch_nn_Linear(layer, 128_c_int64_t, CLASSES, YES))
    call state%net%add('fc2', layer)
    state%optimizer = ctorch_sgd(state%net%parameters(), lr, MOMENTUM, weight_decay=WEIGHT_DECAY)
    call scope%keep(state%net%handle)
    call scope%keep(state%optimizer%handle)
  end function new_training

  function convolution(layer, from, to) result(error)
    type(c_ptr), intent(out) :: layer
    integer(c_int64_t), intent(in) :: from, to
    type(c_ptr) :: error

    error = ctorch_nn_Conv2d(layer, from, to, [3_c_int64_t], ONE_ENTRY, stride_len=NO_ENTRIES, padding=[ONE], &
      padding_len=ONE_ENTRY, dilation_len=NO_ENTRIES, groups=ONE, bias=YES)
  end function convolution

  ! Images (N, 1, 8, 8) to a score for each class (N, 10): conv1, relu, conv2, relu, pool, fc1, relu, fc2.
  subroutine forward(self, input, output, error)
    type(ctorch_net), intent(in) :: self
    type(c_ptr), intent(in) :: input
    type(c_ptr), intent(inout) :: output, error
    type(ctorch_scoped) :: scope
    type(c_ptr) :: x

    call scope%begin()
    call step('conv1', input)
    call after(ctorch_aten_relu(x, x))
    call step('conv2', x)
    call after(ctorch_aten_relu(x, x))
    call after(ctorch_aten_max_pool2d(x, x, [TWO, TWO], 2_c_size_t, stride_len=NO_ENTRIES, &
      padding_len=NO_ENTRIES, dilation_len=NO_ENTRIES, ceil_mode=NO))
    call after(ctorch_aten_flatten_using_ints(x, x, ONE, -ONE))
    call step('fc1', x)
    call after(ctorch_aten_relu(x, x))
    call step('fc2', x)
    if (c_associated(error)) return
    output = x
    call scope%keep(output)

  contains

    ! x becomes what a layer makes of it.
    subroutine step(name, from)
      character(*), intent(in) :: name
      type(c_ptr), intent(in) :: from
      type(c_ptr) :: layer, given

      given = from
      if (c_associated(error)) return
      error = ctorch_module_get_submodule(layer, self%handle, name//c_null_char)
      if (.not. c_associated(error)) error = ctorch_module_forward(x, layer, given)
    end subroutine step

    ! What goes wrong first is the error; an operator that is called after that gives nothing that is used.
    subroutine after(answer)
      type(c_ptr), intent(in) :: answer

      if (c_associated(error)) then
        call ctorch_error_release(answer)
      else
        error = answer
      end if
    end subroutine after
  end subroutine forward

  ! Each image turned, sheared, stretched and shifted a little, anew each time.
  function distort(images) result(out)
    type(c_ptr), intent(in) :: images
    type(c_ptr) :: out, identity, maps, grid
    integer(c_int64_t), parameter :: BILINEAR = 0, ZEROS = 0
    integer(c_int64_t) :: count

    call ctorch_check(ctorch_tensor_size(count, images, 0_c_int64_t))
    call ctorch_check(ctorch_aten_eye_m(identity, TWO, 3_c_int64_t))
    call ctorch_check(ctorch_aten_empty_memory_format(maps, [count, TWO, 3_c_int64_t], 3_c_size_t))
    call ctorch_check(ctorch_aten_uniform_(maps, -DISTORTION, DISTORTION, c_null_ptr))
    call ctorch_check(ctorch_aten_add__Tensor(maps, identity))
    call ctorch_check(ctorch_aten_affine_grid_generator( &
      grid, maps, [count, ONE, IMAGE_SIZE, IMAGE_SIZE], 4_c_size_t, NO))
    call ctorch_check(ctorch_aten_grid_sampler(out, images, grid, BILINEAR, ZEROS, NO))
  end function distort

  function train_step(state, train, batch) result(loss)
    type(training), intent(in) :: state
    type(labelled_images), intent(in) :: train
    type(c_ptr), intent(in) :: batch
    real(c_double) :: loss
    type(ctorch_scoped) :: scope
    type(c_ptr) :: images, labels, objective
    integer(c_int64_t), parameter :: MEAN = 1, IGNORED = -100

    call scope%begin()
    call ctorch_check(ctorch_aten_index_select(images, train%images, 0_c_int64_t, batch))
    images = distort(images)
    call ctorch_check(ctorch_aten_index_select(labels, train%labels, 0_c_int64_t, batch))
    call ctorch_check(ctorch_aten_cross_entropy_loss( &
      objective, state%net%apply(images), labels, c_null_ptr, MEAN, IGNORED, 0d0))
    call state%optimizer%zero_grad()
    call ctorch_check(ctorch_tensor_backward(objective, c_null_ptr, create_graph=NO))
    call state%optimizer%step()
    call ctorch_check(ctorch_tensor_item_double(loss, objective))
  end function train_step

  ! One pass over the images in a new order; gives the mean loss.
  function train_epoch(state, train, batch_size) result(mean)
    type(training), intent(in) :: state
    type(labelled_images), intent(in) :: train
    integer(c_int64_t), intent(in) :: batch_size
    real(c_double) :: mean
    type(ctorch_scoped) :: scope
    type(c_ptr) :: order, batches, batch
    integer(c_size_t) :: i
    integer(c_int64_t) :: done

    call scope%begin()
    call ctorch_check(ctorch_aten_randperm(order, train%count))
    call ctorch_check(ctorch_aten_split_Tensor(batches, order, batch_size, 0_c_int64_t))
    mean = 0
    done = 0
    do i = 1, ctorch_tensor_list_len(batches)
      call ctorch_check(ctorch_tensor_list_get(batch, batches, i - 1))
      mean = mean + train_step(state, train, batch) * ctorch_tensor_numel(batch)
      done = done + ctorch_tensor_numel(batch)
    end do
    mean = mean / done
  end function train_epoch

  subroutine test(state, data)
    type(training), intent(in) :: state
    type(labelled_images), intent(in) :: data
    type(ctorch_scoped) :: scope
    type(c_ptr) :: predictions, equal, sum
    integer(c_int64_t) :: right
    character(120) :: line

    call scope%begin()
    call ctorch_check(ctorch_grad_mode_push(NO))
    call ctorch_check(ctorch_aten_argmax(predictions, state%net%apply(data%images), dim=ONE, keepdim=NO))
    call ctorch_check(ctorch_aten_eq_Tensor(equal, predictions, data%labels))
    call ctorch_check(ctorch_aten_sum(sum, equal))
    call ctorch_check(ctorch_tensor_item_int64(right, sum))
    call ctorch_check(ctorch_grad_mode_pop())
    write (line, '(a, f6.2, a, i0, a, i0, a)') 'test accuracy ', 100d0 * right / data%count, ' % (', right, ' of ', &
      data%count, ')'
    if (line(15:15) == ' ') line(15:) = adjustl(line(15:))
    print '(a)', trim(line)
  end subroutine test

  ! C's `%.17g`, for numbers that need no exponent.
  function all_digits(x) result(text)
    real(c_double), intent(in) :: x
    character(:), allocatable :: text
    character(40) :: room, format
    integer :: exponent, last

    write (room, '(es30.16e3)') x
    read (room(index(room, 'E') + 1:), *) exponent
    write (format, '(a, i0, a)') '(f40.', max(16 - exponent, 0), ')'
    write (room, format) x
    last = len_trim(room)
    do while (index(room, '.') > 0 .and. (room(last:last) == '0'))
      last = last - 1
    end do
    if (room(last:last) == '.') last = last - 1
    text = trim(adjustl(room(:last)))
    if (text(1:1) == '.') text = '0'//text
  end function all_digits
end module digits

program train_digits
  use digits
  implicit none

  integer(c_int64_t) :: epochs = 30, batch_size = 32, seed = 0, epoch
  integer(c_int32_t) :: threads = 1
  real(c_double) :: lr = 0.05d0, loss
  character(500) :: name, value, folder = 'examples/data', losses = ''
  type(labelled_images) :: train, held_out
  type(training) :: state
  integer :: i, unit

  do i = 1, command_argument_count(), 2
    call get_command_argument(i, name)
    call get_command_argument(i + 1, value)
    if (value == '') error stop 'an option needs a value'
    select case (name)
    case ('--epochs'); read (value, *) epochs
    case ('--batch-size'); read (value, *) batch_size
    case ('--lr'); read (value, *) lr
    case ('--seed'); read (value, *) seed
    case ('--threads'); read (value, *) threads
    case ('--data'); folder = value
    case ('--losses'); losses = value
    case default; error stop 'unknown option'
    end select
  end do
  call ctorch_check(ctorch_threads_set_num(threads))
  call ctorch_check(ctorch_random_manual_seed(seed))
  held_out = read_digits(trim(folder), 't10k')
  state = new_training(lr)
  train = read_digits(trim(folder), 'train')
  if (losses /= '') open (newunit=unit, file=losses, status='replace', action='write')
  do epoch = 1, epochs
    call state%optimizer%set_lr(lr * (1 - real(epoch - 1, c_double) / epochs))
    loss = train_epoch(state, train, batch_size)
    print '(a, i2, a, i0, a, f6.4)', 'epoch ', epoch, '/', epochs, '  loss ', loss
    if (losses /= '') write (unit, '(a)') all_digits(loss)
  end do
  if (losses /= '') close (unit)
  call test(state, held_out)
  call ctorch_optimizer_release(state%optimizer%handle)
  call ctorch_module_release(state%net%handle)
  call ctorch_tensor_release(train%images)
  call ctorch_tensor_release(train%labels)
  call ctorch_tensor_release(held_out%images)
  call ctorch_tensor_release(held_out%labels)
end program train_digits
