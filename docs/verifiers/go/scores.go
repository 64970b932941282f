package main

// scoreHand checks HandScored: scores are the old scores plus changes (section 7).
func (g *game) scoreHand(data fields, e *event) {
	changes, scores := data.nums("changes"), data.nums("scores")
	if !g.inHand(data) {
		g.fault("hand %d isn't played here", data.num("hand"))
		return
	}
	if len(changes) != g.seatCount() || len(scores) != g.seatCount() {
		g.fault("changes and scores must have an entry for each seat")
		return
	}
	for i := range scores {
		if scores[i] != g.scores[i]+changes[i] {
			g.fault("the score of seat %d must be %d", i, g.scores[i]+changes[i])
		}
	}
	if !equalLists(data.nums("tricks"), g.table.taken) {
		g.fault("the tricks that were taken are %v", g.table.taken)
	}
	if len(g.table.plays) > 0 {
		g.fault("the hand is scored, and a trick isn't taken")
	}
	g.scores = scores
	g.endHand("scored")
	g.draws.scored = true
	g.nextHand, g.nextRedeal = g.nextHand+1, 0
}

// delayCall is an open call of delay, the ceremony of the hand in which it was made, and the seats without a vote to give.
type delayCall struct {
	seat, accused, n int
	voted            map[int]bool
}

func (g *game) callDelay(data fields, e *event) {
	if g.call != nil {
		g.fault("a call of delay is open already")
	}
	if data.num("seat") == data.num("accused") {
		g.fault("seat %d calls delay on itself", data.num("seat"))
	}
	voted := map[int]bool{data.num("seat"): true, data.num("accused"): true}
	g.call = &delayCall{data.num("seat"), data.num("accused"), g.hand.n, voted}
}

func (g *game) voteDelay(data fields, e *event) {
	at := data.num("seat")
	if g.call == nil || g.call.voted[at] {
		g.fault("seat %d has no call of delay to vote on", at)
		return
	}
	g.call.voted[at] = true
}

func (g *game) judgeDelay(data fields, e *event) {
	scores := data.nums("scores")
	if g.call == nil || g.call.accused != data.num("accused") || len(scores) != g.seatCount() {
		g.fault("no call of delay about seat %d is open", data.num("accused"))
		return
	}
	for i, score := range scores {
		if score != g.scores[i] && (i != g.call.accused || !data.truth("guilty")) {
			g.fault("the score of seat %d can't change here", i)
		}
	}
	g.scores, g.call = scores, nil
}

func (g *game) dropDelay(data fields, e *event) {
	if !g.mustDrop || g.call == nil || g.call.seat != data.num("seat") || g.call.accused != data.num("accused") {
		g.fault("no such call of delay is dropped here")
	}
	g.call, g.mustDrop = nil, false
}

// checkCallDropped checks that a call of delay is dropped right after the ruling that voids its hand.
func (g *game) checkCallDropped(e *event) {
	if g.mustDrop && e.fact != "RulingGiven" {
		g.fault("DelayDropped must come here")
	}
}
