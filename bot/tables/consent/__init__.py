"""Consent: questions that all persons at a running table answer, and what becomes of the game when all say yes.

`proposal` is the question, `asking` who may ask and answer it, `carrying` what follows from a yes of all, `ending` the
end of a game before its time, `taking_back` the way back to before a move, `service` the part of the table service.
"""
