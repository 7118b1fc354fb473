"""The picture of a link: its size is what other sites ask for, and every text stays inside it."""

from studies.published.load import read_published
from studies.published.pages import published_frame
from supportagentbench.records.board import Board
from supportagentbench.site.about import About, Publisher
from supportagentbench.site.letters import fitted, ink_of, width_of
from supportagentbench.site.social_picture import MARGIN, social_picture


def test_it_has_the_size_that_other_sites_expect_and_an_empty_margin() -> None:
    board: Board = published_frame(read_published())["board"]
    picture = social_picture(board, About(title="W" * 80, publisher=Publisher("Ω Labs")))
    assert picture.shape == (630, 1200, 3)
    assert (picture[12:, : MARGIN - 4] == 255).all() and (picture[12:, 1204 - MARGIN :] == 255).all()
    assert (picture[214:600] != 255).any()
    assert (picture == social_picture(board, About(title="W" * 80, publisher=Publisher("Ω Labs")))).all()


def test_text_is_cut_to_its_place_and_letters_that_are_not_there_are_replaced() -> None:
    assert fitted("a short one", 4, 400) == "a short one"
    assert fitted("a very much longer one", 4, 150).endswith("…")
    assert width_of(fitted("m" * 99, 4, 150), 4) <= 150
    assert (ink_of("ő", 4) == ink_of("o", 4)).all() and (ink_of("漢", 4) == ink_of("?", 4)).all()
    assert ink_of("", 4).shape == (37, 0)
