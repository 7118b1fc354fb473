"""One module per page: what it shows, taken from the data of the runs; templates only lay it out."""
