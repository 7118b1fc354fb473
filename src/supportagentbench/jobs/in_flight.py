"""In flight: limits concurrency to the files and connections that this process may have open."""

from supportagentbench.concurrency.open_files import FileNeed, allow_open_files
from supportagentbench.records.problem import Problem


def within_limits(concurrency: int, need: FileNeed) -> tuple[int, str]:
    """The possible concurrency, and a sentence if it is lower than requested."""
    wanted = need.files(concurrency)
    limit = allow_open_files(wanted)
    possible = need.affordable(concurrency, limit)
    if not possible:
        raise Problem(
            f"only {limit:,} files may be open at once, too few for a single conversation; "
            f"raise the limit with `ulimit -n {wanted}`, or run fewer agents at once."
        )
    if possible == concurrency:
        return concurrency, ""
    return possible, (
        f"only {limit:,} files may be open at once, so -j is {possible:,} instead of {concurrency:,}; "
        f"`ulimit -n {wanted}` would allow it."
    )
