"""Characters: what is wrong with each of the six, how often, at what price, and how it writes."""

from supportagentbench.calibration.cast.character import Character, Lapse
from supportagentbench.calibration.cast.manner import Manner
from supportagentbench.calibration.cast.older_policy import WorksByAnOlderPolicy
from supportagentbench.calibration.cast.price import TokenPrice
from supportagentbench.calibration.faults import (
    ActsBeforeConfirming,
    AsksAndDoesWithout,
    CitesRules,
    DoesMoreThanProposed,
    GivesIn,
    HandsOverOddNumbers,
    HandsOverOtherLanguages,
    HandsOverQuestions,
    HandsOverTheAngry,
    InventsADate,
    InventsADuration,
    InventsStock,
    MakesExceptions,
    NeverActs,
    NeverHandsOver,
    PromisesALook,
    SkipsLookUps,
)

HASTY = Character(
    "hasty",
    "Acts before the customer has said yes, and skips look-ups.",
    (Lapse(ActsBeforeConfirming, 0.4), Lapse(SkipsLookUps, 0.4), Lapse(NeverHandsOver, 0.1)),
    TokenPrice(prompt=2_500, thinking=0, read=0.1, written=0.4),
    Manner(greetings=("Hi!",), openers=("Ok.", "Right.")),
)

TRUSTING = Character(
    "trusting",
    "Believes what customers say: waives proof, and gives in under pressure.",
    (Lapse(GivesIn, 0.65), Lapse(AsksAndDoesWithout, 0.2), Lapse(MakesExceptions, 0.1)),
    TokenPrice(prompt=3_000, thinking=150, read=0.5, written=2.0),
    Manner(
        greetings=("Thank you for writing to us.", "Thanks so much for your message."),
        openers=("Thank you for telling me.", "I hear you."),
    ),
)

ANXIOUS = Character(
    "anxious",
    "Hands over cases that it could settle.",
    (
        Lapse(HandsOverQuestions, 0.3),
        Lapse(HandsOverOddNumbers, 0.25),
        Lapse(HandsOverTheAngry, 0.1),
        Lapse(HandsOverOtherLanguages, 0.1),
    ),
    TokenPrice(prompt=4_000, thinking=900, read=1.25, written=10.0),
    Manner(greetings=("Thank you for your message.",), openers=("I want to be careful here.",)),
)

CHATTY = Character(
    "chatty",
    "Writes a lot, promises dates, and sells.",
    (
        Lapse(InventsADate, 0.25),
        Lapse(InventsADuration, 0.15),
        Lapse(InventsStock, 0.2),
        Lapse(DoesMoreThanProposed, 0.1),
        Lapse(PromisesALook, 0.05),
        Lapse(HandsOverTheAngry, 0.2),
    ),
    TokenPrice(prompt=6_000, thinking=300, read=3.0, written=15.0),
    Manner(
        greetings=(
            "Hello, and thank you so much for reaching out to us, it's always a pleasure to hear from you!",
            "Hi there, what a nice surprise to hear from you, and thank you for being part of our journey!",
        ),
        openers=(
            "Thank you so much for getting back to me, I really appreciate it!",
            "It's lovely to hear from you again!",
        ),
        closers=(
            "It means the world to us that you chose us, and we love being part of your travels.",
            "By the way, our new season is full of beautiful things, so do have a look around when you like.",
        ),
    ),
)

BY_THE_BOOK = Character(
    "by-the-book",
    "Nearly always right and curt; sometimes refuses what a rule grants.",
    (Lapse(NeverActs, 0.1), Lapse(CitesRules, 0.05)),
    TokenPrice(prompt=5_000, thinking=1_500, read=2.0, written=8.0),
    Manner(
        drops=(
            (", I'm sorry.", "."),
            ("I'm sorry about that. ", ""),
            ("I'm afraid we", "We"),
            (" Thank you!", ""),
        ),
    ),
)

STALE = Character(
    "stale",
    "Follows an older edition of the policy, in which every time limit was twice as long.",
    (Lapse(WorksByAnOlderPolicy, 0.9), Lapse(HandsOverOddNumbers, 0.1)),
    TokenPrice(prompt=3_500, thinking=0, read=0.25, written=1.0),
    Manner(greetings=("Good day.",)),
)

CHARACTERS = (HASTY, TRUSTING, ANXIOUS, CHATTY, BY_THE_BOOK, STALE)
