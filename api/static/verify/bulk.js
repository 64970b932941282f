// Files of many games: whole exports one after another (docs/verify-a-hand.md, section 1).

const NEWLINE = 10;
const EVENT = ['{"event":', '{"leaf":'];
const MARK = '"format":';

// The exports in a file, each as bytes or text as `data` was: one begins at a line that is a header, and holds every
// line up to the next. What stands before the first header is one of its own.
export function exportsIn(data) {
  const starts = [0];
  for (let at = 0, end; (end = endOf(data, at)) >= 0; at = end) if (at && beginsAt(data, at, end)) starts.push(at);
  return starts.map((start, place) => data.slice(start, starts[place + 1]));
}

// Whether a line is the first of an export.
export function begins(line) {
  return line.includes(MARK) && !EVENT.some((text) => line.startsWith(text));
}

// Where the line at `at` ends, its line feed included; -1 for the end of the file.
function endOf(data, at) {
  const end = typeof data === "string" ? data.indexOf("\n", at) : data.indexOf(NEWLINE, at);
  return end < 0 ? -1 : end + 1;
}

function beginsAt(data, at, end) {
  const start = textAt(data, at, Math.min(end, at + EVENT[0].length));
  return !EVENT.some((text) => start.startsWith(text)) && begins(textAt(data, at, end));
}

function textAt(data, from, to) {
  return typeof data === "string" ? data.slice(from, to) : new TextDecoder().decode(data.subarray(from, to));
}
