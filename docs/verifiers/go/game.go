package main

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"sort"
	"strings"
)

// game is one export and all that is known of its table at the event that is read.
type game struct {
	report
	export export
	id     string
	roots  []hash

	version     int
	events      []*event
	lastTime    string
	salts       map[string]int
	unfit       map[int]bool
	unknownFact bool

	opening  fields
	opener   string
	rules    fields
	deck     []string
	seats    []*seat
	known    map[string]bool
	scores   []int
	over     bool
	expected []expectation

	ceremonies map[int]*ceremony
	seeds      map[int]string
	open       *ceremony
	nextN      int
	hand       hand
	nextHand   int
	nextRedeal int
	begun      map[int]int // the version at which a hand's first ceremony opened

	table     *table
	snapshots map[int]*table
	draws     draws
	proposals
	disputes []*dispute
	handover *handover
}

// hand is the hand in play, or the last one.
type hand struct {
	number, redeal, n int
	dealer, eldest    int
	dealsAgain        bool // the dealer also deals the next hand
	counts            []int
	at                int
	inPlay            bool
	lacking           []int
	judged            bool
}

func newGame() *game {
	return &game{
		ceremonies: map[int]*ceremony{}, seeds: map[int]string{}, begun: map[int]int{}, known: map[string]bool{},
		snapshots: map[int]*table{}, salts: map[string]int{}, unfit: map[int]bool{}, nextHand: 1, nextN: -1, table: &table{}, hand: hand{dealer: -1},
	}
}

// deckOf is the deck of rules: clubs, diamonds, hearts, spades, each from two to ace, then jokers, without removed cards.
func deckOf(rules fields) []string {
	var whole, deck []string
	for _, suit := range "CDHS" {
		for _, rank := range strings.Fields("2 3 4 5 6 7 8 9 10 J Q K A") {
			whole = append(whole, rank+string(suit))
		}
	}
	if rules.truth("jokers") {
		whole = append(whole, "X1", "X2")
	}
	for _, card := range whole {
		if !contains(rules.texts("removed"), card) {
			deck = append(deck, card)
		}
	}
	return deck
}

// rankOf returns a card's rank, X for a joker.
func rankOf(card string) string {
	if card == "" || card[0] == 'X' {
		return "X"
	}
	return card[:len(card)-1]
}

// checkFacts reads the events in their order, up to the first that is wrong.
func (g *game) checkFacts() {
	if len(g.export.lines) == 0 {
		g.wrong(0, "the log holds no event")
		return
	}
	g.findSeeds()
	g.checkFields()
	for i, each := range g.export.lines {
		g.version = i + 1
		if each.event == nil {
			g.events = append(g.events, nil)
			g.takeWithheld()
		} else {
			e := g.readEvent(g.version, each.event)
			g.events = append(g.events, e)
			if e != nil {
				g.take(e)
			}
		}
		if g.isWrong || g.unknownFact {
			g.stop()
			return
		}
		g.snapshots[g.version] = g.table.clone()
	}
	g.finish()
}

func (g *game) stop() {
	if g.version < len(g.export.lines) {
		g.unchecked("the facts after event %d", g.version)
	}
}

// findSeeds reads ahead: a revealed seed judges facts that come before it.
func (g *game) findSeeds() {
	for _, each := range g.export.lines {
		if name := each.event.text("fact"); name == "CeremonyRevealed" || name == "CeremonyVoided" {
			data := each.event.object("data")
			if seed := data.text("seed"); hex64.MatchString(seed) {
				g.seeds[data.num("n")] = seed
			}
		}
	}
}

func (g *game) fault(format string, values ...any) {
	g.wrong(g.version, format, values...)
}

// expectation is a fact that must come next, shown or withheld.
type expectation struct {
	fact  string
	n     int
	seat  int
	count int
	card  string
}

// mayStandBetween lists the facts that may come between CardsDiscarded and the cards that belong to it.
var mayStandBetween = map[string]bool{"BidScaled": true, "PartnersChanged": true}

func (g *game) expect(next ...expectation) {
	g.expected = append(g.expected, next...)
}

