"""Consent: questions that all persons at a running table answer, and what becomes of the game when all say yes.

`rules` says who may ask and answer, `settle` what follows once all have agreed.
"""
