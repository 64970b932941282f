// Clocks in seconds: what each seat has left, until when a turn lasts, and the claim of a time that is out.

import { LANGUAGE } from "../base/messages.js";
import { t } from "./texts.js";

/** @type {[string, number][]} */
const UNITS = [
  ["days", 86400],
  ["hours", 3600],
  ["minutes", 60],
];

// Return how many seconds are left, in words of one unit.
export function leftText(seconds) {
  const [unit, size] = UNITS.find(([, size]) => seconds >= 2 * size) ?? ["seconds", 1];
  return t(`clock.${unit}`, { n: Math.floor(seconds / size) });
}

// Return what a seat that isn't to move has left for its next turns, as [text, look]; nothing without such a clock.
/** @param {Page.View} view */
export function seatClock({ clock, status, turn }, seat) {
  const left = clock?.left_ms[seat] ?? null;
  if (left === null || status === "finished" || turn.seats.includes(seat)) return null;
  return [leftText(left / 1000), ""];
}

// Return until when the turn lasts: the time alone on the same day; "" without a clock in seconds.
/** @param {Page.View} view */
export function untilText({ clock, turn }, now) {
  if (!clock?.running || !turn.deadline) return "";
  const until = new Date(turn.deadline);
  const sameDay = until.toDateString() === new Date(now).toDateString();
  return t("clock.until", { when: until.toLocaleString(LANGUAGE, sameDay ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" }) });
}

// Return whether the own seat may claim the time of the seat to move, because its deadline has passed.
/** @param {Page.Model} model */
export function canClaim({ view, now }) {
  return Boolean(view.you?.may.includes("claim_time") && view.turn.deadline) && Date.parse(view.turn.deadline) <= now;
}
