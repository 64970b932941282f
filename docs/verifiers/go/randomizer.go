package main

import "fmt"

// draws follows the randomizer (section 6).
type draws struct {
	when, end []int
	menu      []string
	stop      string
	settings  map[string]string
	waiting   []fields
	key       drawKey
	recorded  map[int]bool
	turns     int
	scored    bool
}

func (d *draws) read(rules fields) {
	changes := rules.object("changes")
	odds := changes.object("randomizer")
	d.when, d.end, d.menu, d.stop = odds.nums("when"), odds.nums("end"), changes.texts("menu"), rules.text("stop")
	d.settings = settingsOf(rules, "version")
	d.recorded = map[int]bool{}
}

// settingsOf reads the entries of the menu that are in force.
func settingsOf(from fields, version string) map[string]string {
	return map[string]string{
		"points": "points:" + from.text(version), "partners": "partners:" + from.text("partners"),
		"dirty": "dirty:" + onOff(from.truth("dirty")), "reverse": "reverse:" + onOff(from.truth("reverse")),
	}
}

func onOff(value bool) string {
	if value {
		return "on"
	}
	return "off"
}

func (d *draws) beginHand(key drawKey) {
	d.key, d.recorded, d.turns, d.scored = key, map[int]bool{}, 0, false
}

// choices is the menu without what is in force.
func (d *draws) choices() []string {
	var result []string
	for _, entry := range d.menu {
		excluded := false
		for _, each := range d.settings {
			excluded = excluded || each == entry
		}
		if !excluded {
			result = append(result, entry)
		}
	}
	return result
}

func label(turn int, what string) string { return fmt.Sprintf("randomizer %d %s", turn, what) }

// checkDrawsBeforeTurn checks that what the seed draws before this turn is recorded.
func (g *game) checkDrawsBeforeTurn() {
	d, turn := &g.draws, g.table.turns
	if turn >= d.turns {
		d.turns = turn + 1
	}
	if d.key == nil || len(d.when) == 0 {
		return
	}
	if d.stop == "at_once" && d.key.chance(label(turn, "end"), d.end) {
		g.fault("the session ends by a draw before turn %d, and it went on", turn)
	}
	if !d.recorded[turn] && len(d.choices()) > 0 && d.key.chance(label(turn, "when"), d.when) {
		g.fault("a change of the rules is drawn before turn %d, and it isn't recorded", turn)
	}
}

// checkEndWasDrawn checks, before another deal, that no end was drawn in the hand that was scored.
func (g *game) checkEndWasDrawn() {
	d := &g.draws
	if d.key == nil || d.stop != "after_hand" || !d.scored {
		return
	}
	for turn := 0; turn < d.turns; turn++ {
		if d.key.chance(label(turn, "end"), d.end) {
			g.fault("the session ends by a draw before turn %d of hand %d, and it went on", turn, g.hand.number)
		}
	}
}

// checkDrawnEnd checks GameEnded with the label of a draw.
func (g *game) checkDrawnEnd(data fields) {
	name, labelled := data["label"].(string)
	n, numbered := data.optional("n")
	if labelled != numbered {
		g.fault("n and label must stand together")
		return
	}
	if !labelled {
		return
	}
	d, turn := &g.draws, g.table.turns
	if d.stop == "after_hand" {
		for turn = 0; turn <= d.turns && name != label(turn, "end"); turn++ {
			if d.key != nil && d.key.chance(label(turn, "end"), d.end) {
				g.fault("the end was drawn before turn %d already", turn)
			}
		}
	}
	if n != g.hand.n || name != label(turn, "end") || len(d.end) == 0 {
		g.fault("no end is drawn under %q of ceremony %d here", name, n)
	} else if d.key != nil && !d.key.chance(name, d.end) {
		g.fault("the seed draws no end under %q", name)
	}
}

