// Command trickbook-verify checks the export of a game of trickbook, as docs/verify-a-hand.md says how.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

const usage = `usage: trickbook-verify [--key KEY]... [--game BOARD|ID] EXPORT.ndjson [RECEIPT]...
KEY is a key, a file of keys, or keys.json; - as the export reads the standard input.
exit code: 0 everything is right, 1 something is wrong, 2 it can't be decided
`

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// settings are what the command line says.
type settings struct {
	ring     keyRing
	only     string
	receipts []receipt
}

// keyFlags collects the values of --key.
type keyFlags []string

func (k *keyFlags) String() string { return "" }

func (k *keyFlags) Set(value string) error {
	*k = append(*k, value)
	return nil
}

func run(arguments []string, input io.Reader, output, problems io.Writer) int {
	var keys keyFlags
	var chosen settings
	flags := flag.NewFlagSet("trickbook-verify", flag.ContinueOnError)
	flags.SetOutput(problems)
	flags.Usage = func() { fmt.Fprint(problems, usage) }
	flags.Var(&keys, "key", "a key to trust")
	flags.StringVar(&chosen.only, "game", "", "report on one game of the file")
	if err := flags.Parse(arguments); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return right
		}
		return unclear
	}
	if flags.NArg() == 0 {
		flags.Usage()
		return unclear
	}
	for _, argument := range flags.Args()[1:] {
		if strings.HasPrefix(argument, "--") {
			fmt.Fprintf(problems, "%s comes after the export: put options before it\n", argument)
			return unclear
		}
	}
	contents, err := chosen.read(keys, flags.Args(), input)
	if err != nil {
		fmt.Fprintln(problems, err)
		return unclear
	}
	return verify(contents, chosen, output, problems)
}

// read reads the keys, the receipts and the export.
func (s *settings) read(keys []string, files []string, input io.Reader) ([]byte, error) {
	if err := s.readKeys(keys); err != nil {
		return nil, err
	}
	for _, name := range files[1:] {
		contents, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		parsed, err := readReceipt(name, contents)
		if err != nil {
			return nil, fmt.Errorf("%s isn't a receipt: %w", name, err)
		}
		s.receipts = append(s.receipts, parsed)
	}
	if files[0] == "-" {
		return io.ReadAll(input)
	}
	return os.ReadFile(files[0])
}

func (s *settings) readKeys(values []string) error {
	var all []publicKey
	var rotations []note
	for _, value := range values {
		s.ring.given = true
		contents, err := os.ReadFile(value)
		if err != nil {
			contents = []byte(value)
		}
		listed, notes, err := s.ring.readKeys(contents)
		if err != nil {
			return fmt.Errorf("%s isn't a key: %w", value, err)
		}
		all, rotations = append(all, listed...), append(rotations, notes...)
	}
	if len(s.ring.keys) == 0 {
		for _, key := range all {
			s.ring.add(key)
		}
	}
	if err := s.ring.follow(rotations); err != nil {
		return fmt.Errorf("a rotation of keys is invalid: %w", err)
	}
	return nil
}

// verify checks each export in the file and returns the worst code.
func verify(contents []byte, chosen settings, output, problems io.Writer) int {
	before, exports := splitExports(contents)
	if len(exports) == 0 {
		fmt.Fprintln(problems, "this isn't an export: no line has a format")
		return unclear
	}
	if len(exports) > 1 && len(chosen.receipts) > 0 && chosen.only == "" {
		fmt.Fprintf(problems, "the file holds %d games, but a receipt is for one: name it with --game\n", len(exports))
		return unclear
	}
	code, reported := right, 0
	if len(before) > 0 {
		fmt.Fprintln(output, "wrong: the file: something stands before the first line of an export")
		code = wrongCode
	}
	for _, each := range exports {
		g := newGame()
		g.check(each, chosen)
		if chosen.only != "" && chosen.only != g.id && chosen.only != strconv.Itoa(g.export.header.num("board")) {
			continue
		}
		reported++
		code = worse(code, g.code())
		if len(exports) > 1 {
			fmt.Fprintf(output, "game %s, board %d\n", g.id, g.export.header.num("board"))
		}
		g.print(output)
	}
	if reported == 0 {
		fmt.Fprintln(problems, "the file has no game", chosen.only)
		return unclear
	}
	return code
}

// check checks one export.
func (g *game) check(contents []byte, chosen settings) {
	if !g.readExport(contents) {
		return
	}
	g.checkLog()
	if g.isWrong {
		g.unchecked("the facts, since the log itself is wrong")
	} else {
		g.checkFacts()
	}
	g.checkReceipts(chosen.receipts, chosen.ring)
}
