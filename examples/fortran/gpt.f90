! A GPT, small: it learns a text byte by byte, and then writes one: the program of ../gpt.c in Fortran. The same arguments
! give the same losses and the same text.
!
!     gpt [TEXT [STEPS]]
!
! Each step has a scope, which releases what it made; another one has the rest.
module small_gpt
  use, intrinsic :: ieee_arithmetic, only: ieee_negative_inf, ieee_value
  use, intrinsic :: iso_fortran_env, only: int8, output_unit
  use ctorch
  use ctorch_errors
  use ctorch_optimizers
  use ctorch_scopes
  implicit none

  integer(c_int64_t), parameter :: BYTE_VALUES = 256, CONTEXT = 64, WIDTH = 64, HEADS = 4, BATCH = 16, TOP_K = 40
  integer(c_int64_t), parameter :: ZERO = 0, ONE = 1, TWO = 2, LAST = -1, NEW_LINE_BYTE = 10
  integer, parameter :: BLOCKS = 2, SAMPLE_LEN = 200, MOST_BYTES = 2**20
  real(c_double), parameter :: TEMPERATURE = 0.8d0
  logical(c_bool), parameter :: YES = .true., NO = .false.

  ! The parameters: those of each block, then the others.
  integer, parameter :: QKV = 1, PROJECTION = 2, WIDEN = 3, NARROW = 4, BLOCK_LEN = 4
  integer, parameter :: EMBEDDING = BLOCKS * BLOCK_LEN + 1, PLACES = EMBEDDING + 1

  type :: gpt_model
    type(c_ptr) :: params(PLACES)
    type(ctorch_optim) :: optimizer
  end type gpt_model

  interface
    function putchar(byte) bind(c) result(answer)
      import :: c_int
      integer(c_int), value :: byte
      integer(c_int) :: answer
    end function putchar
  end interface

