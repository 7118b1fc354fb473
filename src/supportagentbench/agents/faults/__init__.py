"""Faults written by hand: conduct, handover, claims, telling, writing. `blind` makes those about facts."""

from random import Random

from supportagentbench.agents import Agent, EmbeddedFactory
from supportagentbench.agents.faults.claims import (
    ClaimsAHandover,
    ClaimsTheImpossible,
    ClaimsWithoutDoing,
    GivesOldTrackingAsNew,
    InventsAContact,
    InventsADate,
    InventsADuration,
    InventsALink,
    InventsAnAmount,
    InventsARule,
    InventsATrackingNumber,
    InventsStock,
    NamesAnotherColour,
    SaysDelivered,
    SaysNotShipped,
)
from supportagentbench.agents.faults.conduct import (
    ActsBeforeConfirming,
    ActsOnTheNeighbour,
    AsksAndDoesWithout,
    ClosesUnresolved,
    DoesItTwice,
    DoesMoreThanProposed,
    IgnoresTheSecondRequest,
    MakesExceptions,
    NeverActs,
    ProposesWithoutNaming,
    TriesTheNeighbour,
    TriesWhatIsForbidden,
)
from supportagentbench.agents.faults.handover import (
    ActsThenHandsOver,
    HandsOverOddNumbers,
    HandsOverOtherLanguages,
    HandsOverQuestions,
    HandsOverTheAngry,
    NeverHandsOver,
)
from supportagentbench.agents.faults.single_fault import SingleFault
from supportagentbench.agents.faults.telling import (
    AnswersHalf,
    PromisesALook,
    RecitesEveryRule,
    RecommendsWhatDoesNotFit,
    SaysTheOpposite,
)
from supportagentbench.agents.faults.writing import (
    AnswersInEnglish,
    CitesRules,
    FallsSilentOnce,
    LeaksNotes,
    LoopsGoodbyes,
    PastesToolResults,
    RepeatsItself,
    ThinksAloud,
)
from supportagentbench.agents.oracle import Oracle
from supportagentbench.world.folder import World

__all__ = [
    "FAULTS",
    "ActsBeforeConfirming",
    "ActsOnTheNeighbour",
    "ActsThenHandsOver",
    "AnswersHalf",
    "AnswersInEnglish",
    "AsksAndDoesWithout",
    "CitesRules",
    "ClaimsAHandover",
    "ClaimsTheImpossible",
    "ClaimsWithoutDoing",
    "ClosesUnresolved",
    "DoesItTwice",
    "DoesMoreThanProposed",
    "FallsSilentOnce",
    "GivesOldTrackingAsNew",
    "HandsOverOddNumbers",
    "HandsOverOtherLanguages",
    "HandsOverQuestions",
    "HandsOverTheAngry",
    "IgnoresTheSecondRequest",
    "InventsAContact",
    "InventsADate",
    "InventsADuration",
    "InventsALink",
    "InventsARule",
    "InventsATrackingNumber",
    "InventsAnAmount",
    "InventsStock",
    "LeaksNotes",
    "LoopsGoodbyes",
    "MakesExceptions",
    "NamesAnotherColour",
    "NeverActs",
    "NeverHandsOver",
    "PastesToolResults",
    "PromisesALook",
    "ProposesWithoutNaming",
    "RecitesEveryRule",
    "RecommendsWhatDoesNotFit",
    "RepeatsItself",
    "SaysDelivered",
    "SaysNotShipped",
    "SaysTheOpposite",
    "ThinksAloud",
    "TriesTheNeighbour",
    "TriesWhatIsForbidden",
    "dosed",
]

FAULTS: tuple[type[SingleFault], ...] = (
    ActsBeforeConfirming,
    ProposesWithoutNaming,
    DoesMoreThanProposed,
    DoesItTwice,
    ActsOnTheNeighbour,
    TriesTheNeighbour,
    TriesWhatIsForbidden,
    AsksAndDoesWithout,
    MakesExceptions,
    NeverActs,
    ClosesUnresolved,
    IgnoresTheSecondRequest,
    NeverHandsOver,
    ActsThenHandsOver,
    HandsOverOddNumbers,
    HandsOverTheAngry,
    HandsOverQuestions,
    HandsOverOtherLanguages,
    ClaimsWithoutDoing,
    ClaimsAHandover,
    ClaimsTheImpossible,
    InventsADate,
    InventsADuration,
    InventsAnAmount,
    InventsALink,
    InventsATrackingNumber,
    InventsAContact,
    InventsStock,
    InventsARule,
    GivesOldTrackingAsNew,
    NamesAnotherColour,
    SaysDelivered,
    SaysNotShipped,
    SaysTheOpposite,
    RecitesEveryRule,
    RecommendsWhatDoesNotFit,
    AnswersHalf,
    PromisesALook,
    ThinksAloud,
    CitesRules,
    LeaksNotes,
    PastesToolResults,
    FallsSilentOnce,
    RepeatsItself,
    LoopsGoodbyes,
    AnswersInEnglish,
)
"""Every agent with a fault of its own."""


def dosed(fault: EmbeddedFactory, rate: float) -> EmbeddedFactory:
    """An agent that has the fault in this share of its conversations, and is an oracle otherwise."""

    def make(world: World, seed: int) -> Agent:
        factory: EmbeddedFactory = fault if Random(f"{seed}/dose").random() < rate else Oracle
        return factory(world, seed)

    return make
