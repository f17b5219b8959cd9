program reading
  implicit none
  integer :: n
  character(len=2000000) :: line
  read *, n
  read '(a)', line
  print '(i0)', n + 1
  print '(i0)', len_trim(line)
end program
