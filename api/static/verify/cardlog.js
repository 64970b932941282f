// cardlog/1: canonical JSON, leaves, nodes and roots, written from docs/verify-a-hand.md. Hashes are Uint8Array(32).

const DEEPEST = 100;
const AT_ONCE = 4096; // hashes that the engine computes at the same time
const LONE_SURROGATE = /[\ud800-\udfff]/u;

// Return the canonical JSON of null, booleans, whole numbers below 2^53, text, lists and objects with ASCII keys.
// Throw a RangeError for anything else.
export function canonical(value, deeper = DEEPEST) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return numberText(value);
  if (typeof value === "string") return quote(value);
  if (deeper === 0) throw new RangeError(`lists and objects nest deeper than ${DEEPEST}`);
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one, deeper - 1)).join(",")}]`;
  const keys = Object.keys(value).sort();
  return `{${keys.map((name) => `${quoteKey(name)}:${canonical(value[name], deeper - 1)}`).join(",")}}`;
}

function numberText(value) {
  if (!Number.isSafeInteger(value) || Object.is(value, -0))
    throw new RangeError("a number isn't a whole number below 2^53");
  return String(value);
}

function quote(text) {
  if (LONE_SURROGATE.test(text)) throw new RangeError("a text holds half a surrogate pair");
  return JSON.stringify(text);
}

function quoteKey(name) {
  if (!/^[\0-\x7f]*$/.test(name)) throw new RangeError("the keys of an object must be ASCII text");
  return JSON.stringify(name);
}

// Return whether a text is canonical JSON.
export function isCanonical(text) {
  try {
    return canonical(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

export async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

// Return the leaf hash of an event's bytes.
export function leaf(eventBytes) {
  return sha256(concat(Uint8Array.of(0), eventBytes));
}

// Return the hash of two neighboring subtrees.
export function node(left, right) {
  return sha256(concat(Uint8Array.of(1), left, right));
}

// Return the roots over the first 0, 1, 2, ... of these leaf hashes. The root of 0 leaves is SHA-256 of no bytes.
export async function rootsOf(leaves) {
  const levels = [leaves]; // the roots of all full subtrees of 1, 2, 4, ... leaves
  while (levels.at(-1).length > 1)
    levels.push(await Promise.all(pairsOf(levels.at(-1)).map((pair) => node(...pair))));
  const roots = [await sha256(new Uint8Array(0))];
  while (roots.length <= leaves.length) {
    const sizes = Array.from({ length: Math.min(AT_ONCE, leaves.length + 1 - roots.length) }, (_, more) => roots.length + more);
    roots.push(...(await Promise.all(sizes.map((size) => rootAt(levels, size)))));
  }
  return roots;
}

function pairsOf(hashes) {
  return Array.from({ length: hashes.length >> 1 }, (_, i) => [hashes[2 * i], hashes[2 * i + 1]]);
}

// Return the root of `size` leaves: hash the full subtrees together, from the last and smallest one.
async function rootAt(levels, size) {
  let root = null;
  for (let level = 0, left = size; left; level++) {
    const leaves = 2 ** level;
    if (!(size & leaves)) continue;
    left -= leaves;
    const tree = levels[level][left / leaves];
    root = root ? await node(tree, root) : tree;
  }
  return root;
}

export function concat(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export function utf8(text) {
  return new TextEncoder().encode(text);
}

export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Return the bytes of lower-case hex. Throw a RangeError for any other text.
export function unhex(text) {
  if (typeof text !== "string" || !/^([0-9a-f]{2})*$/.test(text)) throw new RangeError("it isn't hex");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

// Return the bytes of standard base64 with padding. Throw a RangeError for any other text.
export function unbase64(text) {
  let binary;
  try {
    binary = atob(text);
  } catch {
    throw new RangeError("it isn't base64");
  }
  if (btoa(binary) !== text) throw new RangeError("it isn't base64 in the standard spelling");
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
