package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	ofServer  = 0x01
	ofWitness = 0x04

	mostOfName     = 255
	mostOfNote     = 64 * 1024
	mostSignatures = 16
)

// publicKey is a server's or a witness's key, as it's published: name+id+base64 (section 3).
type publicKey struct {
	name string
	id   string
	kind byte
	key  ed25519.PublicKey
	text string
}

// fromBase64 reads base64 in its one spelling. The decoder alone skips line ends, even in strict mode.
func fromBase64(text string) ([]byte, error) {
	if strings.ContainsAny(text, "\r\n") {
		return nil, errors.New("base64 has no line ends")
	}
	return base64.StdEncoding.Strict().DecodeString(text)
}

// isName says whether a key, a signature or a log can have this name.
func isName(text string) bool {
	length := utf8.RuneCountInString(text)
	return 0 < length && length <= mostOfName && strings.IndexFunc(text, func(letter rune) bool {
		return letter <= ' ' || letter == 0x7f || letter == '+' || letter == 0xfeff || unicode.IsSpace(letter)
	}) < 0
}

func parseKey(text string) (publicKey, error) {
	parts := strings.SplitN(text, "+", 3)
	if len(parts) != 3 || !isName(parts[0]) {
		return publicKey{}, errors.New("a key has the form name+id+base64")
	}
	raw, err := fromBase64(parts[2])
	if err != nil || len(raw) != 1+ed25519.PublicKeySize || raw[0] != ofServer && raw[0] != ofWitness {
		return publicKey{}, errors.New("the key isn't base64 of 0x01, or 0x04 for a witness, and 32 bytes")
	}
	sum := sha256.Sum256(append([]byte(parts[0]+"\n"), raw...))
	if id := hex.EncodeToString(sum[:4]); id != parts[1] {
		return publicKey{}, errors.New("the key's id is " + id + " and not " + parts[1])
	}
	return publicKey{parts[0], parts[1], raw[0], raw[1:], text}, nil
}

// parseServerKey reads a key that can't be that of a witness.
func parseServerKey(text string) (publicKey, error) {
	key, err := parseKey(text)
	if err == nil && key.kind != ofServer {
		return publicKey{}, errors.New("it's the key of a witness, and not of a server")
	}
	return key, err
}

func (k publicKey) String() string { return k.name + "+" + k.id }

// signature is one line of a note.
type signature struct {
	name  string
	id    string
	bytes []byte
}

// note is a C2SP signed note: what was signed, and the signatures.
type note struct {
	text       string
	signatures []signature
}

func parseNote(text string) (note, error) {
	refused := func(letter rune) bool { return letter < ' ' && letter != '\n' }
	if utf8.RuneCountInString(text) > mostOfNote || strings.IndexFunc(text, refused) >= 0 {
		return note{}, errors.New("a signed note has no control characters, and at most 65536 others")
	}
	at := strings.LastIndex(text, "\n\n")
	if at < 1 || !strings.HasSuffix(text, "\n") {
		return note{}, errors.New("a signed note has an empty line before its signatures and ends with a line feed")
	}
	result := note{text: text[:at+1]}
	lines := strings.Split(strings.TrimSuffix(text[at+2:], "\n"), "\n")
	if len(lines) > mostSignatures {
		return note{}, errors.New("a signed note has at most 16 signatures")
	}
	for _, line := range lines {
		parts := strings.Split(line, " ")
		if len(parts) != 3 || parts[0] != "—" || !isName(parts[1]) {
			return note{}, errors.New("a signature line is an em dash, a name and base64")
		}
		raw, err := fromBase64(parts[2])
		if err != nil || len(raw) < 5 {
			return note{}, errors.New("a signature isn't base64 of at least five bytes")
		}
		result.signatures = append(result.signatures, signature{parts[1], hex.EncodeToString(raw[:4]), raw[4:]})
	}
	return result, nil
}

// signedBy says whether a key has signed the note; it's an error if a signature under the key's name and id is wrong.
func (n note) signedBy(key publicKey) (bool, error) {
	signed := false
	for _, each := range n.signatures {
		if each.name != key.name || each.id != key.id {
			continue
		}
		if len(each.bytes) != ed25519.SignatureSize || !ed25519.Verify(key.key, []byte(n.text), each.bytes) {
			return false, errors.New("the signature of " + key.String() + " doesn't fit the text")
		}
		signed = true
	}
	return signed, nil
}

