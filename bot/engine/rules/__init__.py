"""Rules: the parameters and their possible values, the rule sets and the themes, as data."""
