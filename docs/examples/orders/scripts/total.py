"""Adds up an order, as src/lib.rs does."""

import json
import sys

order = json.load(open(sys.argv[1]))
total = 0
for item in order["items"]:
    total += item["price"] * item.get("count", 1) / item.get("pack", 1)
print(total)
