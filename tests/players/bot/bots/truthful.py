import json
import sys

ORDER = ["31", "32", "41", "42", "43", "51", "52", "53", "54", "61", "62", "63", "64", "65"]
ORDER += ["11", "22", "33", "44", "55", "66", "21"]

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "claim":
        # The roll itself when it beats the standing claim, otherwise the next claim above it.
        lowest = ORDER.index(message["above"]) + 1 if message["above"] else 0
        reply = {"claim": ORDER[max(lowest, ORDER.index(message["roll"]))]}
    elif message["type"] == "answer":
        doubtful = message["claim"] in ("44", "55", "66", "21")
        reply = {"action": "challenge" if doubtful else "accept"}
    else:
        continue  # the opening of a match, or an event: nothing to answer
    print(json.dumps(reply), flush=True)
