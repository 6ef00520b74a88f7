! A failure that nobody asks for ends the program.
program unchecked
  use ctorch
  use ctorch_errors
  implicit none
  type(c_ptr) :: y
  call ctorch_check(ctorch_aten_relu(y, c_null_ptr))
  print '(a)', 'not reached'
end program unchecked
