// Receipts: C2SP signed notes with Ed25519 over the checkpoint of a game's log, written from docs/verify-a-hand.md.

import { concat, hex, sha256, unbase64, utf8 } from "./cardlog.js";

const ED25519 = 1; // the signature type, first byte of a public key in a vkey
const NO_KEY = "no key is at hand to check its signature with";
const SIGNATURE = /^\u2014 ([^\s+]+) (\S+)$/u;

// Something that was given beside the file cannot be read: nothing is told by that about the game.
export class Unreadable extends Error {}

// {body, signatures: [{name, id (hex), signature}]} of a signed note; a RangeError where it is none.
export function readNote(note) {
  const cut = note.lastIndexOf("\n\n");
  if (cut < 0 || !note.endsWith("\n")) throw new RangeError("it is no signed note");
  const signatures = note
    .slice(cut + 2, -1)
    .split("\n")
    .map(signatureOf);
  return { body: note.slice(0, cut + 1), signatures };
}

// {origin, size, root (hex), body, signatures} of a receipt; a RangeError where it is none.
export function readReceipt(text) {
  const note = readNote(text);
  return { ...checkpointOf(note.body), ...note };
}

function signatureOf(line) {
  const found = SIGNATURE.exec(line);
  const raw = found ? unbase64(found[2]) : new Uint8Array(0);
  if (raw.length < 5) throw new RangeError("a line below its text is no signature");
  return { name: found[1], id: hex(raw.subarray(0, 4)), signature: raw.subarray(4) };
}

function checkpointOf(body) {
  const [origin, size, root, end, ...more] = body.split("\n");
  if (!origin || !/^(0|[1-9][0-9]{0,15})$/.test(size) || end !== "" || more.length) {
    throw new RangeError("its text is no checkpoint of a log");
  }
  const hash = unbase64(root);
  if (hash.length !== 32) throw new RangeError("its root is not 32 bytes");
  return { origin, size: Number(size), root: hex(hash) };
}

// A public key as published: {vkey, name, id (hex), key}; a RangeError where the text is none.
export async function readKey(vkey) {
  const found = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(vkey);
  const raw = found ? unbase64(found[3]) : new Uint8Array(0);
  if (raw.length !== 33 || raw[0] !== ED25519) throw new RangeError("it is no Ed25519 key of a note");
  const id = hex((await sha256(concat(utf8(`${found[1]}\n`), raw))).subarray(0, 4));
  if (id !== found[2]) throw new RangeError("the key does not fit its own number");
  return { vkey, name: found[1], id, key: raw.subarray(1) };
}

// {ok, says, key, name}: true where one of the keys has signed it, false where none has or a signature is bad, null
// where there are no keys, or the engine cannot tell.
export async function checkSignature(receipt, keys) {
  const checked = [];
  for (const signed of receipt.signatures) {
    const { vkey, name, key } = keys.find((each) => each.name === signed.name && each.id === signed.id) ?? {};
    if (vkey) checked.push({ ...(await verified(key, signed.signature, utf8(receipt.body))), key: vkey, name });
  }
  const none = keys.length ? `${signedBy(receipt)}, which none of the keys at hand is` : NO_KEY;
  const wrong = checked.find((each) => each.ok === false);
  return wrong ?? checked[0] ?? { ok: keys.length ? false : null, says: none, key: null, name: null };
}

function signedBy({ signatures }) {
  return `it is signed by ${signatures.map(({ name, id }) => `${name}+${id}`).join(" and ")}`;
}

async function verified(raw, signature, message) {
  let key;
  try {
    key = await crypto.subtle.importKey("raw", raw, { name: "Ed25519" }, false, ["verify"]);
  } catch (error) {
    if (error.name === "DataError") return { ok: false, says: "its key is none" };
    return { ok: null, says: "its signature is not checked: this browser or engine has no Ed25519" };
  }
  const ok = await crypto.subtle.verify({ name: "Ed25519" }, key, signature, message);
  return { ok, says: ok ? "its signature is right" : "its signature is wrong" };
}
