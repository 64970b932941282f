package main

import (
	"strconv"
	"strings"
)

const (
	undealt = iota
	dealt
	drawn
	voided
)

// ceremony is one promise of a seed, and what it dealt or drew (section 4).
type ceremony struct {
	n        int
	subject  string
	commit   string
	seals    map[string]string
	cuts     map[int]string
	beacon   string
	seed     string
	state    int
	revealed bool
	key      drawKey
	grade    string
	end      string
	why      string
	endedAt  int

	// beaconCut is the cut of the round that was recorded, or nothing.
	beaconCut string
}

func (c *ceremony) isDeal() bool { return strings.HasPrefix(c.subject, "deal ") }

func (c *ceremony) what() string {
	if !c.isDeal() {
		return "drawn"
	}
	if c.end == "" {
		return c.grade + ", broken off"
	}
	return c.grade + ", " + c.end
}

func (g *game) subjectOfDeal() string {
	subject := "deal hand " + strconv.Itoa(g.nextHand)
	if g.nextRedeal > 0 {
		subject += " redeal " + strconv.Itoa(g.nextRedeal)
	}
	return subject
}

func (g *game) openCeremony(data fields, e *event) {
	next := &ceremony{
		n: data.num("n"), subject: data.text("subject"), commit: data.text("commit"),
		seals: map[string]string{}, cuts: map[int]string{},
	}
	if next.n != g.nextN {
		g.fault("the ceremony's number is %d, and it must be %d", next.n, g.nextN)
	}
	if g.open != nil {
		g.fault("the ceremony before it has neither dealt, drawn nor been voided")
	}
	if !hex64.MatchString(next.commit) {
		g.fault("commit isn't 64 hex digits")
	}
	for source, value := range data.object("seals") {
		next.seals[source], _ = value.(string)
	}
	g.checkPlaceOfCeremony(next)
	g.checkSeals(next)
	next.beacon, _ = data["beacon"].(string)
	g.checkNamedRound(next, e)
	g.ceremonies[next.n], g.open, g.nextN = next, next, next.n+1
	g.useSeed(next)
	g.expect(expectation{"SeedKept", next.n, -1, -1, ""})
	if !next.isDeal() {
		g.expectDraws(next)
	}
}

func (g *game) expectDraws(c *ceremony) {
	draws := map[string]bool{
		"SeatsDrawn":  c.subject == "game" && g.rules.text("seating") == "drawn",
		"DealerDrawn": c.subject == "game" && g.rules.text("first_dealer") == "drawn",
		"CoinFlipped": c.subject == "coin",
	}
	for _, fact := range []string{"SeatsDrawn", "DealerDrawn", "CoinFlipped"} {
		if draws[fact] {
			g.expect(expectation{fact, c.n, -1, -1, ""})
		}
	}
	g.expect(expectation{"CeremonyRevealed", c.n, -1, -1, ""})
}

// checkPlaceOfCeremony checks the subject, and what must have come before.
func (g *game) checkPlaceOfCeremony(next *ceremony) {
	wanted := g.subjectOfDeal()
	if next.n == 0 {
		wanted = "game"
	} else if next.subject == "coin" {
		wanted = "coin"
	}
	if next.subject != wanted {
		g.fault("the subject is %q, and it must be %q", next.subject, wanted)
	}
	if g.hand.inPlay {
		g.fault("a ceremony opens while hand %d is played", g.hand.number)
	}
	for _, n := range g.numbers() {
		each := g.ceremonies[n]
		if g.opening.text("reveal") == "hand" && each.state != voided && !each.revealed {
			g.fault("a ceremony opens, and ceremony %d isn't revealed", n)
		}
		if each.why == "ended" {
			g.fault("a ceremony opens after one that is void because the game ended")
		}
	}
	limit, limited := g.opening.object("limits").optional("events")
	if next.isDeal() && limited && g.version > limit {
		g.fault("a deal begins after %d events, and the game ends at %d", g.version-1, limit)
	}
	if next.isDeal() {
		g.checkEndWasDrawn()
		if g.begun[g.nextHand] == 0 {
			g.begun[g.nextHand] = g.version
		}
	}
}

// checkSeals compares the seals with those that players gave with their last cuts.
func (g *game) checkSeals(next *ceremony) {
	wanted := map[string]string{}
	for i, each := range g.seats {
		if next.isDeal() && each.isPerson() && !each.barred && each.seal != "" {
			wanted[strconv.Itoa(i)] = each.seal
		}
	}
	if !equalValues(texts(wanted), texts(next.seals)) {
		g.fault("seals aren't those that the players promised with their last cuts")
	}
}

func texts(object map[string]string) fields {
	result := fields{}
	for key, value := range object {
		result[key] = value
	}
	return result
}

// useSeed checks a seed that the file reveals later against the commitment.
func (g *game) useSeed(c *ceremony) {
	seed, ok := g.seeds[c.n]
	if !ok {
		return
	}
	if commitment(g.id, c.n, c.subject, fromHex(seed)) != c.commit {
		g.fault("the commitment isn't that of the seed that was revealed")
		return
	}
	if !c.isDeal() {
		c.key = newKey(g.id, c.n, c.subject, fromHex(seed), nil)
	}
}

func (g *game) keepSeed(data fields, e *event) {
	c := g.open
	c.seed = data.text("seed")
	if !hex64.MatchString(c.seed) {
		g.fault("the seed isn't 64 hex digits")
	} else if commitment(g.id, c.n, c.subject, fromHex(c.seed)) != c.commit {
		g.fault("the seed doesn't fit the commitment")
	}
}

