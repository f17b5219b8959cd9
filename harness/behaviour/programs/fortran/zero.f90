program zero
  implicit none
  integer :: n
  read *, n
  print *, 100 / n
end program
