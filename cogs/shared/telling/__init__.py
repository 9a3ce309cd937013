"""Turn events, scores, rules and refusals into sentences of the reader's language."""
