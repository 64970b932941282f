package main

// undo is an open question to take back moves, or for a draw, and the seats that have agreed.
type undo struct {
	seat, to int
	agreed   map[int]bool
}

// proposals are the questions that are open.
type proposals struct {
	undo, draw   *undo
	call         *delayCall
	mustDrop     bool
	voids        int
	voidsUndealt bool
	arbiter      string // of the last ruling
}

// undoable are the moves that can be taken back (events.md, UndoAsked).
var undoable = map[string]bool{
	"BidMade": true, "BidPassed": true, "TrumpNamed": true, "PartnerCalled": true, "TrumpPitched": true, "CardPlayed": true,
}

// barrier lists the facts behind which nothing is taken back (section 7).
var barrier = map[string]bool{
	"HandDealt": true, "TrumpTurnedUp": true, "MisdealDeclared": true, "HandThrownIn": true, "HandScored": true,
	"CeremonyRevealed": true, "CardsDiscarded": true, "StockTaken": true, "CardsTaken": true, "PartnerRevealed": true,
	"RulesChanged": true, "RulesChangeDeferred": true, "SeatResigned": true, "SeatForfeited": true, "SeatHandedOver": true,
	"SeatReturned": true,
}

// propose counts a proposal of a seat against the limit.
func (g *game) propose(at int) {
	if at < 0 {
		return
	}
	g.seats[at].proposals++
	if limit, ok := g.opening.object("limits").optional("proposals"); ok && g.seats[at].proposals > limit {
		g.fault("seat %d makes its proposal %d of this hand, and the limit is %d", at, g.seats[at].proposals, limit)
	}
}

func (g *game) askUndo(data fields, e *event) {
	at, to := data.num("seat"), data.num("to_version")
	g.propose(at)
	mode, given := g.opening["undo"].(string)
	if given && mode == "none" || !g.seats[at].isPerson() {
		g.fault("seat %d can't take anything back", at)
	}
	if to < 1 || to >= g.version {
		g.fault("there is no version %d to go back to", to)
		return
	}
	if moved := g.events[to]; moved == nil || !undoable[moved.fact] || moved.data.num("seat") != at {
		g.fault("event %d isn't a move of seat %d that can be taken back", to+1, at)
	}
	g.undo = &undo{at, to, map[int]bool{}}
}

func (g *game) answerUndo(data fields, e *event) {
	at := data.num("seat")
	if g.undo == nil || g.undo.seat == at && data.truth("accept") || !g.seats[at].isPerson() {
		g.fault("seat %d has no undo to answer", at)
		return
	}
	g.undo.agreed[at] = true
	if !data.truth("accept") {
		g.closeUndo()
	}
}

func (g *game) closeUndo() { g.undo = nil }

func (g *game) takeBack(data fields, e *event) {
	if e.v > 1 && !data.truth("begins_turn") {
		g.fault("begins_turn is false only before version 2")
	}
	asked := g.undo
	if asked == nil || asked.seat != data.num("seat") || asked.to != data.num("to_version") {
		g.fault("nobody has asked for this undo")
		return
	}
	for i, each := range g.seats {
		if i != asked.seat && each.isPerson() && !asked.agreed[i] {
			g.fault("seat %d hasn't agreed to the undo", i)
		}
	}
	for _, each := range g.events[asked.to:] {
		if each == nil || barrier[each.fact] {
			g.fault("an undo can't go back past the facts since version %d", asked.to)
			return
		}
	}
	before := g.snapshots[asked.to].clone()
	g.table = before
	g.closeUndo()
}

func (g *game) proposeDraw(data fields, e *event) {
	at := data.num("seat")
	g.propose(at)
	g.draw = &undo{at, 0, map[int]bool{at: true}}
}

func (g *game) answerDraw(data fields, e *event) {
	at, accept := data.num("seat"), data.truth("accept")
	if g.draw == nil || g.draw.agreed[at] && (accept || g.draw.seat != at) || !g.seats[at].isPerson() {
		g.fault("seat %d has no draw to answer", at)
		return
	}
	g.draw.agreed[at] = true
	if !accept {
		g.draw = nil
	}
}
