program lines
  implicit none
  integer :: n, i, x
  read *, n
  do i = 1, n
    read *, x
    print '(i0)', x
  end do
end program
