"""Whether every number on a site opens exactly the conversations that it counts, by the reader's own filters.

python bench/links.py site
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browsers import chromium
from number_links import number_links, wrong_links


def main(site: Path) -> int:
    """Print what is wrong, and how many links were followed."""
    links = number_links(site)
    with chromium() as browser:
        wrong = wrong_links(links, browser.new_page(), site)
    for line in wrong:
        print(line)
    numbers = sum(link.is_number for link in links)
    print(f"{numbers:,} numbers open conversations; {len(wrong)} of them open others than they count.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