func (g *game) changeRules(data fields, e *event) {
	cause := data.text("cause")
	if cause == "deferred" {
		g.bringWaiting(data)
	} else {
		g.checkChange(data, e)
	}
	g.compareRules(data)
	g.rules = data.object("rules")
	if len(g.draws.waiting) == 0 {
		g.draws.settings = settingsOf(data.object("summary"), "points")
	}
}

func (g *game) deferChange(data fields, e *event) {
	g.checkChange(data, e)
	g.compareRules(data)
	g.draws.waiting = append(g.draws.waiting, data)
	g.draws.settings = settingsOf(data.object("summary"), "points")
}

// bringWaiting checks a change that waited: it repeats the oldest.
func (g *game) bringWaiting(data fields) {
	d := &g.draws
	if len(d.waiting) == 0 {
		g.fault("no change of the rules waits")
		return
	}
	oldest := d.waiting[0]
	d.waiting = d.waiting[1:]
	for _, name := range []string{"n", "label", "pick", "of", "rules", "summary"} {
		if !equalValues(oldest[name], data[name]) {
			g.fault("%s isn't that of the oldest change that waits", name)
		}
	}
}

// checkChange checks a new change: drawn by the randomizer, or made by the host.
func (g *game) checkChange(data fields, e *event) {
	switch data.text("cause") {
	case "host":
		for _, name := range []string{"n", "label", "pick", "of"} {
			if data[name] != nil {
				g.fault("%s of a change by the host must be null", name)
			}
		}
		if !g.rules.object("changes").truth("host") {
			g.fault("the host can't change the rules of this table")
		}
		g.propose(g.seatOf(e.by))
	case "randomizer":
		g.checkDrawnChange(data)
	default:
		g.fault("the cause of a change is %q", data.text("cause"))
	}
}

func (g *game) checkDrawnChange(data fields) {
	d, turn := &g.draws, g.table.turns
	n, _ := data.optional("n")
	choices := d.choices()
	pick, of := data.num("pick"), data.num("of")
	if n != g.hand.n || data.text("label") != label(turn, "what") {
		g.fault("its label must be %q of ceremony %d", label(turn, "what"), g.hand.n)
	}
	if of != len(choices) || pick < 0 || pick >= of {
		g.fault("there are %d changes to choose from, and it says %d of %d", len(choices), pick, of)
		return
	}
	if d.recorded[turn] {
		g.fault("there is more than one change before turn %d", turn)
	}
	d.recorded[turn] = true
	if d.key != nil && !d.key.chance(label(turn, "when"), d.when) {
		g.fault("the seed draws no change before turn %d", turn)
	} else if d.key != nil && d.key.pick(label(turn, "what"), of) != pick {
		g.fault("the seed draws another change before turn %d", turn)
	}
	after := settingsOf(data.object("summary"), "points")
	for name, before := range d.settings {
		if before != after[name] && after[name] != choices[pick] {
			g.fault("entry %d of the menu is %s, and %s changes", pick, choices[pick], name)
		}
	}
	if !contains([]string{after["points"], after["dirty"], after["reverse"], after["partners"]}, choices[pick]) {
		g.fault("entry %d of the menu is %s, and it isn't in force", pick, choices[pick])
	}
}

// compareRules checks that only what can change has changed, and that the summary says it.
func (g *game) compareRules(data fields) {
	rules := data.object("rules")
	if !equalValues(texts(settingsOf(rules, "version")), texts(settingsOf(data.object("summary"), "points"))) {
		g.fault("the summary isn't that of the rules")
	}
	changeable := []string{"version", "points", "off", "dirty", "reverse", "partners"}
	for _, name := range sortedKeys(rules) {
		if !contains(changeable, name) && !equalValues(rules[name], g.rules[name]) {
			g.fault("a change of the rules can't change %q", name)
		}
	}
	for _, version := range g.opening.object("rules").object("changes").objects("versions") {
		if version.text("name") == rules.text("version") &&
			!(equalValues(version["points"], rules["points"]) && equalValues(version["off"], rules["off"])) {
			g.fault("points and off aren't those of the version %q", rules.text("version"))
		}
	}
}
