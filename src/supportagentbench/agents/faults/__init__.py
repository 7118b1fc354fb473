"""Faults written by hand: conduct, handovers, claims, writing. `blind` generates those about facts."""

from random import Random

from supportagentbench.agents import Agent, EmbeddedFactory
from supportagentbench.agents.faults.claims import (
    ClaimsAHandover,
    ClaimsARefund,
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
    AsksForProofAndWaivesIt,
    CancelsTheNeighbour,
    ClosesUnresolved,
    IgnoresTheSecondRequest,
    MakesAnExceptionForStatus,
    ProposesWithoutNaming,
    RefusesReplacements,
    SendsAnotherVariant,
    SendsTwice,
    TriesTheNeighbour,
    TriesWhatIsForbidden,
)
from supportagentbench.agents.faults.handover import (
    ActsThenHandsOver,
    HandsOverExpensiveItems,
    HandsOverOtherLanguages,
    HandsOverReturns,
    HandsOverTheAngry,
    NeverHandsOver,
)
from supportagentbench.agents.faults.single_fault import SingleFault
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
    "ActsThenHandsOver",
    "AnswersInEnglish",
    "AsksForProofAndWaivesIt",
    "CancelsTheNeighbour",
    "CitesRules",
    "ClaimsAHandover",
    "ClaimsARefund",
    "ClaimsWithoutDoing",
    "ClosesUnresolved",
    "FallsSilentOnce",
    "GivesOldTrackingAsNew",
    "HandsOverExpensiveItems",
    "HandsOverOtherLanguages",
    "HandsOverReturns",
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
    "MakesAnExceptionForStatus",
    "NamesAnotherColour",
    "NeverHandsOver",
    "PastesToolResults",
    "ProposesWithoutNaming",
    "RefusesReplacements",
    "RepeatsItself",
    "SaysDelivered",
    "SaysNotShipped",
    "SendsAnotherVariant",
    "SendsTwice",
    "ThinksAloud",
    "TriesTheNeighbour",
    "TriesWhatIsForbidden",
    "dosed",
]

FAULTS: tuple[type[SingleFault], ...] = (
    ActsBeforeConfirming,
    ProposesWithoutNaming,
    SendsAnotherVariant,
    SendsTwice,
    CancelsTheNeighbour,
    TriesTheNeighbour,
    TriesWhatIsForbidden,
    AsksForProofAndWaivesIt,
    MakesAnExceptionForStatus,
    RefusesReplacements,
    ClosesUnresolved,
    IgnoresTheSecondRequest,
    NeverHandsOver,
    ActsThenHandsOver,
    HandsOverExpensiveItems,
    HandsOverTheAngry,
    HandsOverReturns,
    HandsOverOtherLanguages,
    ClaimsWithoutDoing,
    ClaimsAHandover,
    ClaimsARefund,
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
