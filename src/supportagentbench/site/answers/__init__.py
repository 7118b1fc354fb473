"""What the figures mean: the reasoning of the pages, and the sentences that say it."""
