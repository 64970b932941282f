// The randomizer of Corellian Pitch: draw each change and each end again, and find those left out
// (docs/verify-a-hand.md).

import * as fairdeal from "./fairdeal.js";
import { same } from "./deals.js";
import { propose } from "./seats.js";

const DRAW = ["n", "label", "pick", "of"];
const CHANGEABLE = ["version", "points", "off", "dirty", "reverse", "partners"];

export const CHANGES = {
  async RulesChanged(table, fact) {
    if (!["randomizer", "host", "deferred"].includes(fact.cause)) table.says(`"${fact.cause}" changes no rules`);
    checkRules(table, fact);
    if (fact.cause === "randomizer") await checkDraw(table, fact);
    if (fact.cause === "host") checkHostChange(table, fact);
    if (fact.cause === "deferred") checkDeferredChange(table, fact);
    table.setting = settingOf(fact.summary);
    if (fact.cause === "randomizer") table.changeDeal({ drawn: table.deal.turns });
    countChange(table);
  },

  async RulesChangeDeferred(table, fact) {
    if (fact.cause === "randomizer") await checkDraw(table, fact);
    else checkHostChange(table, fact);
    checkRules(table, fact);
    const { deal } = table;
    const drawn = fact.cause === "randomizer" ? deal.turns : deal.drawn;
    table.changeDeal({ deferred: [...deal.deferred, fact], drawn });
    countChange(table);
  },
};

// Check that the rules are those that the summary names, and that nothing else in them changes.
function checkRules(table, { rules, summary }) {
  const { rules: first } = table.opening;
  if (!same(settingOf({ ...rules, points: rules.version }), settingOf(summary)))
    table.says("the summary isn't that of the rules");
  for (const name of Object.keys(rules).filter((each) => !CHANGEABLE.includes(each)))
    if (!same(rules[name], first[name])) table.says(`a change of the rules can't change ${name}`);
  const version = first.changes.versions.find(({ name }) => name === rules.version);
  if (version && !(same(version.points, rules.points) && same(version.off, rules.off)))
    table.says(`points and off aren't those of the version ${rules.version}`);
}

// Check before a turn that the randomizer's draws bring nothing that is missing from the log.
export async function checkNothingDrawn(table) {
  const { deal, opening } = table;
  const odds = opening.rules.changes.randomizer;
  const key = keyOf(table);
  if (!odds || !key) return;
  const t = deal.turns;
  if (
    odds.end &&
    opening.rules.stop === "at_once" &&
    (await fairdeal.chance(key, `randomizer ${t} end`, ...odds.end))
  ) {
    table.wrong(deal.n, `the randomizer ends the session before turn ${t} of this hand, but the game continues`);
  }
  if (deal.drawn === t || !usableWords(table).length) return;
  if (await fairdeal.chance(key, `randomizer ${t} when`, ...odds.when)) {
    table.wrong(deal.n, `the randomizer changes a rule before turn ${t} of this hand, but no rule changed`);
  }
}

// Check that an end names a draw if the randomizer drew it, and that this draw ends the game.
export async function checkEnd(table, { reason, winners, n, label }) {
  if (reason === "limit") checkLimit(table, winners);
  if ((reason === "randomizer") !== (label !== null))
    return table.says(`it ends for "${reason}", but ${label === null ? "names no draw" : "names a draw"}`);
  if (label === null) return n === null || table.says(`it names ceremony ${n}, but no draw of it`);
  const { deal, opening } = table;
  const turn = Number(/^randomizer ([0-9]+) end$/.exec(label)?.[1] ?? NaN);
  const due = opening.rules.stop === "at_once" ? turn === deal.turns : turn < deal.turns;
  if (n !== deal.n || !due)
    table.says(
      `it is drawn as "${label}" of ceremony ${n} at turn ${deal.turns} of a hand dealt from ceremony ${deal.n}`,
    );
  const odds = opening.rules.changes.randomizer?.end;
  const key = keyOf(table);
  if (!odds || (key && !(await fairdeal.chance(key, label, ...odds))))
    table.wrong(deal.n, `"${label}" doesn't end the session`);
}

