"""Rules: the record of parameters, what each may be, and the rule sets and themes as data."""
