/** Texts that this browser keeps. Storage can be switched off, full or cleared at any time, and nothing here throws for it. */

/** Keep a text, and return whether it's really kept: it's read back. */
export function saveText(name, text) {
  try {
    localStorage.setItem(name, text);
    return localStorage.getItem(name) === text;
  } catch {
    return false;
  }
}

/** Return a text that was kept, or null. */
export function loadText(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Forget the texts whose name begins so, except those that `isNeeded(rest of the name)` names. */
export function forgetTexts(start, isNeeded) {
  try {
    const old = Object.keys(localStorage).filter((name) => name.startsWith(start) && !isNeeded(name.slice(start.length)));
    for (const name of old) localStorage.removeItem(name);
  } catch {
    // Then there is nothing to forget.
  }
}
