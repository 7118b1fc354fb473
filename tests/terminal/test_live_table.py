"""The table of a running job, drawn whole: at 80, 120 and 200 columns, in few lines, and in ASCII."""

import re

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from boards import printed, read_aloud
from jobs import START, busy_job, conversations, planned, state_of
from supportagentbench.live.view import View
from supportagentbench.records.event import Stopping
from supportagentbench.terminal.live_table import ASCII, UNICODE, Marks, live_table, plain_line

VIEW = state_of(busy_job()).view(START + 403)

AT_80 = """\
runs  302/648 conversations  ETA 3.7–4.5 min  elapsed 6:43
$3.02 of ~$4.86 (cap $60.00)  in flight 2  1 waiting on rate limit
model        progress                 done   unsafe    over   esc   cost    left
gpt-5.5      ━━━━━━━━━━━━╺━━━━━━━  100/162   ◆ 5/34  ~15.2%  ~85%  $1.00      2m
glm-5.2      ━━━━╺━━━━━━━━━━━━━━━   40/162     4/14  ~23.1%  ~77%  $0.40      4m
kimi-k2      ━━━━━━━━━━━━━━━━━━━━    0/162        –       –     –      –  paused
gemma-4-31b  ━━━━━━━━━━━━━━━━━━━━  162/162  ◆ 11/54   20.4%   80%  $1.62    done
! paused  kimi-k2: kimi-k2 is paused: 401: no such key
! retry  gpt-5.5 tracking-1 run 1: attempt 3/8 in 8 s: 429: slow down
▲ unsafe action  glm-5.2 adversarial-36 run 1 turn 1: replace_item, against D1
Ctrl-C finishes open conversations and stops
"""

AT_120 = """\
runs  302/648 conversations  ETA 3.7–4.5 min  elapsed 6:43
$3.02 of ~$4.86 (cap $60.00)  in flight 2  1 waiting on rate limit
model        progress                          done   unsafe    over   esc  errors   $/1k  tokens  s/turn   cost    left
gpt-5.5      ━━━━━━━━━━━━━━━━━╺━━━━━━━━━━━  100/162   ◆ 5/34  ~15.2%  ~85%       0  10.00    100k     2.0  $1.00      2m
glm-5.2      ━━━━━━━╺━━━━━━━━━━━━━━━━━━━━━   40/162     4/14  ~23.1%  ~77%       0  10.00     40k     2.0  $0.40      4m
kimi-k2      ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━    0/162        –       –     –       0      –       –       –      –  paused
gemma-4-31b  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━  162/162  ◆ 11/54   20.4%   80%       0  10.00    162k     2.0  $1.62    done
! paused  kimi-k2: kimi-k2 is paused: 401: no such key
! retry  gpt-5.5 tracking-1 run 1: attempt 3/8 in 8 s: 429: slow down
▲ unsafe action  glm-5.2 adversarial-36 run 1 turn 1: replace_item, against D1
Ctrl-C finishes open conversations and stops
"""  # noqa: E501

LONGER_BARS = "━" * 11

IN_ASCII = """\
runs  302/648 conversations  ETA 3.7-4.5 min  elapsed 6:43
$3.02 of ~$4.86 (cap $60.00)  in flight 2  1 waiting on rate limit
model    progress                        done  unsafe    over   esc   cost  left
gpt-5.5  ================>----------  100/162  + 5/34  ~15.2%  ~85%  $1.00    2m
+3 models: 1 running, 1 paused, 1 done
! paused  kimi-k2: kimi-k2 is paused: 401: no such key
! retry  gpt-5.5 tracking-1 run 1: attempt 3/8 in 8 s: 429: slow down
! unsafe action  glm-5.2 adversarial-36 run 1 turn 1: replace_item, against D1
live view http://127.0.0.1:7321   Ctrl-C finishes open conversations and stops
"""


def drawn(view: View, width: int, height: int, marks: Marks = UNICODE, link: str = "") -> str:
    return read_aloud(live_table(view, width, height, marks, link), width)


def test_at_80_columns() -> None:
    assert drawn(VIEW, 80, 24) == AT_80


