echo before
no_such_command
echo after
