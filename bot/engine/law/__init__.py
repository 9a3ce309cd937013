"""The law: a file a chapter.

Each begins with what it is about, the paragraphs it decides and the parameters it reads.
"""
