"""Premoves: moves prepared for the player's next turn, played automatically if they are still valid.

`service` takes the requests, `premove_player` plays a premove when its time has come. Premoves are stored apart from
the table and its log, so that neither its version nor anything shown to others reveals them.
"""
