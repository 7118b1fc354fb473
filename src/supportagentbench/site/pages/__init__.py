"""One module per page, which takes what it shows from the data of the runs; templates only format it."""
