package main

import (
	"regexp"
	"strings"
)

// factSpecs lists the facts of docs/events.md: name, newest version, author, fields and their types.
// n is a number, t text, b true or false, o an object, x anything, [] a list, ? may be null, + gained with version 2.
const factSpecs = `
GameOpened 3 opener board:n variant:t rules:o options:o sides:[[n]] players:[o] deck:[t] timing:o fairness:o reveal:t limits:o?+ rated:o?+ watch:o+ undo:t+ autopilot:t+
SeatsDrawn 1 server n:n order:[n]
DealerDrawn 1 server n:n seat:n
CeremonyOpened 2 server n:n subject:t commit:t seals:o beacon:t?+
SeedKept 1 server n:n seed:t
CutOpened 1 seat n:n seat:n cut:t next_seal:t?
BeaconRecorded 1 bringer n:n source:t signature:t cut:t
HandDealt 1 server hand:n redeal:n n:n dealer:n eldest:n counts:[n] stock:n cuts:[[t]] missing:[n] grade:t next:[n]
CardsDealt 1 server n:n seat:n cards:[t]
StockLaid 1 server n:n cards:[t]
MisdealDeclared 1 server hand:n redeal:n seats:[n]
TrumpTurnedUp 1 server hand:n card:t suit:t
CeremonyRevealed 1 server n:n seed:t
CeremonyVoided 1 server n:n reason:t by:t seed:t
CoinFlipped 1 server n:n seats:[n] winner:n
BidMade 1 seat seat:n bid:n next:[n]
BidPassed 1 seat seat:n next:[n]
HandThrownIn 1 server hand:n
AuctionWon 1 server seat:n bid:n forced:b max:b sides:[[n]] next:[n]
TrumpNamed 1 seat seat:n suit:t next:[n]
PartnerCalled 2 seat seat:n card:t next:[n] begins_turn:b+
PartnerRevealed 1 server bidder:n seat:n? card:t sides:[[n]] next:[n]
CardsDiscarded 1 seat seat:n count:n shown:[t] next:[n]
CardsBuried 1 seat n:n seat:n cards:[t]
CardsDrawn 1 seat seat:n count:n
StockTaken 1 seat seat:n count:n next:[n]
CardsTaken 1 seat n:n seat:n cards:[t]
TrumpPitched 1 seat seat:n suit:t card:t
CardPlayed 1 seat seat:n card:t next:[n]
TrickTaken 1 server hand:n trick:n seat:n plays:[o] kept:[o] next:[n]
HandScored 1 server hand:n pegs:[o] counts:[n] made:b? changes:[n] scores:[n] tricks:[n] bids:[n?]
RulesChanged 1 any rules:o summary:o cause:t n:n? label:t? pick:n? of:n? next:[n]
RulesChangeDeferred 1 any rules:o summary:o cause:t n:n? label:t? pick:n? of:n?
BidScaled 1 server seat:n before:n after:n
PartnersChanged 1 server bidder:n? partner:n? sides:[[n]]
DelayCalled 1 seat seat:n accused:n waited_ms:n
DelayVoted 1 seat seat:n guilty:b
DelayJudged 1 server accused:n guilty:b scores:[n]
DelayDropped 1 server seat:n accused:n
UndoAsked 1 seat seat:n to_version:n
UndoAnswered 1 seat seat:n accept:b
MovesTakenBack 2 server seat:n to_version:n next:[n] begins_turn:b+
DrawProposed 1 seat seat:n
DrawAnswered 1 seat seat:n accept:b
SeatResigned 1 seat seat:n
SeatForfeited 2 server seat:n reason:t held_ms:n+
TurnReminded 2 server seat:n held_ms:n+
TurnTimed 1 server seat:n left_ms:n closed:[[t]] held_ms:n deadline:t
TimeClaimed 1 seat seat:n late:n
HandoverAsked 1 seat seat:n to:t kind:t bot:t?
HandoverAnswered 1 seat seat:n accept:b
SeatHandedOver 1 server seat:n from:t to:t kind:t bot:t?
SeatReturned 1 player seat:n to:t
DisputeOpened 1 anyholder dispute:n seat:n hand:n at_version:n kind:t note:t
RulingGiven 2 arbiter dispute:n decision:t changes:[n] basis:t? standard:t evidence:o note:t voids:n? ruled:o? drops_call:b+
RulingAppealed 1 anyholder dispute:n seat:n
RulingDecided 1 arbiter dispute:n decision:t ruled:o?
GameEnded 1 server reason:t winners:[n] scores:[n] n:n? label:t? ruled:o?
`

// field is one field of a fact.
type field struct {
	kind   string
	gained bool
}

// factSpec is what docs/events.md says about a fact.
type factSpec struct {
	version int
	author  string
	fields  map[string]field
}

var facts = parseSpecs()

