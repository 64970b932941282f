// fairdeal/1: the shuffle that anyone can check, written from docs/verify-a-hand.md. Bytes are Uint8Array; WebCrypto
// only. The functions throw a RangeError for a seed, cut or key that isn't 32 bytes, a text that isn't printable ASCII
// of at most 255 characters, and a number outside its range. The error never quotes a secret.

import { concat, sha256 } from "./cardlog.js";

const WIDE = 2 ** 32;
const macs = new WeakMap(); // imported keys, by their bytes, which never change

// Return the 32 bytes that bind ceremony n (a u32) to its seed.
export async function commit(game, n, subject, seed) {
  return sha256(enc("fairdeal/1 commit", game, n, subject, bytes32("a seed", seed)));
}

// Return the 32 bytes that bind a seat, as decimal text, to its next cut.
export async function seal(game, seat, cut) {
  return sha256(enc("fairdeal/1 seal", game, seat, bytes32("a cut", cut)));
}

// Return the ceremony's key. `cuts` are [source, bytes] in seat order, then beacons.
export async function key(game, n, subject, seed, cuts) {
  const mixed = cuts.flatMap(([source, cut]) => [source, bytes32("a cut", cut)]);
  return hmac(await hmacKey("a seed", seed), enc("fairdeal/1 key", game, n, subject, cuts.length, ...mixed));
}

// Return an order of 0..n-1. The deck is [canonical[order[0]], ...]; its first card is dealt first.
export async function shuffle(key, label, n) {
  whole("the number of cards", n, 0, WIDE);
  const stream = await streamOf(key, label);
  const order = Array.from({ length: n }, (_, place) => place);
  for (let i = n - 1; i > 0; i--) {
    const j = await stream.below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

// Return one of 0..m-1.
export async function pick(key, label, m) {
  return (await streamOf(key, label)).below(whole("the number to pick from", m, 1, WIDE));
}

// Return true a times in b.
export async function chance(key, label, a, b) {
  return (await pick(key, label, b)) < a;
}

// Return the stream of one label. `used` counts the bytes read from it.
export async function streamOf(key, label) {
  return new Stream(await hmacKey("a key", key), enc("fairdeal/1 draw", label));
}

class Stream {
  read = new Uint8Array(0);
  blocks = 0;
  used = 0;

  constructor(mac, head) {
    this.mac = mac;
    this.head = head;
  }

  async below(m) {
    const width = widthOf(m);
    const limit = 256 ** width - (256 ** width % m);
    for (;;) {
      const x = number(await this.next(width));
      if (x < limit) return x % m;
    }
  }

  async next(width) {
    const end = this.used + width;
    while (this.read.length < end) {
      this.read = concat(this.read, await hmac(this.mac, concat(this.head, enc(this.blocks))));
      this.blocks += 1;
    }
    const taken = this.read.subarray(this.used, end);
    this.used = end;
    return taken;
  }
}

// Return the least k with 256^k >= m.
function widthOf(m) {
  let width = 0;
  while (256 ** width < m) width += 1;
  return width;
}

function number(bytes) {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

// Encode each part as its length and its bytes: strings in ASCII, numbers as u32, bytes unchanged.
export function enc(...parts) {
  return concat(...parts.map(raw).flatMap((part) => [u32(part.length), part]));
}

function raw(part) {
  if (part instanceof Uint8Array) return part;
  if (typeof part === "string") return ascii(part);
  return u32(whole("the number of a ceremony", part, 0, WIDE - 1));
}

function ascii(text) {
  if (!/^[ -~]{0,255}$/.test(text)) {
    throw new RangeError("a text of a ceremony must be printable ASCII of at most 255 characters");
  }
  return new TextEncoder().encode(text);
}

function u32(count) {
  const four = new Uint8Array(4);
  new DataView(four.buffer).setUint32(0, count, false);
  return four;
}

/**
 * @param {string} what
 * @param {Uint8Array<ArrayBuffer>} value
 */
function bytes32(what, value) {
  if (!(value instanceof Uint8Array) || value.length !== 32) throw new RangeError(`${what} must be exactly 32 bytes`);
  return value;
}

function whole(what, value, least, most) {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${what} must be a whole number from ${least} to ${most}`);
  }
  return value;
}

function hmacKey(what, value) {
  const raw = bytes32(what, value);
  if (!macs.has(raw))
    macs.set(raw, crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]));
  return macs.get(raw);
}

async function hmac(mac, message) {
  return new Uint8Array(await crypto.subtle.sign("HMAC", mac, message));
}