contains

  ! The bytes of a file as int64.
  function read_text(path) result(tensor)
    character(*), intent(in) :: path
    type(c_ptr) :: tensor
    integer(int8), allocatable :: bytes(:)
    integer(c_int64_t), allocatable, target :: text(:)
    integer :: unit, status, length

    open (newunit=unit, file=path, access='stream', form='unformatted', status='old', action='read', iostat=status)
    if (status /= 0) error stop 'the text cannot be read'
    inquire (unit, size=length)
    allocate (bytes(min(length, MOST_BYTES)))
    read (unit) bytes
    close (unit)
    text = iand(int(bytes, c_int64_t), 255_c_int64_t)
    call ctorch_check(ctorch_tensor_from_data( &
      tensor, c_loc(text), size(text, kind=c_size_t) * 8, [size(text, kind=c_int64_t)], 1_c_size_t, CTORCH_DTYPE_INT64))
  end function read_text

  ! Rows of bytes, (rows, len), from random places of a text.
  function sample(text, rows, len) result(out)
    type(c_ptr), intent(in) :: text
    integer(c_int64_t), intent(in) :: rows, len
    type(c_ptr) :: out, starts, offsets, indices

    call ctorch_check(ctorch_aten_randint(starts, ctorch_tensor_numel(text) - len + 1, [rows, ONE], 2_c_size_t))
    call ctorch_check(ctorch_aten_arange(offsets, ctorch_scalar(kind=CTORCH_SCALAR_INT, i=len)))
    call ctorch_check(ctorch_aten_add_Tensor(indices, starts, offsets))
    call ctorch_check(ctorch_aten_take(out, text, indices))
  end function sample

  ! One of the classes, (1, 1), drawn by their scores, (1, classes): of the best ones alone, a little sharpened.
  function draw(scores) result(out)
    type(c_ptr), intent(in) :: scores
    type(c_ptr) :: out, x, best, indices, least, worse

    call ctorch_check(ctorch_aten_div_Scalar(x, scores, number(TEMPERATURE)))
    call ctorch_check(ctorch_aten_topk(best, indices, x, TOP_K, LAST, largest=YES, sorted=YES))
    call ctorch_check(ctorch_aten_narrow(least, best, ONE, TOP_K - 1, ONE))
    call ctorch_check(ctorch_aten_lt_Tensor(worse, x, least))
    call ctorch_check(ctorch_aten_masked_fill_Scalar(x, x, worse, number(ieee_value(TEMPERATURE, ieee_negative_inf))))
    call ctorch_check(ctorch_aten_softmax_int(x, x, LAST))
    call ctorch_check(ctorch_aten_multinomial(out, x, ONE, NO, c_null_ptr))
  end function draw

  pure function number(x) result(scalar)
    real(c_double), intent(in) :: x
    type(ctorch_scalar) :: scalar

    scalar = ctorch_scalar(kind=CTORCH_SCALAR_FLOAT, re=x)
  end function number

  function new_gpt() result(self)
    type(gpt_model) :: self
    integer :: i

    do i = 0, BLOCKS - 1
      self%params(BLOCK_LEN * i + QKV) = parameter_of(3 * WIDTH, WIDTH)
      self%params(BLOCK_LEN * i + PROJECTION) = parameter_of(WIDTH, WIDTH)
      self%params(BLOCK_LEN * i + WIDEN) = parameter_of(4 * WIDTH, WIDTH)
      self%params(BLOCK_LEN * i + NARROW) = parameter_of(WIDTH, 4 * WIDTH)
    end do
    self%params(EMBEDDING) = parameter_of(BYTE_VALUES, WIDTH)
    self%params(PLACES) = parameter_of(CONTEXT, WIDTH)
    self%optimizer = ctorch_adamw(self%params, 3d-3, [0.9d0, 0.95d0], 1d-8, 0.1d0)
  end function new_gpt

  function parameter_of(rows, columns) result(out)
    integer(c_int64_t), intent(in) :: rows, columns
    type(c_ptr) :: out

    call ctorch_check(ctorch_aten_randn(out, [rows, columns], 2_c_size_t))
    call ctorch_check(ctorch_aten_mul__Scalar(out, number(0.08d0)))
    call ctorch_check(ctorch_tensor_set_requires_grad(out, YES))
  end function parameter_of

  ! Scores of the byte after each place: of a batch of texts, (rows, len, BYTE_VALUES).
  function forward(self, bytes) result(scores)
    type(gpt_model), intent(in) :: self
    type(c_ptr), intent(in) :: bytes
    type(c_ptr) :: scores, x, y, parts, part(3), block(BLOCK_LEN)
    integer(c_int64_t) :: rows, len
    integer :: i, k

    call ctorch_check(ctorch_tensor_size(rows, bytes, ZERO))
    call ctorch_check(ctorch_tensor_size(len, bytes, ONE))
    call ctorch_check(ctorch_aten_embedding(x, self%params(EMBEDDING), bytes, -ONE, NO, NO))
    call ctorch_check(ctorch_aten_narrow(y, self%params(PLACES), ZERO, ZERO, len))
    x = sum_of(x, y)
    do i = 0, BLOCKS - 1
      block = self%params(BLOCK_LEN * i + 1:BLOCK_LEN * (i + 1))
      y = linear(norm(x), block(QKV))
      call ctorch_check(ctorch_aten_view(y, y, [rows, len, 3 * ONE, HEADS, WIDTH / HEADS], 5_c_size_t))
      call ctorch_check(ctorch_aten_permute(y, y, [2 * ONE, ZERO, 3 * ONE, ONE, 4 * ONE], 5_c_size_t))
      call ctorch_check(ctorch_aten_unbind_int(parts, y, ZERO))
      do k = 1, 3
        call ctorch_check(ctorch_tensor_list_get(part(k), parts, int(k - 1, c_size_t)))
      end do
      call ctorch_check(ctorch_aten_scaled_dot_product_attention( &
        y, part(1), part(2), part(3), c_null_ptr, 0d0, is_causal=YES, enable_gqa=NO))
      call ctorch_check(ctorch_aten_transpose_int(y, y, ONE, TWO))
      call ctorch_check(ctorch_aten_reshape(y, y, [rows, len, WIDTH], 3_c_size_t))
      x = sum_of(x, linear(y, block(PROJECTION)))
      call ctorch_check(ctorch_aten_gelu(y, linear(norm(x), block(WIDEN))))
      x = sum_of(x, linear(y, block(NARROW)))
    end do
    scores = linear(norm(x), self%params(EMBEDDING))
  end function forward

  function norm(x) result(out)
    type(c_ptr), intent(in) :: x
    type(c_ptr) :: out

    call ctorch_check(ctorch_aten_layer_norm(out, x, [WIDTH], 1_c_size_t, c_null_ptr, c_null_ptr, 1d-5, YES))
  end function norm

  function linear(x, weight) result(out)
    type(c_ptr), intent(in) :: x, weight
    type(c_ptr) :: out

    call ctorch_check(ctorch_aten_linear(out, x, weight, c_null_ptr))
  end function linear

  function sum_of(x, y) result(out)
    type(c_ptr), intent(in) :: x, y
    type(c_ptr) :: out

    call ctorch_check(ctorch_aten_add_Tensor(out, x, y))
  end function sum_of

  function train_step(self, text) result(loss)
    type(gpt_model), intent(in) :: self
    type(c_ptr), intent(in) :: text
    real(c_double) :: loss
    type(ctorch_scoped) :: scope
    type(c_ptr) :: bytes, seen, targets, scores, objective
    integer(c_int64_t), parameter :: MEAN = 1, IGNORED = -100

    call scope%begin()
    bytes = sample(text, BATCH, CONTEXT + 1)
    call ctorch_check(ctorch_aten_narrow(targets, bytes, ONE, ONE, CONTEXT))
    call ctorch_check(ctorch_aten_narrow(seen, bytes, ONE, ZERO, CONTEXT))
    call ctorch_check(ctorch_aten_transpose_int(scores, forward(self, seen), ONE, TWO)) ! the classes come second
    call ctorch_check(ctorch_aten_cross_entropy_loss(objective, scores, targets, c_null_ptr, MEAN, IGNORED, 0d0))
    call self%optimizer%zero_grad()
    call ctorch_check(ctorch_tensor_backward(objective, c_null_ptr, create_graph=NO))
    call self%optimizer%step()
    call ctorch_check(ctorch_tensor_item_double(loss, objective))
  end function train_step

  ! Let the model go on after a new line, a byte at a time.
  subroutine write_on(self)
    type(gpt_model), intent(in) :: self
    type(ctorch_scoped) :: scope
    type(c_ptr) :: text, seen, scores, next
    integer(c_int64_t), target :: byte
    integer :: i

    call scope%begin()
    flush (output_unit) ! C's output has a buffer of its own
    call ctorch_check(ctorch_grad_mode_push(NO))
    byte = NEW_LINE_BYTE
    call ctorch_check(ctorch_tensor_from_data(text, c_loc(byte), 8_c_size_t, [ONE, ONE], 2_c_size_t, CTORCH_DTYPE_INT64))
    do i = 1, SAMPLE_LEN
      call ctorch_check(ctorch_tensor_index_text( &
        seen, text, ':, -64:'//c_null_char, ints_len=0_c_size_t, tensors_len=0_c_size_t))
      call ctorch_check(ctorch_aten_select_int(scores, forward(self, seen), ONE, LAST))
      next = draw(scores)
      call ctorch_check(ctorch_tensor_item_int64(byte, next))
      call ctorch_check(ctorch_aten_cat(text, [text, next], 2_c_size_t, ONE))
      if (putchar(int(byte, c_int)) < 0) error stop 'the text cannot be written'
    end do
    call ctorch_check(ctorch_grad_mode_pop())
  end subroutine write_on

  subroutine run(path, steps)
    character(*), intent(in) :: path
    integer, intent(in) :: steps
    type(ctorch_scoped) :: scope
    type(gpt_model) :: model
    type(c_ptr) :: text
    real(c_double) :: loss
    character(40) :: room
    integer :: step

    call scope%begin()
    call ctorch_check(ctorch_threads_set_num(1_c_int32_t)) ! the tensors are too small for more
    call ctorch_check(ctorch_random_manual_seed(ONE))
    text = read_text(path)
    model = new_gpt()
    do step = 1, steps
      loss = train_step(model, text)
      write (room, '(f40.3)') loss
      if (mod(step, 50) == 0 .or. steps < 50) print '(a, i0, 2a)', 'step ', step, ': loss ', trim(adjustl(room))
    end do
    call write_on(model)
  end subroutine run
end module small_gpt

program gpt
  use small_gpt
  implicit none

  character(500) :: path, words
  integer :: steps

  path = 'examples/data/sonnets.txt'
  steps = 200
  if (command_argument_count() > 0) call get_command_argument(1, path)
  if (command_argument_count() > 1) then
    call get_command_argument(2, words)
    read (words, *) steps
  end if
  call run(trim(path), steps)
end program gpt
