"""The law: a file a chapter, why something may not be done or that it may. Its paragraphs stand at the top of each."""
