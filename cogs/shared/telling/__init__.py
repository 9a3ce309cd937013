"""Telling: what happened, the score, rules and refusals as sentences; codes and numbers in, words out."""