// meets checks that an event is the one that must come next, if one must. It returns that expectation.
func (g *game) meets(e *event) (met expectation, ok bool) {
	if len(g.expected) == 0 {
		if secret[e.fact] || drawFacts[e.fact] {
			g.fault("no %s belongs here", e.fact)
			return met, false
		}
		return met, true
	}
	met = g.expected[0]
	late := met.fact == "CardsBuried" || met.fact == "CardsDrawn" || met.fact == "CardsTaken"
	if late && mayStandBetween[e.fact] {
		return met, true
	}
	if met.fact == "CeremonyRevealed" && e.fact == met.fact && e.data.num("n") < met.n && g.opening.text("reveal") == "game" {
		return met, true
	}
	g.expected = g.expected[1:]
	switch {
	case met.fact != e.fact:
		g.fault("a %s must come here, and not a %s", met.fact, e.fact)
	case met.n >= 0 && facts[e.fact].fields["n"].kind != "" && e.data.num("n") != met.n:
		g.fault("it names ceremony %d, and it belongs to %d", e.data.num("n"), met.n)
	case met.seat >= 0 && e.data.num("seat") != met.seat:
		g.fault("it names seat %d, and it must be seat %d", e.data.num("seat"), met.seat)
	case met.count >= 0 && len(e.data.list("cards")) != met.count:
		g.fault("it has %d cards, and %d belong here", len(e.data.list("cards")), met.count)
	case met.card != "" && e.data.text("card") != met.card:
		g.fault("its card is %s, and it must be %s", e.data.text("card"), met.card)
	default:
		return met, true
	}
	return met, false
}

// takeWithheld follows a line of which only the hashes are shown (section 8).
func (g *game) takeWithheld() {
	if g.version == 1 {
		g.fault("the log must begin with GameOpened")
		return
	}
	if len(g.expected) == 0 || !secret[g.expected[0].fact] {
		g.fault("a line is withheld, and no fact that may be withheld belongs here")
		return
	}
	met := g.expected[0]
	g.expected = g.expected[1:]
	if _, revealed := g.seeds[met.n]; revealed {
		g.fault("a %s of ceremony %d is withheld, though the ceremony is revealed", met.fact, met.n)
	}
	switch met.fact {
	case "CardsDealt", "CardsBuried", "CardsTaken":
		g.table.hands[met.seat] = nil
		if met.fact == "CardsTaken" {
			g.table.skipStock(met.count)
		}
	case "StockLaid":
		g.table.stock = nil
	}
}

// take checks one fact and follows it.
func (g *game) take(e *event) {
	if (g.version == 1) != (e.fact == "GameOpened") {
		g.fault("the log must begin with GameOpened, and have it once")
		return
	}
	if g.over && !afterEnd[e.fact] {
		g.fault("a %s can't follow the end of the game", e.fact)
		return
	}
	if fault := g.seatsExist(e); fault != "" {
		g.fault("%s", fault)
		return
	}
	if _, ok := g.meets(e); !ok {
		return
	}
	g.checkAuthor(e)
	g.checkTurn(e)
	if follow, ok := followers[e.fact]; ok && !g.isWrong {
		follow(g, e.data, e)
	}
	if closing[e.fact] {
		g.proposed = nil
	}
	g.checkCallDropped(e)
}

var afterEnd = map[string]bool{"DisputeOpened": true, "DisputeWithdrawn": true, "RulingGiven": true, "RulingAppealed": true, "RulingDecided": true}

// seatsExist checks every number that names a seat.
func (g *game) seatsExist(e *event) string {
	if e.fact == "GameOpened" {
		return ""
	}
	for _, name := range []string{"seat", "accused", "late", "dealer", "eldest", "winner", "bidder", "partner"} {
		if number, ok := e.data.optional(name); ok && (number < 0 || number >= g.seatCount()) {
			return fmt.Sprintf("%s is %d, and there are %d seats", name, number, g.seatCount())
		}
	}
	return ""
}

func (g *game) seatCount() int { return len(g.seats) }

// follower checks one kind of fact and follows it.
type follower func(g *game, data fields, e *event)

var followers map[string]follower

