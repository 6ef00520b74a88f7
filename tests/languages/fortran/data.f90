! Datasets, loaders, transforms and the trainer through the Fortran layer. The argument is a folder.
module procedures
  use ctorch
  use ctorch_data
  use ctorch_errors
  use ctorch_modules
  use ctorch_trainers
  implicit none
  integer :: steps = 0

contains

  ! A tensor with the number of the sample; the fourth is missing.
  subroutine get(index, sample, error)
    integer(c_int64_t), intent(in) :: index
    type(ctorch_sample), intent(inout) :: sample
    type(c_ptr), intent(inout) :: error
    type(c_ptr) :: tensor

    if (index == 4) then
      if (.not. c_associated(ctorch_error_new(error, CTORCH_ERROR_VALUE, 'no fourth'//c_null_char))) return
    end if
    error = ctorch_aten_full(tensor, [2_c_int64_t], 1_c_size_t, ctorch_scalar(kind=CTORCH_SCALAR_INT, i=index))
    if (c_associated(error)) return
    sample = ctorch_sample_of([tensor, tensor])
    call ctorch_tensor_release(tensor)
  end subroutine get

  ! How many samples there are.
  subroutine count_samples(samples, batch, error)
    type(ctorch_sample), intent(in) :: samples
    type(ctorch_sample), intent(inout) :: batch
    type(c_ptr), intent(inout) :: error
    error = ctorch_value_from_int(batch%handle, int(samples%count(), c_int64_t))
  end subroutine count_samples

  ! Random numbers in the place of a tensor.
  subroutine noise(input, generator, output, error)
    type(c_ptr), intent(in) :: input, generator
    type(c_ptr), intent(inout) :: output, error
    type(c_ptr) :: kept
    error = ctorch_aten_rand_like(kept, input)
    if (.not. c_associated(error)) error = ctorch_aten_uniform_(kept, 0d0, 1d0, generator)
    output = kept
  end subroutine noise

  subroutine no_change(input, generator, output, error)
    type(c_ptr), intent(in) :: input, generator
    type(c_ptr), intent(inout) :: output, error
    output = merge(input, generator, .false.)
    output = c_null_ptr
    if (.not. c_associated(ctorch_error_new(error, CTORCH_ERROR_VALUE, 'no change'//c_null_char))) return
  end subroutine no_change

  ! The mean of what a network gives for the first part of a batch, squared.
  subroutine squares(trainer, net, batch, loss, error)
    type(ctorch_trainer), intent(in) :: trainer
    type(ctorch_net), intent(in) :: net
    type(ctorch_sample), intent(in) :: batch
    type(c_ptr), intent(inout) :: loss, error
    type(c_ptr) :: input, output, product

    steps = steps + merge(1, 0, c_associated(trainer%handle))
    input = batch%tensor(1)
    error = ctorch_module_forward(output, net%handle, input)
    call ctorch_tensor_release(input)
    if (c_associated(error)) return
    error = ctorch_aten_mul_Tensor(product, output, output)
    call ctorch_tensor_release(output)
    if (c_associated(error)) return
    error = ctorch_aten_mean(loss, product)
    call ctorch_tensor_release(product)
  end subroutine squares

  subroutine half(output, batch, metric, error)
    type(ctorch_sample), intent(in) :: output, batch
    real(c_double), intent(inout) :: metric
    type(c_ptr), intent(inout) :: error
    metric = merge(0.5d0, 0d0, c_associated(output%handle) .and. batch%count() == 2 .and. .not. c_associated(error))
  end subroutine half

  subroutine stop_early(trainer, event, error)
    type(ctorch_trainer), intent(in) :: trainer
    integer(c_int32_t), intent(in) :: event
    type(c_ptr), intent(inout) :: error
    if (event == CTORCH_TRAINER_EVENT_STEP .and. .not. c_associated(error)) call trainer%stop()
  end subroutine stop_early

  subroutine fail(trainer, event, error)
    type(ctorch_trainer), intent(in) :: trainer
    integer(c_int32_t), intent(in) :: event
    type(c_ptr), intent(inout) :: error
    if (trainer%epoch() > event) return
    if (.not. c_associated(ctorch_error_new(error, CTORCH_ERROR_VALUE, 'not today'//c_null_char))) return
  end subroutine fail
end module procedures

program data
  use procedures
  use ctorch_dicts
  use ctorch_optimizers
  use ctorch_scopes
  implicit none
  logical(c_bool), parameter :: YES = .true., NO = .false.
  logical :: right = .true.
  character(500) :: folder

  call get_command_argument(1, folder)
  call load(0)
  call load(2)
  call position(0)
  call position(2)
  call transform()
  call folder_of_images()
  call train()
  call claim('nothing is left', ctorch_debug_live_handles() == 0)
  if (.not. right) error stop 1

contains

  subroutine claim(text, holds)
    character(*), intent(in) :: text
    logical, intent(in) :: holds
    print '(a, l2)', text, holds
    right = right .and. holds
  end subroutine claim

  function total(tensor) result(number)
    type(c_ptr), intent(in) :: tensor
    real(c_double) :: number
    type(c_ptr) :: sum
    call ctorch_check(ctorch_aten_sum(sum, tensor))
    call ctorch_check(ctorch_tensor_item_double(number, sum))
    call ctorch_tensor_release(sum)
  end function total

  subroutine load(workers)
    integer, intent(in) :: workers
    type(ctorch_scoped) :: scope
    type(ctorch_dataset) :: dataset
    type(ctorch_loader) :: loader
    type(ctorch_iterator) :: batches
    type(ctorch_sample) :: batch
    character(:), allocatable :: message
    logical :: more
    integer :: code

    call scope%begin()
    dataset = ctorch_new_dataset(8_c_int64_t, get)
    batch = dataset%sample(3_c_int64_t)
    call claim('a dataset has samples', dataset%count() == 8 .and. batch%count() == 2 .and. total(batch%tensor(2)) == 6)
    batch = dataset%sample(9_c_int64_t, stat=code)
    call claim('and no more of them', code == CTORCH_ERROR_INDEX)

    loader = ctorch_new_loader(dataset, batch_size=2_c_int64_t, workers=workers)
    batches = loader%iterate()
    more = batches%next(batch)
    call claim('the first batch', more .and. total(batch%tensor(1)) == 6 .and. loader%count() == 4)
    more = batches%next(batch, stat=code, errmsg=message)
    call claim('the error of a sample', .not. more .and. code == CTORCH_ERROR_VALUE .and. index(message, 'no fourth') > 0)
    more = batches%next(batch)
    call claim('the batch behind it', more .and. total(batch%tensor(1)) == 22)
    call batches%release()

    call loader%set_collate(count_samples)
    batches = loader%iterate()
    more = batches%next(batch)
    call claim('a batch of one''s own', more .and. batch%whole(0) == 2)
  end subroutine load

  subroutine position(workers)
    integer, intent(in) :: workers
    type(ctorch_scoped) :: scope
    type(ctorch_dataset) :: dataset
    type(ctorch_loader) :: loader
    type(ctorch_iterator) :: batches, again
    type(ctorch_sample) :: batch, same
    type(c_ptr) :: numbers
    logical :: more, equal
    integer :: i

    call scope%begin()
    call ctorch_check(ctorch_random_manual_seed(3_c_int64_t))
    call ctorch_check(ctorch_aten_arange(numbers, ctorch_scalar(kind=CTORCH_SCALAR_INT, i=9)))
    call ctorch_check(ctorch_data_TensorDataset(dataset%handle, [numbers], 1_c_size_t))
    loader = ctorch_new_loader(dataset, batch_size=2_c_int64_t, shuffle=.true., workers=workers)
    batches = loader%iterate()
    do i = 1, 2
      more = batches%next(batch)
    end do
    again = loader%iterate_from(batches%state_dict())
    equal = .true.
    i = 0
    do while (batches%next(batch))
      more = again%next(same)
      equal = equal .and. more
      equal = equal .and. total(batch%tensor(1)) == total(same%tensor(1))
      i = i + 1
    end do
    more = again%next(same)
    call claim('a position is gone on from', equal .and. i == 3 .and. .not. more)
  end subroutine position

  subroutine transform()
    type(ctorch_scoped) :: scope
    type(ctorch_transform) :: own, flip, failing
    type(c_ptr) :: x, drawn, direct, generator
    character(:), allocatable :: message
    integer :: code

    call scope%begin()
    call ctorch_check(ctorch_aten_zeros(x, [1_c_int64_t, 2_c_int64_t, 2_c_int64_t], 3_c_size_t))
    own = ctorch_new_transform('Noise', noise)
    call ctorch_check(ctorch_generator_new(generator, ctorch_device(CTORCH_DEVICE_TYPE_CPU, -1)))
    call ctorch_check(ctorch_generator_manual_seed(generator, 4_c_int64_t))
    drawn = own%apply(x, generator)
    call ctorch_check(ctorch_generator_manual_seed(generator, 4_c_int64_t))
    call ctorch_check(ctorch_aten_clone(direct, x))
    call ctorch_check(ctorch_aten_uniform_(direct, 0d0, 1d0, generator))
    call claim('a transform draws from a generator', total(drawn) == total(direct))
    call claim('a transform has a text', own%text() == 'Noise()')
    call ctorch_check(ctorch_transforms_RandomHorizontalFlip(flip%handle, 1d0))
    call claim('so have those of the library', flip%text() == 'RandomHorizontalFlip(p=1.0)')
    failing = ctorch_new_transform('None', no_change)
    x = failing%apply(x, stat=code, errmsg=message)
    call claim('a transform fails', code == CTORCH_ERROR_VALUE .and. index(message, 'no change') > 0)
  end subroutine transform

  subroutine folder_of_images()
    type(ctorch_scoped) :: scope
    type(ctorch_dataset) :: images
    type(ctorch_sample) :: classes, batch
    type(ctorch_iterator) :: batches
    type(ctorch_loader) :: loader
    type(c_ptr) :: image
    integer :: i
    logical :: more
    character(1) :: name

    call scope%begin()
    do i = 0, 3
      write (name, '(i1)') i
      call ctorch_check(ctorch_aten_full(image, [3_c_int64_t, 4_c_int64_t, 5_c_int64_t], 3_c_size_t, &
        ctorch_scalar(kind=CTORCH_SCALAR_INT, i=i), CTORCH_DTYPE_UINT8))
      call ctorch_check(ctorch_image_encode_png_file(image, 6_c_int64_t, &
        trim(folder)//merge('/cat/', '/dog/', i < 2)//name//'.png'//c_null_char))
    end do
    call ctorch_check(ctorch_datasets_ImageFolder( &
      images%handle, trim(folder)//c_null_char, c_null_ptr, c_null_ptr, NO))
    classes = images%attribute('classes')
    loader = ctorch_new_loader(images, batch_size=4_c_int64_t, workers=2)
    batches = loader%iterate()
    more = batches%next(batch)
    call claim('a folder of images', more .and. classes%count() == 2 .and. &
      total(batch%tensor(1)) == 360 .and. total(batch%tensor(2)) == 2)
  end subroutine folder_of_images

  subroutine train()
    type(ctorch_scoped) :: scope
    type(ctorch_net) :: net
    type(ctorch_optim) :: optimizer
    type(ctorch_trainer) :: trainer
    type(ctorch_dataset) :: dataset
    type(ctorch_loader) :: loader
    type(ctorch_dict) :: metrics
    type(c_ptr) :: x, y, loss
    character(:), allocatable :: message
    integer :: code

    call scope%begin()
    call ctorch_check(ctorch_aten_ones(x, [6_c_int64_t, 2_c_int64_t], 2_c_size_t))
    call ctorch_check(ctorch_aten_zeros(y, [6_c_int64_t, 1_c_int64_t], 2_c_size_t))
    call ctorch_check(ctorch_data_TensorDataset(dataset%handle, [x, y], 2_c_size_t))
    loader = ctorch_new_loader(dataset, batch_size=3_c_int64_t)
    call ctorch_check(ctorch_nn_Linear(net%handle, 2_c_int64_t, 1_c_int64_t, YES))
    optimizer = ctorch_sgd(net%parameters(), lr=0.1d0)
    trainer = ctorch_new_trainer(net, optimizer)
    call trainer%fit(loader, stat=code, errmsg=message)
    call claim('a trainer wants a loss', code == CTORCH_ERROR_VALUE .and. index(message, 'loss') > 0)
    call trainer%set_step(squares)
    call trainer%set_length(epochs=3)
    call trainer%on(CTORCH_TRAINER_EVENT_STEP, stop_early)
    call trainer%fit(loader)
    call claim('a trainer is stopped', trainer%stopped() .and. trainer%step() == 1 .and. steps == 1)
    call trainer%fit(loader)
    call trainer%set_length(epochs=0, stat=code)
    call claim('a length is one', code == CTORCH_ERROR_INVALID_ARGUMENT)

    trainer = ctorch_new_trainer(net, optimizer)
    call ctorch_check(ctorch_nn_MSELoss(loss, 'mean'//c_null_char))
    call trainer%set_loss(loss)
    call trainer%set_length(epochs=2)
    call trainer%set_accumulation(2)
    call trainer%add_metric('half', half)
    call trainer%add_metric('half', stat=code)
    call claim('a metric has a name of its own', code == CTORCH_ERROR_VALUE)
    call trainer%set_early_stopping('loss', patience=5)
    call trainer%set_interruptible(.true.)
    call trainer%set_progress(CTORCH_TRAINER_PROGRESS_NONE)
    call trainer%fit(loader)
    metrics = trainer%evaluate(loader)
    call claim('a metric of one''s own', abs(trainer%metric(2, 'half') - 0.5d0) < 1d-12 .and. &
      abs(metrics%number('half') - 0.5d0) < 1d-12)
    call claim('a trainer trains', trainer%epoch() == 2 .and. trainer%step() == 2 .and. &
      trainer%metric(2, 'loss') < trainer%metric(1, 'loss') .and. trainer%loss() > 0)

    trainer = ctorch_new_trainer(net, optimizer)
    call trainer%set_loss(loss)
    call trainer%set_length(epochs=4)
    call trainer%set_tape(2)
    call trainer%fit(loader)
    call claim('a trainer captures its steps', trainer%metric(4, 'loss') < trainer%metric(1, 'loss'))

    trainer = ctorch_new_trainer(net, optimizer)
    call trainer%set_loss(loss)
    call trainer%on(CTORCH_TRAINER_EVENT_EPOCH_END, fail)
    call trainer%fit(loader, stat=code, errmsg=message)
    call claim('a callback fails', code == CTORCH_ERROR_VALUE .and. index(message, 'not today') > 0)
  end subroutine train
end program data
