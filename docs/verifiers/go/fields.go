package main

// The fields of a fact are read by these, after its shape was checked: a missing field reads as its zero value.

func (f fields) num(name string) int {
	value, _ := f[name].(int)
	return value
}

func (f fields) text(name string) string {
	value, _ := f[name].(string)
	return value
}

func (f fields) truth(name string) bool {
	value, _ := f[name].(bool)
	return value
}

func (f fields) object(name string) fields {
	value, _ := f[name].(fields)
	return value
}

func (f fields) list(name string) []any {
	value, _ := f[name].([]any)
	return value
}

// optional returns a number and whether it isn't null.
func (f fields) optional(name string) (int, bool) {
	value, ok := f[name].(int)
	return value, ok
}

func (f fields) nums(name string) []int {
	return numsOf(f.list(name))
}

func (f fields) texts(name string) []string {
	return textsOf(f.list(name))
}

func (f fields) objects(name string) []fields {
	var result []fields
	for _, each := range f.list(name) {
		object, _ := each.(fields)
		result = append(result, object)
	}
	return result
}

func numsOf(list []any) []int {
	var result []int
	for _, each := range list {
		number, _ := each.(int)
		result = append(result, number)
	}
	return result
}

func textsOf(list []any) []string {
	var result []string
	for _, each := range list {
		text, _ := each.(string)
		result = append(result, text)
	}
	return result
}

func equalLists[T comparable](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func contains[T comparable](list []T, item T) bool {
	for _, each := range list {
		if each == item {
			return true
		}
	}
	return false
}

func equalValues(a, b any) bool {
	return string(appendCanonical(nil, a)) == string(appendCanonical(nil, b))
}
