package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
)

// fields is a JSON object whose numbers are whole.
type fields map[string]any

const tooLarge = 1 << 53

// parseCanonical reads one JSON object and says what is wrong if its bytes are not in canonical spelling (section 1).
func parseCanonical(line []byte) (fields, error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	var parsed any
	if err := decoder.Decode(&parsed); err != nil {
		return nil, fmt.Errorf("it isn't JSON: %v", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the JSON object")
	}
	whole, err := convert(parsed)
	if err != nil {
		return nil, err
	}
	object, ok := whole.(fields)
	if !ok {
		return nil, errors.New("it isn't a JSON object")
	}
	if !bytes.Equal(appendCanonical(nil, object), line) {
		return nil, errors.New("it isn't canonical JSON")
	}
	return object, nil
}

// convert turns numbers into int and objects into fields.
func convert(value any) (any, error) {
	switch v := value.(type) {
	case json.Number:
		number, err := strconv.Atoi(v.String())
		if err != nil || number <= -tooLarge || number >= tooLarge {
			return nil, fmt.Errorf("%s isn't a whole number below 2^53", v)
		}
		return number, nil
	case []any:
		for i, each := range v {
			item, err := convert(each)
			if err != nil {
				return nil, err
			}
			v[i] = item
		}
		return v, nil
	case map[string]any:
		return convertObject(v)
	}
	return value, nil
}

func convertObject(object map[string]any) (any, error) {
	result := make(fields, len(object))
	for key, each := range object {
		for i := 0; i < len(key); i++ {
			if key[i] > 0x7e {
				return nil, errors.New("a key isn't ASCII")
			}
		}
		item, err := convert(each)
		if err != nil {
			return nil, err
		}
		result[key] = item
	}
	return result, nil
}

// appendCanonical writes a value in canonical spelling.
func appendCanonical(to []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(to, "null"...)
	case bool:
		return strconv.AppendBool(to, v)
	case int:
		return strconv.AppendInt(to, int64(v), 10)
	case string:
		return appendText(to, v)
	case []any:
		to = append(to, '[')
		for i, each := range v {
			if i > 0 {
				to = append(to, ',')
			}
			to = appendCanonical(to, each)
		}
		return append(to, ']')
	case fields:
		return appendObject(to, v)
	}
	panic(fmt.Sprintf("no JSON value: %T", value))
}

func appendObject(to []byte, object fields) []byte {
	to = append(to, '{')
	for i, key := range sortedKeys(object) {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(appendText(to, key), ':')
		to = appendCanonical(to, object[key])
	}
	return append(to, '}')
}

func sortedKeys[T any](object map[string]T) []string {
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

var shortEscapes = map[byte]string{
	'"': `\"`, '\\': `\\`, '\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`,
}

func appendText(to []byte, text string) []byte {
	to = append(to, '"')
	for i := 0; i < len(text); i++ {
		if short, ok := shortEscapes[text[i]]; ok {
			to = append(to, short...)
		} else if text[i] < 0x20 {
			to = append(to, fmt.Sprintf(`\u%04x`, text[i])...)
		} else {
			to = append(to, text[i])
		}
	}
	return append(to, '"')
}