// cosignedBy returns when a witness has signed the note, as text; it's an error if a signature under its name and id is wrong.
func (n note) cosignedBy(key publicKey) (string, error) {
	at := ""
	for _, each := range n.signatures {
		if each.name != key.name || each.id != key.id {
			continue
		}
		wrong := errors.New("the cosignature of " + key.String() + " doesn't fit the text and its time")
		if len(each.bytes) != 8+ed25519.SignatureSize {
			return "", wrong
		}
		seconds := binary.BigEndian.Uint64(each.bytes)
		signed := "cosignature/v1\ntime " + strconv.FormatUint(seconds, 10) + "\n" + n.text
		if seconds == 0 || seconds > lastSecond || !ed25519.Verify(key.key, []byte(signed), each.bytes[8:]) {
			return "", wrong
		}
		if at == "" {
			at = time.Unix(int64(seconds), 0).UTC().Format(time.RFC3339)
		}
	}
	return at, nil
}

// lastSecond is the last one of the year 9999.
const lastSecond = 253402300799

// keyRing holds the keys that are trusted, and why.
type keyRing struct {
	keys      []publicKey
	witnesses []publicKey
	given     bool
}

func (r *keyRing) add(key publicKey) bool {
	if key.kind == ofWitness {
		r.witnesses = append(r.witnesses, key)
		return true
	}
	for _, each := range r.keys {
		if each.text == key.text {
			return false
		}
	}
	r.keys = append(r.keys, key)
	return true
}

func (r *keyRing) has(text string) bool {
	for _, each := range r.keys {
		if each.text == text {
			return true
		}
	}
	return false
}

// why says where a key comes from.
func (r *keyRing) why() string {
	if r.given {
		return "a key that was given"
	}
	return "a key that only this file names"
}

// follow adds the keys that are reached by notes in which an old and a new key vouch for each other.
func (r *keyRing) follow(rotations []note) error {
	for grown := true; grown; {
		grown = false
		for _, each := range rotations {
			before, after, err := readRotation(each)
			if err != nil {
				return err
			}
			if r.has(before.text) {
				grown = r.add(after) || grown
			} else if r.has(after.text) {
				grown = r.add(before) || grown
			}
		}
	}
	return nil
}

func readRotation(n note) (before, after publicKey, err error) {
	lines := strings.Split(n.text, "\n")
	if len(lines) != 5 || lines[1] != "trickbook-keys/1" {
		return before, after, errors.New("a rotation has four lines, the second of them trickbook-keys/1")
	}
	if before, err = parseServerKey(lines[2]); err != nil {
		return before, after, err
	}
	if after, err = parseServerKey(lines[3]); err != nil {
		return before, after, err
	}
	if lines[0] != after.name+"/keys" {
		return before, after, errors.New("the first line of a rotation is the new key's name and /keys")
	}
	for _, key := range []publicKey{before, after} {
		if signed, err := n.signedBy(key); err != nil || !signed {
			return before, after, errors.New("a rotation isn't signed by " + key.String())
		}
	}
	return before, after, nil
}

// readKeys reads the value of --key: a key, a file of keys, or a keys.json.
func (r *keyRing) readKeys(contents []byte) (all []publicKey, rotations []note, err error) {
	contents = bytes.TrimPrefix(contents, []byte(byteOrderMark))
	if !bytes.HasPrefix(bytes.TrimSpace(contents), []byte("{")) {
		for _, line := range strings.Fields(string(contents)) {
			key, err := parseKey(line)
			if err != nil {
				return nil, nil, err
			}
			r.add(key)
		}
		return nil, nil, nil
	}
	object, err := parseLoose(contents)
	if err != nil {
		return nil, nil, err
	}
	for _, text := range object.texts("keys") {
		key, err := parseServerKey(text)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, key)
	}
	for _, text := range object.texts("rotations") {
		parsed, err := parseNote(text)
		if err != nil {
			return nil, nil, err
		}
		rotations = append(rotations, parsed)
	}
	if len(all) == 0 {
		return nil, nil, errors.New("there is no key in it")
	}
	return all, rotations, nil
}
