"""Statistics: numbers in, numbers out. Imports no other package of this project."""
