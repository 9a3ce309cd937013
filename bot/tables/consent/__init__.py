"""Proposals that all persons at a running table answer, and their effects once all have agreed.

`proposal_rules` decides who may ask and answer, `accepted_proposals` applies an agreed proposal.
"""
