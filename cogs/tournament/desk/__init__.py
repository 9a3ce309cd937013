"""The desk: the private panel with which directors run a tournament, and its controls.

Each class lists its controls with their handlers. A control in the past tense carries out what the form or menu before
it asked for: `desk_seat` asks who takes a seat, `desk_seated` seats that person.
"""
