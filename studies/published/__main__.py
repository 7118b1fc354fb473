"""Main: `python -m studies.published` audits a board that others published, and builds pages of it.

python -m studies.published [FILE] [--json]      # the audit, printed
python -m studies.published [FILE] --site site   # the board by our rules, with the audit, as pages
"""

import sys
from pathlib import Path
from typing import Annotated

import typer

from studies.published import SHIPPED
from studies.published.audit import audit
from studies.published.deep_report import read_reports
from studies.published.load import read_published
from studies.published.pages import build_pages
from studies.published.report import audit_report
from supportagentbench.cli.options import AsJson, print_or_json
from supportagentbench.records.problem import Problem
from supportagentbench.terminal.escape import on_one_line


def run(
    file: Annotated[Path, typer.Argument(help="A published board as JSON.")] = SHIPPED,
    as_json: AsJson = False,
    site: Annotated[Path | None, typer.Option("--site", help="Build pages of it in this folder.")] = None,
) -> None:
    """Check which rankings, figures and claims of a published board its own numbers support."""
    published = read_published(file)
    if site:
        build_pages(published, site, read_reports(file, published))
        typer.echo(f"Open {(site / 'index.html').resolve().as_uri()}")
    else:
        print_or_json(audit(published), as_json, audit_report)


def main() -> None:
    """Run the audit; errors that the user can fix are printed as one sentence."""
    try:
        typer.run(run)
    except Problem as problem:
        typer.echo(on_one_line(f"audit: {problem}"), err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
