/**
 * The texts of the pages, in one table. A module adds its own in English with `define`. A page in another language has
 * its texts by the same keys from a script before this one (api/pages/languages.py).
 *
 * `{name}` stands for a value: a text, a number, a date, or a list, which Intl joins ("Ann, Bob, and Cat"). A message that
 * depends on a number is an object with the plural forms of Intl.PluralRules ("one", "other"), chosen by `count`;
 * `{place}` with `ordinal: true` in the form's object is chosen by `place` instead ("1st", "2nd").
 */

/** The code of the page's language. */
export const LANGUAGE = globalThis.document?.documentElement.lang || "en";

const plural = new Intl.PluralRules(LANGUAGE);
const ordinal = new Intl.PluralRules(LANGUAGE, { type: "ordinal" });
const conjunction = new Intl.ListFormat(LANGUAGE, { style: "long", type: "conjunction" });
const disjunction = new Intl.ListFormat(LANGUAGE, { style: "long", type: "disjunction" });
const numbers = new Intl.NumberFormat(LANGUAGE);
const places = new Intl.NumberFormat(LANGUAGE, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const dates = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeStyle: "short" });
const days = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium" });
const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto" });
/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];

const table = new Map();
const translated = globalThis.trickbookMessages ?? {};

/** Add messages: define({ "table.trump": "{suit} are trump" }). A key that is defined with another text is an error. */
export function define(messages) {
  for (const [key, message] of Object.entries(messages)) {
    if (table.has(key) && table.get(key) !== message) throw new Error(`The message ${key} is defined twice.`);
    table.set(key, message);
  }
}

/** Return the text of a message with its values: t("lobby.waiting", { count: 2 }). An unknown key is an error. */
export const t = (key, values = {}) => parts(key, values).map((part) => (Array.isArray(part) ? shown(part[0]) : part)).join("");

/** Return the message as a list of texts and nodes, for values that are nodes: tn("seat.dealer", { name: h("b", null, "Ann") }). */
export const tn = (key, values = {}) => parts(key, values).map((part) => (Array.isArray(part) ? shownNode(part[0]) : part));

/** Return the page's text for a name that the server gives in English, such as a variant's; undefined without one. */
export const translationOf = (key) => translated[key];

/**
 * Return a sentence of the server in the language of the page; an unknown one stays English. Its key is its kind and the
 * English text with names for the values, "fault.Two points{of} have the same name.", and each value may be a sentence again.
 *
 * @param {string} kind
 * @param {string} sentence
 * @param {(name: string, value: string) => string} wordOf how other values are said
 */
export function inOwnWords(kind, sentence, wordOf = (_, value) => value) {
  const saidOf = (name, value) => {
    const own = inOwnWords(kind, value, wordOf);
    return own === value ? shown(/^-?\d+$/.test(value) ? Number(value) : wordOf(name, value)) : own;
  };
  for (const key of Object.keys(translated)) {
    const found = key.startsWith(kind) && patternOf(key.slice(kind.length)).exec(sentence);
    if (found) return translated[key].replace(/\{(\w+)\}/g, (_, name) => saidOf(name, found.groups[name]));
  }
  return sentence;
}

/** Return what a sentence with values looks like. Only the value at its end may have a colon and a space. */
const patternOf = (text) =>
  new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}$/, "(?<$1>.*)").replace(/\{(\w+)\}/g, "(?<$1>(?:(?!: ).)*?)")}$`);

/** Return whether there is such a message, for texts that depend on a code of the server. */
export const has = (key) => table.has(key);

/** Return the names as one text: "Ann, Bob, and Cat". */
export const list = (items) => conjunction.format(items.map(String));

/** Return the names as one text: "Ann, Bob, or Cat". */
export const either = (items) => disjunction.format(items.map(String));

/** Return how far a time is from now: "in 3 hours", "yesterday". */
export function ago(time, now = Date.now()) {
  const seconds = (new Date(time).getTime() - now) / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["minute", 60];
  return Math.abs(seconds) < 60 ? t(seconds > 0 ? "time.soon" : "time.now") : relative.format(Math.trunc(seconds / size), unit);
}

/** Return a number with two places: "0.50". */
export const hundredths = (number) => places.format(number);

/** Return the day of a time: "Nov 25, 2026". */
export const day = (time) => days.format(new Date(time));

function parts(key, values) {
  const message = table.has(key) ? (translated[key] ?? table.get(key)) : undefined;
  if (message === undefined) throw new Error(`There is no message ${key}.`);
  return form(message, values).split(/\{(\w+)\}/).map((part, at) => (at % 2 ? [value(key, part, values)] : part));
}

function form(message, values) {
  if (typeof message === "string") return message;
  const rule = message.ordinal ? ordinal.select(Number(values.place)) : plural.select(Number(values.count));
  return message[rule] ?? message.other;
}

function value(key, name, values) {
  if (values[name] === undefined) throw new Error(`The message ${key} needs a value ${name}.`);
  return values[name];
}

function shown(value) {
  if (typeof value === "number") return numbers.format(value);
  if (value instanceof Date) return dates.format(value);
  return Array.isArray(value) ? list(value) : String(value);
}

const shownNode = (value) => (value instanceof Node ? value : shown(value));

define({
  "time.now": "just now",
  "time.soon": "in a moment",
});
