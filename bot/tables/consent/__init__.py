"""Proposals that all persons at a running table answer, and their effects once all have agreed.

`rules` decides who may ask and answer, `settle` applies an agreed proposal.
"""
