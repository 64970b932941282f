// Faults of a file as such, found by the numbers, hashes and links of its lines: a line that is missing, twice, elsewhere,
// changed, or replaced. Each is a cause, and may have many consequences in the findings.

import { gameOf } from "./record.js";
import { hex, rootsOf, unhex } from "../verify/cardlog.js";

const BYTES = /^its bytes (were changed|are not canonical)/;
const LINK = /^its link isn't the root/;
const LINE = /isn't a line of an export$/;
const END = /^the file (has no trailer|is cut off)/;
const PLACE = /^it is in place \d+ of the log$/;
const LAST = /^the trailer('s root isn't| counts)/;

// Return [{kind, from, ...}] in the order of the file. `from` is the first event that the fault can concern.
export async function faultsOf({ lines, trailer, header }, findings) {
  const numbers = lines.map(numberOf);
  const unreadable = findings
    .filter(({ says }) => LINE.test(says))
    .map(({ version }) => ({ kind: "unreadable", from: version }));
  const known = [...new Set([...numbers, ...unreadable.map(({ from }) => from)])].sort((a, b) => a - b);
  const faults = [
    ...unreadable,
    ...gapsOf(known, trailer?.size ?? 0),
    ...repeatsOf(numbers),
    ...movesOf([...new Set(numbers)]),
    ...lines
      .filter(isRenumbered)
      .map(({ version, event }) => ({
        kind: "renumbered",
        from: Math.min(version, event.version),
        version: event.version,
      })),
    ...changesOf(findings),
  ];
  const has = (pattern) => findings.some(({ says }) => pattern.test(says));
  const isOrdered = faults.every(({ kind }) => kind === "changed");
  if (isOrdered && has(LINK)) addLink(faults, await brokenLink(lines, trailer));
  else if (isOrdered && has(LAST)) faults.push({ kind: "trailer", from: known.at(-1) ?? 1 });
  if (has(END)) faults.push({ kind: "cut-off", from: (known.at(-1) ?? 0) + 1 });
  if (gameOf(header, lines) !== header.game) faults.push({ kind: "header", from: 1 });
  return faults.sort((a, b) => a.from - b.from).map((fault) => ({ ...fault, isFault: true }));
}

// Add a fault of a link. An event whose hash was changed doesn't fit its bytes either: that's one fault.
function addLink(faults, link) {
  const at = faults.findIndex(({ from }) => from === link.from);
  if (at < 0) faults.push(link);
  else faults[at] = { ...link, kind: "hash" };
}

// Return whether a finding is about the lines of the file, and not about the game.
export const isOfFile = ({ says }) => LAST.test(says) || isPlace({ says }) || isFaultItself({ says });

// Return whether a finding only says that a line isn't where its number says.
export const isPlace = ({ says }) => PLACE.test(says);

// Return whether a finding is what a fault says in its own words.
export const isFaultItself = ({ says }) => [BYTES, LINK, LINE, END].some((pattern) => pattern.test(says));

const isRenumbered = ({ version, event }) => Number.isSafeInteger(event?.version) && event.version !== version;

// Return the number of an event as its bytes say, or as the line says if it doesn't show them.
const numberOf = (line) => (isRenumbered(line) ? line.event.version : line.version);

function gapsOf(known, size) {
  const ends = size > (known.at(-1) ?? 0) ? [...known, size + 1] : known;
  return ends.flatMap((number, at) => {
    const first = (ends[at - 1] ?? 0) + 1;
    return number > first ? [{ kind: "missing", from: first, last: number - 1, count: number - first }] : [];
  });
}

function repeatsOf(numbers) {
  const seen = new Set();
  const again = new Set(numbers.filter((number) => seen.has(number) || !seen.add(number)));
  return [...again].map((number) => ({ kind: "twice", from: number }));
}

// Return a fault for the events that must be moved to put all in order: as few as possible.
function movesOf(numbers) {
  const stay = longestRise(numbers);
  const moved = numbers.filter((number) => !stay.has(number)).sort((a, b) => a - b);
  if (!moved.length) return [];
  const before = numbers[numbers.indexOf(moved[0]) - 1] ?? 1;
  return [{ kind: "moved", from: Math.min(moved[0], before), versions: moved, count: moved.length }];
}

// Return the numbers of a longest ascending selection.
function longestRise(numbers) {
  const tails = [];
  const before = new Map();
  for (const number of numbers) {
    const place = placeOf(tails, number);
    before.set(number, tails[place - 1]);
    tails[place] = number;
  }
  const stay = new Set();
  for (let number = tails.at(-1); number !== undefined; number = before.get(number)) stay.add(number);
  return stay;
}

// Return the place of the first number that isn't smaller.
function placeOf(sorted, number) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

function changesOf(findings) {
  const changed = new Set(findings.filter(({ says }) => BYTES.test(says)).map(({ version }) => version));
  return [...changed].map((version) => ({ kind: "changed", from: version }));
}

// Tell a link that was changed itself from an event before it that was replaced together with its hash.
async function brokenLink(lines, trailer) {
  const roots = (await rootsOf(lines.map(({ leaf }) => unhex(leaf)))).map(hex);
  const wrong = lines.flatMap(({ prev }, at) => (prev === roots[at] ? [] : [at]));
  const isLinkAlone = wrong.length === 1 && trailer?.root === roots.at(-1);
  return isLinkAlone
    ? { kind: "link", from: lines[wrong[0]].version }
    : { kind: "replaced", from: lines[wrong[0] - 1]?.version ?? 1 };
}
