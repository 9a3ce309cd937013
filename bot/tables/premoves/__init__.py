"""Premoves: what a person prepares for their own next turn, done by itself unless anything changes before.

`values` is what is prepared, `judging` whether it still stands and what it asks for now, `keeping` how it is stored,
`service` what can be asked about it, `player` what does it when its time has come. What is prepared stands beside the
table and never in its log: neither its version nor anything that others see tells of it.
"""
