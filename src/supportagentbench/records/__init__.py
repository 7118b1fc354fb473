"""The immutable records that everything else reads and writes."""
