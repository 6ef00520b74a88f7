! Loads, transforms and trains what data_sample.py does, and prints it. Its argument is a folder for snapshots.
module samples
  use ctorch
  use ctorch_data
  use ctorch_errors
  use ctorch_modules
  use ctorch_optimizers
  use ctorch_runs
  use ctorch_scopes
  use ctorch_trainers
  implicit none
  logical(c_bool), parameter :: YES = .true., NO = .false.

contains

  subroutine show(number)
    real(c_double), intent(in) :: number
    write (*, '(1x, es26.17e3)', advance='no') number
  end subroutine show

  subroutine show_tensor(given)
    type(c_ptr), intent(in) :: given
    real(c_double), allocatable, target :: values(:)
    type(c_ptr) :: doubles
    integer :: i

    allocate (values(ctorch_tensor_numel(given)))
    call ctorch_check(ctorch_aten_to_dtype(doubles, given, CTORCH_DTYPE_FLOAT64, NO, NO))
    call ctorch_check(ctorch_tensor_copy_to_buffer( &
      doubles, c_loc(values), 8_c_size_t * size(values, kind=c_size_t), CTORCH_DTYPE_FLOAT64))
    do i = 1, size(values)
      call show(values(i))
    end do
  end subroutine show_tensor

  subroutine show_all(tensors)
    type(c_ptr), intent(in) :: tensors(:)
    integer :: i
    do i = 1, size(tensors)
      call show_tensor(tensors(i))
    end do
  end subroutine show_all

  ! Both parts of all batches of an epoch.
  subroutine show_epoch(loader)
    type(ctorch_loader), intent(in) :: loader
    type(ctorch_iterator) :: batches
    type(ctorch_sample) :: batch

    batches = loader%iterate()
    do while (batches%next(batch))
      call show_tensor(batch%tensor(1))
      call show_tensor(batch%tensor(2))
    end do
  end subroutine show_epoch

  subroutine begin_line(name, workers)
    character(*), intent(in) :: name
    integer, intent(in) :: workers
    write (*, '(2a, i0)', advance='no') name, ' ', workers
  end subroutine begin_line

  function floats(count, rows, columns, leaves) result(tensor)
    integer(c_int64_t), intent(in) :: count, rows, columns, leaves
    type(c_ptr) :: tensor, flat
    call ctorch_check(ctorch_aten_arange( &
      flat, ctorch_scalar(kind=CTORCH_SCALAR_INT, i=count), CTORCH_DTYPE_FLOAT32))
    if (leaves > 0) then
      call ctorch_check(ctorch_aten_reshape(tensor, flat, [leaves, rows, columns], 3_c_size_t))
    else
      call ctorch_check(ctorch_aten_reshape(tensor, flat, [rows, columns], 2_c_size_t))
    end if
  end function floats

  subroutine loaded(workers)
    integer, intent(in) :: workers
    type(ctorch_scoped) :: scope
    type(ctorch_dataset) :: rows
    type(ctorch_loader) :: loader
    type(c_ptr) :: numbers, sampler

    call scope%begin()
    call ctorch_check(ctorch_aten_arange(numbers, ctorch_scalar(kind=CTORCH_SCALAR_INT, i=10)))
    call ctorch_check(ctorch_data_TensorDataset( &
      rows%handle, [floats(20_c_int64_t, 10_c_int64_t, 2_c_int64_t, 0_c_int64_t), numbers], 2_c_size_t))

    call ctorch_check(ctorch_random_manual_seed(5_c_int64_t))
    call begin_line('shuffled', workers)
    loader = ctorch_new_loader(rows, batch_size=4_c_int64_t, shuffle=.true., workers=workers)
    call show_epoch(loader)
    call show_epoch(loader)
    print *

    call ctorch_check(ctorch_random_manual_seed(6_c_int64_t))
    call begin_line('drawn', workers)
    call ctorch_check(ctorch_data_RandomSampler(sampler, rows%handle, YES, 7_c_int64_t, c_null_ptr))
    call show_epoch(ctorch_new_loader( &
      rows, batch_size=4_c_int64_t, sampler=sampler, workers=workers, drop_last=.true.))
    print *
  end subroutine loaded

  ! A transform of one's own.
  subroutine double(input, generator, output, error)
    type(c_ptr), intent(in) :: input, generator
    type(c_ptr), intent(inout) :: output, error
    if (c_associated(generator)) error stop 'there is no generator to draw from'
    error = ctorch_aten_mul_Scalar(output, input, ctorch_scalar(kind=CTORCH_SCALAR_INT, i=2))
  end subroutine double

  subroutine transformed(workers)
    integer, intent(in) :: workers
    type(ctorch_scoped) :: scope
    type(ctorch_transform) :: all, own
    type(c_ptr) :: parts(3), image
    integer :: i

    call scope%begin()
    call ctorch_check(ctorch_transforms_RandomCrop(parts(1), [3_c_int64_t], 1_c_size_t, padding_len=0_c_size_t, &
      pad_if_needed=NO, fill=c_null_ptr, padding_mode='constant'//c_null_char))
    call ctorch_check(ctorch_transforms_RandomHorizontalFlip(parts(2), 0.5d0))
    own = ctorch_new_transform('Double', double)
    parts(3) = own%handle
    call ctorch_check(ctorch_transforms_Compose(all%handle, parts, 3_c_size_t))
    image = floats(48_c_int64_t, 4_c_int64_t, 4_c_int64_t, 3_c_int64_t)
    call ctorch_check(ctorch_random_manual_seed(9_c_int64_t))
    call begin_line('transformed', workers)
    do i = 1, 4
      call show_tensor(all%apply(image))
    end do
    print *
  end subroutine transformed
end module samples

module trainings
  use samples
  implicit none

contains

  function normal(rows) result(tensor)
    integer(c_int64_t), intent(in) :: rows
    type(c_ptr) :: tensor
    call ctorch_check(ctorch_aten_randn(tensor, [rows, 4_c_int64_t], 2_c_size_t))
  end function normal

  function classes(rows) result(tensor)
    integer(c_int64_t), intent(in) :: rows
    type(c_ptr) :: tensor
    call ctorch_check(ctorch_aten_randint(tensor, 3_c_int64_t, [rows], 1_c_size_t))
  end function classes

  function loader_of(rows, batch_size, shuffle, workers) result(loader)
    integer(c_int64_t), intent(in) :: rows, batch_size
    logical, intent(in) :: shuffle
    integer, intent(in) :: workers
    type(ctorch_loader) :: loader
    type(ctorch_dataset) :: dataset
    type(c_ptr) :: tensors(2)

    tensors(1) = normal(rows)
    tensors(2) = classes(rows)
    call ctorch_check(ctorch_data_TensorDataset(dataset%handle, tensors, 2_c_size_t))
    loader = ctorch_new_loader(dataset, batch_size=batch_size, shuffle=shuffle, workers=workers)
  end function loader_of

  function sgd(parameters) result(optimizer)
    type(c_ptr), intent(in) :: parameters(:)
    type(ctorch_optim) :: optimizer
    call ctorch_check(ctorch_optim_SGD(optimizer%handle, parameters, size(parameters, kind=c_size_t), 0.1d0, 0.9d0, 0d0, &
      0d0, NO, NO, foreach=NO, differentiable=NO))
  end function sgd

  function new_training(epochs, validation, net) result(trainer)
    integer, intent(in) :: epochs
    type(ctorch_loader), intent(in) :: validation
    type(ctorch_net), intent(out) :: net
    type(ctorch_trainer) :: trainer
    type(ctorch_optim) :: optimizer
    type(ctorch_scheduler) :: scheduler
    type(c_ptr) :: layer, loss

    call ctorch_check(ctorch_nn_Sequential(net%handle))
    call ctorch_check(ctorch_nn_Linear(layer, 4_c_int64_t, 8_c_int64_t, YES))
    call ctorch_check(ctorch_module_append(net%handle, layer))
    call ctorch_check(ctorch_nn_Tanh(layer))
    call ctorch_check(ctorch_module_append(net%handle, layer))
    call ctorch_check(ctorch_nn_Linear(layer, 8_c_int64_t, 3_c_int64_t, YES))
    call ctorch_check(ctorch_module_append(net%handle, layer))
    optimizer = sgd(net%parameters())
    call ctorch_check(ctorch_lr_scheduler_StepLR( &
      scheduler%handle, optimizer%handle, 1_c_int64_t, 0.5d0, -1_c_int64_t))
    call ctorch_check(ctorch_nn_CrossEntropyLoss(loss, c_null_ptr, -100_c_int64_t, 'mean'//c_null_char, 0d0))
    trainer = ctorch_new_trainer(net, optimizer)
    call trainer%set_loss(loss)
    call trainer%set_length(epochs=epochs)
    call trainer%add_metric('accuracy')
    call trainer%set_clipping(max_norm=0.5d0)
    call trainer%set_scheduler(scheduler)
    call trainer%set_validation(validation)
  end function new_training

  subroutine show_loss(trainer, event, error)
    type(ctorch_trainer), intent(in) :: trainer
    integer(c_int32_t), intent(in) :: event
    type(c_ptr), intent(inout) :: error
    if (event /= CTORCH_TRAINER_EVENT_BATCH_END .or. c_associated(error)) error stop 'another event'
    call show(trainer%loss())
  end subroutine show_loss

  subroutine show_history(trainer)
    type(ctorch_trainer), intent(in) :: trainer
    integer :: epoch

    do epoch = 1, trainer%epoch()
      call show(trainer%metric(epoch, 'loss'))
      call show(trainer%metric(epoch, 'accuracy'))
      call show(trainer%metric(epoch, 'val_loss'))
      call show(trainer%metric(epoch, 'val_accuracy'))
    end do
    print *
  end subroutine show_history

  subroutine trained(workers, folder)
    integer, intent(in) :: workers
    character(*), intent(in) :: folder
    type(ctorch_scoped) :: scope
    type(ctorch_loader) :: batches, validation
    type(ctorch_trainer) :: trainer
    type(ctorch_net) :: net

    call scope%begin()
    call ctorch_check(ctorch_random_manual_seed(0_c_int64_t))
    batches = loader_of(50_c_int64_t, 8_c_int64_t, .true., workers)
    validation = loader_of(20_c_int64_t, 20_c_int64_t, .false., workers)

    call ctorch_check(ctorch_random_manual_seed(1_c_int64_t))
    trainer = new_training(2, validation, net)
    call trainer%on(CTORCH_TRAINER_EVENT_BATCH_END, show_loss)
    call begin_line('trained', workers)
    call trainer%fit(batches)
    call show_all(net%parameters())
    print *
    call begin_line('history', workers)
    call show_history(trainer)

    call ctorch_check(ctorch_random_manual_seed(1_c_int64_t))
    trainer = new_training(1, validation, net)
    call trainer%set_snapshots(ctorch_open_snapshots(folder))
    call trainer%fit(batches)
    call ctorch_check(ctorch_random_manual_seed(2_c_int64_t))
    trainer = new_training(2, validation, net)
    call trainer%set_snapshots(ctorch_open_snapshots(folder))
    call trainer%fit(batches)
    call begin_line('resumed', workers)
    call show_history(trainer)
  end subroutine trained
end module trainings

program data_sample
  use trainings
  implicit none
  character(500) :: folder

  call get_command_argument(1, folder)
  call loaded(0)
  call transformed(0)
  call trained(0, trim(folder)//'/run0')
  call loaded(2)
  call transformed(2)
  call trained(2, trim(folder)//'/run2')
  print '(a, i0)', 'live ', ctorch_debug_live_handles()
end program data_sample
