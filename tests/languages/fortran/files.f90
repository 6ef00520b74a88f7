! Files through the Fortran layer: reads those that Python wrote to the first folder, and writes those that Python reads to
! the second one; file_exchange.py tells what is in them.
module file_procedures
  use ctorch
  use ctorch_dicts
  implicit none
  integer :: asked = 0
  integer(c_int64_t) :: place = 0

contains

  function fractions_alone(module, name) result(allowed)
    character(*), intent(in) :: module, name
    logical :: allowed
    asked = asked + 1
    allowed = module == 'fractions' .and. name == 'Fraction'
  end function fractions_alone

  function nothing(module, name) result(allowed)
    character(*), intent(in) :: module, name
    logical :: allowed
    allowed = module == '' .and. name == ''
  end function nothing

  subroutine save_place(state, error)
    type(ctorch_dict), intent(in) :: state
    type(c_ptr), intent(inout) :: error
    error = c_null_ptr
    call state%put('place', place)
  end subroutine save_place

  subroutine load_place(state, error)
    type(ctorch_dict), intent(in) :: state
    type(c_ptr), intent(inout) :: error
    error = c_null_ptr
    place = state%whole('place')
  end subroutine load_place

  subroutine no_state(state, error)
    type(ctorch_dict), intent(in) :: state
    type(c_ptr), intent(inout) :: error
    if (state%count() > 0) return
    if (.not. c_associated(ctorch_error_new(error, CTORCH_ERROR_VALUE, 'no state'//c_null_char))) return
  end subroutine no_state
end module file_procedures

program files
  use file_procedures
  use ctorch_data
  use ctorch_errors
  use ctorch_files
  use ctorch_modules
  use ctorch_optimizers
  use ctorch_runs
  use ctorch_scopes
  use ctorch_tensor_files
  implicit none
  character(500) :: folders(2)
  logical :: right = .true.

  call get_command_argument(1, folders(1))
  call get_command_argument(2, folders(2))
  call names_of_fields()
  call reading()
  call weights_by_name()
  call failures()
  call writing()
  call resuming()
  call claim('nothing is left', ctorch_debug_live_handles() == 0)
  if (.not. right) error stop 1

contains

  subroutine claim(text, holds)
    character(*), intent(in) :: text
    logical, intent(in) :: holds
    print '(a, l2)', text, holds
    right = right .and. holds
  end subroutine claim

  function from(name) result(path)
    character(*), intent(in) :: name
    character(:), allocatable :: path
    path = trim(folders(1))//'/'//name
  end function from

  function to(name) result(path)
    character(*), intent(in) :: name
    character(:), allocatable :: path
    path = trim(folders(2))//'/'//name
  end function to

  subroutine names_of_fields()
    type(ctorch_scoped) :: scope
    type(ctorch_sample) :: found, part, by_index
    type(c_ptr) :: model, input
    character(20) :: names(3)
    character(:), allocatable :: said
    integer(c_int64_t), target :: numbers(2)
    integer :: unit, i, stat
    logical :: holds
    logical(c_bool) :: equal

    call scope%begin()
    open (newunit=unit, file=from('named.txt'), action='read', status='old')
    read (unit, '(a)') names
    close (unit)
    numbers = [1, 2]
    call ctorch_check(ctorch_tensor_from_data(input, c_loc(numbers), 16_c_size_t, [2_c_int64_t], 1_c_size_t, &
      CTORCH_DTYPE_INT64))
    call ctorch_check(ctorch_value_from_tensor(input, input))
    call ctorch_check(ctorch_jit_load_file(model, from('named.pt')//c_null_char))
    call ctorch_check(ctorch_jit_module_call(found%handle, model, args=[input], args_len=1_c_size_t, kwargs=c_null_ptr))
    holds = found%count() == 2 .and. ctorch_text(ctorch_value_tuple_name(found%handle)) == trim(names(1))
    do i = 1, 2
      part = found%field(trim(names(i + 1)))
      by_index = found%part(i)
      call ctorch_check(ctorch_value_equal(equal, part%handle, by_index%handle))
      holds = holds .and. equal
    end do
    call claim('a field has its name', holds)
    part = found%field('x', stat, said)
    call claim('a field of no such name is an error', stat == CTORCH_ERROR_INDEX .and. index(said, 'x') > 0)
    call scope%end()
  end subroutine names_of_fields

  function bytes_of(path) result(bytes)
    character(*), intent(in) :: path
    integer(c_int8_t), allocatable :: bytes(:)
    integer :: unit, length
    open (newunit=unit, file=path, access='stream', form='unformatted', action='read', status='old')
    inquire (unit, size=length)
    allocate (bytes(length))
    read (unit) bytes
    close (unit)
  end function bytes_of

  subroutine write_bytes(path, bytes)
    character(*), intent(in) :: path
    integer(c_int8_t), intent(in) :: bytes(:)
    integer :: unit
    open (newunit=unit, file=path, access='stream', form='unformatted', action='write', status='replace')
    write (unit) bytes
    close (unit)
  end subroutine write_bytes

  function weight() result(tensor)
    type(c_ptr) :: tensor
    real(c_float), target :: values(6)
    values = [0.0, 0.25, 0.5, 0.75, 1.0, 1.25]
    call ctorch_check(ctorch_tensor_from_data( &
      tensor, c_loc(values), 24_c_size_t, [2_c_int64_t, 3_c_int64_t], 2_c_size_t, CTORCH_DTYPE_FLOAT32))
  end function weight

  function half() result(tensor)
    type(c_ptr) :: tensor
    integer(c_int16_t), target :: bits(2)
    bits = [16256_c_int16_t, -16640_c_int16_t] ! 1 and -0.5
    call ctorch_check(ctorch_tensor_from_data( &
      tensor, c_loc(bits), 4_c_size_t, [2_c_int64_t], 1_c_size_t, CTORCH_DTYPE_BFLOAT16))
  end function half

  function counted() result(tensor)
    type(c_ptr) :: tensor
    integer(c_int64_t), target :: number
    number = 7
    call ctorch_check(ctorch_tensor_from_data( &
      tensor, c_loc(number), 8_c_size_t, [integer(c_int64_t) ::], 0_c_size_t, CTORCH_DTYPE_INT64))
  end function counted

  ! What NumPy has of the sample.
  function numbers() result(tensors)
    type(ctorch_dict) :: tensors
    tensors = ctorch_new_dict()
    call tensors%put('weight', weight())
    call tensors%put('count', counted())
  end function numbers

  function sample() result(tensors)
    type(ctorch_dict) :: tensors
    tensors = numbers()
    call tensors%put('half', half())
  end function sample

  function by(name) result(metadata)
    character(*), intent(in) :: name
    type(ctorch_dict) :: metadata
    metadata = ctorch_new_dict()
    call metadata%put('by', name)
  end function by

  function state() result(dict)
    type(ctorch_dict) :: dict
    type(c_ptr) :: entries(2), list
    dict = ctorch_new_dict()
    call dict%put('weight', weight())
    call dict%put('step', 7)
    call dict%put('rate', 0.5d0)
    call dict%put('name', 'net')
    call ctorch_check(ctorch_value_from_bool(entries(1), .true._c_bool))
    call ctorch_check(ctorch_value_from_none(entries(2)))
    call ctorch_check(ctorch_value_from_list(list, entries, 2_c_size_t))
    call dict%put_value('flags', list)
    call ctorch_check(ctorch_value_from_int(entries(1), 1_c_int64_t))
    call ctorch_check(ctorch_value_from_string(entries(2), 'x'//c_null_char))
    call ctorch_check(ctorch_value_from_tuple(list, entries, 2_c_size_t))
    call dict%put_value('pair', list)
  end function state

  function is_state(dict) result(holds)
    type(ctorch_dict), intent(in) :: dict
    type(ctorch_dict) :: expected
    logical :: holds
    expected = state()
    holds = dict%print_text() == expected%print_text() .and. same(dict%tensor('weight'), weight()) &
      .and. dict%whole('step') == 7 .and. dict%number('rate') == 0.5d0 .and. dict%text('name') == 'net'
  end function is_state

  function same(a, b) result(equal)
    type(c_ptr), intent(in) :: a, b
    logical :: equal
    logical(c_bool) :: found
    call ctorch_check(ctorch_aten_equal(found, a, b))
    equal = found .and. ctorch_tensor_dtype(a) == ctorch_tensor_dtype(b)
  end function same

  function is_sample(tensors) result(holds)
    type(ctorch_dict), intent(in) :: tensors
    logical :: holds
    holds = tensors%count() == 3 .and. same(tensors%tensor('weight'), weight()) &
      .and. same(tensors%tensor('half'), half()) .and. same(tensors%tensor('count'), counted())
  end function is_sample

  subroutine reading()
    type(ctorch_scoped) :: scope
    type(ctorch_dict) :: found, one
    type(c_ptr) :: reader, described
    character(:), allocatable :: message
    integer :: unit, code

    call scope%begin()
    call claim('a file of torch.save is read', is_state(ctorch_load(from('state.pt'))))
    call claim('and one before PyTorch 1.6', is_state(ctorch_load(from('legacy.pt'))))
    call claim('mapped to memory', is_state( &
      ctorch_load(from('state.pt'), mmap=.true., map_location=ctorch_device(CTORCH_DEVICE_TYPE_CPU, -1))))
    call claim('from bytes', is_state(ctorch_load_bytes(bytes_of(from('state.pt')))))
    open (newunit=unit, file=from('state.pt'), access='stream', form='unformatted', action='read', status='old')
    reader = ctorch_unit_reader(unit)
    call claim('from a unit', is_state(ctorch_load_from(reader)))
    close (unit)
    found = ctorch_load_from(reader, stat=code)
    call claim('which is closed', code == CTORCH_ERROR_IO)
    found = ctorch_load(from('unknown.pt'), stat=code, errmsg=message)
    call claim('an unknown class is refused', code == CTORCH_ERROR_FORMAT .and. index(message, 'fractions.Fraction') > 0)
    found = ctorch_load(from('unknown.pt'), allow=fractions_alone)
    described = found%value('third')
    call claim('unless a procedure allows it', asked == 1 .and. found%kind('third') == CTORCH_VALUE_PYTHON_OBJECT &
      .and. ctorch_text(ctorch_value_python_name(described)) == 'Fraction')
    found = ctorch_load(from('unknown.pt'), allow=nothing, stat=code)
    call claim('which may refuse it too', code == CTORCH_ERROR_FORMAT)
    found = ctorch_load(from('state.pt'), map_location=ctorch_device(CTORCH_DEVICE_TYPE_META, -1), allow=nothing)
    call claim('a device for all', is_meta(found%tensor('weight')))
    one = ctorch_new_dict()
    call one%put('inner', found)
    call one%put('truth', .true.)
    found = one%dict('inner')
    call claim('dicts hold dicts', found%has('step') .and. .not. found%has('steps') .and. one%truth('truth') &
      .and. one%name(2) == 'truth' .and. one%kind() == CTORCH_VALUE_DICT)
    if (len(one%text('truth', stat=code)) > 0) return
    call claim('and tell what is of another kind', code == CTORCH_ERROR_TYPE)
  end subroutine reading

  function is_meta(tensor) result(holds)
    type(c_ptr), intent(in) :: tensor
    logical :: holds
    type(ctorch_device) :: device
    call ctorch_check(ctorch_tensor_device(device, tensor))
    holds = device%type == CTORCH_DEVICE_TYPE_META
  end function is_meta

  subroutine weights_by_name()
    type(ctorch_scoped) :: scope
    type(ctorch_weights) :: weights
    type(ctorch_dict) :: found
    type(c_ptr) :: part
    real(c_float), target :: values(2)
    integer :: code

    call scope%begin()
    weights = ctorch_open_weights(from('model.safetensors'), mmap=.true.)
    call claim('a table of contents', weights%format() == 'safetensors' .and. weights%count() == 3 &
      .and. weights%has(weights%name(3)) .and. .not. weights%has('bias'))
    call claim('the shape and dtype of a tensor', all(weights%shape('weight') == [2, 3]) &
      .and. size(weights%shape('count')) == 0 .and. weights%dtype('half') == CTORCH_DTYPE_BFLOAT16)
    call claim('one by name', same(weights%tensor('half'), half()))
    part = weights%part('weight', [1_c_int64_t, -2_c_int64_t], [2_c_int64_t, 3_c_int64_t])
    call ctorch_check(ctorch_tensor_copy_to_buffer(part, c_loc(values), 8_c_size_t, CTORCH_DTYPE_FLOAT32))
    call claim('a part of one', all(values == [1.0, 1.25]))
    found = weights%metadata()
    call claim('metadata', found%text('by') == 'python')
    call claim('all of them', is_sample(weights%tensors()))
    part = weights%tensor('bias', stat=code)
    call claim('but not what is not there', code == CTORCH_ERROR_INDEX .and. .not. c_associated(part))
    weights = ctorch_open_weights_bytes(bytes_of(from('model.safetensors')))
    call claim('the same from bytes', is_sample(weights%tensors()))
    call claim('shards', is_sample(ctorch_load_tensors(from('sharded'))))
    call claim('an array of NumPy', same(ctorch_npy_load_file(from('x.npy')), weight()))
    found = ctorch_load_tensors(from('sample.npz'))
    call claim('arrays of NumPy', found%count() == 2 .and. same(found%tensor('count'), counted()))
  end subroutine weights_by_name

  subroutine failures()
    type(ctorch_scoped) :: scope
    type(ctorch_dict) :: found, twice
    type(c_ptr) :: one, writer
    character(:), allocatable :: message
    integer(c_int8_t), allocatable :: bytes(:)
    integer :: codes(4), unit

    call scope%begin()
    found = ctorch_load(from('damaged.pt'), stat=codes(1))
    found = ctorch_load_bytes(bytes_of(from('damaged.pt')), stat=codes(2))
    found = ctorch_load_tensors(from('damaged.safetensors'), stat=codes(3))
    found = ctorch_load_tensors(from('damaged.npz'), stat=codes(4))
    call claim('damaged files are told', all(codes == CTORCH_ERROR_FORMAT))
    found = ctorch_load(from('nowhere/x.pt'), stat=codes(1), errmsg=message)
    call ctorch_save(ctorch_new_dict(), from('nowhere/x.pt'), stat=codes(2))
    call claim('and missing ones', all(codes(:2) == CTORCH_ERROR_IO) .and. index(message, 'nowhere') > 0)
    one = weight()
    twice = ctorch_new_dict()
    call twice%put('a', one)
    call twice%put('b', one)
    allocate (bytes(1)) ! gfortran 12 warns otherwise
    bytes = ctorch_safetensors_save(twice, stat=codes(1))
    call claim('shared memory is refused', codes(1) == CTORCH_ERROR_RUNTIME .and. size(bytes) == 0)
    found = ctorch_load_bytes([integer(c_int8_t) ::], stat=codes(1))
    call claim('no bytes are no file', codes(1) == CTORCH_ERROR_FORMAT)
    open (newunit=unit, file=from('state.pt'), access='stream', form='unformatted', action='read', status='old')
    writer = ctorch_unit_writer(unit)
    call ctorch_save_to(writer, state())
    call ctorch_check(ctorch_writer_finish(writer), codes(1), message)
    call claim('a unit that cannot be written to', codes(1) == CTORCH_ERROR_IO .and. len(message) > 0)
    close (unit)
  end subroutine failures

  subroutine writing()
    type(ctorch_scoped) :: scope
    type(ctorch_net) :: linear, other
    type(c_ptr) :: writer, layer
    integer :: unit, code

    call scope%begin()
    call ctorch_save(state(), to('state.pt'))
    open (newunit=unit, file=to('bytes.pt'), access='stream', form='unformatted', action='write', status='replace')
    writer = ctorch_unit_writer(unit)
    call ctorch_save_to(writer, state())
    call ctorch_check(ctorch_writer_finish(writer))
    close (unit)
    call claim('a unit has the bytes', all(bytes_of(to('bytes.pt')) == ctorch_save_bytes(state())))
    call ctorch_safetensors_save_file(sample(), to('model.safetensors'), by('consumer'))
    call write_bytes(to('bytes.safetensors'), ctorch_safetensors_save(sample(), by('consumer')))
    call ctorch_check(ctorch_nn_Linear(layer, 3_c_int64_t, 2_c_int64_t, .true._c_bool))
    linear = ctorch_net_of(layer)
    call ctorch_check(ctorch_grad_mode_push(.false._c_bool))
    call ctorch_check(ctorch_aten_zero_(linear%parameter('weight')))
    call ctorch_check(ctorch_aten_zero_(linear%parameter('bias')))
    call ctorch_check(ctorch_grad_mode_pop())
    call ctorch_save_model(linear, to('linear.safetensors'))
    call ctorch_check(ctorch_nn_Linear(layer, 3_c_int64_t, 2_c_int64_t, .true._c_bool))
    other = ctorch_net_of(layer)
    call ctorch_load_model(other, to('linear.safetensors'))
    call claim('a model is loaded', same(other%parameter('weight'), linear%parameter('weight')))
    call ctorch_check(ctorch_nn_ReLU(layer, .false._c_bool))
    call ctorch_load_model(ctorch_net_of(layer), to('linear.safetensors'), stat=code)
    call claim('but not another one', code == CTORCH_ERROR_RUNTIME)
    call ctorch_load_model(ctorch_net_of(layer), to('linear.safetensors'), strict=.false., stat=code)
    call claim('unless it need not fit', code == 0)
    call ctorch_npy_save_file(weight(), to('x.npy'))
    call write_bytes(to('bytes.npy'), ctorch_npy_save(weight()))
    call ctorch_npz_save_file(numbers(), to('sample.npz'), compressed=.true.)
    call write_bytes(to('bytes.npz'), ctorch_npz_save(numbers(), compressed=.true.))
    call ctorch_sharded_save(sample(), to('sharded'), max_shard_nbytes=24_c_size_t)
  end subroutine writing

  subroutine start(net, optimizer, scheduler, counter, snapshots)
    type(ctorch_net), intent(out) :: net
    type(ctorch_optim), intent(out) :: optimizer
    type(ctorch_scheduler), intent(out) :: scheduler
    type(ctorch_dict), intent(out) :: counter
    type(ctorch_snapshots), intent(out) :: snapshots

    call ctorch_check(ctorch_nn_Linear(net%handle, 3_c_int64_t, 2_c_int64_t, .true._c_bool))
    optimizer = ctorch_adamw(net%parameters(), lr=0.1d0)
    call ctorch_check( &
      ctorch_lr_scheduler_StepLR(scheduler%handle, optimizer%handle, 2_c_int64_t, 0.1d0, -1_c_int64_t))
    counter = ctorch_new_dict()
    call counter%put('steps', 0)
    snapshots = ctorch_open_snapshots(to('run'))
    call snapshots%add('model', net)
    call snapshots%add('optimizer', optimizer)
    call snapshots%add('scheduler', scheduler)
    call snapshots%add('counter', counter)
    call snapshots%add('place', save_place, load_place)
    call snapshots%set_keep(last=1, best=1)
  end subroutine start

  subroutine train(net, optimizer, scheduler, counter, steps)
    type(ctorch_net), intent(in) :: net
    type(ctorch_optim), intent(in) :: optimizer
    type(ctorch_scheduler), intent(in) :: scheduler
    type(ctorch_dict), intent(in) :: counter
    integer, intent(in) :: steps
    type(c_ptr) :: x, loss
    integer :: i

    do i = 1, steps
      call ctorch_check(ctorch_aten_randn(x, [4_c_int64_t, 3_c_int64_t], 2_c_size_t)) ! the generator is saved too
      call optimizer%zero_grad()
      call ctorch_check(ctorch_aten_square(loss, net%apply(x)))
      call ctorch_check(ctorch_aten_sum(loss, loss))
      call ctorch_check(ctorch_tensor_backward(loss, c_null_ptr, create_graph=.false._c_bool))
      call optimizer%step()
      call scheduler%step()
      call counter%put('steps', counter%whole('steps') + 1)
      place = place + 10
    end do
  end subroutine train

  subroutine resuming()
    type(ctorch_scoped) :: scope
    type(ctorch_net) :: net, other
    type(ctorch_optim) :: optimizer
    type(ctorch_scheduler) :: scheduler
    type(ctorch_dict) :: counter
    type(ctorch_snapshots) :: snapshots
    character(:), allocatable :: message, path
    integer(c_int64_t) :: epoch, step
    logical :: found
    integer :: code

    call scope%begin()
    call ctorch_check(ctorch_random_manual_seed(5_c_int64_t))
    call start(net, optimizer, scheduler, counter, snapshots)
    call snapshots%resume(epoch, step, found=found)
    call claim('there is nothing to resume', .not. found .and. epoch == 0 .and. step == 0)
    call train(net, optimizer, scheduler, counter, 3)
    call snapshots%save(1_c_int64_t, 3_c_int64_t, metric=0.25d0)
    call train(net, optimizer, scheduler, counter, 3)
    call snapshots%set_every(4_c_int64_t)
    call snapshots%step(1_c_int64_t, 5_c_int64_t, saved=found)
    call claim('it is not time to save', .not. found)
    call start(other, optimizer, scheduler, counter, snapshots)
    call snapshots%resume(epoch, step, which='best', found=found)
    call claim('a run is found again', found .and. epoch == 1 .and. step == 3)
    call claim('with state of its own', counter%whole('steps') == 3 .and. place == 30)
    call train(other, optimizer, scheduler, counter, 3)
    call claim('and goes on as it did', same(net%parameter('weight'), other%parameter('weight')) &
      .and. same(net%parameter('bias'), other%parameter('bias')))
    path = snapshots%path(1)
    call claim('which there are', snapshots%count() == 1 .and. snapshots%step_of(1) == 3 &
      .and. snapshots%metric(1) == 0.25d0 .and. index(path, 'snapshot-000000000003.pt') > 0)
    call snapshots%add('model', net, stat=code)
    call claim('a name is taken', code == CTORCH_ERROR_VALUE)
    call snapshots%add('failing', no_state, no_state)
    call snapshots%save(1_c_int64_t, 10_c_int64_t, stat=code, errmsg=message)
    call claim('a procedure fails', code == CTORCH_ERROR_VALUE .and. message == 'no state')
    call snapshots%resume(stat=code)
    call claim('a part is missing', code == CTORCH_ERROR_INDEX)
    call snapshots%set_async(.true.)
    call snapshots%wait()
    call start(other, optimizer, scheduler, counter, snapshots)
    call snapshots%resume(which=from('state.pt'), stat=code)
    call claim('another file is no snapshot', code == CTORCH_ERROR_FORMAT)
  end subroutine resuming
end program files
