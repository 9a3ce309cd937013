"""The desk: the private panel with which directors run a tournament, and its controls.

The handler of a control has the control's name. One in the past tense carries out what the form or menu before it asked
for: `desk_seat` asks who takes a seat, `desk_seated` seats that person.
"""
