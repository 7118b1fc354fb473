"""Rules: the policy that agents worked by, and which checks show whether each rule was followed."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.run import DESKS, RuleText, Run
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext

PATH = "rules.html"


@dataclass(frozen=True)
class RulesContext(PageContext):
    """The rules of the desk, and the text that agents were given."""

    TEMPLATES: ClassVar = ("rules.html",)

    header: Run
    """The header of the first run; all runs share the policy."""

    @property
    def headed(self) -> Headed:
        return Headed(
            f"The desk's rules: {len(self.header.rules)} of them decide what is right",
            "The policy that agents were given, and the checks that show whether each rule was followed.",
        )

    @property
    def rules(self) -> dict[str, list[RuleText]]:
        """The rules by the letters of their names."""
        found: dict[str, list[RuleText]] = defaultdict(list)
        for rule in self.header.rules:
            found[rule.id.rstrip("0123456789")].append(rule)
        return dict(found)

    @property
    def titles(self) -> dict[str, str]:
        """By letter, the heading above its first rule in the text that agents were given."""
        found: dict[str, str] = {}
        heading = ""
        for line in self.header.policy.splitlines():
            if line.startswith("## "):
                heading = line.removeprefix("## ").strip()
            elif rule := re.match(r"([A-Z]+)\d+\. ", line):
                found.setdefault(rule[1], heading)
        return found

    def broken_by(self, rule: RuleText) -> list[str]:
        """What its checks find, as clauses about the agent."""
        return [CATALOGUE[check].clause for check in rule.checks if check in CATALOGUE]

    @property
    def desk(self) -> str:
        """What the agents had to work by, as text."""
        return DESKS[self.header.desk]


def pages(data: SiteData) -> Iterator[SitePage[RulesContext]]:
    """The one page."""
    yield SitePage(PATH, "rules.html", RulesContext(data.headers[0]))
