// What keeps a second click from playing a second card: after a click that may move, another one at about the same place
// counts for nothing, and neither does a key that is held or pressed again.

const QUIET_MS = 700;
const NEAR_PX = 48; // a second tap is seldom further from the first

export class Guard {
  last = null;

  // Return whether a click is the second half of a double one. Each puts the next one off.
  isSecond({ detail, timeStamp, clientX, clientY }) {
    const isKey = detail === 0;
    const before = this.last;
    this.last = { isKey, timeStamp, clientX, clientY };
    if (!before || timeStamp - before.timeStamp >= QUIET_MS || isKey !== before.isKey) return detail > 1;
    return isKey || detail > 1 || Math.hypot(clientX - before.clientX, clientY - before.clientY) < NEAR_PX;
  }

  // Let the next click count.
  forget() {
    this.last = null;
  }
}

// Return whether a key that is held would press a button again.
export function isHeld({ repeat, key, target }) {
  return repeat && (key === "Enter" || key === " ") && Boolean(target.closest?.("button"));
}
