/** Four tables to begin with, as data: they fill the form, and everything can still be changed. */

const EVENING_MS = 2 * 3600 * 1000;

/** Each preset: its name in the messages, the variant, options, and seats after the player's own. */
export const PRESETS = [
  { name: "quick", variant: "pitch", options: { win: 7 }, seats: ["bot:simple", "bot:simple"] },
  { name: "partners", variant: "setback", options: {}, seats: ["invite", "invite", "invite"] },
  { name: "thirteen", variant: "blackout", options: {}, seats: ["open", "open", "bot:simple"] },
  { name: "evening", variant: "corellian", options: { ends_at: () => new Date(Date.now() + EVENING_MS) }, seats: ["invite", "bot:simple", "bot:simple"] },
];
