package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const example = "../../examples/small-game.ndjson"

const exampleKey = "cards.example.org+93cff565+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"

// told runs the program on standard input and returns its exit code and everything it says.
func told(input []byte, arguments ...string) (int, string) {
	var output bytes.Buffer
	code := run(arguments, bytes.NewReader(input), &output, &output)
	return code, output.String()
}

func readExample(t *testing.T) []byte {
	t.Helper()
	contents, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	return contents
}

func expectCode(t *testing.T, want, code int, output string, says ...string) {
	t.Helper()
	if code != want {
		t.Errorf("exit code %d, and not %d: %s", code, want, output)
	}
	for _, each := range says {
		if !strings.Contains(output, each) {
			t.Errorf("it doesn't say %q: %s", each, output)
		}
	}
}

func TestTheExampleIsRight(t *testing.T) {
	code, output := told(nil, example)
	expectCode(t, right, code, output, "81 events, 0 withheld", "deal hand 1: right, F1, scored", "deal hand 2: right, F2, scored",
		"deal hand 3: right, F2, broken off", "a key that only this file names", "verdict: right")
}

func TestAKeyIsGivenAsTextOrInAFile(t *testing.T) {
	folder := t.TempDir()
	published := filepath.Join(folder, "keys.json")
	if err := os.WriteFile(published, []byte(`{"keys": ["`+exampleKey+`"], "rotations": []}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{exampleKey, published} {
		code, output := told(readExample(t), "--key", key, "-")
		expectCode(t, right, code, output, "a key that was given")
	}
}

func TestAKeyUnderAnotherNameIsInvalid(t *testing.T) {
	text := "other.example" + strings.TrimPrefix(exampleKey, "cards.example.org")
	code, output := told(readExample(t), "--key", text, "-")
	expectCode(t, unclear, code, output, "isn't a key")
}

func TestChangesOfTheFileAreWrong(t *testing.T) {
	for name, change := range map[string][2]string{
		"a card":      {`"card":"9C","next":[1]`, `"card":"8C","next":[1]`},
		"a leaf":      {`"leaf":"`, `"leaf":"0`},
		"a name":      {"Dörte", "Doerte"},
		"a space":     {`"v":1`, `"v": 1`},
		"a fraction":  {`"v":1`, `"v":1.0`},
		"the root":    {`"root":"bcf8`, `"root":"1cf8`},
		"the receipt": {`\n81\n`, `\n80\n`},
		"a cut end":   {"\"size\":81}\n", `"size":81`},
	} {
		contents := strings.Replace(string(readExample(t)), change[0], change[1], 1)
		code, output := told([]byte(contents), "-")
		if code != wrongCode {
			t.Errorf("%s: exit code %d: %s", name, code, output)
		}
	}
}

func TestWhatCantBeDecidedIsTwo(t *testing.T) {
	later := bytes.Replace(readExample(t), []byte("trickbook-export/1"), []byte("trickbook-export/9"), 1)
	for _, arguments := range [][]string{{"-"}, {"--key", "nothing", example}, {example, example, "gone"}, {"gone"}, {}, {"--nothing"}} {
		if code, output := told(later, arguments...); code != unclear {
			t.Errorf("%v: exit code %d: %s", arguments, code, output)
		}
	}
	code, output := told([]byte("nothing\n"), "-")
	expectCode(t, unclear, code, output, "isn't an export")
}

func TestAFileOfTwoGamesIsReadGameByGame(t *testing.T) {
	one := readExample(t)
	code, output := told(append(append([]byte{}, one...), one...), "-")
	expectCode(t, right, code, output, "board 1")
	if strings.Count(output, "verdict: right") != 2 {
		t.Error(output)
	}
	broken := bytes.Replace(one, []byte("Dörte"), []byte("Doerte"), 1)
	code, output = told(append(append([]byte{}, one...), broken...), "-")
	expectCode(t, wrongCode, code, output, "verdict: right", "verdict: WRONG")
	code, output = told(one, "--game", "2", "-")
	expectCode(t, unclear, code, output, "no game")
}

func TestAnEarlierExportIsAReceipt(t *testing.T) {
	code, output := told(nil, example, example)
	expectCode(t, right, code, output, "receipt ("+example+") at 81: right")
}

func TestRotationsLeadFromKeyToKeyOnlyIfBothSigned(t *testing.T) {
	ring := keyRing{given: true}
	unsigned := note{text: "cards.example.org/keys\ntrickbook-keys/1\n" + exampleKey + "\n" + exampleKey + "\n"}
	if err := ring.follow([]note{unsigned}); err == nil {
		t.Error("a note without signatures is followed")
	}
}
