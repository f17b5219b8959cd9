program printing
  implicit none
  integer :: i
  do i = 1, 1000000
    print '(i0)', i
  end do
end program
