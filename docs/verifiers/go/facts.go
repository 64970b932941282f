package main

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// field is one field of a fact or of a record in one: its type, and the version that added it.
type field struct {
	kind  string
	since int
}

// factSpec is what docs/events.md says about a fact. A record in a fact has fields only.
type factSpec struct {
	version int
	author  string
	fields  map[string]field
}

// facts holds every fact and every record by its name.
var facts = parseTable(factTable)

func parseTable(table string) map[string]factSpec {
	result := map[string]factSpec{}
	for _, row := range strings.Split(strings.TrimSpace(table), "\n") {
		words := strings.Fields(row)
		version, _ := strconv.Atoi(words[1])
		spec := factSpec{version: version, author: words[2], fields: map[string]field{}}
		for _, word := range words[3:] {
			name, kind, _ := strings.Cut(word, ":")
			kind, since, _ := strings.Cut(kind, "+")
			added, _ := strconv.Atoi(since)
			spec.fields[name] = field{kind, added}
		}
		result[words[0]] = spec
	}
	return result
}

// fault is what is wrong with the fields of a fact. If only fields are too many, the others can be read.
type fault struct {
	says     string
	readable bool
}

// fieldFault says what is wrong with the fields of a fact of this version, or nothing.
func fieldFault(name string, version int, data fields) *fault {
	spec := facts[name]
	return spec.check(data, "", version, fmt.Sprintf("%s of version %d", name, version))
}

func (s factSpec) check(data fields, path string, version int, of string) *fault {
	var extra *fault
	for _, name := range sortedKeys(data) {
		if each, ok := s.fields[name]; !ok || each.since > version {
			extra = &fault{fmt.Sprintf("it has a field %s%s, which %s doesn't have", path, name, of), true}
			break
		}
	}
	due := s.namesIn(version)
	for _, name := range due {
		if _, ok := data[name]; !ok {
			return &fault{fmt.Sprintf("the field %s%s is missing", path, name), false}
		}
	}
	for _, name := range due {
		if found := fits(data[name], s.fields[name].kind, path+name, version, of); found != nil {
			if !found.readable {
				return found
			}
			if extra == nil {
				extra = found
			}
		}
	}
	return extra
}

