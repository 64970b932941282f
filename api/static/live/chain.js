// The log as this page has seen it: each event is hashed, and must be linked to all those before it. The page keeps the few
// hashes that this needs, which are public, and goes on from there when it's opened again.

import { loadText, saveText } from "../base/storage.js";

// The second implementation's hashes. They are loaded with the first line, so that the table is shown before.
const CARDLOG = "../verify/cardlog.js"; // not named in the import, or each page would load it in advance
const hashing = () => (modules ??= import(CARDLOG));
let modules = null;

const PREFIX = "trickbook:log:";
const HASH = /^[0-9a-f]{64}$/;

export class Chain {
  size = 0;
  peaks = [];
  wrong = null;

  // Take up what an earlier visit kept, if it's a log that can be continued.
  restore({ size, peaks }) {
    const isWhole = Number.isSafeInteger(size) && Array.isArray(peaks) && peaks.every(([count, root]) => count > 0 && HASH.test(root));
    if (isWhole && peaks.reduce((sum, [count]) => sum + count, 0) === size) Object.assign(this, { size, peaks });
  }

  // Return what the next visit needs.
  kept() {
    return { size: this.size, peaks: this.peaks };
  }

  // Check the next line of the log, and keep the first that is wrong as `wrong`.
  /** @param {Page.Line} item */
  async add(item) {
    const { canonical, hex, leaf, utf8 } = await hashing();
    if (item.prev !== (await this.root())) this.blame(item, "prev");
    if (item.event && hex(await leaf(utf8(canonical(item.event)))) !== item.leaf) this.blame(item, "leaf");
    await this.push(item.leaf);
  }

  async push(hash) {
    let peak = [1, hash];
    while (this.peaks.at(-1)?.[0] === peak[0]) {
      const [count, left] = this.peaks.pop();
      peak = [2 * count, await over(left, peak[1])];
    }
    this.peaks.push(peak);
    this.size += 1;
  }

  // Return the root over all events so far, in hex.
  async root() {
    const { concat, hex, sha256 } = await hashing();
    if (!this.peaks.length) return hex(await sha256(concat()));
    let root = this.peaks.at(-1)[1];
    for (const [, left] of this.peaks.slice(0, -1).toReversed()) root = await over(left, root);
    return root;
  }

  blame({ version }, why) {
    this.wrong ??= { version, why };
  }
}

async function over(left, right) {
  const { hex, node, unhex } = await hashing();
  return hex(await node(unhex(left), unhex(right)));
}

// Keep a value for a game in this browser. Return whether it's kept.
export function keep(game, value) {
  return saveText(PREFIX + game, JSON.stringify(value));
}

// Return what was kept for a game, or null.
export function keptFor(game) {
  try {
    return JSON.parse(loadText(PREFIX + game) ?? "null");
  } catch {
    return null;
  }
}