func (g *game) openCut(data fields, e *event) {
	c, at := g.open, data.num("seat")
	player := g.seats[at]
	source := strconv.Itoa(at)
	bytes := data.text("cut")
	if c == nil || !c.isDeal() || data.num("n") != c.n {
		g.fault("ceremony %d doesn't wait for cuts", data.num("n"))
		return
	}
	if _, twice := c.cuts[at]; twice {
		g.fault("seat %d cuts twice", at)
	}
	if !hex64.MatchString(bytes) {
		g.fault("the cut isn't 32 bytes in hex")
		return
	}
	if seal, sealed := c.seals[source]; sealed && sealOf(g.id, source, fromHex(bytes)) != seal {
		g.fault("the cut doesn't fit the seal of seat %d", at)
	}
	if !player.isPerson() || player.barred {
		g.fault("seat %d may not cut", at)
	}
	next, given := data["next_seal"].(string)
	if given && !hex64.MatchString(next) {
		g.fault("next_seal isn't 32 bytes in hex")
	}
	cuts := g.opening.object("fairness").text("cuts")
	if cuts == "none" || given && cuts != "sealed" {
		g.fault("the table's cuts are %q", cuts)
	}
	c.cuts[at] = bytes
	player.seal = next
}

// gradeOf is the grade that the cuts earn, and the seats that withheld a cut.
func (g *game) gradeOf(c *ceremony) (grade string, missing []int) {
	all := true
	for i, each := range g.seats {
		if !each.isPerson() {
			continue
		}
		_, cut := c.cuts[i]
		_, sealed := c.seals[strconv.Itoa(i)]
		all = all && cut && sealed
		if sealed && !cut {
			missing = append(missing, i)
		}
	}
	switch {
	case len(c.cuts) == 0:
		return "F0", missing
	case all && c.beaconCut != "":
		return "F3", missing
	case all:
		return "F2", missing
	}
	return "F1", missing
}

func (g *game) reveal(data fields, e *event) {
	c := g.ceremonies[data.num("n")]
	switch {
	case c == nil || c.state == undealt || c.state == voided:
		g.fault("ceremony %d has nothing to reveal", data.num("n"))
		return
	case c.revealed:
		g.fault("ceremony %d is revealed twice", c.n)
	case c.isDeal() && c.n == g.hand.n && g.hand.inPlay && !g.mayEnd():
		g.fault("the seed of the hand in play is revealed")
	}
	c.revealed = true
	g.checkSeed(c, data.text("seed"))
}

// mayEnd says whether the game may end here, so that the hand in play is revealed: GameEnded must follow.
func (g *game) mayEnd() bool {
	for _, each := range g.export.lines[g.version:] {
		switch each.event.text("fact") {
		case "GameEnded":
			return true
		case "CeremonyRevealed":
			continue
		}
		return false
	}
	return false
}

func (g *game) checkSeed(c *ceremony, seed string) {
	if !hex64.MatchString(seed) {
		g.fault("the seed isn't 64 hex digits")
	} else if commitment(g.id, c.n, c.subject, fromHex(seed)) != c.commit {
		g.fault("the seed doesn't fit the commitment")
	}
	if c.seed != seed {
		g.fault("the seed isn't that of SeedKept")
	}
}

func (g *game) voidCeremony(data fields, e *event) {
	c := g.open
	if c == nil || c.n != data.num("n") {
		g.fault("ceremony %d can't be voided", data.num("n"))
		return
	}
	c.state, c.why, c.endedAt = voided, data.text("reason"), g.version
	g.open = nil
	g.checkSeed(c, data.text("seed"))
	ruled := g.voids == c.n && g.voidsUndealt
	if c.why != "ended" && c.why != "ruling" || (c.why == "ruling") != ruled {
		g.fault("the reason of a void ceremony is %q", c.why)
	}
	if by := data.text("by"); c.why == "ended" && by != "server" || c.why == "ruling" && by != g.arbiter {
		g.fault("%s can't void it for the reason %q", by, c.why)
	}
	g.voidsUndealt = false
}

func (g *game) drawSeats(data fields, e *event) {
	order := data.nums("order")
	if key := g.open.key; key == nil {
		g.fault("ceremony %d isn't revealed right after its draw", g.open.n)
	} else if !equalLists(order, key.shuffle("seats", g.seatCount())) {
		g.fault("the seats aren't those that the seed draws")
	} else {
		seats := make([]*seat, len(order))
		for i, player := range order {
			seats[i] = g.seats[player]
		}
		g.seats = seats
	}
	g.closeDraw()
}

func (g *game) drawDealer(data fields, e *event) {
	if key := g.open.key; key == nil {
		g.fault("ceremony %d isn't revealed right after its draw", g.open.n)
	} else if want := key.pick("dealer", g.seatCount()); data.num("seat") != want {
		g.fault("the seed draws seat %d as the dealer", want)
	}
	g.hand.dealer = data.num("seat")
	g.closeDraw()
}

func (g *game) flipCoin(data fields, e *event) {
	seats := data.nums("seats")
	for i, each := range seats {
		if each < 0 || each >= g.seatCount() || i > 0 && each <= seats[i-1] {
			g.fault("the seats of a coin must ascend")
		}
	}
	if key := g.open.key; key == nil || len(seats) == 0 {
		g.fault("ceremony %d isn't revealed right after its draw", g.open.n)
	} else if want := seats[key.pick("coin", len(seats))]; data.num("winner") != want {
		g.fault("the coin falls on seat %d", want)
	}
	g.closeDraw()
}

// closeDraw ends a ceremony with its last draw.
func (g *game) closeDraw() {
	if len(g.expected) > 0 && g.expected[0].fact == "CeremonyRevealed" {
		g.open.state = drawn
		g.open = nil
	}
}
