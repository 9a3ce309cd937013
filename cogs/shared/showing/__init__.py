"""Build pages with their pictures: public boards and private panels. Pure; nothing is sent here."""
