package main

import (
	"encoding/hex"
	"testing"
)

func TestRootsAreThoseOfThePage(t *testing.T) {
	roots := []string{
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"022a6979e6dab7aa5ae4c3e5e45f7e977112a7e63593820dbec1ec738a24f93c",
		"b137985ff484fb600db93107c77b0365c80d78f5b429ded0fd97361d077999eb",
		"36642e73c2540ab121e3a6bf9545b0a24982cd830eb13d3cd19de3ce6c021ec1",
	}
	var grown tree
	for i, want := range roots {
		root := grown.root()
		if got := hex.EncodeToString(root[:]); got != want {
			t.Errorf("root of %d leaves: %s", i, got)
		}
		grown.add(leafHash([]byte{byte('a' + i)}))
	}
}

func TestTheLeafIsThatOfThePage(t *testing.T) {
	event := `{"at":"2026-11-21T08:00:00.000000Z","by":"server","command":"c1","data":{"cards":["7H","8D","QD","4S","2S","8S"],` +
		`"n":1,"seat":0},"fact":"CardsDealt","game":"6f1d0c1e-0000-4000-8000-000000000001",` +
		`"salt":"00000000000000000000000000000000","seen_by":[0],"v":1,"version":5}`
	leaf := leafHash([]byte(event))
	if got := hex.EncodeToString(leaf[:]); got != "1c5e7a1936a0d71e1fc5adb9a7e48c756ad89dd8e168fc25fee3160e012097d3" {
		t.Error(got)
	}
	if _, err := parseCanonical([]byte(event)); err != nil {
		t.Error(err)
	}
}

func TestOtherSpellingsAreFound(t *testing.T) {
	for _, text := range []string{
		`{"b":1,"a":2}`, `{"a":1,"a":1}`, `{"a": 1}`, `{"a":1.0}`, `{"a":1e2}`, `{"a":-0}`, `{"a":9007199254740992}`,
		`{"a":"\/"}`, `{"a":"\u0041"}`, `{"a":"\ud800"}`, "{\"a\":\"\xff\"}", `{"a":1} `, `{"a":1}{}`, `[]`, ``, `{"ä":1}`,
	} {
		if _, err := parseCanonical([]byte(text)); err == nil {
			t.Errorf("%q is read as canonical", text)
		}
	}
	for _, text := range []string{`{}`, `{"a":[1,-2,null,true,"Dörte \"\\\n\u001f"],"b":{"c":9007199254740991}}`} {
		if _, err := parseCanonical([]byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
