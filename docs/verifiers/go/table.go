package main

// play is a card on the table and the seat that played it.
type play struct {
	seat int
	card string
}

func playsOf(objects []fields) []play {
	var result []play
	for _, each := range objects {
		result = append(result, play{each.num("seat"), each.text("card")})
	}
	return result
}

// table is what a move changes and an undo restores.
type table struct {
	hands     []map[string]bool // nil if the seat's cards aren't shown
	out       map[string]bool   // cards that have left a hand
	counts    []int             // how many cards each seat holds
	plays     []play
	taken     []int
	tricks    int
	turns     int
	stock     []string // nil if it isn't shown
	stockLeft int
	stockUsed int // how many cards of the stock were drawn or taken
	pitcher   int // the seat that won the auction, or -1
	taker     int // the seat that took the stock or the kitty, or -1
}

func newTable(seats int) *table {
	return &table{
		hands: make([]map[string]bool, seats), out: map[string]bool{}, counts: make([]int, seats), taken: make([]int, seats), pitcher: -1, taker: -1,
	}
}

func (t *table) clone() *table {
	copied := *t
	copied.hands = make([]map[string]bool, len(t.hands))
	for i, held := range t.hands {
		copied.hands[i] = cloneSet(held)
	}
	copied.out = cloneSet(t.out)
	copied.counts = append([]int{}, t.counts...)
	copied.plays = append([]play{}, t.plays...)
	copied.taken = append([]int{}, t.taken...)
	return &copied
}

func cloneSet(set map[string]bool) map[string]bool {
	if set == nil {
		return nil
	}
	copied := make(map[string]bool, len(set))
	for each := range set {
		copied[each] = true
	}
	return copied
}

// holder is the seat that is known to hold a card, or -1.
func (t *table) holder(card string) int {
	for i, held := range t.hands {
		if held[card] {
			return i
		}
	}
	return -1
}

func (t *table) skipStock(count int) {
	t.stockLeft -= count
	if t.stock != nil && count <= len(t.stock) {
		t.stock = t.stock[count:]
	}
}

// release takes a card from a seat, which must hold it.
func (g *game) release(at int, card string) {
	if !contains(g.deck, card) || g.table.out[card] {
		g.fault("the card %s has left its seat before, or isn't in the deck", card)
	}
	held := g.table.hands[at]
	if held != nil && !held[card] {
		g.fault("seat %d doesn't hold %s", at, card)
	}
	if other := g.table.holder(card); other >= 0 && other != at {
		g.fault("seat %d holds %s, and not seat %d", other, card, at)
	}
	delete(held, card)
	g.table.out[card] = true
}

// checkTrump checks that trump comes about as the rules say.
func (g *game) checkTrump(how string) {
	if trump := g.rules.text("trump"); trump != how {
		g.fault("trump is %s, and the rules say %s", how, trump)
	}
}

func (g *game) nameTrump(data fields, e *event) { g.checkTrump("named") }

func (g *game) pitchTrump(data fields, e *event) {
	g.checkTrump("pitched")
	card := data.text("card")
	if card == "" || card[len(card)-1:] != data.text("suit") {
		g.fault("the suit of %s isn't %s", card, data.text("suit"))
	}
	g.expect(expectation{"CardPlayed", -1, data.num("seat"), -1, card})
}

func (g *game) playCard(data fields, e *event) {
	if g.table.tricks == 0 && len(g.table.plays) == 0 {
		g.checkExchanged()
	}
	g.release(data.num("seat"), data.text("card"))
	for _, each := range g.table.plays {
		if each.seat == data.num("seat") {
			g.fault("seat %d plays twice to a trick", each.seat)
		}
	}
	if g.table.counts[data.num("seat")]--; g.table.counts[data.num("seat")] < 0 {
		g.fault("seat %d has no card left", data.num("seat"))
	}
	g.table.plays = append(g.table.plays, play{data.num("seat"), data.text("card")})
}

func (g *game) takeTrick(data fields, e *event) {
	plays := playsOf(data.objects("plays"))
	if !g.inHand(data) || data.num("trick") != g.table.tricks+1 {
		g.fault("it must be trick %d of hand %d", g.table.tricks+1, g.hand.number)
	}
	if !equalLists(plays, g.table.plays) {
		g.fault("plays aren't the cards that were played, in their order")
	}
	played := false
	for _, each := range plays {
		played = played || each.seat == data.num("seat")
	}
	if !played {
		g.fault("the trick goes to seat %d, which didn't play to it", data.num("seat"))
	}
	for _, each := range playsOf(data.objects("kept")) {
		if !contains(plays, each) {
			g.fault("a card that is kept wasn't played to the trick")
		}
	}
	g.table.plays = nil
	g.table.tricks++
	g.table.taken[data.num("seat")]++
}

// turnFacts are the turns that the randomizer counts (section 6).
var turnFacts = map[string]bool{
	"BidMade": true, "BidPassed": true, "TrumpNamed": true, "PartnerCalled": true, "CardsDiscarded": true, "CardPlayed": true,
}

// handFacts need a hand in play.
var handFacts = map[string]bool{
	"BidMade": true, "BidPassed": true, "AuctionWon": true, "TrumpNamed": true, "CardsDiscarded": true, "CardPlayed": true,
	"TrumpPitched": true, "CardsDrawn": true, "StockTaken": true, "TrickTaken": true, "HandScored": true,
}

// checkTurn checks what must come before a turn, and counts it.
func (g *game) checkTurn(e *event) {
	if handFacts[e.fact] && !g.hand.inPlay {
		g.fault("no hand is played here")
		return
	}
	if !turnFacts[e.fact] || !g.hand.inPlay {
		return
	}
	if len(g.hand.lacking) > 0 {
		g.fault("the hand is played on, though the seats %v have no honor", g.hand.lacking)
	}
	g.checkDrawsBeforeTurn()
	g.table.turns++
}
