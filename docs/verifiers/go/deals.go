package main

import (
	"sort"
	"strconv"
)

// dealHand checks a deal against its ceremony, the cuts and the place of the dealer (sections 4 and 5).
func (g *game) dealHand(data fields, e *event) {
	c := g.open
	if c == nil || !c.isDeal() || c.n != data.num("n") {
		g.fault("ceremony %d doesn't deal here", data.num("n"))
		return
	}
	if data.num("hand") != g.nextHand || data.num("redeal") != g.nextRedeal {
		g.fault("it's hand %d redeal %d, and it must be %d redeal %d", data.num("hand"), data.num("redeal"), g.nextHand, g.nextRedeal)
	}
	g.checkDealer(data)
	counts := data.nums("counts")
	total, size := data.num("stock"), g.handSize(data.num("hand"))
	for _, each := range counts {
		if each != size {
			g.fault("%d cards are dealt to a seat, and the rules deal %d", each, size)
		}
		total += each
	}
	if len(counts) != g.seatCount() || total != len(g.deck) || data.num("stock") < 0 {
		g.fault("counts and stock don't add up to the deck")
	}
	g.checkCuts(data, c)
	if g.isWrong {
		return
	}
	c.state, c.grade, g.open = dealt, data.text("grade"), nil
	g.hand = hand{
		number: g.nextHand, redeal: g.nextRedeal, n: c.n, dealer: data.num("dealer"), eldest: data.num("eldest"),
		counts: counts, at: g.version, inPlay: true,
	}
	g.beginTable(c, data)
}

// handSize returns how many cards the rules deal to each seat in a hand; the last number counts for all later ones.
func (g *game) handSize(hand int) int {
	sizes := g.rules.nums("hand_sizes")
	if len(sizes) == 0 || hand < 1 {
		return 0
	}
	if hand > len(sizes) {
		hand = len(sizes)
	}
	return sizes[hand-1]
}

func (g *game) beginTable(c *ceremony, data fields) {
	g.table = newTable(g.seatCount())
	copy(g.table.counts, g.hand.counts)
	g.draws.beginHand(c.key)
	if g.hand.redeal == 0 {
		for _, each := range g.seats {
			each.proposals = 0
		}
	}
	for i := range g.seats {
		at := (g.hand.eldest + i) % g.seatCount()
		g.expect(expectation{"CardsDealt", c.n, at, g.hand.counts[at], ""})
	}
	if count := data.num("stock"); count > 0 {
		g.expect(expectation{"StockLaid", c.n, -1, count, ""})
		g.table.stockLeft = count
	}
}

func (g *game) checkDealer(data fields) {
	dealer := g.hand.dealer
	switch {
	case g.nextHand == 1 && g.nextRedeal == 0 && dealer < 0:
		dealer = g.seatCount() - 1
	case g.nextHand > 1 && g.nextRedeal == 0 && !g.hand.dealsAgain:
		dealer = (dealer + 1) % g.seatCount()
	}
	if data.num("dealer") != dealer {
		g.fault("seat %d is the dealer, and not %d", dealer, data.num("dealer"))
	}
	if data.num("eldest") != (dealer+1)%g.seatCount() {
		g.fault("eldest must be the seat after the dealer")
	}
}

// checkCuts checks cuts, missing seats and grade, and finds the key of the deal.
func (g *game) checkCuts(data fields, c *ceremony) {
	var seats []int
	for each := range c.cuts {
		seats = append(seats, each)
	}
	sort.Ints(seats)
	wanted := []any{}
	var cuts []cut
	for _, each := range seats {
		source := strconv.Itoa(each)
		wanted = append(wanted, []any{source, c.cuts[each]})
		cuts = append(cuts, cut{source, fromHex(c.cuts[each])})
	}
	if c.beaconCut != "" {
		wanted = append(wanted, []any{c.beacon, c.beaconCut})
		cuts = append(cuts, cut{c.beacon, fromHex(c.beaconCut)})
	}
	if !equalValues(wanted, data["cuts"]) {
		g.fault("cuts aren't those that were opened, in the order of the seats, and then the beacon")
	}
	grade, missing := g.gradeOf(c)
	if data.text("grade") != grade {
		g.fault("the grade is %s, and not %s", grade, data.text("grade"))
	}
	if !equalLists(missing, data.nums("missing")) {
		g.fault("missing must be %v", missing)
	}
	for _, each := range missing {
		g.seats[each].barred = true
	}
	if seed, ok := g.seeds[c.n]; ok {
		c.key = newKey(g.id, c.n, c.subject, fromHex(seed), cuts)
	}
}

