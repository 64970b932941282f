package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
)

// line is one event of an export, or its hashes if the event is withheld.
type line struct {
	version int
	leaf    string
	prev    string
	event   fields
	bytes   []byte
	hashed  hash
}

// export is the file of one game.
type export struct {
	header  fields
	first   []byte
	lines   []line
	trailer fields
	changed bool // an event's bytes don't have the hash beside them
}

const byteOrderMark = "\xef\xbb\xbf"

var hex32 = regexp.MustCompile("^[0-9a-f]{32}$")
var hex64 = regexp.MustCompile("^[0-9a-f]{64}$")

// splitExports divides a file into exports; the first part is what stands before them, if anything does.
func splitExports(contents []byte) (before []byte, exports [][]byte) {
	start := -1
	for at := 0; at < len(contents); {
		end := len(contents)
		if feed := bytes.IndexByte(contents[at:], '\n'); feed >= 0 {
			end = at + feed + 1
		}
		if beginsExport(contents[at:end]) {
			if start >= 0 {
				exports = append(exports, contents[start:at])
			} else {
				before = contents[:at]
			}
			start = at
		}
		at = end
	}
	if start < 0 {
		return contents, nil
	}
	return before, append(exports, contents[start:])
}

func beginsExport(text []byte) bool {
	return bytes.Contains(text, []byte(`"format":`)) &&
		!bytes.HasPrefix(text, []byte(`{"event":`)) && !bytes.HasPrefix(text, []byte(`{"leaf":`))
}

