package main

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
)

// The numbers in these tests stand in docs/verify-a-hand.md.

func vector() ([]byte, []cut) {
	seed, _ := hex.DecodeString("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
	var cuts []cut
	for i, source := range []string{"N", "E", "S", "W"} {
		cuts = append(cuts, cut{source, bytes.Repeat([]byte{byte(i + 1)}, 32)})
	}
	return seed, cuts
}

func TestEncWritesLengthsBeforeParts(t *testing.T) {
	if got := hex.EncodeToString(enc("ab", 7, []byte{0xff})); got != "000000026162000000040000000700000001ff" {
		t.Error(got)
	}
}

func TestCommitmentSealAndKeyAreThoseOfThePage(t *testing.T) {
	seed, cuts := vector()
	if got := commitment("g1", 2, "deal hand 2", seed); got != "dccc805d31119b343fc588ae1c597834b79f6183637d7e6ae1364214a644605c" {
		t.Error("commit", got)
	}
	if got := sealOf("g1", "N", cuts[0].bytes); got != "1702a505dd6dc5ed1db978e4aa8bda1c50e773536a99a2ce7be0a6b762140e8a" {
		t.Error("seal", got)
	}
	key := newKey("g1", 2, "deal hand 2", seed, cuts)
	if got := hex.EncodeToString(key); got != "1c70c3e09dfb06cf98765ff573c116595adb93a6853d36698d18297f6e03558d" {
		t.Error("key", got)
	}
	if got := hex.EncodeToString(key.block("deck", 0)); got != "25a0c8cea751470cca673b771aa358b225c6dbcb424e1c4be71a77e8f8fc95fe" {
		t.Error("block", got)
	}
}

func TestTheDeckIsThatOfThePage(t *testing.T) {
	seed, cuts := vector()
	key := newKey("g1", 2, "deal hand 2", seed, cuts)
	deck := deckOf(fields{})
	var first []string
	for _, i := range key.shuffle("deck", len(deck))[:13] {
		first = append(first, deck[i])
	}
	if got := strings.Join(first, " "); got != "10C 9D 3S JS 7D 6C QH QS 9S JD 3D JC JH" {
		t.Error(got)
	}
	numbers := key.stream("deck")
	for i := len(deck) - 1; i > 0; i-- {
		numbers.below(i + 1)
	}
	if numbers.read != 56 {
		t.Error("bytes read:", numbers.read)
	}
}

func TestNothingIsReadForOneChoice(t *testing.T) {
	numbers := drawKey("key").stream("coin")
	if numbers.below(1) != 0 || numbers.read != 0 {
		t.Error("read", numbers.read)
	}
}
