// The randomizer of Corellian Pitch: each change and each end drawn again, and none left out (docs/verify-a-hand.md).

import * as fairdeal from "./fairdeal.js";
import { same } from "./deals.js";

const DRAW = ["n", "label", "pick", "of"];

export const CHANGES = {
  async RulesChanged(table, fact) {
    if (fact.cause === "randomizer") await drawn(table, fact);
    if (fact.cause === "host") asked(table, fact);
    if (fact.cause === "deferred") waited(table, fact);
    table.setting = settingOf(fact.summary);
    if (fact.cause === "randomizer") table.deals({ drawn: table.deal.turns });
    count(table);
  },

  async RulesChangeDeferred(table, fact) {
    if (fact.cause === "randomizer") await drawn(table, fact);
    else asked(table, fact);
    const { deal } = table;
    table.deals({ deferred: [...deal.deferred, fact], drawn: fact.cause === "randomizer" ? deal.turns : deal.drawn });
    count(table);
  },
};

// Before a turn is taken: the draws of its moment must have brought nothing that is not in the log.
export async function quiet(table) {
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
    table.wrong(deal.n, `the randomizer ends the session before turn ${t} of this hand, and it goes on`);
  }
  if (deal.drawn === t || !offered(table).length) return;
  if (await fairdeal.chance(key, `randomizer ${t} when`, ...odds.when)) {
    table.wrong(deal.n, `the randomizer changes a rule before turn ${t} of this hand, and no rule has changed`);
  }
}

// An end that names a draw is one that was drawn.
export async function ended(table, { reason, n, label }) {
  if ((reason === "randomizer") !== (label !== null))
    return table.says(`it ends for "${reason}" and ${label === null ? "names no draw" : "names a draw"}`);
  if (label === null) return;
  const { deal, opening } = table;
  const turn = Number(/^randomizer ([0-9]+) end$/.exec(label)?.[1] ?? NaN);
  const due = opening.rules.stop === "at_once" ? turn === deal.turns : turn < deal.turns;
  if (n !== deal.n || !due)
    table.says(`it is drawn as "${label}" of ceremony ${n} at turn ${deal.turns} of a hand dealt from ${deal.n}`);
  const odds = opening.rules.changes.randomizer?.end;
  const key = keyOf(table);
  if (!odds || (key && !(await fairdeal.chance(key, label, ...odds))))
    table.wrong(deal.n, `"${label}" does not end the session`);
}

function keyOf({ ceremonies, deal }) {
  return ceremonies.get(deal.n)?.secret?.key ?? null;
}

function count({ ceremonies, deal }) {
  const ceremony = ceremonies.get(deal?.n);
  if (ceremony) ceremony.changes += 1;
}

async function drawn(table, fact) {
  const { deal, opening } = table;
  const menu = offered(table);
  const odds = opening.rules.changes.randomizer;
  const key = keyOf(table);
  const due = { n: deal.n, label: `randomizer ${deal.turns} what`, of: menu.length };
  if (fact.n !== due.n || fact.label !== due.label || fact.of !== due.of) {
    table.says(
      `it is drawn as "${fact.label}" of ceremony ${fact.n} out of ${fact.of} where "${due.label}" of ${due.n} out of ${due.of} is due`,
    );
  }
  if (!odds || deal.drawn === deal.turns)
    table.says(`the randomizer changes no rule at turn ${deal.turns} of this hand`);
  if (odds && key) await redrawn(table, fact, key, odds.when, menu.length);
  if (!same(settingOf(fact.summary), made(toCome(table), menu[fact.pick] ?? "")))
    table.says(`its rules are not those that "${menu[fact.pick]}" makes`);
}

async function redrawn(table, fact, key, when, many) {
  const { n, turns } = table.deal;
  if (!(await fairdeal.chance(key, `randomizer ${turns} when`, ...when)))
    table.wrong(n, `the randomizer changes no rule at turn ${turns} of this hand`);
  const pick = many ? await fairdeal.pick(key, `randomizer ${turns} what`, many) : null;
  if (fact.pick !== pick) table.wrong(n, `it picks entry ${fact.pick} of the menu where the seed picks ${pick}`);
}

function asked(table, fact) {
  if (!table.opening.rules.changes.host) table.says("the host changes the rules at a table that does not let him");
  if (DRAW.some((name) => fact[name] !== null)) table.says("a change by the host names a draw");
  if (!offered(table).some((word) => same(settingOf(fact.summary), made(toCome(table), word))))
    table.says("its rules are not those that one change of the menu makes");
}

function waited(table, fact) {
  const [first, ...rest] = table.deal.deferred;
  const told = (change) => [...DRAW.map((name) => change[name]), settingOf(change.summary)];
  if (!first) return table.says("a change comes in that has not been waiting");
  if (!same(told(first), told(fact))) table.says("another change comes in than the one that has been waiting");
  table.deals({ deferred: rest });
}

// The setting once everything held back has come in.
function toCome({ setting, deal }) {
  const waiting = deal?.deferred.at(-1);
  return waiting ? settingOf(waiting.summary) : setting;
}

// What of the menu would change it, in its order.
function offered(table) {
  const setting = toCome(table);
  return table.opening.rules.changes.menu.filter((word) => !same(made(setting, word), setting));
}

// A setting after one change, a word such as "points:7", "dirty:on", "partners:call".
function made(setting, word) {
  const [what, to] = word.split(":");
  const value = ["dirty", "reverse"].includes(what) ? to === "on" : to;
  return settingOf({ ...setting, ...(what in setting ? { [what]: value } : {}) });
}

// What of the rules can change, its fields in one order.
export function settingOf({ dirty, partners, points, reverse }) {
  return { dirty, partners, points, reverse };
}