// promised returns the shuffled deck, or nil if the seed isn't known.
func (g *game) promised() []string {
	key := g.ceremonies[g.hand.n].key
	if key == nil {
		return nil
	}
	var deck []string
	for _, i := range key.shuffle("deck", len(g.deck)) {
		deck = append(deck, g.deck[i])
	}
	return deck
}

// cardsOf deals the deck around from the eldest hand, until each seat has its count. It returns the rest as the stock.
func cardsOf(deck []string, eldest int, counts []int) (hands [][]string, stock []string) {
	hands = make([][]string, len(counts))
	left := 0
	for _, each := range counts {
		left += each
	}
	at := eldest
	for ; left > 0; at = (at + 1) % len(counts) {
		if len(hands[at]) < counts[at] {
			hands[at] = append(hands[at], deck[0])
			deck = deck[1:]
			left--
		}
	}
	return hands, deck
}

func (g *game) dealCards(data fields, e *event) {
	cards, at := data.texts("cards"), data.num("seat")
	if deck := g.promised(); deck != nil {
		hands, _ := cardsOf(deck, g.hand.eldest, g.hand.counts)
		if !equalLists(hands[at], cards) {
			g.fault("the seed deals other cards to seat %d", at)
		}
	}
	g.table.hands[at] = map[string]bool{}
	for _, card := range cards {
		g.receive(at, card)
	}
	if g.lacksHonor(cards) {
		g.hand.lacking = append(g.hand.lacking, at)
	}
}

// receive gives a card to a seat, if the card is in the deck and nowhere else.
func (g *game) receive(at int, card string) {
	if !contains(g.deck, card) {
		g.fault("there is no card %s in the deck", card)
	}
	if g.table.out[card] || g.table.holder(card) >= 0 {
		g.fault("the card %s is elsewhere already", card)
	}
	if held := g.table.hands[at]; held != nil {
		held[card] = true
	}
}

func (g *game) lacksHonor(cards []string) bool {
	honors := g.rules.texts("misdeal")
	for _, card := range cards {
		if contains(honors, rankOf(card)) {
			return false
		}
	}
	return len(honors) > 0
}

func (g *game) layStock(data fields, e *event) {
	cards := data.texts("cards")
	if deck := g.promised(); deck != nil {
		if _, stock := cardsOf(deck, g.hand.eldest, g.hand.counts); !equalLists(stock, cards) {
			g.fault("the seed lays another stock")
		}
	}
	seen := map[string]bool{}
	for _, card := range cards {
		if !contains(g.deck, card) || seen[card] || g.table.holder(card) >= 0 {
			g.fault("the card %s can't be in the stock", card)
		}
		seen[card] = true
	}
	g.table.stock = cards
}

func (g *game) turnUp(data fields, e *event) {
	g.checkTrump("turned_up")
	card := data.text("card")
	if !g.inHand(data) || g.table.stockLeft == 0 || g.table.stock != nil && card != g.table.stock[0] {
		g.fault("the card turned up must be the first of the stock")
	}
	if !contains(g.deck, card) || g.table.holder(card) >= 0 || card[len(card)-1:] != data.text("suit") {
		g.fault("the card %s can't be turned up with the suit %s", card, data.text("suit"))
	}
}

// inHand says whether a fact names the hand in play.
func (g *game) inHand(data fields) bool {
	return g.hand.inPlay && data.num("hand") == g.hand.number
}

func (g *game) declareMisdeal(data fields, e *event) {
	if !g.inHand(data) || data.num("redeal") != g.hand.redeal || g.table.turns > 0 {
		g.fault("there can't be a misdeal of hand %d here", data.num("hand"))
		return
	}
	seats := data.nums("seats")
	if len(seats) == 0 {
		g.fault("a misdeal must name seats")
	}
	unseen := false
	for i, held := range g.table.hands {
		unseen = unseen || held == nil
		if held != nil && contains(seats, i) != contains(g.hand.lacking, i) {
			g.fault("a misdeal names exactly the seats without an honor")
		}
	}
	sort.Ints(g.hand.lacking)
	if !unseen && !equalLists(seats, g.hand.lacking) {
		g.fault("a misdeal names the seats %v", g.hand.lacking)
	}
	g.endHand("misdealt")
	g.nextRedeal++
}

func (g *game) endUnplayed(data fields, e *event) {
	if !g.inHand(data) {
		g.fault("hand %d isn't played here", data.num("hand"))
		return
	}
	g.hand.dealsAgain = g.rules.object("auction").text("all_pass") == "same_dealer"
	g.endHand("thrown in")
	g.nextHand, g.nextRedeal = g.nextHand+1, 0
}

func (g *game) endHand(how string) {
	g.hand.inPlay = false
	g.ceremonies[g.hand.n].end = how
}