// evenLineEnds returns the file with the line ends that a server writes, and says how its own differ. An export has no
// carriage return and no empty line, so nothing in it can be taken for one of these ends.
func evenLineEnds(contents []byte) ([]byte, string) {
	var differs []string
	text := bytes.TrimPrefix(contents, []byte(byteOrderMark))
	if len(text) < len(contents) {
		differs = append(differs, "a byte order mark at the beginning")
	}
	if bytes.Contains(text, []byte("\r\n")) {
		differs = append(differs, "CR LF in place of LF")
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	whole := bytes.TrimRight(text, "\n")
	last := whole[bytes.LastIndexByte(whole, '\n')+1:]
	if len(text) > len(whole)+1 {
		differs = append(differs, "an empty line at the end")
		text = text[:len(whole)+1]
	} else if object, err := parseCanonical(last); len(text) == len(whole) && err == nil && object["size"] != nil {
		differs = append(differs, "no LF at the end")
		text = append(append([]byte{}, text...), '\n')
	}
	return text, strings.Join(differs, ", ")
}

// readExport parses the lines and reports what isn't spelled as section 1 says.
func (g *game) readExport(file []byte) bool {
	contents, lineEnds := evenLineEnds(file)
	if g.lineEnds = lineEnds; lineEnds != "" {
		g.say("line ends: " + lineEnds + "; a program has changed them, and no event depends on them")
	}
	if !bytes.HasSuffix(contents, []byte("\n")) {
		g.wrong(0, "the last line has no line feed: the end was cut off")
		return false
	}
	texts := bytes.Split(bytes.TrimSuffix(contents, []byte("\n")), []byte("\n"))
	header, err := parseCanonical(texts[0])
	if err != nil {
		g.wrong(0, "line 1: %v", err)
		return false
	}
	g.export = export{header: header, first: texts[0]}
	g.id = header.text("game")
	if format := header.text("format"); format != "trickbook-export/1" {
		g.undecided("the file's format is %q, and this program knows only trickbook-export/1", format)
		return false
	}
	if !g.hasExactly(header, 0, "the first line", "board", "format", "game", "keys", "players", "variant") {
		return false
	}
	if !hasNames(header) {
		g.wrong(0, "the first line must name keys in a list of texts, and players in an object of texts")
		return false
	}
	for i, text := range texts[1:] {
		if !g.readLine(i+2, text, i == len(texts)-2) {
			return false
		}
	}
	if g.export.trailer == nil {
		g.wrong(0, "there is no last line with header, receipt, root and size: the end was cut off")
		return false
	}
	return true
}

// hasNames returns whether keys and players of a first line are of their types.
func hasNames(header fields) bool {
	keys, isList := header["keys"].([]any)
	players, isObject := header["players"].(fields)
	values := append([]any{}, keys...)
	for _, name := range players {
		values = append(values, name)
	}
	for _, each := range values {
		if _, isText := each.(string); !isText {
			return false
		}
	}
	return isList && isObject
}

func (g *game) readLine(number int, text []byte, isLast bool) bool {
	object, err := parseCanonical(text)
	if err != nil {
		g.wrong(number-1, "line %d: %v", number, err)
		return false
	}
	if isLast && object["version"] == nil {
		g.export.trailer = object
		return g.hasExactly(object, 0, "the last line", "header", "receipt", "root", "size")
	}
	read := line{version: object.num("version"), leaf: object.text("leaf"), prev: object.text("prev")}
	names := []string{"leaf", "prev", "version"}
	_, shown := object["event"]
	if shown {
		names = append([]string{"event"}, names...)
	}
	if !g.hasExactly(object, number-1, "line "+strconv.Itoa(number), names...) {
		return false
	}
	if shown {
		read.event = object.object("event")
		end := bytes.LastIndex(text, []byte(`,"leaf":"`))
		if read.event == nil || end < 0 {
			g.wrong(number-1, "its event isn't an object, or its leaf isn't text")
			return false
		}
		read.bytes = text[len(`{"event":`):end]
	}
	g.export.lines = append(g.export.lines, read)
	return true
}

func (g *game) hasExactly(object fields, version int, what string, names ...string) bool {
	if equalLists(sortedKeys(object), names) {
		return true
	}
	g.wrong(version, "%s must have exactly the fields %v", what, names)
	return false
}

// checkLog checks leaves, links, root and envelopes (section 2), and keeps the root at each size.
func (g *game) checkLog() {
	var grown tree
	g.roots = []hash{grown.root()}
	withheld := 0
	for i, each := range g.export.lines {
		version := i + 1
		if each.version != version {
			g.wrong(version, "its line has the version %d", each.version)
		}
		leaf := g.leafOf(&g.export.lines[i], version)
		before := g.roots[i]
		if hex.EncodeToString(before[:]) != each.prev {
			g.wrong(version, "prev isn't the root over the leaves before it")
		}
		grown.add(leaf)
		g.roots = append(g.roots, grown.root())
		if each.event == nil {
			withheld++
		}
	}
	g.checkTrailer()
	root := grown.root()
	if !g.isWrong {
		g.checked("%d events, %d withheld, leaves and links up to the root %x", grown.size, withheld, root)
	}
}

func (g *game) leafOf(each *line, version int) (leaf hash) {
	raw, err := hex.DecodeString(each.leaf)
	if err != nil || !hex64.MatchString(each.leaf) {
		g.wrong(version, "its leaf isn't 64 hex digits")
		return leaf
	}
	copy(leaf[:], raw)
	each.hashed = leaf
	if each.event != nil {
		each.hashed = leafHash(each.bytes)
	}
	if each.hashed != leaf {
		g.export.changed = true
		g.wrong(version, "its leaf doesn't fit its bytes")
	}
	return leaf
}

func (g *game) checkTrailer() {
	trailer, size := g.export.trailer, len(g.export.lines)
	if count, ok := trailer.optional("size"); !ok || count != size {
		g.wrong(0, "the last line says size %v, and there are %d events", trailer["size"], size)
	}
	if root := g.roots[size]; trailer.text("root") != hex.EncodeToString(root[:]) {
		g.wrong(0, "the root in the last line isn't the root over the leaves")
	}
	if sum := sha256.Sum256(g.export.first); trailer.text("header") != hex.EncodeToString(sum[:]) {
		g.wrong(0, "header in the last line isn't the hash of the first line")
	}
	if _, ok := trailer["receipt"].(string); !ok && trailer["receipt"] != nil {
		g.wrong(0, "receipt in the last line is neither text nor null")
	}
}
