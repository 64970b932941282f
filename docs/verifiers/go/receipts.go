package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// receipt is a note over the root of a log: three lines, and signatures.
type receipt struct {
	source string
	note   note
	origin string
	size   int
	root   hash
}

func (r receipt) String() string { return fmt.Sprintf("receipt (%s) at %d", r.source, r.size) }

func parseReceipt(source, text string) (receipt, error) {
	parsed, err := parseNote(text)
	if err != nil {
		return receipt{}, err
	}
	lines := strings.Split(parsed.text, "\n")
	if len(lines) != 4 || !isName(lines[0]) {
		return receipt{}, errors.New("a receipt has three lines, the first with the name of a log")
	}
	size, err := strconv.Atoi(lines[1])
	if err != nil || size < 0 || strconv.Itoa(size) != lines[1] {
		return receipt{}, errors.New("the second line of a receipt is the number of events")
	}
	root, err := fromBase64(lines[2])
	if err != nil || len(root) != len(hash{}) {
		return receipt{}, errors.New("the third line of a receipt is the root in base64")
	}
	result := receipt{source: source, note: parsed, origin: lines[0], size: size}
	copy(result.root[:], root)
	return result, nil
}

// parseLoose reads JSON that needn't be canonical.
func parseLoose(contents []byte) (fields, error) {
	var parsed map[string]any
	if err := json.Unmarshal(contents, &parsed); err != nil {
		return nil, err
	}
	return fields(parsed), nil
}

// readReceipt finds the receipt in a file: a note, an answer of the server, or the last line of an export.
func readReceipt(source string, file []byte) (receipt, error) {
	contents, _ := evenLineEnds(file)
	if !bytes.HasPrefix(bytes.TrimSpace(contents), []byte("{")) {
		return parseReceipt(source, string(contents))
	}
	if object, err := parseLoose(contents); err == nil {
		for _, name := range []string{"note", "receipt"} {
			if object.text(name) != "" {
				return parseReceipt(source, object.text(name))
			}
		}
	}
	lines := bytes.Split(bytes.TrimSpace(contents), []byte("\n"))
	if object, err := parseLoose(lines[len(lines)-1]); err == nil && object.text("receipt") != "" {
		return parseReceipt(source, object.text("receipt"))
	}
	return receipt{}, errors.New("there is no receipt in it")
}

// checkReceipts compares the log with receipts; roots[k] is the root over the first k leaves.
func (g *game) checkReceipts(given []receipt, ring keyRing) {
	named := g.fileKeys()
	if len(ring.keys) == 0 {
		ring.keys, ring.given = named, false
	}
	all := append([]receipt{}, given...)
	if text, ok := g.export.trailer["receipt"].(string); ok {
		parsed, err := parseReceipt("trailer", text)
		if err != nil {
			g.wrong(0, "the receipt in the last line is invalid: %v", err)
		} else {
			all = append(all, parsed)
		}
	} else if g.export.trailer != nil && g.export.trailer["receipt"] == nil && len(given) == 0 {
		const unsigned = "it's unsigned, and its end can be missing: it holds no receipt"
		if ring.given {
			g.wrong(0, "%s, though you have a key", unsigned)
		} else {
			g.undecided("the file: %s", unsigned)
		}
	}
	var trusted []receipt
	signed, witnessed := 0, 0
	for _, each := range all {
		if g.checkReceipt(each, ring) {
			trusted = append(trusted, each)
			if each.size > signed {
				signed = each.size
			}
			if g.checkCosignatures(each, ring) && each.size > witnessed {
				witnessed = each.size
			}
		}
	}
	if len(ring.witnesses) > 0 && ring.given && len(trusted) > 0 && witnessed < signed {
		const unseen = "no witness that you know has signed the receipt at %d; they have signed %d events"
		g.undecided("the file: "+unseen, signed, witnessed)
	}
	g.compareReceipts(trusted)
}

// fileKeys returns the keys that the first line names. An invalid one is wrong, whatever keys were given.
func (g *game) fileKeys() (named []publicKey) {
	for _, text := range g.export.header.texts("keys") {
		key, err := parseServerKey(text)
		if err != nil {
			g.wrong(0, "a key in the first line is invalid: %v", err)
			continue
		}
		named = append(named, key)
	}
	return named
}

// checkReceipt says whether a trusted key has signed the receipt for this game.
func (g *game) checkReceipt(r receipt, ring keyRing) bool {
	what := r.String()
	if len(ring.keys) == 0 {
		g.undecided("%s: there is no key to check it with", what)
		return false
	}
	var signer *publicKey
	for i, key := range ring.keys {
		signed, err := r.note.signedBy(key)
		if err != nil {
			g.wrong(0, "%s: %v", what, err)
			return false
		}
		if signed && signer == nil {
			signer = &ring.keys[i]
		}
	}
	if signer == nil {
		g.wrong(0, "%s: none of the keys has signed it", what)
		return false
	}
	if r.origin != signer.name+"/game/"+g.id {
		g.wrong(0, "%s: it's for %s, and not for this game of %s", what, r.origin, signer.name)
		return false
	}
	switch {
	case r.size >= len(g.roots):
		g.wrong(len(g.roots), "%s: the log ends after %d events", what, len(g.roots)-1)
	case g.signedRoot(r.size) != r.root:
		g.wrong(0, "%s: the log had another root at that size", what)
	default:
		g.checked("%s: right, signed by %s, %s", what, signer, ring.why())
	}
	return true
}

// signedRoot returns the root that the bytes of the first events give, whatever leaves stand beside them.
func (g *game) signedRoot(size int) hash {
	if !g.export.changed {
		return g.roots[size]
	}
	var grown tree
	for _, each := range g.export.lines[:size] {
		grown.add(each.hashed)
	}
	return grown.root()
}

// checkCosignatures says which witnesses have signed the receipt, and returns whether one has. Those that aren't known
// count for nothing.
func (g *game) checkCosignatures(r receipt, ring keyRing) bool {
	what, cosigned := r.String(), false
	for _, key := range ring.witnesses {
		at, err := r.note.cosignedBy(key)
		cosigned = cosigned || at != "" || err != nil
		if err != nil {
			g.wrong(0, "%s: %v", what, err)
		} else if at != "" {
			g.checked("%s: cosigned by %s at %s", what, key, at)
		}
	}
	if len(ring.witnesses) > 0 && !ring.given && !cosigned {
		g.undecided("%s: signed by %s, and by no witness that you know", what, ring.why())
	}
	if others := len(r.note.signatures) - 1; len(ring.witnesses) == 0 && others > 0 {
		g.unchecked("%s: %d more signatures; give the keys of witnesses with --key", what, others)
	}
	return cosigned
}

// compareReceipts finds two histories of one game that trusted keys have signed.
func (g *game) compareReceipts(signed []receipt) {
	for i, a := range signed {
		for _, b := range signed[:i] {
			if a.size == b.size && a.root != b.root {
				g.wrong(0, "receipts %s and %s prove a forgery: two roots of the same %d events", b.source, a.source, a.size)
			}
		}
	}
}
