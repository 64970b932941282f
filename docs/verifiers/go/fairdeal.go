package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// enc joins texts, numbers and bytes, each with its length before it (section 4).
func enc(parts ...any) []byte {
	var result []byte
	for _, part := range parts {
		var raw []byte
		switch p := part.(type) {
		case string:
			raw = []byte(p)
		case int:
			raw = binary.BigEndian.AppendUint32(nil, uint32(p))
		case []byte:
			raw = p
		default:
			panic(fmt.Sprintf("enc can't take a %T", part))
		}
		result = binary.BigEndian.AppendUint32(result, uint32(len(raw)))
		result = append(result, raw...)
	}
	return result
}

// cut is a player's own bytes in a shuffle.
type cut struct {
	source string
	bytes  []byte
}

func commitment(game string, n int, subject string, seed []byte) string {
	sum := sha256.Sum256(enc("fairdeal/1 commit", game, n, subject, seed))
	return hex.EncodeToString(sum[:])
}

func sealOf(game, seat string, bytes []byte) string {
	sum := sha256.Sum256(enc("fairdeal/1 seal", game, seat, bytes))
	return hex.EncodeToString(sum[:])
}

// drawKey is the key from which everything in a ceremony is drawn.
type drawKey []byte

func newKey(game string, n int, subject string, seed []byte, cuts []cut) drawKey {
	parts := []any{"fairdeal/1 key", game, n, subject, len(cuts)}
	for _, each := range cuts {
		parts = append(parts, each.source, each.bytes)
	}
	return keyedHash(seed, enc(parts...))
}

func keyedHash(key, message []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(message)
	return mac.Sum(nil)
}

func (k drawKey) block(label string, i int) []byte {
	return keyedHash(k, enc("fairdeal/1 draw", label, i))
}

// stream is the sequence of bytes under a label.
type stream struct {
	key   drawKey
	label string
	next  int
	rest  []byte
	read  int
}

func (k drawKey) stream(label string) *stream {
	return &stream{key: k, label: label}
}

func (s *stream) byte() byte {
	if len(s.rest) == 0 {
		s.rest = s.key.block(s.label, s.next)
		s.next++
	}
	first := s.rest[0]
	s.rest = s.rest[1:]
	s.read++
	return first
}

// below draws a number from 0 to m-1, without bias.
func (s *stream) below(m int) int {
	bytes, space := 0, 1
	for space < m {
		bytes, space = bytes+1, space*256
	}
	limit := space - space%m
	for {
		number := 0
		for i := 0; i < bytes; i++ {
			number = number*256 + int(s.byte())
		}
		if number < limit {
			return number % m
		}
	}
}

func (k drawKey) pick(label string, m int) int {
	return k.stream(label).below(m)
}

func (k drawKey) chance(label string, odds []int) bool {
	return len(odds) == 2 && odds[1] > 0 && k.pick(label, odds[1]) < odds[0]
}

func (k drawKey) shuffle(label string, n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	numbers := k.stream(label)
	for i := n - 1; i > 0; i-- {
		j := numbers.below(i + 1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}
