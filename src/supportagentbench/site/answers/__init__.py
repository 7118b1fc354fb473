"""What the figures mean: the conclusions that pages draw, and the sentences that state them."""
