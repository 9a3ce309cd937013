"""The formats of tournaments, one file each: Swiss, round robin, elimination and so on."""