func init() {
	followers = map[string]follower{
		"GameOpened": (*game).openGame, "SeatsDrawn": (*game).drawSeats, "DealerDrawn": (*game).drawDealer,
		"CeremonyOpened": (*game).openCeremony, "SeedKept": (*game).keepSeed, "CutOpened": (*game).openCut, "BeaconRecorded": (*game).recordBeacon,
		"HandDealt": (*game).dealHand, "CardsDealt": (*game).dealCards, "StockLaid": (*game).layStock,
		"MisdealDeclared": (*game).declareMisdeal, "TrumpTurnedUp": (*game).turnUp,
		"CeremonyRevealed": (*game).reveal, "CeremonyVoided": (*game).voidCeremony, "CoinFlipped": (*game).flipCoin,
		"HandThrownIn": (*game).endUnplayed, "TrumpNamed": (*game).nameTrump, "TrumpPitched": (*game).pitchTrump, "CardPlayed": (*game).playCard,
		"AuctionWon": (*game).winAuction, "CardsDiscarded": (*game).discard, "CardsBuried": (*game).bury, "CardsDrawn": (*game).drawCards,
		"StockTaken": (*game).takeStock, "CardsTaken": (*game).takeCards, "TrickTaken": (*game).takeTrick,
		"HandScored": (*game).scoreHand, "RulesChanged": (*game).changeRules, "RulesChangeDeferred": (*game).deferChange,
		"DelayCalled": (*game).callDelay, "DelayVoted": (*game).voteDelay, "DelayJudged": (*game).judgeDelay,
		"DelayDropped": (*game).dropDelay, "UndoAsked": (*game).askUndo, "UndoAnswered": (*game).answerUndo,
		"MovesTakenBack": (*game).takeBack, "DrawProposed": (*game).proposeDraw, "DrawAnswered": (*game).answerDraw, "SeatResigned": (*game).leave,
		"SeatForfeited": (*game).forfeit, "HandoverAsked": (*game).askHandover, "HandoverAnswered": (*game).answerHandover,
		"SeatHandedOver": (*game).handOver, "SeatReturned": (*game).returnSeat, "DisputeOpened": (*game).openDispute,
		"DisputeWithdrawn": (*game).withdraw, "RulingGiven": (*game).rule, "RulingAppealed": (*game).appeal, "RulingDecided": (*game).decideAppeal,
		"GameEnded": (*game).endGame,
	}
}

// openGame reads the rules, the players and the deck.
func (g *game) openGame(data fields, e *event) {
	g.opening, g.rules, g.opener = data, data.object("rules"), e.by
	header := g.export.header
	if data.num("board") != header.num("board") || data.text("variant") != header.text("variant") {
		g.fault("board and variant aren't those of the first line")
	}
	g.deck = data.texts("deck")
	if !equalLists(g.deck, deckOf(g.rules)) {
		g.fault("deck isn't the deck of the rules in its order")
	}
	for _, player := range data.objects("players") {
		kind := player.text("kind")
		_, named := player["bot"].(string)
		if player.text("player") == "" || kind != "human" && kind != "bot" || named != (kind == "bot") {
			g.fault("a player has no id, or is neither a human nor a named bot")
		}
		if g.known[player.text("player")] {
			g.fault("the player %s is named twice", player.text("player"))
		}
		g.known[player.text("player")] = true
		g.seats = append(g.seats, &seat{player: player.text("player"), kind: kind})
	}
	for _, id := range sortedKeys(header.object("players")) {
		if !g.known[id] {
			g.fault("the first line names a player %s, who isn't in GameOpened", id)
		}
	}
	if len(g.seats) < 2 || len(g.seats) > len(g.deck) {
		g.fault("there are %d players", len(g.seats))
	}
	g.scores = make([]int, len(g.seats))
	g.table = newTable(len(g.seats))
	g.draws.read(g.rules)
	g.nextN = 1
	if g.rules.text("seating") == "drawn" || g.rules.text("first_dealer") == "drawn" {
		g.nextN = 0
	}
	g.readSettings(data)
	g.checkOpening(data, e)
}

