#!/bin/sh
# Ends with 0 if the order is valid JSON and costs nothing.
python3 -c '
import json, sys
order = json.load(open(sys.argv[1]))
sys.exit(order.get("discount") != 100)' "$1" 2> /dev/null
