"""Report: one page per agent, also in Markdown; figures by `agent_stats.py`, sentences by `prose/`."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from supportagentbench.checks.catalogue import UNSAFE
from supportagentbench.records.board import AgentResults, Slice
from supportagentbench.records.set_aside import by_case
from supportagentbench.site.answers.giving_in import desk_sentence
from supportagentbench.site.answers.prose import sections, summary
from supportagentbench.site.answers.prose.traits import traits_rule
from supportagentbench.site.answers.prose.words import runs_text
from supportagentbench.site.answers.report_top import ReportTop, report_top
from supportagentbench.site.answers.written_prose import HEADINGS, Prose, Words
from supportagentbench.site.data.agent_cases import FEW
from supportagentbench.site.data.agent_opinions import RuleOpinions
from supportagentbench.site.data.agent_stats import (
    ACTIONS,
    CLAIMS,
    STYLE,
    AgentFigure,
    AgentStats,
    all_agent_stats,
    as_estimate,
)
from supportagentbench.site.data.counted import SLIP
from supportagentbench.site.data.issue import SLIPS
from supportagentbench.site.data.links import behind
from supportagentbench.site.data.quote import Quote, Said
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext

RULES_SHOWN = 10
CASE_TYPES_SHOWN = 8
CLAIMS_SHOWN = 6
Sentences = Callable[[AgentStats], list[str]]


class ReportSection(NamedTuple):
    """A section of the report: the sentences by code, or written text in their place."""

    id: str
    title: str
    sentences: list[str]
    written: tuple[Words, ...]


def _nothing(stats: AgentStats) -> list[str]:
    return []


SECTIONS: dict[str, Sentences] = {
    "handover": sections.handover,
    "policy": sections.adherence,
    "safety": sections.safety,
    "tools": sections.tools,
    "experience": sections.experience,
    "runs": sections.stability,
    "compared": sections.comparison,
    "cost": sections.cost,
    "usecases": _nothing,
    "rules": _nothing,
}
"""The sections as text, in order, and the function that writes the sentences of each."""

PARTS = {
    "wrong": "What goes wrong",
    "traps": "Traps",
    "kinds": "Honest tickets",
    "bottom": "Bottom line",
    "all": "All figures, section by section",
}
"""The table of contents; all sections are folded into the last part."""


@dataclass(frozen=True)
class ReportContext(PageContext):
    """The report on one agent, as a page and in Markdown."""

    TEMPLATES: ClassVar = ("report.html", "report.md")

    d: AgentStats
    """Every figure about the agent."""
    written: Prose
    """Text by a person or model, which replaces the text by code."""
    top: ReportTop
    """The first screen."""
    few: ClassVar = FEW
    parts: ClassVar = PARTS
    rules_shown: ClassVar = RULES_SHOWN
    claims_shown: ClassVar = CLAIMS_SHOWN
    slip: ClassVar = SLIP
    runs_text: ClassVar = staticmethod(runs_text)
    found_in: ClassVar = staticmethod(sections.found_in)
    as_estimate: ClassVar = staticmethod(as_estimate)
    behind: ClassVar = staticmethod(behind)

    @property
    def results(self) -> AgentResults:
        """The agent on the board."""
        return self.d.results

    @property
    def quotes_in(self) -> dict[str, list[Quote]]:
        """The quotes of each section."""
        return _quotes_in(self.d)

    @property
    def unranked_note(self) -> str:
        """Why it is not ranked; empty: it is."""
        return summary.unranked_note(self.d)

    @property
    def set_aside(self) -> list[str]:
        """The attempts that do not count, case by case."""
        return by_case(self.d.results.set_aside)

    @property
    def notes(self) -> list[str]:
        """What a reader should know before the first number."""
        return summary.notes(self.d)

    @property
    def provenance(self) -> list[tuple[str, str]]:
        """What was run, and how."""
        return summary.provenance(self.d)

    @property
    def headed(self) -> Headed:
        """What was found about the agent, and the verdict."""
        return Headed(self.top.title, f"{self.top.verdict.decided}. {self.top.verdict.why}")

    @property
    def contents(self) -> list[tuple[str, str]]:
        """The table of contents: names in links, and titles."""
        return [*PARTS.items()]

    @property
    def desk_sentence(self) -> str:
        """The sentence on the desk, with blanks for a reader's own."""
        return desk_sentence(self.d)

    def part(self, name: str) -> ReportSection:
        """Written text of a part above the sections, if there is any."""
        return ReportSection(name, HEADINGS[name], [], self.written.of(name))

    @property
    def sections(self) -> list[ReportSection]:
        """Every section with its sentences, or with written text in their place."""
        return [
            ReportSection(
                name, HEADINGS[name], [] if self.written.of(name) else say(self.d), self.written.of(name)
            )
            for name, say in SECTIONS.items()
        ]

    @property
    def must(self) -> list[Slice]:
        """Escalations, by case type."""
        return self.d.slices("escalation")

    @property
    def over(self) -> list[Slice]:
        """The case types with the most needless handovers."""
        return sorted(self._over, key=lambda one: (-one.k, one.family))[:CASE_TYPES_SHOWN]

    @property
    def over_left(self) -> int:
        """How many further case types have some."""
        return max(0, len(self._over) - CASE_TYPES_SHOWN)

    @property
    def _over(self) -> list[Slice]:
        return [one for one in self.d.slices("over_escalation") if one.k]

    @property
    def broken(self) -> list[RuleOpinions]:
        """The rules that a judge says were broken."""
        return [rule for rule in self.d.rules if rule.broken(self.d.judge)]

    @property
    def issues_in(self) -> dict[str, list[AgentFigure]]:
        """The issues found, by section."""
        return {"tools": self.d.seen((*ACTIONS, *CLAIMS)), "experience": self.d.seen(STYLE)}

    @property
    def traits_rule(self) -> str:
        """The rule by which they are found."""
        return traits_rule()

    @property
    def serious_rule(self) -> str:
        """What counts as serious."""
        return summary.serious_rule()

    @property
    def slips(self) -> int:
        """In how many conversations an action or a statement has an issue."""
        return sum(bool(SLIPS & {*row.issues}) for row in self.d.rows)

    def in_plain(self, reason: str) -> str:
        """A reason with the titles of tools in place of their names, and facts as words."""
        for tool, verb in self.d.data.vocabulary.by_act.items():
            reason = re.sub(rf"\b{re.escape(tool)}\b", verb.title, reason)
        reason = re.sub(r"\bbefore (\w+):(\w+)", r"before \1 was \2", reason)
        return reason.replace(", against ", ", against rule ")

    def escaped(self, text: str) -> str:
        """Text that Markdown shows literally."""
        return escaped(text)


