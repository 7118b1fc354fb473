"""Tools: the kit of Northline's harder cases, which is Northline's own with additions."""

from dataclasses import replace

from supportagentbench.world.kit import DISCLOSURE
from supportagentbench.worlds.northline.lookups import search_catalogue
from supportagentbench.worlds.northline.tools import KIT as NORTHLINE
from supportagentbench.worlds.northline.writes import cancel_order, edit_line, replace_item, reship

from .audit import audit
from .draw import draw
from .facts import FACTS, look_up
from .lookups import find_order, track_parcel
from .requests import REQUESTS, arguments, request_words
from .rows import LadderMeasures, LadderPlaces, open_ladder_books
from .scene import LadderScene
from .statements import TELLS, WORDS
from .urgings import urgings
from .verbs import VERBS
from .views import VIEWS
from .writes import edit_address

KIT = replace(
    NORTHLINE,
    measures=LadderMeasures,
    cast=LadderPlaces,
    scene=LadderScene,
    open_books=open_ladder_books,
    draw=draw,
    lookups=(find_order, track_parcel, search_catalogue),
    writes=(cancel_order, edit_address, edit_line, reship, replace_item),
    look_up=look_up,
    facts=FACTS,
    requests=REQUESTS,
    request_words=request_words,
    words=WORDS,
    tells=TELLS,
    verbs=VERBS,
    views=VIEWS,
    harms=(*NORTHLINE.harms, DISCLOSURE),
    mixes=(),
    arguments=arguments,
    urgings=urgings,
    audit=audit,
    makes_sure=True,
    extends="northline",
)
