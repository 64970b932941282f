package main

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// option is one value of an option, and what it makes of the rules: values by their paths.
type option struct {
	value any
	shows map[string]any
}

// options holds the values of each option of each variant; nil stands for free values.
var options = readOptions(optionTable)

func readOptions(table string) map[string]map[string][]option {
	var raw map[string]map[string][][2]any
	if err := json.Unmarshal([]byte(table), &raw); err != nil {
		panic(err)
	}
	result := map[string]map[string][]option{}
	for variant, own := range raw {
		result[variant] = map[string][]option{}
		for name, values := range own {
			result[variant][name] = nil
			for _, pair := range values {
				shows, _ := pair[1].(map[string]any)
				result[variant][name] = append(result[variant][name], option{pair[0], shows})
			}
		}
	}
	return result
}

// checkOpening compares the options with the rules, and the rating with what the opening shows.
func (g *game) checkOpening(data fields, e *event) {
	variant, chosen := data.text("variant"), data.object("options")
	if g.rules.text("variant") != variant {
		g.fault("the variant is %s, and its rules are those of %s", variant, g.rules.text("variant"))
		return
	}
	known, ok := options[variant]
	if !ok {
		g.undecided("the variant %s isn't known to this program", variant)
	}
	_, needed := known["rulebook"]
	if _, named := chosen["rulebook"]; needed && !named {
		g.fault("it names no rulebook")
	}
	for _, name := range sortedKeys(chosen) {
		values, ok := known[name]
		switch {
		case !ok:
			g.undecided("the option %s isn't known to this program", name)
		case name == "rulebook" && isAddress(chosen[name]): // of house rules, which the log holds whole
		case name == "randomizer" && isRandomizer(chosen[name]):
			g.checkRandomizer(chosen)
		case name == "ends_at" && isTime(chosen[name]):
			g.checkEndsAt(chosen)
		default:
			g.checkOption(name, chosen[name], values)
		}
	}
	if known["largest"] != nil && known["order"] != nil {
		g.checkHandSizes(data, chosen)
	}
	if e.v > 1 {
		g.checkRated(data)
	}
}

// checkHandSizes compares the numbers of cards dealt with the options and the number of players.
func (g *game) checkHandSizes(data, chosen fields) {
	players, order := len(data.list("players")), chosen.text("order")
	if players == 0 || order != "up_down" && order != "down_up" {
		return
	}
	top := (len(data.list("deck")) - 1) / players
	if largest := chosen.num("largest"); chosen.text("largest") != "most" && largest < top {
		top = largest
	}
	var sizes []int
	for size := 1; size <= top; size++ {
		sizes = append(sizes, size)
	}
	for size := top - 1; size > 0; size-- {
		sizes = append(sizes, size)
	}
	if order == "down_up" {
		sizes = nil
		for size := top; size > 1; size-- {
			sizes = append(sizes, size)
		}
		for size := 1; size <= top; size++ {
			sizes = append(sizes, size)
		}
	}
	if top > 0 && !equalLists(g.rules.nums("hand_sizes"), sizes) {
		g.fault("the options largest and order deal %d cards at most, %s, and the rules deal %v", top, order, g.rules.nums("hand_sizes"))
	}
}

func (g *game) checkOption(name string, value any, values []option) {
	for _, each := range values {
		if !sameValue(each.value, value) {
			continue
		}
		for _, path := range sortedKeys(each.shows) {
			if found := valueAt(g.rules, path); !sameValue(each.shows[path], found) {
				g.fault("the option %s is %v, and %s of the rules is %v", name, value, path, found)
			}
		}
		return
	}
	g.fault("the value %v of the option %s isn't offered", value, name)
}

// sameValue compares a value of the table, whose numbers are floats, with one of the log.
func sameValue(ours, found any) bool {
	switch ours := ours.(type) {
	case float64:
		whole, ok := found.(int)
		return ok && float64(whole) == ours
	case []any:
		list, ok := found.([]any)
		if !ok || len(list) != len(ours) {
			return false
		}
		for place, each := range ours {
			if !sameValue(each, list[place]) {
				return false
			}
		}
		return true
	case map[string]any:
		object, ok := found.(fields)
		if !ok || len(object) != len(ours) {
			return false
		}
		for name, each := range ours {
			if value, given := object[name]; !given || !sameValue(each, value) {
				return false
			}
		}
		return true
	}
	return ours == found
}

// valueAt finds the value at a path such as points.4.award, or nil.
func valueAt(value any, path string) any {
	for _, step := range strings.Split(path, ".") {
		switch at := value.(type) {
		case fields:
			value = at[step]
		case []any:
			place, err := strconv.Atoi(step)
			if err != nil || place >= len(at) {
				return nil
			}
			value = at[place]
		default:
			return nil
		}
	}
	return value
}

