package main

import "crypto/sha256"

type hash = [sha256.Size]byte

// leafHash is the hash of an event's bytes (section 1).
func leafHash(event []byte) hash {
	return sha256.Sum256(append([]byte{0}, event...))
}

func nodeHash(left, right hash) hash {
	return sha256.Sum256(append(append([]byte{1}, left[:]...), right[:]...))
}

// tree is a Merkle tree that grows leaf by leaf: the roots of its complete subtrees, the largest first.
type tree struct {
	subtrees []hash
	size     int
}

func (t *tree) add(leaf hash) {
	t.subtrees = append(t.subtrees, leaf)
	t.size++
	for size := t.size; size%2 == 0; size /= 2 {
		last := len(t.subtrees) - 1
		t.subtrees[last-1] = nodeHash(t.subtrees[last-1], t.subtrees[last])
		t.subtrees = t.subtrees[:last]
	}
}

func (t *tree) root() hash {
	if t.size == 0 {
		return sha256.Sum256(nil)
	}
	root := t.subtrees[len(t.subtrees)-1]
	for i := len(t.subtrees) - 2; i >= 0; i-- {
		root = nodeHash(t.subtrees[i], root)
	}
	return root
}
