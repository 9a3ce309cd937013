"""What only some games have: runs, wild melds, several melds of a rank, and all that goes with them.

Each thing that data cannot say is a small piece here, used by every rule set that has it (`docs/law/variants.md A.3`).
Rule sets that have none of it never come here (`RuleSet.varied`).
"""
