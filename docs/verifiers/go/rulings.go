package main

import "encoding/hex"

// dispute is a question to an arbiter, and what came of it.
type dispute struct {
	opener    string
	seat      int
	withdrawn bool
	until     string
	ruled     bool
	appealed  bool
	decided   bool
	reversed  bool
	arbiter   string
	changes   []int
	hand      int
}

func (g *game) openDispute(data fields, e *event) {
	if data.num("dispute") != len(g.disputes)+1 {
		g.fault("it must be dispute %d", len(g.disputes)+1)
	}
	hand, at := data.num("hand"), data.num("at_version")
	if begun := g.begun[hand]; begun == 0 || at < begun || at >= g.version {
		g.fault("hand %d hadn't begun at version %d", hand, at)
	}
	if !contains(disputeKinds, data.text("kind")) {
		g.fault("a dispute is about %q", data.text("kind"))
	}
	g.checkNote(data)
	g.disputes = append(g.disputes, &dispute{hand: hand, seat: data.num("seat"), opener: e.by})
}

func (g *game) withdraw(data fields, e *event) {
	about := g.disputed(data)
	if about == nil || about.ruled || about.withdrawn {
		g.fault("dispute %d doesn't wait for a ruling", data.num("dispute"))
		return
	}
	about.withdrawn = true
	if about.seat != data.num("seat") || about.opener != e.by {
		g.fault("another player opened dispute %d", data.num("dispute"))
	}
}

var disputeKinds = []string{"revoke", "deal", "score", "turn", "delay", "rules", "consent", "conduct", "other"}

func (g *game) checkNote(data fields) {
	if !hex64.MatchString(data.text("note")) {
		g.fault("the note isn't 64 hex digits")
	}
}

// disputed finds the dispute that a fact names.
func (g *game) disputed(data fields) *dispute {
	n := data.num("dispute")
	if n < 1 || n > len(g.disputes) {
		g.fault("there is no dispute %d", n)
		return nil
	}
	return g.disputes[n-1]
}

func (g *game) rule(data fields, e *event) {
	about := g.disputed(data)
	if about == nil || about.ruled || about.withdrawn {
		g.fault("dispute %d doesn't wait for a ruling", data.num("dispute"))
		return
	}
	about.ruled, about.arbiter, about.changes = true, e.by, data.nums("changes")
	g.arbiter = e.by
	about.until = data.text("appeal_until")
	if e.v > 2 && about.until <= e.at {
		g.fault("it can't be appealed at any time after it")
	}
	g.checkEvidence(data.object("evidence"))
	g.checkNote(data)
	if !contains([]string{"recorded", "likely"}, data.text("standard")) {
		g.fault("the standard of proof is %q", data.text("standard"))
	}
	decision := data.text("decision")
	if len(about.changes) != 0 && len(about.changes) != g.seatCount() {
		g.fault("changes must have an entry for each seat")
		return
	}
	if !contains([]string{"none", "adjust", "void"}, decision) {
		g.fault("the decision is %q", decision)
	}
	if decision == "none" && !allZero(about.changes) {
		g.fault("a ruling that lets the result stand changes no score")
	}
	if e.v > 1 && data.truth("drops_call") {
		g.fault("drops_call is true only in version 1")
	}
	if n, voids := data.optional("voids"); voids {
		g.voidHand(n, decision, data, e)
	} else if decision == "void" && g.hand.inPlay && about.hand == g.hand.number {
		g.fault("it voids the hand in play, and voids is null")
	}
	g.checkRuled(data)
}

func allZero(numbers []int) bool {
	for _, each := range numbers {
		if each != 0 {
			return false
		}
	}
	return true
}

// voidHand follows a ruling that ends the hand in play, or a ceremony that hasn't dealt.
func (g *game) voidHand(n int, decision string, data fields, e *event) {
	if decision != "void" {
		g.fault("only a void ruling ends a hand")
	}
	g.voids = n
	g.draws.waiting = nil
	g.draws.settings = settingsOf(g.rules, "version")
	switch {
	case g.hand.inPlay && g.hand.n == n:
		if e.v == 1 { // which dropped any open call itself
			g.call = nil
		}
		g.endHand("void")
		g.nextRedeal++
		g.proposed = nil
		g.mustDrop = e.v > 1 && g.call != nil && g.call.n == n
	case g.open != nil && g.open.n == n:
		g.voidsUndealt = true
	default:
		g.fault("ceremony %d is neither that of the hand in play nor waiting to deal", n)
	}
}

// checkEvidence checks that the log had this root at this size.
func (g *game) checkEvidence(evidence fields) {
	size := evidence.num("size")
	if size < 1 || size >= g.version {
		g.fault("the evidence has %d events, and the log had %d", size, g.version-1)
		return
	}
	if root := g.roots[size]; evidence.text("root") != hex.EncodeToString(root[:]) {
		g.fault("the log had another root than the evidence at %d events", size)
	}
}

func (g *game) appeal(data fields, e *event) {
	about := g.disputed(data)
	if about == nil || !about.ruled || about.appealed {
		g.fault("there is no ruling on dispute %d to appeal", data.num("dispute"))
		return
	}
	about.appealed = true
	if about.until != "" && e.at >= about.until {
		g.fault("the ruling could be appealed until %s", about.until)
	}
}

func (g *game) decideAppeal(data fields, e *event) {
	about := g.disputed(data)
	if about == nil || !about.appealed || about.decided {
		g.fault("there is no appeal in dispute %d", data.num("dispute"))
		return
	}
	about.decided = true
	if e.by == about.arbiter {
		g.fault("the arbiter decides the appeal against their own ruling")
	}
	switch data.text("decision") {
	case "reversed":
		about.reversed = true
	case "upheld":
	default:
		g.fault("the decision is %q", data.text("decision"))
	}
	g.checkRuled(data)
}

// checkRuled checks the scores with all rulings in force.
func (g *game) checkRuled(data fields) {
	sums := make([]int, g.seatCount())
	for _, each := range g.disputes {
		for i, by := range each.changes {
			if !each.reversed {
				sums[i] += by
			}
		}
	}
	ruled, given := data["ruled"].(fields)
	if given == allZero(sums) {
		g.fault("ruled must be null exactly if the rulings in force change no score")
		return
	}
	for i, score := range ruled.nums("scores") {
		if i < len(sums) && score != g.scores[i]+sums[i] {
			g.fault("with the rulings, the score of seat %d is %d", i, g.scores[i]+sums[i])
		}
	}
	if given && len(ruled.nums("scores")) != g.seatCount() {
		g.fault("ruled must have a score for each seat")
	}
}
