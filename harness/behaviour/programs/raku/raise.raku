say 'before';
die 'sorry';