def pages(
    data: SiteData, written: Mapping[str, Prose] | None = None, said: Said | None = None
) -> Iterator[SitePage[ReportContext]]:
    """The reports; `written` is text by slug, `said` looks up the messages that quotes have to match."""
    for stats in all_agent_stats(data, said):
        context = ReportContext(stats, (written or {}).get(stats.slug, Prose()), report_top(stats))
        yield SitePage(f"agents/{stats.slug}.html", "report.html", context)
        yield SitePage(f"agents/{stats.slug}.md", "report.md", context)


def _quotes_in(stats: AgentStats) -> dict[str, list[Quote]]:
    """The quotes of each section, in addition to its text."""
    found: dict[str, list[Quote]] = {name: [] for name in SECTIONS}
    for quote in stats.quotes:
        check = quote.issue.check if quote.issue else ""
        section = next((name for name, checks in QUOTED_IN.items() if check in checks), "tools")
        found[section].append(quote)
    return found


QUOTED_IN = {
    "handover": ("resolved", "escalated", "over_escalated", "late_handover"),
    "safety": ("held", *UNSAFE, "waived_proof"),
    "experience": STYLE,
}
"""Where an issue is quoted; all others are in the section on actions and statements."""


def escaped(text: str) -> str:
    """Text that Markdown shows literally, on one line: no markup, no HTML, no automatic links."""
    return re.sub(r"([\\`*_\[\]|<>~&]|:(?=//)|(?<=\bwww)\.)", r"\\\1", " ".join(text.split()))
