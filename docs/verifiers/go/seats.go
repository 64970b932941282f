package main

import "strings"

// seat is who plays a seat, and what their cuts promised.
type seat struct {
	player    string
	kind      string
	left      bool
	seal      string
	barred    bool
	proposals int
	lenders   []string
	holders   []string
}

// isPerson says whether a person who is still in plays the seat.
func (s *seat) isPerson() bool { return s.kind == "human" && !s.left }

// handover is an open question to hand a seat over.
type handover struct {
	seat          int
	to, kind, bot string
	agreed        map[int]bool
}

func (g *game) persons() int {
	count := 0
	for _, each := range g.seats {
		if each.isPerson() {
			count++
		}
	}
	return count
}

// seatOf is the seat of a player, or -1.
func (g *game) seatOf(player string) int {
	for i, each := range g.seats {
		if each.player == player {
			return i
		}
	}
	return -1
}

func (g *game) leave(data fields, e *event) {
	at := data.num("seat")
	if g.seats[at].left {
		g.fault("seat %d has left before", at)
	}
	g.seats[at].left = true
	if g.handover != nil && g.handover.seat == at {
		g.handover = nil
	}
}

func (g *game) forfeit(data fields, e *event) {
	at, reason := data.num("seat"), data.text("reason")
	asked := g.handover
	if reason == "handover" && (asked == nil || asked.seat != at || !g.allAgree(asked) || g.personStays(at, asked.kind)) {
		g.fault("seat %d isn't handed over here by the last person", at)
	}
	g.leave(data, e)
}

// personStays says whether a person plays once a seat has another player.
func (g *game) personStays(at int, kind string) bool {
	for i, each := range g.seats {
		if i != at && each.isPerson() {
			return true
		}
	}
	return kind == "human"
}

func (g *game) allAgree(asked *handover) bool {
	for i, each := range g.seats {
		if i != asked.seat && each.isPerson() && !asked.agreed[i] {
			return false
		}
	}
	return true
}

func (g *game) noDealPending() {
	if g.open != nil {
		g.fault("no seat is asked about or changes hands while ceremony %d is open", g.open.n)
	}
}

func (g *game) askHandover(data fields, e *event) {
	at := data.num("seat")
	g.propose(at)
	g.noDealPending()
	bot, isBot := data["bot"].(string)
	if (data.text("kind") == "bot") != isBot || data.text("kind") != "bot" && data.text("kind") != "human" {
		g.fault("kind and bot don't fit each other")
	}
	if g.known[data.text("to")] {
		g.fault("%s had a seat in this game before", data.text("to"))
	}
	if !g.seats[at].isPerson() || g.handover != nil {
		g.fault("seat %d can't ask for a hand-over here", at)
	}
	g.handover = &handover{at, data.text("to"), data.text("kind"), bot, map[int]bool{}}
}

func (g *game) answerHandover(data fields, e *event) {
	at := data.num("seat")
	if g.handover == nil || g.handover.seat == at || !g.seats[at].isPerson() {
		g.fault("seat %d has no hand-over to answer", at)
		return
	}
	g.handover.agreed[at] = true
	if !data.truth("accept") {
		g.handover = nil
	}
}

func (g *game) handOver(data fields, e *event) {
	at := data.num("seat")
	from := g.seats[at]
	g.noDealPending()
	if data.text("from") != from.player || from.left {
		g.fault("%s doesn't hold seat %d", data.text("from"), at)
	}
	if g.known[data.text("to")] {
		g.fault("%s had a seat in this game before", data.text("to"))
	}
	asked := g.handover
	agreed := asked != nil && asked.seat == at && asked.to == data.text("to") && asked.kind == data.text("kind") &&
		asked.bot == data.text("bot") && g.allAgree(asked)
	if !agreed && !g.byClock(data) {
		g.fault("the table hasn't agreed to this hand-over")
	}
	if !g.personStays(at, data.text("kind")) {
		g.fault("no person would be left at the table")
	}
	if asked != nil && asked.seat == at {
		g.handover = nil
	}
	g.known[data.text("to")] = true
	from.lenders = append(from.lenders, from.player)
	g.seatNew(at, data.text("to"), data.text("kind"))
}

// byClock says whether the clock may hand the seat to this bot.
func (g *game) byClock(data fields) bool {
	strategy := strings.TrimPrefix(g.opening.text("autopilot"), "bot:")
	return strategy != g.opening.text("autopilot") && data.text("kind") == "bot" && data.text("bot") == strategy &&
		g.seats[data.num("seat")].isPerson()
}

// seatNew gives a seat another player; its seal no longer counts.
func (g *game) seatNew(at int, player, kind string) {
	from := g.seats[at]
	from.holders = append(from.holders, from.player)
	from.player, from.kind, from.seal = player, kind, ""
}

func (g *game) returnSeat(data fields, e *event) {
	at := data.num("seat")
	from := g.seats[at]
	g.noDealPending()
	for i, each := range from.lenders {
		if each == data.text("to") && !from.left {
			from.lenders = from.lenders[:i]
			if g.handover != nil && g.handover.seat == at {
				g.handover = nil
			}
			g.seatNew(at, each, "human")
			return
		}
	}
	g.fault("%s has no claim to seat %d", data.text("to"), at)
}

// checkAuthor checks `by` as far as docs/events.md says who writes a fact.
func (g *game) checkAuthor(e *event) {
	server := e.by == "server"
	good := true
	switch facts[e.fact].author {
	case "server":
		good = server
	case "seat":
		good = server || g.seats[e.data.num("seat")].player == e.by
	case "bringer":
		at := g.seatOf(e.by)
		good = server || at >= 0 && g.seats[at].isPerson()
	case "player":
		good = e.by == e.data.text("to")
	case "anyholder":
		at := g.seats[e.data.num("seat")]
		good = at.player == e.by || contains(at.holders, e.by)
	case "arbiter":
		good = !server && !g.known[e.by]
	case "any":
		good = server != (e.data.text("cause") == "host") && (server || e.by == g.opener && g.seatOf(e.by) >= 0)
	case "opener": // who needs no seat
		good = e.by != ""
	}
	if !good {
		g.fault("%s can't be the author of this %s", e.by, e.fact)
	}
}
