"""Shadow: real tickets, resumed before the first act of the person who answered them."""
