// Pictures of players that need no request: two letters, on a color that a player keeps because it comes from their id.

import { s } from "./dom.js";

const HUES = 24;

/** Draw a player. Bots have corners, so that the shape tells them from people; their letters are those of their name. */
export function avatar(player, name, isBot = false) {
  const hue = (hashOf(player) % HUES) * (360 / HUES);
  const color = `oklch(0.47 0.11 ${hue})`;
  return s("svg", { class: isBot ? "avatar bot" : "avatar", viewBox: "0 0 40 40", "aria-hidden": "true", focusable: "false" },
    s("rect", { class: "avatar-back", width: 40, height: 40, rx: isBot ? 11 : 20, fill: color }),
    s("text", { class: "avatar-letters", x: 20, y: 26, "text-anchor": "middle" }, lettersOf(name)));
}

/** Return two letters of a name: the first ones of two words, or of the only one. */
export function lettersOf(name) {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? "?")].slice(0, 2);
  return letters.join("").toUpperCase();
}

// FNV-1a over the code units: short, and the same in every browser.
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash ^ (hash >>> 15);
}
