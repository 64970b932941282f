// Receipts: C2SP signed notes with Ed25519 over the checkpoint of a game's log, written from docs/verify-a-hand.md.

import { concat, hex, sha256, unbase64, utf8 } from "./cardlog.js";

const ED25519 = 1; // the signature type, first byte of a public key in a vkey
const NO_KEY = "there is no key to check its signature with";
const NAME = String.raw`([^\s+\x00-\x20\x7f\x85]{1,255})`;
const SIGNATURE = new RegExp(`^\u2014 ${NAME} (\\S+)$`, "u");
const VKEY = new RegExp(`^${NAME}\\+([0-9a-f]{8})\\+(\\S+)$`, "u");
const ORIGIN = new RegExp(`^${NAME}$`, "u");
const REFUSED = /[\x00-\x09\x0b-\x1f]/;
const MOST_CHARACTERS = 64 * 1024;
const MOST_SIGNATURES = 16;

// A receipt or key given with the file can't be read. This says nothing about the game.
export class Unreadable extends Error {}

// Return {body, signatures: [{name, id (hex), signature}]} of a signed note. Throw a RangeError if it isn't one.
export function readNote(note) {
  const cut = note.lastIndexOf("\n\n");
  if (cut < 1 || !note.endsWith("\n")) throw new RangeError("it isn't a signed note");
  if ([...note].length > MOST_CHARACTERS || REFUSED.test(note))
    throw new RangeError("it has control characters, or is too long");
  const lines = note.slice(cut + 2, -1).split("\n");
  if (lines.length > MOST_SIGNATURES) throw new RangeError(`it has more than ${MOST_SIGNATURES} signatures`);
  return { body: note.slice(0, cut + 1), signatures: lines.map(signatureOf) };
}

// Return {origin, size, root (hex), body, signatures} of a receipt. Throw a RangeError if it isn't one.
export function readReceipt(text) {
  const note = readNote(text);
  return { ...checkpointOf(note.body), ...note };
}

function signatureOf(line) {
  const match = SIGNATURE.exec(line);
  const raw = match ? unbase64(match[2]) : new Uint8Array(0);
  if (raw.length < 5) throw new RangeError("a line below its text isn't a signature");
  return { name: match[1], id: hex(raw.subarray(0, 4)), signature: raw.subarray(4) };
}

function checkpointOf(body) {
  const [origin, size, root, end, ...more] = body.split("\n");
  if (!ORIGIN.test(origin) || !/^(0|[1-9][0-9]{0,15})$/.test(size) || end !== "" || more.length) {
    throw new RangeError("its text isn't a checkpoint of a log");
  }
  const hash = unbase64(root);
  if (hash.length !== 32) throw new RangeError("its root isn't 32 bytes");
  return { origin, size: Number(size), root: hex(hash) };
}

// Return {vkey, name, id (hex), key} of a published public key. Throw a RangeError if the text isn't one.
export async function readKey(vkey) {
  const match = VKEY.exec(vkey);
  const raw = match ? unbase64(match[3]) : new Uint8Array(0);
  if (raw.length !== 33 || raw[0] !== ED25519) throw new RangeError("it isn't an Ed25519 key for notes");
  const id = hex((await sha256(concat(utf8(`${match[1]}\n`), raw))).subarray(0, 4));
  if (id !== match[2]) throw new RangeError("the key doesn't match its own id");
  return { vkey, name: match[1], id, key: raw.subarray(1) };
}

// Return {ok, says, key, name}. `ok` is true if one of the keys signed it, false if none did or a signature is wrong,
// and null if there are no keys or the engine has no Ed25519.
export async function checkSignature(receipt, keys) {
  const checked = [];
  for (const signed of receipt.signatures) {
    const { vkey, name, key } = keys.find((each) => each.name === signed.name && each.id === signed.id) ?? {};
    if (vkey) checked.push({ ...(await verifySignature(key, signed.signature, utf8(receipt.body))), key: vkey, name });
  }
  const none = keys.length ? `${signersText(receipt)}, which isn't a trusted key` : NO_KEY;
  const wrong = checked.find((each) => each.ok === false);
  return wrong ?? checked[0] ?? { ok: keys.length ? false : null, says: none, key: null, name: null };
}

function signersText({ signatures }) {
  return `it is signed by ${signatures.map(({ name, id }) => `${name}+${id}`).join(" and ")}`;
}

async function verifySignature(raw, signature, message) {
  let key;
  try {
    key = await crypto.subtle.importKey("raw", raw, { name: "Ed25519" }, false, ["verify"]);
  } catch (error) {
    if (error.name === "DataError") return { ok: false, says: "its key is invalid" };
    return { ok: null, says: "its signature can't be checked: this browser or engine has no Ed25519" };
  }
  const ok = await crypto.subtle.verify({ name: "Ed25519" }, key, signature, message);
  return { ok, says: ok ? "its signature is right" : "its signature is wrong" };
}
