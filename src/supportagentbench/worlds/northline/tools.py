"""Tools: Northline's kit, with its rows, tools, facts, requests and verbs."""

from supportagentbench.world.kit import Kit

from .audit import audit
from .draw import draw
from .facts import FACTS, look_up
from .ground import OrderDetails, ground, scene_of
from .hearing import NEEDS, NUMBER, QUESTIONS, arguments
from .lookups import find_order, policy_reader, search_catalogue, track_parcel
from .requests import REQUESTS, WORDS, request_words
from .rows import Catalogue, Measures, Places, open_books
from .scene import Scene
from .statements import TELLS
from .verbs import BEYOND, HARMS, HEARD_AS, MIXES, NEWS, STATES, TOLD, TOPICS, VERBS, WORTH
from .views import VIEWS
from .writes import cancel_order, edit_address, edit_line, replace_item, reship

KIT = Kit(
    subject="order",
    number=NUMBER,
    measures=Measures,
    catalogue=Catalogue,
    cast=Places,
    scene=Scene,
    open_books=open_books,
    draw=draw,
    lookups=(find_order, track_parcel, search_catalogue),
    writes=(cancel_order, edit_address, edit_line, reship, replace_item),
    look_up=look_up,
    facts=FACTS,
    requests=REQUESTS,
    request_words=request_words,
    questions=QUESTIONS,
    words=WORDS,
    tells=TELLS,
    verbs=VERBS,
    topics=TOPICS,
    news=NEWS,
    beyond=BEYOND,
    states=STATES,
    views=VIEWS,
    heard_as=HEARD_AS,
    harms=HARMS,
    worth=WORTH,
    mixes=MIXES,
    told=TOLD,
    arguments=arguments,
    needs=NEEDS,
    answered_once=("advice",),
    defaults={"reason": "other"},
    policy_reader=policy_reader,
    audit=audit,
    details=OrderDetails,
    ground=ground,
    scene_of=scene_of,
)
