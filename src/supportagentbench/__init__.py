"""SupportAgentBench: can this AI agent run a support desk?

A world folder becomes cases, a case becomes a transcript, a transcript a verdict, verdicts a board:

    world ─▶ Case ──talk──▶ Transcript ──score──▶ Verdict ──tally──▶ Board
"""

__version__ = "0.1.0"
