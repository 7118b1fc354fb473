"""Statistics: numbers in, numbers out. Does not import other packages of this project."""