func parseSpecs() map[string]factSpec {
	result := map[string]factSpec{}
	for _, row := range strings.Split(strings.TrimSpace(factSpecs), "\n") {
		words := strings.Fields(row)
		spec := factSpec{version: int(words[1][0] - '0'), author: words[2], fields: map[string]field{}}
		for _, word := range words[3:] {
			name, kind, _ := strings.Cut(word, ":")
			spec.fields[name] = field{strings.TrimSuffix(kind, "+"), strings.HasSuffix(kind, "+")}
		}
		result[words[0]] = spec
	}
	return result
}

// fits says whether a value has the type of a field.
func fits(value any, kind string) bool {
	if strings.HasPrefix(kind, "[") {
		list, ok := value.([]any)
		for _, each := range list {
			ok = ok && fits(each, kind[1:len(kind)-1])
		}
		return ok
	}
	if strings.HasSuffix(kind, "?") && value == nil {
		return true
	}
	switch value.(type) {
	case int:
		return kind[0] == 'n'
	case string:
		return kind[0] == 't'
	case bool:
		return kind[0] == 'b'
	case fields:
		return kind[0] == 'o'
	}
	return false
}

// shape says what is wrong with the fields of a fact, or nothing.
func (s factSpec) shape(data fields, version int) string {
	for name, each := range s.fields {
		value, ok := data[name]
		if !ok && each.gained && version < 2 {
			continue
		}
		if !ok {
			return "the field " + name + " is missing"
		}
		if !fits(value, each.kind) {
			return "the field " + name + " has another type"
		}
	}
	for name := range data {
		if _, ok := s.fields[name]; !ok {
			return "it has a field " + name + ", which such a fact hasn't"
		}
	}
	return ""
}

// event is a fact in its envelope.
type event struct {
	version int
	at      string
	fact    string
	by      string
	command string
	v       int
	data    fields
}

var moment = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`)

var envelopeNames = []string{"at", "by", "command", "data", "fact", "game", "salt", "seen_by", "v", "version"}

// readEvent checks the envelope (section 2). It returns nil for a withheld line and for an event that can't be read.
func (g *game) readEvent(version int, raw fields) *event {
	if raw == nil || !g.hasExactly(raw, version, "an event", envelopeNames...) {
		return nil
	}
	result := &event{version, raw.text("at"), raw.text("fact"), raw.text("by"), raw.text("command"), raw.num("v"), raw.object("data")}
	if raw.num("version") != version {
		g.wrong(version, "the event says version %v", raw["version"])
	}
	if raw.text("game") != g.id {
		g.wrong(version, "the event is of the game %v", raw["game"])
	}
	if !hex32.MatchString(raw.text("salt")) {
		g.wrong(version, "its salt isn't 32 hex digits")
	}
	g.checkTime(version, raw.text("at"))
	spec, known := facts[result.fact]
	if !known || result.v > spec.version {
		g.undecided("event %d is a %s of version %v, which this program doesn't know", version, result.fact, raw["v"])
		g.unknownFact = true
		return nil
	}
	if result.v < 1 {
		g.wrong(version, "v is %v", raw["v"])
	}
	if fault := spec.shape(result.data, result.v); fault != "" {
		g.wrong(version, "%s: %s", result.fact, fault)
		return nil
	}
	g.checkAudience(result, raw["seen_by"])
	return result
}

func (g *game) checkTime(version int, at string) {
	if !moment.MatchString(at) {
		g.wrong(version, "at isn't a time in UTC: %q", at)
	}
	if at < g.lastTime {
		g.wrong(version, "at goes back, from %s to %s", g.lastTime, at)
	}
	g.lastTime = at
}

// secret facts are withheld until their ceremony is revealed.
var secret = map[string]bool{"SeedKept": true, "CardsDealt": true, "StockLaid": true, "CardsBuried": true, "CardsTaken": true}

// drawFacts are facts that only a ceremony that was opened for them can lead to.
var drawFacts = map[string]bool{"SeatsDrawn": true, "DealerDrawn": true, "CoinFlipped": true}

// checkAudience checks seen_by.
func (g *game) checkAudience(e *event, seenBy any) {
	list, isList := seenBy.([]any)
	switch {
	case !secret[e.fact]:
		if seenBy != nil {
			g.wrong(e.version, "seen_by of a %s must be null", e.fact)
		}
	case !isList:
		g.wrong(e.version, "seen_by of a %s must be a list", e.fact)
	case e.fact == "SeedKept" || e.fact == "StockLaid":
		if len(list) != 0 {
			g.wrong(e.version, "nobody may see a %s before the reveal", e.fact)
		}
	case !equalLists(numsOf(list), g.audience(e.data.num("seat"))):
		g.wrong(e.version, "seen_by isn't who may see these cards of seat %d", e.data.num("seat"))
	}
}

// audience lists the seats that see a seat's cards.
func (g *game) audience(seat int) []int {
	sights := g.rules.texts("sights")
	if len(sights) == 0 {
		return []int{seat}
	}
	at := g.hand.number - 1
	if at < 0 || at >= len(sights) {
		at = len(sights) - 1
	}
	if sights[at] != "others" {
		return []int{seat}
	}
	var others []int
	for each := 0; each < g.seatCount(); each++ {
		if each != seat {
			others = append(others, each)
		}
	}
	return others
}
