" Reads what rejudge prints: `:compiler rejudge`, then `:make` judges the current file's folder or repository.
"
" The quickfix list has solutions that are not as expected, messages of compilers, places in tracebacks of Python, and
" errors and warnings about files.

if exists('current_compiler')
  finish
endif
let current_compiler = 'rejudge'

CompilerSet makeprg=rejudge\ run\ $*
" The second line of a report about a problem as a whole has no file.
CompilerSet errorformat=
      \%-GFAIL\ \ %\\S%\\+\ \ %.%#,
      \%EFAIL\ \ %f:\ %m,
      \%\\s%#%f:%l:%c:\ %trror:\ %m,
      \%\\s%#%f:%l:%c:\ %tarning:\ %m,
      \%\\s%#%f:%l:%c:\ fatal\ %trror:\ %m,
      \%\\s%#File\ \"%f\"\\,\ line\ %l%.%#,
      \%trror:\ %f:%l:%c:\ %m,
      \%tarning:\ %f:%l:%c:\ %m,
      \%-G%.%#
