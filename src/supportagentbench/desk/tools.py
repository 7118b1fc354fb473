"""Desk tools: what an agent may call, as a list of tools and by name."""

from collections.abc import ItemsView, Iterable, Iterator, KeysView, ValuesView
from types import MappingProxyType

from supportagentbench.records.tool_spec import ToolSpec


class DeskTools:
    """The tools of a desk: `for tool in tools` gives each, `tools["find_order"]` one of them."""

    __slots__ = ("_named",)

    def __init__(self, tools: Iterable[ToolSpec] = ()) -> None:
        self._named = MappingProxyType({tool.name: tool for tool in tools})

    def __iter__(self) -> Iterator[ToolSpec]:
        return iter(self._named.values())

    def __len__(self) -> int:
        return len(self._named)

    def __getitem__(self, name: str) -> ToolSpec:
        return self._named[name]

    def __contains__(self, tool: object) -> bool:
        """Whether there is a tool with this name, or this tool."""
        return tool in self._named if isinstance(tool, str) else tool in self._named.values()

    def __repr__(self) -> str:
        return f"DeskTools({', '.join(self._named)})"

    def get(self, name: str, default: ToolSpec | None = None) -> ToolSpec | None:
        """The tool with this name, if there is one."""
        return self._named.get(name, default)

    def keys(self) -> KeysView[str]:
        """Their names."""
        return self._named.keys()

    def values(self) -> ValuesView[ToolSpec]:
        """The tools."""
        return self._named.values()

    def items(self) -> ItemsView[str, ToolSpec]:
        """Names and tools."""
        return self._named.items()
