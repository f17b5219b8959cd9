module trees
  implicit none
contains
  recursive function depth(n) result(found)
    integer(8), intent(in) :: n
    integer(8) :: found
    if (n == 0) then
      found = 0
    else
      found = 1 + max(depth(n - 1), depth(0_8))
    end if
  end function
end module
program deep
  use trees
  implicit none
  integer(8) :: n
  read *, n
  print '(i0)', depth(n)
end program