// Check that a game which ends by its limit has reached it after a hand, and that nobody wins it.
function checkLimit(table, winners) {
  const limit = table.opening.limits?.events ?? Infinity;
  if (table.version <= limit || !table.deal?.over)
    table.says(`it ends by the limit of the log, which it hasn't reached after a hand`);
  if (winners.length) table.says("it has winners, but nobody wins a game that ends by the limit of its log");
}

function keyOf({ ceremonies, deal }) {
  return ceremonies.get(deal.n)?.secret?.key ?? null;
}

function countChange({ ceremonies, deal }) {
  const ceremony = ceremonies.get(deal?.n);
  if (ceremony) ceremony.changes += 1;
}

async function checkDraw(table, fact) {
  const { deal, opening } = table;
  const menu = usableWords(table);
  const odds = opening.rules.changes.randomizer;
  const key = keyOf(table);
  const due = { n: deal.n, label: `randomizer ${deal.turns} what`, of: menu.length };
  if (fact.n !== due.n || fact.label !== due.label || fact.of !== due.of) {
    table.says(
      `it is drawn as "${fact.label}" of ceremony ${fact.n} out of ${fact.of}, but "${due.label}" of ${due.n} out of ${due.of} is due`,
    );
  }
  if (!odds || deal.drawn === deal.turns)
    table.says(`the randomizer changes no rule at turn ${deal.turns} of this hand`);
  if (odds && key) await checkRandomizer(table, fact, key, odds.when, menu.length);
  if (!same(settingOf(fact.summary), applyWord(upcomingSetting(table), menu[fact.pick] ?? "")))
    table.says(`its rules aren't those that "${menu[fact.pick]}" makes`);
}

async function checkRandomizer(table, fact, key, when, many) {
  const { n, turns } = table.deal;
  if (!(await fairdeal.chance(key, `randomizer ${turns} when`, ...when)))
    table.wrong(n, `the randomizer changes no rule at turn ${turns} of this hand`);
  const pick = many ? await fairdeal.pick(key, `randomizer ${turns} what`, many) : null;
  if (fact.pick !== pick) table.wrong(n, `it picks entry ${fact.pick} of the menu, but the seed picks ${pick}`);
}

function checkHostChange(table, fact) {
  if (!table.opening.rules.changes.host)
    table.says("the host changes the rules, but the rules of this game don't allow it");
  if (DRAW.some((name) => fact[name] !== null)) table.says("a change by the host names a draw");
  const seat = table.players.findIndex(({ player }) => player === table.host);
  if (seat >= 0) propose(table, seat);
  if (!usableWords(table).some((word) => same(settingOf(fact.summary), applyWord(upcomingSetting(table), word))))
    table.says("its rules aren't those that one change of the menu makes");
}

function checkDeferredChange(table, fact) {
  const [first, ...rest] = table.deal.deferred;
  const fieldsOf = (change) => [...DRAW.map((name) => change[name]), settingOf(change.summary)];
  if (!first) return table.says("a deferred change takes effect, but none was waiting");
  if (!same(fieldsOf(first), fieldsOf(fact))) table.says("another change takes effect than the one that was waiting");
  table.changeDeal({ deferred: rest });
}

// Return the setting after all deferred changes.
function upcomingSetting({ setting, deal }) {
  const waiting = deal?.deferred.at(-1);
  return waiting ? settingOf(waiting.summary) : setting;
}

// Return the words of the menu that would change the setting, in the order of the menu.
function usableWords(table) {
  const setting = upcomingSetting(table);
  return table.opening.rules.changes.menu.filter((word) => !same(applyWord(setting, word), setting));
}

// Return a setting after one change: a word such as "points:7", "dirty:on", "partners:call".
function applyWord(setting, word) {
  const [what, to] = word.split(":");
  const value = ["dirty", "reverse"].includes(what) ? to === "on" : to;
  return settingOf({ ...setting, ...(what in setting ? { [what]: value } : {}) });
}

// Return the rules that can change, with the fields in a fixed order.
export function settingOf({ dirty, partners, points, reverse }) {
  return { dirty, partners, points, reverse };
}
