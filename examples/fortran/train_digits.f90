! Train a small convolutional network, in the manner of LeNet (LeCun et al. 1998), on handwritten digits: the program of
! ../train_digits.c in Fortran. The same options give the same losses, to the last digit.
!
!     train_digits [--epochs N] [--batch-size N] [--lr X] [--seed N] [--threads N] [--workers N] [--data DIR]
!                  [--losses FILE]
module digits
  use ctorch
  use ctorch_data
  use ctorch_dicts
  use ctorch_errors
  use ctorch_modules
  use ctorch_optimizers
  use ctorch_scopes
  use ctorch_trainers
  implicit none

  integer(c_int64_t), parameter :: CLASSES = 10, ONE = 1
  integer(c_size_t), parameter :: NOTHING = 0, ONE_ENTRY = 1
  logical(c_bool), parameter :: YES = .true., NO = .false.

  type :: settings
    integer(c_int64_t) :: batch_size = 32, seed = 0
    integer(c_int32_t) :: threads = 1
    integer :: epochs = 30, workers = 0
    real(c_double) :: lr = 0.05d0
    character(500) :: folder = 'examples/data', losses = ''
  end type settings

contains

  ! Images (N, 1, 8, 8) to a score for each class (N, 10).
  function network() result(net)
    type(ctorch_net) :: net
    type(c_ptr) :: layer, relu

    call ctorch_check(ctorch_nn_ReLU(relu, YES)) ! one for all three places: it has no parameters
    call ctorch_check(ctorch_nn_Sequential(net%handle))
    call net%add('conv1', convolution(ONE, 32_c_int64_t))
    call net%add('relu1', relu)
    call net%add('conv2', convolution(32_c_int64_t, 64_c_int64_t))
    call net%add('relu2', relu)
    call ctorch_check(ctorch_nn_MaxPool2d(layer, [2_c_int64_t], ONE_ENTRY, stride_len=NOTHING, padding_len=NOTHING, &
      dilation_len=NOTHING, return_indices=NO, ceil_mode=NO))
    call net%add('pool', layer)
    call ctorch_check(ctorch_nn_Flatten(layer, ONE, -ONE))
    call net%add('flatten', layer)
    call ctorch_check(ctorch_nn_Linear(layer, 64 * 4 * 4_c_int64_t, 128_c_int64_t, YES))
    call net%add('fc1', layer)
    call net%add('relu3', relu)
    call ctorch_check(ctorch_nn_Linear(layer, 128_c_int64_t, CLASSES, YES))
    call net%add('fc2', layer)
  end function network

  ! One that keeps the size of the images.
  function convolution(from, to) result(layer)
    integer(c_int64_t), intent(in) :: from, to
    type(c_ptr) :: layer
    call ctorch_check(ctorch_nn_Conv2d(layer, from, to, [3_c_int64_t], ONE_ENTRY, stride_len=NOTHING, padding=[ONE], &
      padding_len=ONE_ENTRY, dilation_len=NOTHING, groups=ONE, bias=YES))
  end function convolution

  ! Pixels from 0 to 1; and in training each image turned, shifted, stretched and sheared a little, anew each time.
  function transform_for(training) result(transform)
    logical, intent(in) :: training
    type(c_ptr) :: transform, parts(3)

    call ctorch_check(ctorch_transforms_ToDtype(parts(1), CTORCH_DTYPE_FLOAT32, NO))
    call ctorch_check(ctorch_transforms_Normalize(parts(2), [0d0], ONE_ENTRY, [16d0], ONE_ENTRY, NO))
    call ctorch_check(ctorch_transforms_RandomAffine(parts(3), [10d0], ONE_ENTRY, [0.1d0, 0.1d0], 2_c_size_t, &
      [0.85d0, 1.15d0], 2_c_size_t, [10d0], ONE_ENTRY, 'bilinear'//c_null_char, c_null_ptr, center_len=NOTHING))
    call ctorch_check(ctorch_transforms_Compose(transform, parts, merge(3_c_size_t, 2_c_size_t, training)))
  end function transform_for

  ! Batches of a part of the data, 'train' or 't10k' as MNIST calls them; data/README.md says where they come from.
  function batches_of(part, options) result(loader)
    character(*), intent(in) :: part
    type(settings), intent(in) :: options
    type(ctorch_loader) :: loader
    type(ctorch_dataset) :: dataset
    character(:), allocatable :: files

    files = trim(options%folder)//'/'//part
    call ctorch_check(ctorch_datasets_IDXFile(dataset%handle, files//'-images-idx3-ubyte'//c_null_char, &
      files//'-labels-idx1-ubyte'//c_null_char, transform_for(part == 'train'), c_null_ptr))
    loader = ctorch_new_loader( &
      dataset, batch_size=options%batch_size, shuffle=part == 'train', workers=options%workers)
  end function batches_of

  subroutine train_and_test(options)
    type(settings), intent(in) :: options
    type(ctorch_scoped) :: scope
    type(ctorch_net) :: net
    type(ctorch_optim) :: optimizer
    type(ctorch_scheduler) :: scheduler
    type(ctorch_trainer) :: trainer
    type(ctorch_dict) :: metrics
    type(c_ptr) :: loss
    integer :: epoch, unit

    call scope%begin()
    call ctorch_check(ctorch_threads_set_num(options%threads))
    call ctorch_check(ctorch_random_manual_seed(options%seed))
    net = network()
    optimizer = ctorch_sgd(net%parameters(), options%lr, momentum=0.9d0, weight_decay=1d-3)
    call ctorch_check(ctorch_lr_scheduler_LinearLR( &
      scheduler%handle, optimizer%handle, 1d0, 0d0, int(options%epochs, c_int64_t), -ONE))
    call ctorch_check(ctorch_nn_CrossEntropyLoss(loss, c_null_ptr, -100_c_int64_t, 'mean'//c_null_char, 0d0))
    trainer = ctorch_new_trainer(net, optimizer)
    call trainer%set_loss(loss)
    call trainer%set_scheduler(scheduler)
    call trainer%set_length(epochs=options%epochs)
    call trainer%set_progress(CTORCH_TRAINER_PROGRESS_AUTO)
    call trainer%add_metric('accuracy')
    call trainer%fit(batches_of('train', options))
    if (options%losses /= '') then
      open (newunit=unit, file=options%losses, status='replace', action='write')
      do epoch = 1, trainer%epoch()
        write (unit, '(a)') all_digits(trainer%metric(epoch, 'loss'))
      end do
      close (unit)
    end if
    metrics = trainer%evaluate(batches_of('t10k', options))
    print '(5a)', 'test loss ', rounded(metrics%number('loss'), 4), ', accuracy ', &
      rounded(100 * metrics%number('accuracy'), 2), ' %'
  end subroutine train_and_test ! which ends the scope

  ! A number from 0 on with so many digits behind the point.
  function rounded(number, places) result(text)
    real(c_double), intent(in) :: number
    integer, intent(in) :: places
    character(:), allocatable :: text
    character(20) :: room, format
    write (format, '(a, i0, a)') '(f15.', places, ')'
    write (room, format) number
    text = trim(adjustl(room))
    if (text(1:1) == '.') text = '0'//text
  end function rounded

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

  type(settings) :: options
  character(500) :: name, value
  integer :: i

  do i = 1, command_argument_count(), 2
    call get_command_argument(i, name)
    call get_command_argument(i + 1, value)
    if (value == '') error stop 'an option needs a value'
    select case (name)
    case ('--epochs'); read (value, *) options%epochs
    case ('--batch-size'); read (value, *) options%batch_size
    case ('--lr'); read (value, *) options%lr
    case ('--seed'); read (value, *) options%seed
    case ('--threads'); read (value, *) options%threads
    case ('--workers'); read (value, *) options%workers
    case ('--data'); options%folder = value
    case ('--losses'); options%losses = value
    case default; error stop 'unknown option'
    end select
  end do
  call train_and_test(options)
end program train_digits
