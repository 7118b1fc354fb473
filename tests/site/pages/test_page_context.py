"""The contract between pages and templates: a template names only what its page declares, and all of it."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from jinja2 import Environment, meta, nodes

import supportagentbench.site.pages
from studies.published.pages import TEMPLATES, PublishedFrame
from supportagentbench.site.build import NotFoundContext, SiteFrame
from supportagentbench.site.pages.page import HERE, environment
from supportagentbench.site.pages.page_context import PageContext
from supportagentbench.site.pages.single import SingleFrame

for module in pkgutil.iter_modules(supportagentbench.site.pages.__path__):
    importlib.import_module(f"supportagentbench.site.pages.{module.name}")

GIVEN = {"root", "path", "kind", "headed"}
"""What every page gets besides its context and its frame."""


def contexts(kind: type[PageContext] = PageContext) -> Iterator[type[PageContext]]:
    """Every context of the package and of the study."""
    for one in kind.__subclasses__():
        if one.TEMPLATES and one.__module__.startswith(("supportagentbench.", "studies.")):
            yield one
        yield from contexts(one)


def templates_of(context: type[PageContext]) -> Environment:
    """The site's templates, and for a context of the study its own besides."""
    return environment(TEMPLATES if context.__module__.startswith("studies.") else None)


CONTEXTS = sorted({one for one in contexts() if one.TEMPLATES}, key=lambda one: one.__name__)


def closure(template: str, known: Environment, seen: set[str]) -> Iterator[nodes.Template]:
    """A template and all that it extends, includes and imports."""
    if template in seen:
        return
    seen.add(template)
    assert known.loader
    tree = known.parse(known.loader.get_source(known, template)[0])
    yield tree
    for other in meta.find_referenced_templates(tree):
        assert other, "a template's name is written out"
        yield from closure(other, known, seen)


def names_in(template: str, known: Environment) -> tuple[set[str], set[str]]:
    """The names that a template and its parts read, and those that they define themselves."""
    read, defined = set[str](), {"loop", "self", "super", "caller", "varargs", "kwargs"}
    for tree in closure(template, known, set()):
        for name in tree.find_all(nodes.Name):
            (read if name.ctx == "load" else defined).add(name.name)
        defined |= {macro.name for macro in tree.find_all(nodes.Macro)}
        defined |= {one.target for one in tree.find_all(nodes.Import)}
        for part in tree.find_all(nodes.FromImport):
            defined |= {one if isinstance(one, str) else one[1] for one in part.names}
    return read, defined


def test_every_template_that_is_a_page_has_a_context() -> None:
    parts = {"base.html", "head.html", "components.html", "levels.html", "report_top.html", "report_top.md"}
    parts |= {"heat_map.html", "insights.html", "diverging_bars.html"}
    parts |= {"single.html", "tickets.html"}
    parts |= {"break_even.html", "cfo.html", "desk_sentence.html", "month_bars.html"}
    pages = {path.name for path in (HERE / "templates").iterdir()} - parts
    assert pages <= {name for one in CONTEXTS for name in one.TEMPLATES}


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda one: one.__name__)
def test_a_template_names_only_what_is_declared(context: type[PageContext]) -> None:
    frame = SiteFrame.names()  # The study uses the same parts, without the blocks that need runs.
    known = templates_of(context)
    for template in context.TEMPLATES:
        read, defined = names_in(template, known)
        declared = (
            context.names() | frame | PublishedFrame.names() | SingleFrame.names() | GIVEN | {*known.globals}
        )
        assert read - defined <= declared


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda one: one.__name__)
def test_everything_declared_is_used(context: type[PageContext]) -> None:
    known = templates_of(context)
    read = set[str]().union(*(names_in(template, known)[0] for template in context.TEMPLATES))
    assert context.names() <= read


def test_everything_that_the_frame_declares_is_used() -> None:
    read = set[str]().union(
        *(
            names_in(name, environment())[0]
            for one in CONTEXTS
            if not one.__module__.startswith("studies.")
            for name in one.TEMPLATES
        )
    )
    assert SiteFrame.names() <= read
    assert PublishedFrame.names() <= names_in("published.html", environment(TEMPLATES))[0]


@pytest.mark.parametrize("context", [*CONTEXTS, SiteFrame], ids=lambda one: one.__name__)
def test_it_is_documented(context: type[PageContext]) -> None:
    assert context.__doc__ and not context.__doc__.startswith(f"{context.__name__}(")
    for name in context.names():
        value = vars(context).get(name)
        if isinstance(value, property):
            assert value.__doc__, name


def test_names_are_what_a_subclass_adds() -> None:
    assert NotFoundContext.names() == frozenset()
    assert "claims" not in next(one for one in CONTEXTS if one.__name__ == "ReportContext").names()
