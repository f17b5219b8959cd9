program memory
  implicit none
  type :: node
    character :: text(1048576)
    type(node), pointer :: next
  end type
  type(node), pointer :: first, rest
  nullify(rest)
  do
    allocate(first)
    first%text = 'x'
    first%next => rest
    rest => first
  end do
end program