// randomizer holds what a randomizer may change: if the option doesn't say, and at most.
var randomizer = readRandomizer(randomizerTable)

func readRandomizer(table string) fields {
	result, err := parseCanonical(canonicalOf(table))
	if err != nil {
		panic(err)
	}
	return result
}

// isRandomizer says whether a value of the option has exactly its fields, with values that are offered.
func isRandomizer(value any) bool {
	asked, given := value.(fields)
	if !given {
		return value == nil
	}
	if !equalLists(sortedKeys(asked), sortedKeys(randomizer.object("usual"))) {
		return false
	}
	_, dirty := asked["dirty"].(bool)
	_, reverse := asked["reverse"].(bool)
	return dirty && reverse && areOdds(asked["when"]) && (asked["end"] == nil || areOdds(asked["end"])) &&
		areNames(asked["points"], randomizer.texts("points")) && areNames(asked["partners"], randomizer.texts("partners"))
}

// isAddress says whether a value is 64 hex digits.
func isAddress(value any) bool {
	text, _ := value.(string)
	return hex64.MatchString(text)
}

func areOdds(value any) bool {
	pair, _ := value.([]any)
	if len(pair) != 2 {
		return false
	}
	times, counted := pair[0].(int)
	turns, limited := pair[1].(int)
	return counted && limited && 0 <= times && times <= turns && 0 < turns && turns <= randomizer.num("turns")
}

// areNames says whether a value is a list of some of the names, each at most once.
func areNames(value any, all []string) bool {
	list, ok := value.([]any)
	seen := map[string]bool{}
	for _, each := range list {
		name, isText := each.(string)
		if !isText || seen[name] || !contains(all, name) {
			return false
		}
		seen[name] = true
	}
	return ok
}

// isTime says whether a value is null or a time as events write it.
func isTime(value any) bool {
	text, given := value.(string)
	if !given {
		return value == nil
	}
	_, err := time.Parse("2006-01-02T15:04:05.000000Z", text)
	return err == nil && moment.MatchString(text)
}

// checkRandomizer compares the odds and the menu of the rules with the option.
func (g *game) checkRandomizer(chosen fields) {
	changes := g.rules.object("changes")
	asked, given := chosen["randomizer"].(fields)
	odds := changes["randomizer"]
	if !given {
		if chosen.truth("host_changes") {
			asked = randomizer.object("usual")
		}
		if odds != nil {
			g.fault("the rules have a randomizer, and the option says null")
		}
	} else if drawn, ok := odds.(fields); !ok || !equalValues(drawn["when"], asked["when"]) || !equalValues(drawn["end"], asked["end"]) {
		g.fault("the odds of the rules aren't those of the option randomizer")
	}
	if !equalLists(changes.texts("menu"), menuOf(asked)) {
		g.fault("the menu of the rules isn't that of the option randomizer")
	}
}

// canonicalOf returns JSON text with its keys in order.
func canonicalOf(text string) []byte {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		panic(err)
	}
	sorted, _ := json.Marshal(value)
	return sorted
}

// menuOf lists the changes that a randomizer may draw; none if there is neither a randomizer nor a host's choice.
func menuOf(asked fields) []string {
	var menu []string
	for _, each := range asked.texts("points") {
		menu = append(menu, "points:"+each)
	}
	for _, name := range []string{"dirty", "reverse"} {
		if asked.truth(name) {
			menu = append(menu, name+":on", name+":off")
		}
	}
	for _, each := range asked.texts("partners") {
		menu = append(menu, "partners:"+each)
	}
	return menu
}

func (g *game) checkEndsAt(chosen fields) {
	asked, given := chosen["ends_at"].(string)
	end, ends := g.opening.object("timing")["ends_at"].(string)
	if given && (!ends || end > asked) {
		g.fault("the option ends_at is %s, and the game ends at %v", asked, g.opening.object("timing")["ends_at"])
	}
}

// checkRated checks why a game isn't rated: the first reason that the opening shows, or a guest, whom it can't show.
func (g *game) checkRated(data fields) {
	shown := ""
	switch {
	case data.text("undo") == "practice":
		shown = "practice"
	case g.persons() < len(g.seats):
		shown = "bots"
	case !data.object("watch").truth("public"):
		shown = "private"
	}
	rated, given := data["rated"].(fields)
	if !given {
		if shown != "" {
			g.fault("it doesn't say that the game isn't rated for the reason %s", shown)
		}
		return
	}
	reason := rated.text("reason")
	guest := reason == "guest" && (shown == "" || shown == "private")
	if rated.truth("counts") || (reason != shown || shown == "") && !guest {
		g.fault("no game opens with the rating %s, counts %v", reason, rated.truth("counts"))
	}
}
