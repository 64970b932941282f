// What somebody has kept and gives beside an export: receipts and keys, as they are or in what a server answers.

import { begins } from "./bulk.js";
import { Unreadable, readKey, readNote, readReceipt, checkSignature } from "./notes.js";

const REPLACES = "trickbook-keys/1";

// The note in a text that was kept: the text itself, that in an answer of the server, or that in an export's last line.
// Unreadable where there is none.
export function receiptIn(text) {
  const note = text.trimStart().startsWith("{") ? noteIn(text.trim().split("\n")) : text;
  try {
    readReceipt(note);
  } catch (error) {
    throw new Unreadable(`the receipt cannot be read: ${error.message}`);
  }
  return note;
}

function noteIn(lines) {
  const exported = lines.length > 1 && begins(lines[0]);
  if (exported && lines.slice(1).some(begins))
    throw new Unreadable("the receipt cannot be read: this is an export of many games");
  const { note, receipt, keys } = objectIn(exported ? lines.at(-1) : lines.join("\n"), "receipt");
  if (Array.isArray(keys)) throw new Unreadable("the receipt cannot be read: these are keys, and are given as such");
  const found = note ?? receipt;
  if (typeof found !== "string") throw new Unreadable("the receipt cannot be read: there is none in it");
  return found;
}

// The keys in texts: keys one a line, or keys.json as a server publishes it. Beside keys given by themselves those alone
// of keys.json are taken that its rotations lead to from them. Unreadable for anything else.
export async function keysIn(texts) {
  const parts = texts.map(parted);
  const own = await keysOf(parts.flatMap(({ lines }) => lines));
  const published = await Promise.all(parts.filter(({ json }) => json).map(({ json }) => readPublished(json)));
  const listed = published.flatMap(({ keys }) => keys);
  if (texts.length && !own.length && !listed.length) throw new Unreadable("there is no key in what was given as keys");
  return own.length ? [...own, ...ledTo(own, published.flatMap(({ rotations }) => rotations))] : listed;
}

function parted(text) {
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
      throw new Unreadable(`the key ${text} cannot be used: ${error.message}`);
    }
  }
  return keys;
}

async function readPublished(json) {
  const { keys, rotations } = objectIn(json, "file of keys");
  if (!Array.isArray(keys) || !Array.isArray(rotations))
    throw new Unreadable("the file of keys cannot be read: it has no list of keys, or none of rotations");
  const pairs = [];
  for (const note of rotations) pairs.push(await readRotation(String(note)));
  return { keys: await keysOf(keys), rotations: pairs };
}

// [the old, the new key] of a note in which one takes the place of the other; both must have signed it.
async function readRotation(text) {
  try {
    const note = readNote(text);
    const [name, replaces, ...lines] = note.body.split("\n");
    const pair = [await readKey(lines[0]), await readKey(lines[1])];
    const spelled = `${pair[1].name}/keys\n${REPLACES}\n${pair[0].vkey}\n${pair[1].vkey}\n`;
    if (note.body !== spelled || name !== `${pair[1].name}/keys` || replaces !== REPLACES)
      throw new RangeError("it does not say that one key takes the place of another");
    for (const key of pair) {
      const { ok, says } = await checkSignature(note, [key]);
      if (ok !== true) throw new RangeError(ok === null ? says : "both keys have to sign it");
    }
    return pair;
  } catch (error) {
    throw new Unreadable(`a rotation in the file of keys cannot be used: ${error.message}`);
  }
}

// The keys that rotations lead to from those that are trusted.
function ledTo(trusted, rotations) {
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
    throw new Unreadable(`the ${what} cannot be read: it is no JSON`);
  }
  throw new Unreadable(`the ${what} cannot be read: it is no JSON object`);
}
