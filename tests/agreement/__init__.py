"""The readings agree: what decide accepts, the audits accept, in this program, in JavaScript and in Go."""
