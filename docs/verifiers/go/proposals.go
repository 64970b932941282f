package main

// proposal is an open question to take back moves, or for a draw, and the seats that have agreed.
type proposal struct {
	seat, to int // of a draw, there is no version to go back to: -1
	agreed   map[int]bool
}

// proposals are the questions that are open.
type proposals struct {
	proposed     *proposal
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

// closing lists the facts that close an open proposal (common.md, open proposals).
var closing = map[string]bool{
	"BidMade": true, "BidPassed": true, "TrumpNamed": true, "PartnerCalled": true, "CardsDiscarded": true, "TrumpPitched": true,
	"CardPlayed": true, "HandDealt": true, "MovesTakenBack": true, "RulesChanged": true, "RulesChangeDeferred": true,
	"SeatResigned": true, "SeatForfeited": true, "SeatHandedOver": true, "SeatReturned": true,
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
	g.openProposal(at, to)
}

func (g *game) takeBack(data fields, e *event) {
	if e.v > 1 && !data.truth("begins_turn") {
		g.fault("begins_turn is false only before version 2")
	}
	asked := g.proposed
	if asked == nil || asked.seat != data.num("seat") || asked.to != data.num("to_version") {
		g.fault("nobody has asked for this undo")
		return
	}
	if !g.isGranted() {
		g.fault("not every player has agreed to the undo")
	}
	for _, each := range g.events[asked.to:] {
		if each == nil || barrier[each.fact] {
			g.fault("an undo can't go back past the facts since version %d", asked.to)
			return
		}
	}
	g.table = g.snapshots[asked.to].clone()
}

func (g *game) proposeDraw(data fields, e *event) {
	at := data.num("seat")
	g.propose(at)
	for _, each := range g.seats {
		if each.kind != "human" {
			g.fault("a draw is proposed in a game with a bot")
		}
	}
	g.openProposal(at, -1)
}

func (g *game) openProposal(at, to int) {
	if g.proposed != nil {
		g.fault("another proposal is still open")
	}
	g.proposed = &proposal{at, to, map[int]bool{at: true}}
}

func (g *game) answerUndo(data fields, e *event) {
	g.answer(data, "undo", g.proposed != nil && g.proposed.to >= 0)
}

func (g *game) answerDraw(data fields, e *event) {
	g.answer(data, "draw", g.proposed != nil && g.proposed.to < 0)
}

// answer follows an answer to an open proposal. The seat that asked can only withdraw it.
func (g *game) answer(data fields, what string, isAsked bool) {
	at, accept := data.num("seat"), data.truth("accept")
	if !isAsked || g.proposed.agreed[at] && (accept || g.proposed.seat != at) || !g.seats[at].isPerson() {
		g.fault("seat %d has no %s to answer", at, what)
		return
	}
	g.proposed.agreed[at] = true
	if !accept {
		g.proposed = nil
	}
}

// isGranted says whether all people who are still in have agreed to the open proposal.
func (g *game) isGranted() bool {
	for i, each := range g.seats {
		if each.isPerson() && (g.proposed == nil || !g.proposed.agreed[i]) {
			return false
		}
	}
	return g.proposed != nil
}
