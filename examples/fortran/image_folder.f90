! Train on a folder of images: the program of ../image_folder.c in Fortran. The folder has `train` and `test`, which have a
! folder for each class. Worker threads read, decode and transform the images; the result does not depend on their number.
!
!     image_folder [FOLDER]
program image_folder
  use ctorch
  use ctorch_data
  use ctorch_errors
  use ctorch_modules
  use ctorch_optimizers
  use ctorch_scopes
  use ctorch_trainers
  implicit none

  integer(c_int64_t), parameter :: ONE = 1, CHANNELS = 16, BATCH = 20
  integer(c_size_t), parameter :: NOTHING = 0, ONE_ENTRY = 1
  logical(c_bool), parameter :: YES = .true., NO = .false.
  character(500) :: folder

  folder = 'examples/data/shapes'
  if (command_argument_count() > 0) call get_command_argument(1, folder)
  call run(trim(folder))

contains

  ! Convolutions with batch norm, after each the image is halved; the greatest values of what is left; a linear layer.
  function network(classes) result(net)
    integer(c_int64_t), intent(in) :: classes
    type(ctorch_net) :: net
    type(c_ptr) :: layer
    integer(c_int64_t) :: from, to
    integer :: i

    call ctorch_check(ctorch_nn_Sequential(net%handle))
    from = 3
    do i = 0, 2
      to = CHANNELS * 2**i
      call ctorch_check(ctorch_nn_Conv2d(layer, from, to, [3_c_int64_t], ONE_ENTRY, stride_len=NOTHING, padding=[ONE], &
        padding_len=ONE_ENTRY, dilation_len=NOTHING, groups=ONE, bias=YES))
      call append(net, layer)
      call ctorch_check(ctorch_nn_BatchNorm2d(layer, to, 1d-5, 0.1d0, YES, YES, bias=YES))
      call append(net, layer)
      call ctorch_check(ctorch_nn_ReLU(layer, YES))
      call append(net, layer)
      call ctorch_check(ctorch_nn_MaxPool2d(layer, [2_c_int64_t], ONE_ENTRY, stride_len=NOTHING, padding_len=NOTHING, &
        dilation_len=NOTHING, return_indices=NO, ceil_mode=NO))
      call append(net, layer)
      from = to
    end do
    call ctorch_check(ctorch_nn_AdaptiveMaxPool2d(layer, [ONE], ONE_ENTRY, NO))
    call append(net, layer)
    call ctorch_check(ctorch_nn_Flatten(layer, ONE, -ONE))
    call append(net, layer)
    call ctorch_check(ctorch_nn_Linear(layer, 4 * CHANNELS, classes, YES))
    call append(net, layer)
  end function network

  subroutine append(net, layer)
    type(ctorch_net), intent(in) :: net
    type(c_ptr), intent(in) :: layer
    call ctorch_check(ctorch_module_append(net%handle, layer))
  end subroutine append

  ! Numbers from -1 to 1; and in training a part of the image, of another size, flipped or not, in other colours.
  function transform_for(training) result(transform)
    logical, intent(in) :: training
    type(c_ptr) :: transform, parts(5)
    real(c_double), parameter :: HALF(3) = 0.5d0

    call ctorch_check(ctorch_transforms_RandomResizedCrop(parts(1), [32_c_int64_t], ONE_ENTRY, [0.8d0, 1d0], 2_c_size_t, &
      ratio_len=NOTHING, interpolation='bilinear'//c_null_char, antialias=YES))
    call ctorch_check(ctorch_transforms_RandomHorizontalFlip(parts(2), 0.5d0))
    call ctorch_check(ctorch_transforms_ColorJitter(parts(3), [0.2d0], ONE_ENTRY, [0.2d0], ONE_ENTRY, &
      saturation_len=NOTHING, hue=[0.5d0], hue_len=ONE_ENTRY))
    call ctorch_check(ctorch_transforms_ToDtype(parts(4), CTORCH_DTYPE_FLOAT32, YES))
    call ctorch_check(ctorch_transforms_Normalize(parts(5), HALF, 3_c_size_t, HALF, 3_c_size_t, NO))
    if (training) then
      call ctorch_check(ctorch_transforms_Compose(transform, parts, 5_c_size_t))
    else
      call ctorch_check(ctorch_transforms_Compose(transform, parts(4:), 2_c_size_t))
    end if
  end function transform_for

  subroutine run(folder)
    character(*), intent(in) :: folder
    type(ctorch_scoped) :: scope
    type(ctorch_dataset) :: images, test_images
    type(ctorch_sample) :: classes
    type(ctorch_net) :: net
    type(ctorch_optim) :: optimizer
    type(ctorch_trainer) :: trainer
    type(c_ptr) :: text, loss
    integer :: epoch

    call scope%begin()
    call ctorch_check(ctorch_threads_set_num(1_c_int32_t)) ! the tensors are too small for more
    call ctorch_check(ctorch_random_manual_seed(0_c_int64_t))
    call ctorch_check(ctorch_datasets_ImageFolder( &
      images%handle, folder//'/train'//c_null_char, transform_for(.true.), c_null_ptr, NO))
    call ctorch_check(ctorch_datasets_ImageFolder( &
      test_images%handle, folder//'/test'//c_null_char, transform_for(.false.), c_null_ptr, NO))
    classes = images%attribute('classes')
    call ctorch_check(ctorch_value_repr(text, classes%handle))
    print '(2a)', 'classes ', ctorch_text(ctorch_string_data(text))

    net = network(int(classes%count(), c_int64_t))
    optimizer = ctorch_adamw(net%parameters(), lr=3d-3)
    call ctorch_check(ctorch_nn_CrossEntropyLoss(loss, c_null_ptr, -100_c_int64_t, 'mean'//c_null_char, 0d0))
    trainer = ctorch_new_trainer(net, optimizer)
    call trainer%set_loss(loss)
    call trainer%add_metric('accuracy')
    call trainer%set_length(epochs=15)
    call trainer%set_validation(ctorch_new_loader(test_images, batch_size=BATCH, workers=2))
    call trainer%fit(ctorch_new_loader(images, batch_size=BATCH, shuffle=.true., workers=2))
    do epoch = 1, trainer%epoch()
      print '(a, i2, 3(2a))', 'epoch ', epoch, '  loss ', shown(trainer%metric(epoch, 'loss')), &
        '  val_loss ', shown(trainer%metric(epoch, 'val_loss')), &
        '  val_accuracy ', shown(trainer%metric(epoch, 'val_accuracy'))
    end do
  end subroutine run ! which ends the scope

  ! A number from 0 on with four digits behind the point.
  function shown(number) result(text)
    real(c_double), intent(in) :: number
    character(:), allocatable :: text
    character(20) :: room
    write (room, '(f12.4)') number
    text = trim(adjustl(room))
    if (text(1:1) == '.') text = '0'//text
  end function shown
end program image_folder