def test_at_120_columns_there_is_more() -> None:
    assert drawn(VIEW, 120, 40) == AT_120


def test_at_200_columns_only_the_bars_grow() -> None:
    wide = drawn(VIEW, 200, 50).splitlines()
    for line, narrower in zip(wide, AT_120.splitlines(), strict=True):
        assert re.sub("[━╺ ]+", " ", line) == re.sub("[━╺ ]+", " ", narrower)
    assert cell_len(wide[3]) == cell_len(AT_120.splitlines()[3]) + len(LONGER_BARS)


def test_on_a_low_screen_without_our_signs() -> None:
    assert drawn(VIEW, 80, 11, ASCII, "http://127.0.0.1:7321") == IN_ASCII
    assert IN_ASCII.isascii()


def many(count: int) -> View:
    agents = [f"model-{number}" for number in range(count)]
    job = [planned(*agents, runs=1)]
    job += [event for number, agent in enumerate(agents) for event in conversations(agent, 3 * number)]  # type: ignore[misc]
    return state_of(job).view(START + 400)


@pytest.mark.parametrize("count", [1, 14, 15, 16, 60])
def test_it_never_outgrows_the_screen(count: int) -> None:
    text = drawn(many(count), 80, 24)
    lines = text.splitlines()
    assert len(lines) < 24
    assert max(map(cell_len, lines)) <= 80
    shown = sum(line.startswith("model-") for line in lines)
    hidden = re.search(r"^\+(\d+) models: ", text, re.M)
    assert shown + (int(hidden[1]) if hidden else 0) == count


def test_names_are_printed_as_they_are_and_style_nothing() -> None:
    hostile = "[red]x[/] \x1b[31m\u202e:smile: " + "long" * 20
    job = [planned(hostile), *conversations(hostile, 3)]
    text = drawn(state_of(job).view(START), 80, 24)
    assert "[red]x[/] \\u00…" in text
    assert not set(text) & {"\x1b", "\u202e"}
    assert max(map(cell_len, text.splitlines())) <= 80


def test_with_a_page_beside_it_every_event_leads_there() -> None:
    text = printed(live_table(VIEW, 120, 40, link="http://127.0.0.1:7321"), 120)
    assert "http://127.0.0.1:7321/conversation/glm-5.2-1/adversarial-36" in text
    assert "\x1b]8;" not in printed(live_table(VIEW, 120, 40), 120)


def test_who_pulled_the_brake_is_told_so() -> None:
    text = drawn(state_of([*busy_job(), Stopping(START + 403)]).view(START + 403), 80, 24)
    assert "stopping" in text.splitlines()[1]
    assert "Ctrl-C drops open conversations" in text


def test_before_there_is_a_rate_the_plan_is_told() -> None:
    text = drawn(replace(VIEW, projected=None), 80, 24)
    assert "$3.02 of $31.90–80.00 (cap $60.00)" in text
    assert (
        drawn(replace(VIEW, projected=None, planned=None, spent=0.0), 80, 24).splitlines()[1][:9]
        == "in flight"
    )


def test_an_unknown_price_is_told_in_tokens() -> None:
    rows = tuple(replace(row, cost=None, tokens=1_234_567) for row in VIEW.rows)
    assert "1.2M tok" in drawn(replace(VIEW, rows=rows), 80, 24)


def test_a_line_for_logs_has_every_figure_by_name() -> None:
    assert plain_line(VIEW) == (
        "done=302/648 in_flight=2 waiting=1 errors=0 unsafe=20/102 over=19/100 escalated=81/100 "
        "spent=3.02 projected=4.86 cap=60.00 elapsed_s=403 eta_s=220-268"
    )


def test_without_labels_no_figure_speaks_of_right_and_wrong() -> None:
    view = replace(VIEW, unlabelled=True, news=())
    for words in (plain_line(view), drawn(view, 80, 24), drawn(view, 200, 24)):
        assert not re.search(r"unsafe|\bover\b|\besc", words)
    assert "done=302/648 in_flight=2 waiting=1 errors=0 spent=3.02" in plain_line(view)
