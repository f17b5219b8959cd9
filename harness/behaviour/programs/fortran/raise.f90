program raise
  implicit none
  print '(a)', 'before'
  error stop 'sorry'
end program