var autopilots = regexp.MustCompile("^(forfeit|claim|bot:[a-z]{1,16})$")

// readSettings checks the words of the settings, how the table takes moves back and how late it's watched.
func (g *game) readSettings(data fields) {
	if reveal := data.text("reveal"); reveal != "hand" && reveal != "game" {
		g.fault("reveal is %q, and neither hand nor game", reveal)
	}
	fairness := data.object("fairness")
	if !contains([]string{"none", "open", "sealed"}, fairness.text("cuts")) {
		g.fault("cuts are %q, and not none, open or sealed", fairness.text("cuts"))
	}
	if fairness.text("cuts") == "none" && (fairness["window_s"] != nil || fairness["beacon"] != nil) {
		g.fault("the table waits for cuts or a beacon, and takes no cuts")
	}
	if autopilot, given := data["autopilot"].(string); given && !autopilots.MatchString(autopilot) {
		g.fault("autopilot is %q, and neither forfeit, claim nor a bot", autopilot)
	}
	undo, given := data["undo"].(string)
	if given && !contains([]string{"consent", "practice", "none"}, undo) {
		g.fault("undo is %q, and not consent, practice or none", undo)
	}
	if undo == "practice" && g.persons() != 1 {
		g.fault("undo is practice, and not exactly one player is human")
	}
	if delay := data.object("watch").num("delay"); delay < 0 || delay > 1000 {
		g.fault("spectators see the game %d facts late, and at most 1000 are possible", delay)
	}
}

func (g *game) endGame(data fields, e *event) {
	if !equalLists(data.nums("scores"), g.scores) {
		g.fault("the last scores are %v, and not %v", g.scores, data.nums("scores"))
	}
	g.checkRuled(data)
	g.checkDrawnEnd(data)
	if data.text("reason") == "draw" && !(g.isGranted() && g.proposed.to < 0) {
		g.fault("the game ends in a draw, and not every player has agreed")
	}
	for _, n := range g.numbers() {
		if each := g.ceremonies[n]; each.state != voided && !each.revealed {
			g.fault("the game ends, and ceremony %d isn't revealed", n)
		}
	}
	if limit, ok := g.opening.object("limits").optional("events"); data.text("reason") == "limit" && (!ok || g.version <= limit) {
		g.fault("the game can't end by its limit of events yet")
	}
	g.over = true
}

func (g *game) numbers() []int {
	var result []int
	for n := range g.ceremonies {
		result = append(result, n)
	}
	sort.Ints(result)
	return result
}

// finish checks what must be there when the log ends, and reports each deal.
func (g *game) finish() {
	if len(g.expected) > 0 {
		g.wrong(g.version+1, "the log ends, and a %s must come here", g.expected[0].fact)
	}
	for _, n := range g.numbers() {
		each := g.ceremonies[n]
		switch {
		case each.state == voided:
			g.checked("%s: void (%s), its seed fits the commitment", each.subject, each.why)
			if each.why == "ended" && !g.over {
				g.wrong(each.endedAt, "the ceremony is void because the game ended, and it didn't end")
			}
		case each.state == undealt:
			g.unchecked("%s: nothing is dealt yet", each.subject)
		case each.revealed:
			g.checked("%s: right, %s", each.subject, each.what())
		default:
			g.unchecked("%s: unrevealed, so its cards and draws can't be compared with the seed", each.subject)
		}
	}
	if !g.isWrong && !g.isMisfit {
		g.checked("cards, tricks, scores, seats, proposals and rulings add up")
	}
	for _, each := range neverChecked {
		g.unchecked("%s", each)
	}
}

// neverChecked is what depends on the rules of the variant or on the server, and the clocks, which came to the page later.
var neverChecked = []string{
	"the rules: bids, auction, trump, legal cards, who takes a trick, partners and sides, whose turn it is (next), verdicts on delay",
	"the rules: pegs, counts, bids and made of HandScored, why a game ended, its winners",
	"the clocks: deadlines, the time that a seat has left, turns and games that end by time",
	"the server: that a move is its player's, and which events belong to one command",
}

func fromHex(text string) []byte {
	raw, _ := hex.DecodeString(text)
	return raw
}
