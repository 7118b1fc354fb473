"""Board: from verdicts to metrics, intervals, ranks and claims."""
