"""The rules as decisions, one file per chapter.

Each file begins with its subject, the paragraphs that it decides and the parameters that it reads.
"""
