package main

// takesKitty says whether the pitcher takes the first cards of the stock, and no more.
func takesKitty(fill string) bool { return fill == "kitty" || fill == "kitty_and_draw" }

// fillsUp says whether a seat that has discarded draws.
func fillsUp(fill string) bool {
	return fill == "discard" || fill == "dealer" || fill == "kitty_and_draw"
}

func (g *game) winAuction(data fields, e *event) { g.table.pitcher = data.num("seat") }

// discard follows CardsDiscarded: hidden cards are buried next, and then the seat fills up.
func (g *game) discard(data fields, e *event) {
	at, count, shown := data.num("seat"), data.num("count"), data.texts("shown")
	if count < len(shown) || count > g.table.counts[at] {
		g.fault("seat %d can't discard %d cards", at, count)
	}
	left, kept := g.table.counts[at]-count, g.rules.num("kept_cards")
	if left > kept || left < kept && g.rules.text("fill") == "kitty" {
		g.fault("seat %d keeps %d cards, and the rules say %d", at, left, kept)
	}
	for _, card := range shown {
		g.release(at, card)
	}
	g.table.counts[at] = left
	if count > len(shown) {
		g.expect(expectation{"CardsBuried", g.hand.n, at, count - len(shown), ""})
	}
	if g.drawOf(at) > 0 {
		g.expect(expectation{"CardsDrawn", -1, at, -1, ""})
	}
}

// drawOf is how many cards a seat draws that has discarded. The seat that took the stock draws none, nor does a pitcher after
// a kitty, even one of no cards.
func (g *game) drawOf(at int) int {
	fill, taker := g.rules.text("fill"), g.table.taker
	if takesKitty(fill) {
		taker = g.table.pitcher
	}
	wanted := g.rules.num("kept_cards") - g.table.counts[at]
	switch {
	case !fillsUp(fill) || at == taker || wanted < 0:
		return 0
	case wanted > g.table.stockLeft:
		return g.table.stockLeft
	}
	return wanted
}

func (g *game) bury(data fields, e *event) {
	for _, card := range data.texts("cards") {
		g.release(data.num("seat"), card)
	}
}

// drawCards follows CardsDrawn. Games that were opened under an earlier behavior have draws of no cards.
func (g *game) drawCards(data fields, e *event) {
	at, count := data.num("seat"), data.num("count")
	if due := g.drawOf(at); count != due {
		g.fault("seat %d draws %d cards, and %d are due", at, count, due)
	}
	if count == 0 && (g.table.stockLeft > 0 || !contains(g.rules.texts("quirks"), "empty_draws")) {
		g.fault("seat %d draws no card", at)
	}
	g.fromStock(at, count)
}

// takeStock follows StockTaken: the rest of the stock, or the kitty.
func (g *game) takeStock(data fields, e *event) {
	at, count, due := data.num("seat"), data.num("count"), g.table.stockLeft
	fill := g.rules.text("fill")
	if takesKitty(fill) {
		due = g.rules.num("kitty")
	}
	switch {
	case fill == "nothing" || count != due || count < 1 || g.table.taker >= 0:
		g.fault("seat %d can't take %d cards of the stock", at, count)
	case fill == "dealer" && at != g.hand.dealer:
		g.fault("seat %d takes the stock, and seat %d deals", at, g.hand.dealer)
	}
	g.table.taker = at
	g.fromStock(at, count)
}

// fromStock gives a seat so many cards from the front of the stock.
func (g *game) fromStock(at, count int) {
	if count < 0 || count > g.table.stockLeft {
		g.fault("there aren't %d cards in the stock", count)
	}
	g.table.counts[at] += count
	g.table.stockUsed += count
	g.expect(expectation{"CardsTaken", g.hand.n, at, count, ""})
}

func (g *game) takeCards(data fields, e *event) {
	cards := data.texts("cards")
	if stock := g.table.stock; stock != nil && (len(cards) > len(stock) || !equalLists(cards, stock[:len(cards)])) {
		g.fault("these aren't the next cards of the stock")
	}
	for _, card := range cards {
		g.receive(data.num("seat"), card)
	}
	g.table.skipStock(len(cards))
}

// checkExchanged checks, before the first card, where the stock went, and that no seat holds too many cards.
func (g *game) checkExchanged() {
	fill, kept, used, left := g.rules.text("fill"), g.rules.num("kept_cards"), g.table.stockUsed, g.table.stockLeft
	kitty := g.rules.num("kitty")
	switch {
	case fill == "nothing":
		return
	case takesKitty(fill) && (used < kitty || used > kitty && fill == "kitty"), !takesKitty(fill) && left > 0:
		g.fault("a card is played, and %d cards of the stock were taken, with %d left", used, left)
	}
	for at, count := range g.table.counts {
		if fill != "pitcher_takes" && kept > 0 && count > kept {
			g.fault("a card is played, and seat %d holds %d cards and keeps %d", at, count, kept)
		}
	}
}
