// Kept receipts and keys to check an export with: single ones, or inside a response of a server.

import { isHeader } from "./bulk.js";
import { Unreadable, readKey, readNote, readReceipt, checkSignature } from "./notes.js";

const REPLACES = "trickbook-keys/1";

// Return the note in a kept text: the text itself, or the note in a response of the server or in an export's last line.
// Line ends may be those of any system. Throw Unreadable if there isn't one.
export function receiptIn(kept) {
  const text = kept.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const note = text.trimStart().startsWith("{") ? noteIn(text.trim().split("\n")) : text;
  try {
    readReceipt(note);
  } catch (error) {
    throw new Unreadable(`the receipt can't be read: ${error.message}`);
  }
  return note;
}

function noteIn(lines) {
  const exported = lines.length > 1 && isHeader(lines[0]);
  if (exported && lines.slice(1).some(isHeader))
    throw new Unreadable("the receipt can't be read: this is an export of many games");
  const { note, receipt, keys } = objectIn(exported ? lines.at(-1) : lines.join("\n"), "receipt");
  if (Array.isArray(keys)) throw new Unreadable("the receipt can't be read: it holds keys; give it as keys");
  const found = note ?? receipt;
  if (typeof found !== "string") throw new Unreadable("the receipt can't be read: it holds no receipt");
  return found;
}

// Return the keys in texts: one key a line, or keys.json as a server publishes it. If there are single keys, keys.json
// adds only the keys that its rotations lead to from them. Throw Unreadable for anything else.
export async function keysIn(texts) {
  const parts = texts.map(splitKeys);
  const own = await keysOf(parts.flatMap(({ lines }) => lines));
  const published = await Promise.all(parts.filter(({ json }) => json).map(({ json }) => readPublished(json)));
  const listed = published.flatMap(({ keys }) => keys);
  if (texts.length && !own.length && !listed.length) throw new Unreadable("the given keys hold no key");
  return own.length ? [...own, ...rotatedKeys(own, published.flatMap(({ rotations }) => rotations))] : listed;
}

function splitKeys(text) {
  const lines = text.split("\n").map((line) => line.trim());
  const from = lines.findIndex((line) => line.startsWith("{"));
  const cut = from < 0 ? lines.length : from;
  return { lines: lines.slice(0, cut).filter(Boolean), json: lines.slice(cut).join("\n") };
}

async function keysOf(texts) {
  const keys = [];
  for (const text of texts) {
    try {
      keys.push(await readKey(String(text)));
    } catch (error) {
      throw new Unreadable(`the key ${text} is invalid: ${error.message}`);
    }
  }
  return keys;
}

async function readPublished(json) {
  const { keys, rotations } = objectIn(json, "file of keys");
  if (!Array.isArray(keys) || !Array.isArray(rotations))
    throw new Unreadable("the file of keys can't be read: it has no list of keys or no list of rotations");
  const pairs = [];
  for (const note of rotations) pairs.push(await readRotation(String(note)));
  return { keys: await keysOf(keys), rotations: pairs };
}

// Return [old key, new key] of a note that says that the new key replaces the old one. Both must have signed it.
async function readRotation(text) {
  try {
    const note = readNote(text);
    const [name, replaces, ...lines] = note.body.split("\n");
    const pair = [await readKey(lines[0]), await readKey(lines[1])];
    const spelled = `${pair[1].name}/keys\n${REPLACES}\n${pair[0].vkey}\n${pair[1].vkey}\n`;
    if (note.body !== spelled || name !== `${pair[1].name}/keys` || replaces !== REPLACES)
      throw new RangeError("it doesn't say that one key replaces another");
    for (const key of pair) {
      const { ok, says } = await checkSignature(note, [key]);
      if (ok !== true) throw new RangeError(ok === null ? says : "both keys must sign it");
    }
    return pair;
  } catch (error) {
    throw new Unreadable(`a rotation in the file of keys is invalid: ${error.message}`);
  }
}

// Return the keys that rotations lead to from the trusted keys.
function rotatedKeys(trusted, rotations) {
  const found = new Map(trusted.map((key) => [key.vkey, key]));
  let many = 0;
  while (many < found.size) {
    many = found.size;
    const linked = rotations.filter((pair) => pair.some(({ vkey }) => found.has(vkey)));
    for (const key of linked.flat()) found.set(key.vkey, key);
  }
  return [...found.values()].slice(trusted.length);
}

function objectIn(text, what) {
  try {
    const value = JSON.parse(text);
    if (value !== null && typeof value === "object" && !Array.isArray(value)) return value;
  } catch {
    throw new Unreadable(`the ${what} can't be read: it isn't JSON`);
  }
  throw new Unreadable(`the ${what} can't be read: it isn't a JSON object`);
}
