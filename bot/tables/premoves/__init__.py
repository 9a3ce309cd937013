"""Premoves: what a person prepares for their own next turn, done by itself unless anything changes before.

`service` is what can be asked, `player` plays a premove when its time has come. What is prepared stands beside the
table and never in its log: neither its version nor anything that others see tells of it.
"""
