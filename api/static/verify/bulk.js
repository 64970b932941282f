// Files of many games: whole exports one after another (docs/verify-a-hand.md).

const NEWLINE = 10;
const EVENT = ['{"event":', '{"leaf":'];
const MARK = '"format":';

// Return the exports in a file, as bytes or as text like `data`. An export begins at a header line and extends to the
// next one. Lines before the first header are an export of their own.
export function exportsIn(data) {
  const starts = [0];
  for (let at = 0, end; (end = endOf(data, at)) >= 0; at = end) if (at && isHeaderAt(data, at, end)) starts.push(at);
  return starts.map((start, place) => data.slice(start, starts[place + 1]));
}

// Return whether a line is the first line of an export.
export function isHeader(line) {
  return line.includes(MARK) && !EVENT.some((text) => line.startsWith(text));
}

// Return the end of the line at `at`, after its line feed; -1 at the end of the file.
function endOf(data, at) {
  const end = typeof data === "string" ? data.indexOf("\n", at) : data.indexOf(NEWLINE, at);
  return end < 0 ? -1 : end + 1;
}

function isHeaderAt(data, at, end) {
  const start = textAt(data, at, Math.min(end, at + EVENT[0].length));
  return !EVENT.some((text) => start.startsWith(text)) && isHeader(textAt(data, at, end));
}

function textAt(data, from, to) {
  return typeof data === "string" ? data.slice(from, to) : new TextDecoder().decode(data.subarray(from, to));
}
