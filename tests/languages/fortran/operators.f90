! Names, optionals, lists, texts, structs, results and errors; every line is `claim T`, or test_fortran.py fails.
program operators
  use ctorch
  use ctorch_errors
  implicit none

  real(c_double), target :: data(6) = [3d0, 1d0, 2d0, 6d0, 5d0, 4d0]
  real(c_double), target :: doubles(6)
  integer(c_int64_t), target :: integers(6), sizes(2) = [2, 3]
  integer(c_int64_t) :: number
  type(c_ptr) :: x, y, z, parts, none(2), error
  type(ctorch_scalar) :: two, alpha
  type(ctorch_device) :: meta
  integer(c_int64_t), pointer :: shape(:)
  character(:), allocatable :: message
  integer :: code

  two = ctorch_scalar(kind=CTORCH_SCALAR_INT, i=2)
  alpha = ctorch_scalar(kind=CTORCH_SCALAR_FLOAT, re=0.5d0)
  meta = ctorch_device(type=CTORCH_DEVICE_TYPE_META, index=-1)
  call ctorch_check(ctorch_tensor_from_data(x, c_loc(data), 48_c_size_t, sizes, 2_c_size_t, CTORCH_DTYPE_FLOAT64))

  ! An optional argument that is absent is the schema's default.
  call ctorch_check(ctorch_aten_add_Tensor(y, x, x))
  call read(y)
  call claim('add with the default of alpha', all(doubles == 2 * data))
  call ctorch_check(ctorch_aten_add_Tensor(y, x, x, alpha=alpha))
  call read(y)
  call claim('add with alpha=0.5', all(doubles == 1.5d0 * data))
  call ctorch_check(ctorch_aten_argmax(y, x, keepdim=.false._c_bool))
  call ctorch_check(ctorch_tensor_item_int64(number, y))
  call claim('argmax of all', number == 3)
  call ctorch_tensor_release(y)
  call ctorch_check(ctorch_aten_argmax(y, x, dim=1_c_int64_t, keepdim=.false._c_bool))
  call ctorch_check(ctorch_tensor_copy_to_buffer(y, c_loc(integers), 16_c_size_t, CTORCH_DTYPE_INT64))
  call claim('argmax by dim', all(integers(1:2) == [0, 0]))
  call ctorch_tensor_release(y)
  call ctorch_check(ctorch_aten_mul_Scalar(y, x, two))
  call read(y)
  call claim('a struct by reference', all(doubles == 2 * data))

  ! Modules of schema files, with what Python draws and computes from the same seed.
  call ctorch_check(ctorch_aten_ones(y, [1_c_int64_t, 1_c_int64_t, 4_c_int64_t, 4_c_int64_t], 4_c_size_t))
  call ctorch_check(ctorch_random_manual_seed(0_c_int64_t))
  call ctorch_check(ctorch_nn_Conv2d(parts, 1_c_int64_t, 2_c_int64_t, [3_c_int64_t, 2_c_int64_t], 2_c_size_t, &
    [2_c_int64_t], 1_c_size_t, [1_c_int64_t], 1_c_size_t, dilation_len=0_c_size_t, groups=1_c_int64_t, &
    bias=.true._c_bool))
  call ctorch_check(ctorch_module_forward(z, parts, y))
  call ctorch_tensor_release(y)
  call ctorch_check(ctorch_aten_sum_dim_IntList(y, z, dim_len=0_c_size_t, keepdim=.false._c_bool))
  call ctorch_check(ctorch_tensor_item_double(doubles(1), y))
  call claim('a module', ctorch_tensor_numel(z) == 12 .and. abs(doubles(1) + 6.16344d0) < 1d-4)
  call ctorch_tensor_release(y)
  call ctorch_tensor_release(z)
  call ctorch_module_release(parts)

  ! A list that is absent, an empty one, and a full one.
  call ctorch_check(ctorch_aten_sum_dim_IntList(y, x, dim_len=0_c_size_t, keepdim=.false._c_bool))
  call claim('sum of all', ctorch_tensor_numel(y) == 1)
  call ctorch_tensor_release(y)
  call ctorch_check(ctorch_aten_sum_dim_IntList(y, x, [0_c_int64_t], 1_c_size_t, .false._c_bool))
  call c_f_pointer(ctorch_tensor_sizes(y), shape, [ctorch_tensor_ndim(y)])
  call claim('sum of a dimension', all(shape == [3]))
  call ctorch_tensor_release(y)

  ! Strides are a list with a length of its own.
  call ctorch_check(ctorch_storage_from_tensor(parts, x))
  call ctorch_check(ctorch_tensor_from_storage(y, parts, 0_c_int64_t, sizes, 2_c_size_t, [1_c_int64_t, 2_c_int64_t], &
    2_c_size_t, CTORCH_DTYPE_FLOAT64))
  call read(y)
  call claim('strides', all(doubles == [data(1), data(3), data(5), data(2), data(4), data(6)]))
  call ctorch_check(ctorch_tensor_from_storage(y, parts, 0_c_int64_t, sizes, 2_c_size_t, [1_c_int64_t], 1_c_size_t, &
    CTORCH_DTYPE_FLOAT64), stat=code, errmsg=message)
  call claim('too few strides', code == CTORCH_ERROR_INVALID_ARGUMENT .and. index(message, 'strides') > 0)
  call ctorch_check(ctorch_tensor_from_storage(y, parts, 0_c_int64_t, sizes, 2_c_size_t, strides_len=0_c_size_t, &
    dtype=CTORCH_DTYPE_FLOAT64))
  call read(y)
  call claim('no strides', all(doubles == data))
  call ctorch_storage_release(parts)

  ! Texts, a device, an enumeration.
  call ctorch_check(ctorch_aten_div_Tensor_mode(y, x, x, 'floor'//c_null_char))
  call read(y)
  call claim('a text', all(doubles == 1))
  call ctorch_check(ctorch_aten_empty_memory_format(y, sizes, 2_c_size_t, dtype=CTORCH_DTYPE_INT16, device=meta))
  call claim('a device and a dtype', ctorch_tensor_device_type(y) == CTORCH_DEVICE_TYPE_META &
    .and. ctorch_text(ctorch_dtype_name(ctorch_tensor_dtype(y))) == 'int16')
  call ctorch_tensor_release(y)

  ! Several results, a list of results, a list of handles with a gap.
  call ctorch_check(ctorch_aten_sort(y, z, x, -1_c_int64_t, .false._c_bool))
  call read(y)
  call claim('two results', all(doubles == [1, 2, 3, 4, 5, 6]))
  call ctorch_tensor_release(z)
  call ctorch_check(ctorch_aten_unbind_int(parts, x, 0_c_int64_t))
  call claim('a list of results', ctorch_tensor_list_len(parts) == 2)
  call ctorch_tensor_list_release(parts)
  integers(1) = 1
  call ctorch_check(ctorch_tensor_from_data(z, c_loc(integers), 8_c_size_t, [1_c_int64_t], 1_c_size_t, CTORCH_DTYPE_INT64))
  none = [c_null_ptr, z]
  call ctorch_check(ctorch_aten_index_Tensor(y, x, none, 2_c_size_t))
  call ctorch_check(ctorch_tensor_copy_to_buffer(y, c_loc(doubles), 16_c_size_t, CTORCH_DTYPE_FLOAT64))
  call claim('a list with a gap', all(doubles(1:2) == [1, 5]))
  call ctorch_tensor_release(y)
  call ctorch_tensor_release(z)

  ! Integers of 64 bits.
  integers(1) = huge(number)
  call ctorch_check(ctorch_tensor_from_data(y, c_loc(integers), 8_c_size_t, sizes, 0_c_size_t, CTORCH_DTYPE_INT64))
  call ctorch_check(ctorch_tensor_item_int64(number, y))
  call claim('the largest integer', number == huge(number))
  call ctorch_tensor_release(y)

  ! A name that Fortran could not have in full.
  error = fake_quantize_per_tensor_affine_cachemask_tensor_qparams_out( &
    c_null_ptr, c_null_ptr, c_null_ptr, c_null_ptr, 0_c_int64_t, 1_c_int64_t, c_null_ptr, c_null_ptr)
  call ctorch_check(error, stat=code, errmsg=message)
  call claim('a long name', code == CTORCH_ERROR_NULL_ARGUMENT)

  ! Errors.
  call ctorch_check(ctorch_aten_mm(y, x, x), stat=code, errmsg=message)
  call claim('an error has a code and a message', code == CTORCH_ERROR_SHAPE_MISMATCH .and. index(message, '2x3') > 0)
  call ctorch_check(ctorch_aten_relu(y, x), stat=code)
  call claim('success is 0', code == 0)
  call ctorch_tensor_release(y)

  call ctorch_tensor_release(x)
  call claim('nothing leaks', ctorch_debug_live_handles() == 0)

contains

  ! The elements of a tensor, which is released.
  subroutine read(tensor)
    type(c_ptr), intent(in) :: tensor
    call ctorch_check(ctorch_tensor_copy_to_buffer(tensor, c_loc(doubles), 48_c_size_t, CTORCH_DTYPE_FLOAT64))
    call ctorch_tensor_release(tensor)
  end subroutine read

  subroutine claim(what, holds)
    character(*), intent(in) :: what
    logical, intent(in) :: holds
    print '(a, 1x, l1)', what, holds
  end subroutine claim
end program operators
