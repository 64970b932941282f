package main

import (
	"fmt"
	"io"
)

const (
	right     = 0
	wrongCode = 1
	unclear   = 2
)

// report collects what was checked, what couldn't be, and what is wrong.
type report struct {
	lines    []string
	findings map[string]bool
	isWrong  bool
	isMisfit bool
	isOpen   bool
	lineEnds string // how the line ends of the file differ from the server's
}

func (r *report) say(line string) {
	if r.findings == nil {
		r.findings = map[string]bool{}
	}
	if !r.findings[line] {
		r.findings[line] = true
		r.lines = append(r.lines, line)
	}
}

func (r *report) checked(format string, values ...any) {
	r.say("checked: " + fmt.Sprintf(format, values...))
}

// unchecked reports something that isn't checked, and leaves the verdict alone.
func (r *report) unchecked(format string, values ...any) {
	r.say("not checked: " + fmt.Sprintf(format, values...))
}

// undecided reports something without which there is no verdict.
func (r *report) undecided(format string, values ...any) {
	r.isOpen = true
	r.say("undecided: " + fmt.Sprintf(format, values...))
}

// wrong reports a finding about an event; version 0 is the file.
func (r *report) wrong(version int, format string, values ...any) {
	r.isWrong = true
	where := "the file"
	if version > 0 {
		where = fmt.Sprintf("event %d", version)
	}
	r.say("wrong: " + where + ": " + fmt.Sprintf(format, values...))
}

func (r *report) code() int {
	switch {
	case r.isWrong || r.isMisfit:
		return wrongCode
	case r.isOpen:
		return unclear
	}
	return right
}

// worse returns the code that decides for several games: wrong before undecided.
func worse(a, b int) int {
	if a == wrongCode || b == wrongCode {
		return wrongCode
	}
	if a == unclear || b == unclear {
		return unclear
	}
	return right
}

var verdicts = map[int]string{right: "right", wrongCode: "WRONG", unclear: "undecided"}

func (r *report) print(to io.Writer) {
	for _, line := range r.lines {
		fmt.Fprintln(to, line)
	}
	verdict := verdicts[r.code()]
	if r.code() == right && r.lineEnds != "" {
		verdict += "; only line ends differ from the server's file"
	}
	fmt.Fprintln(to, "verdict:", verdict)
}
