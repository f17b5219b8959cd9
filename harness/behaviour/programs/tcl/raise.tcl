puts before
error sorry
