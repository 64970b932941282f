package main

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"time"
)

// chain is where the rounds of a beacon begin, and how often they come (section 4).
type chain struct {
	genesis int64
	period  int64
}

var chains = map[string]chain{"drand/quicknet": {1692803367, 3}}

// lead is how long after the commitment the named round is published at the earliest.
const lead = 3 * time.Second

var hex96 = regexp.MustCompile(`^[0-9a-f]{96}$`)

// roundToName is the first round published at least a lead after a time.
func roundToName(name string, at string) (source string, ok bool) {
	known, ok := chains[name]
	committed, err := time.Parse("2006-01-02T15:04:05.000000Z", at)
	if !ok || err != nil {
		return "", false
	}
	round := int64(1)
	if late := committed.Add(lead).Sub(time.Unix(known.genesis, 0)); late > 0 {
		period := time.Duration(known.period) * time.Second
		round += int64((late + period - 1) / period)
	}
	return name + "/" + strconv.FormatInt(round, 10), true
}

// checkNamedRound checks the round that a promise names: that of the table's beacon, or none.
func (g *game) checkNamedRound(c *ceremony, e *event) {
	name, _ := g.opening.object("fairness")["beacon"].(string)
	wanted := ""
	if c.isDeal() && name != "" {
		known := false
		if wanted, known = roundToName(name, e.at); !known {
			g.fault("the beacon %q isn't known", name)
			return
		}
	}
	if c.beacon != wanted {
		g.fault("the promise names %q as its round, and must name %q", c.beacon, wanted)
	}
}

// recordBeacon checks everything about a round but its signature.
func (g *game) recordBeacon(data fields, e *event) {
	c, source, signature := g.open, data.text("source"), data.text("signature")
	if c == nil || !c.isDeal() || data.num("n") != c.n {
		g.fault("ceremony %d doesn't wait for a beacon", data.num("n"))
		return
	}
	if c.beaconCut != "" {
		g.fault("the beacon of ceremony %d comes twice", c.n)
	}
	if source == "" || source != c.beacon {
		g.fault("the round is %q, and the promise named %q", source, c.beacon)
		return
	}
	if e.at < publicationTime(source) {
		g.fault("%s comes before it is published", source)
	}
	if !hex96.MatchString(signature) {
		g.fault("the signature isn't 48 bytes in hex")
		return
	}
	raw, _ := hex.DecodeString(signature)
	if hash := sha256.Sum256(raw); hex.EncodeToString(hash[:]) != data.text("cut") {
		g.fault("the cut isn't the hash of the signature")
		return
	}
	c.beaconCut = data.text("cut")
	g.unchecked("the beacon's signature of %s in event %d: this program has no BLS", source, e.version)
}

// publicationTime is the time of a round, in the form of events. The source is one that roundToName gave.
func publicationTime(source string) string {
	for name, known := range chains {
		if len(source) > len(name) && source[:len(name)+1] == name+"/" {
			round, _ := strconv.ParseInt(source[len(name)+1:], 10, 64)
			at := time.Unix(known.genesis+(round-1)*known.period, 0).UTC()
			return at.Format("2006-01-02T15:04:05.000000Z")
		}
	}
	return ""
}