// namesIn lists the fields that a version has.
func (s factSpec) namesIn(version int) []string {
	var names []string
	for name, each := range s.fields {
		if each.since <= version {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// fits says how a value differs from the type of a field, or nothing.
func fits(value any, kind, path string, version int, of string) *fault {
	if strings.HasSuffix(kind, "?") {
		if value == nil {
			return nil
		}
		kind = strings.TrimSuffix(kind, "?")
	}
	good := false
	switch value := value.(type) {
	case []any:
		if good = kind[0] == '['; good {
			var extra *fault
			for _, each := range value {
				if found := fits(each, kind[1:len(kind)-1], path, version, of); found != nil {
					if !found.readable {
						return found
					}
					extra = found
				}
			}
			return extra
		}
	case int:
		good = kind == "n"
	case string:
		good = kind == "t"
	case bool:
		good = kind == "b"
	case fields:
		if record, ok := facts[kind]; ok {
			if kind == "Rules" {
				if version, ok = value.optional("rules_v"); !ok {
					version = rulesVersion
				}
			}
			return record.check(value, path+".", version, of)
		}
		good = kind == "o"
	}
	if !good {
		return &fault{fmt.Sprintf("the field %s has another type", path), false}
	}
	return nil
}

// event is a fact in its envelope.
type event struct {
	version int
	at      string
	fact    string
	by      string
	command string
	v       int
	data    fields
}

var moment = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`)

var envelope = parseTable("Event - - at:t by:t command:t data:o fact:t game:t salt:t seen_by:[n]? v:n version:n")["Event"]

// checkFields compares the fields of all events with those of their facts. An event that lacks some isn't followed.
func (g *game) checkFields() {
	for i, each := range g.export.lines {
		if each.event == nil {
			continue
		}
		name, version := each.event.text("fact"), each.event.num("v")
		g.misfit(i+1, envelope.check(each.event, "", 1, "an event"))
		if version < 1 {
			g.misfit(i+1, &fault{"its v isn't the number of a version", false})
		} else if spec, known := facts[name]; known && version <= spec.version && !hasUnknownRules(each.event) {
			g.misfit(i+1, fieldFault(name, version, each.event.object("data")))
		}
	}
}

// hasUnknownRules says whether an event holds rules of a version that this program doesn't know.
func hasUnknownRules(event fields) bool {
	v, given := event.object("data").object("rules").optional("rules_v")
	return given && (v < 1 || v > rulesVersion)
}

// gained holds what versions of the rules gained, from version 2 on, with the values of rules that lack it.
var gained = readGained(rulesGained)

func readGained(table string) []any {
	result, err := parseCanonical(canonicalOf(`{"gained":` + table + "}"))
	if err != nil {
		panic(err)
	}
	return result.list("gained")
}

// newestRules returns the data of a fact with its rules, if there are any, as their newest version has them.
func newestRules(data fields) fields {
	v := data.object("rules").num("rules_v")
	if v < 1 || v > rulesVersion {
		return data
	}
	var newest any = fields{"rules_v": rulesVersion}
	for _, each := range gained[v-1:] {
		newest = with(newest, each)
	}
	return with(data, fields{"rules": newest}).(fields)
}

// with returns a value with what was gained, at every depth.
func with(value, gained any) any {
	more, ok := gained.(fields)
	if !ok {
		return gained
	}
	result := fields{}
	before, _ := value.(fields)
	for name, each := range before {
		result[name] = each
	}
	for name, each := range more {
		result[name] = with(result[name], each)
	}
	return result
}

// readEvent checks the envelope (section 2). It returns nil for a withheld line and for an event that can't be read.
func (g *game) readEvent(version int, raw fields) *event {
	if raw == nil || g.unfit[version] {
		return nil
	}
	data := newestRules(raw.object("data"))
	result := &event{version, raw.text("at"), raw.text("fact"), raw.text("by"), raw.text("command"), raw.num("v"), data}
	if raw.num("version") != version {
		g.wrong(version, "the event says version %v", raw["version"])
	}
	if raw.text("game") != g.id {
		g.wrong(version, "the event is of the game %v", raw["game"])
	}
	g.checkSalt(version, raw.text("salt"))
	g.checkTime(version, raw.text("at"))
	spec, known := facts[result.fact]
	if !known || result.v > spec.version || hasUnknownRules(raw) {
		g.undecided("event %d is a %s of version %v, which this program doesn't know", version, result.fact, raw["v"])
		g.unknownFact = true
		return nil
	}
	g.checkAudience(result, raw["seen_by"])
	return result
}

// misfit reports an event that hasn't exactly the fields of its fact. The check goes on, but not after such an opening.
func (g *game) misfit(version int, found *fault) {
	if found == nil {
		return
	}
	g.isMisfit = true
	g.say(fmt.Sprintf("wrong: event %d: %s", version, found.says))
	if !found.readable {
		g.unfit[version] = true
		g.isWrong = g.isWrong || version == 1
	}
}

// checkSalt checks that a salt is random: none stands in two events.
func (g *game) checkSalt(version int, salt string) {
	if !hex32.MatchString(salt) {
		g.wrong(version, "its salt isn't 32 hex digits")
		return
	}
	if before, ok := g.salts[salt]; ok {
		g.wrong(version, "its salt is that of event %d", before)
	}
	g.salts[salt] = version
}

func (g *game) checkTime(version int, at string) {
	if !moment.MatchString(at) {
		g.wrong(version, "at isn't a time in UTC: %q", at)
	}
	if at < g.lastTime {
		g.wrong(version, "at goes back, from %s to %s", g.lastTime, at)
	}
	g.lastTime = at
}

// secret facts are withheld until their ceremony is revealed.
var secret = map[string]bool{"SeedKept": true, "CardsDealt": true, "StockLaid": true, "CardsBuried": true, "CardsTaken": true}

// drawFacts are facts that only a ceremony that was opened for them can lead to.
var drawFacts = map[string]bool{"SeatsDrawn": true, "DealerDrawn": true, "CoinFlipped": true}

// checkAudience checks seen_by.
func (g *game) checkAudience(e *event, seenBy any) {
	list, isList := seenBy.([]any)
	switch {
	case !secret[e.fact]:
		if seenBy != nil {
			g.wrong(e.version, "seen_by of a %s must be null", e.fact)
		}
	case !isList:
		g.wrong(e.version, "seen_by of a %s must be a list", e.fact)
	case e.fact == "SeedKept" || e.fact == "StockLaid":
		if len(list) != 0 {
			g.wrong(e.version, "nobody may see a %s before the reveal", e.fact)
		}
	case !equalLists(numsOf(list), g.audience(e.data.num("seat"))):
		g.wrong(e.version, "seen_by isn't who may see these cards of seat %d", e.data.num("seat"))
	}
}

// audience lists the seats that see a seat's cards.
func (g *game) audience(seat int) []int {
	sights := g.rules.texts("sights")
	if len(sights) == 0 {
		return []int{seat}
	}
	at := g.hand.number - 1
	if at < 0 || at >= len(sights) {
		at = len(sights) - 1
	}
	if sights[at] != "others" {
		return []int{seat}
	}
	var others []int
	for each := 0; each < g.seatCount(); each++ {
		if each != seat {
			others = append(others, each)
		}
	}
	return others
}
