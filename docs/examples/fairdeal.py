import json, sys
from hashlib import sha256
from hmac import digest

def enc(*parts):
    raw = [p if isinstance(p, bytes) else p.encode() if isinstance(p, str) else p.to_bytes(4, "big") for p in parts]
    return b"".join(len(r).to_bytes(4, "big") + r for r in raw)

def commit(game, n, subject, seed):
    return sha256(enc("fairdeal/1 commit", game, n, subject, seed)).hexdigest()

def pick(game, n, subject, seed, cuts, label, *sizes):
    key = digest(seed, enc("fairdeal/1 key", game, n, subject, len(cuts), *[p for cut in cuts for p in cut]), "sha256")
    stream = (byte for i in range(2**32) for byte in digest(key, enc("fairdeal/1 draw", label, i), "sha256"))
    return [next(x for x in stream if x < 256 - 256 % m) % m for m in sizes]  # m up to 256

def shuffle(*ceremony, size):
    order = list(range(size))
    for i, j in zip(range(size - 1, 0, -1), pick(*ceremony, *range(size, 1, -1))):
        order[i], order[j] = order[j], order[i]
    return order

def matches(fact, data, hand, opening, ceremony):
    seats, deck = len(opening["players"]), opening["deck"]
    match fact:
        case "SeatsDrawn": return data["order"] == shuffle(*ceremony, "seats", size=seats)
        case "DealerDrawn": return [data["seat"]] == pick(*ceremony, "dealer", seats)
        case "CoinFlipped": return data["winner"] == data["seats"][pick(*ceremony, "coin", len(data["seats"]))[0]]
        case "CardsDealt" | "StockLaid":
            shuffled, dealt = [deck[i] for i in shuffle(*ceremony, "deck", size=len(deck))], sum(hand["counts"])
            turn = (data.get("seat", 0) - hand["eldest"]) % seats
            return data["cards"] == (shuffled[dealt:] if fact == "StockLaid" else shuffled[:dealt][turn::seats])
    return data.get("pick") is None or [data["pick"]] == pick(*ceremony, data["label"], data["of"])

def check(lines):
    events = [event for line in lines if (event := json.loads(line).get("event"))]
    facts = {(e["fact"], e["data"].get("n")): e["data"] for e in events}
    for data in [e["data"] for e in events if e["fact"] == "CeremonyRevealed"]:
        n, opened, hand = data["n"], facts["CeremonyOpened", data["n"]], facts.get(("HandDealt", data["n"]), {})
        ceremony = events[0]["game"], n, opened["subject"], bytes.fromhex(data["seed"])
        cuts = [(source, bytes.fromhex(cut)) for source, cut in hand.get("cuts", [])]
        drawn = [e for e in events if e["data"].get("n") == n]
        complete = sum(e["fact"] == "CardsDealt" for e in drawn) == len(hand.get("counts", []))
        good = commit(*ceremony) == opened["commit"] and complete and all(
            matches(e["fact"], e["data"], hand, facts["GameOpened", None], (*ceremony, cuts)) for e in drawn)
        yield f"{opened['subject']}: {'as promised' if good else 'NOT AS PROMISED'}"

if __name__ == "__main__":
    lines = list(open(sys.argv[1])) if sys.argv[1:] else sys.exit("usage: fairdeal.py EXPORT.ndjson")
    results = list(check(lines)) if '"GameOpened"' in "".join(lines) else sys.exit("this file isn't the export of a game")
    print(*results or ["nothing to check yet: no deal of this game is revealed"], sep="\n")
