// The opening of a game: options that say what the rules say, why the game isn't rated, and how moves are taken back
// (docs/verify-a-hand.md).

import { isHash } from "./deals.js";
import { finding } from "./export.js";

// The options of each variant: their values, and what each makes of the rules. Null takes free values.
const OPTIONS = `
{
 "pitch": {
  "win": [[7,{"goal":7}],[11,{"goal":11}],[21,{"goal":21}]],
  "around": [["left",{"auction.around":"left"}],["right",{"auction.around":"right"}]],
  "fifth": [["earned",{"points.4.award":"sweep"}],["bid",{"points.4.award":"sweep_bid"}]],
  "settle": [["bid_first",{"settle":"bid_first"}],["points_first",{"settle":"points_first"}]]
 },
 "setback": {
  "low": [[1,{"dirty":true}],[2,{"dirty":false}]],
  "dealer": [["ties",{"auction.dealer":"ties"}],["ties_or_raises",{"auction.dealer":"ties_or_raises"}]],
  "stick": [["least",{"auction.all_pass":"dealer_bids_least"}],["any",{"auction.all_pass":"dealer_bids"}]]
 },
 "blackout": {
  "hook": [[true,{"auction.hook":true}],[false,{"auction.hook":false}]],
  "inorder": [[true,{"seating":"as_given"}],[false,{"seating":"drawn"}]]
 },
 "corellian": {
  "randomizer": null,
  "ends_at": null,
  "host_changes": [[false,{"changes.host":false}],[true,{"changes.host":true}]],
  "ten": [["card",{"points.1.award":"card","points.1.name":"off_jack","points.1.off":true,"points.1.rank":"J","points.2.award":"jokers","points.2.name":"joker","points.2.off":false,"points.2.rank":null,"points.3.award":"card","points.3.name":"ten","points.3.rank":"10"}],["game",{"points.1.award":"count","points.1.name":"game","points.1.off":false,"points.1.rank":null,"points.2.award":"card","points.2.name":"off_jack","points.2.off":true,"points.2.rank":"J","points.3.award":"jokers","points.3.name":"joker","points.3.rank":null}]],
  "deal": [["fill",{"fill":"discard","hand_sizes.0":9}],["all",{"fill":"pitcher_takes","hand_sizes.0":13}]],
  "follow": [["trumps",{"follow":"trumps_only"}],["suit_or_trump",{"follow":"suit_or_trump"}]],
  "jokers": [["first_high",{"joker_order":"first_high"}],["first_low",{"joker_order":"first_low"}],["marked",{"joker_order":"marked"}],["second_high",{"joker_order":"second_high"}]],
  "worth": [["at_end",{"worth":"at_end"}],["when_taken",{"worth":"when_taken"}]],
  "scaling": [["standing",{"changes.scaling":"standing"}],["original",{"changes.scaling":"original"}]],
  "call": [["announced",{"call":"announced"}],["secret",{"call":"secret"}]],
  "credit": [["full",{"credit":"full"}],["own",{"credit":"own"}],["half",{"credit":"half"}]],
  "defenders": [["full",{"defenders":"full"}],["own",{"defenders":"own"}],["none",{"defenders":"none"}]],
  "double": [["when_made",{"double":"when_made"}],["at_end",{"double":"at_end"}]],
  "hold": [["hand",{"changes.hold":"hand"}],["verdict",{"changes.hold":"verdict"}]],
  "stop": [["at_once",{"stop":"at_once"}],["after_hand",{"stop":"after_hand"}]]
 },
 "house": {
  "rulebook": null
 }
}
`;

// The rules that a randomizer changes if the option doesn't say, and the most that it may change
const RANDOMIZER = `{"usual": {"when": [1, 16], "end": [1, 240], "points": ["4", "5", "7", "8", "10", "11", "13", "14"], "dirty": true, "reverse": true, "partners": ["across", "left", "right", "call"]}, "turns": 1000000, "points": ["4", "5", "6", "7", "8", "9", "10", "11", "11b", "13", "14", "16"], "partners": ["across", "left", "right", "call"]}`;

const KNOWN = JSON.parse(OPTIONS);
const { usual: USUAL, turns: MAX_TURNS, points: POINTS, partners: PARTNERS } = JSON.parse(RANDOMIZER);
const CUTS = ["none", "open", "sealed"];
const WAYS = ["consent", "practice", "none"];
const NO_CHANGES = { points: [], dirty: false, reverse: false, partners: [] };

// Compare the options and the rating with the rest of the opening. What isn't known is listed as unread.
export function checkOpening(table, fact, v) {
  if (fact.rules.variant !== fact.variant)
    table.says(`the variant is ${fact.variant}, but its rules are those of ${fact.rules.variant}`);
  else checkOptions(table, fact);
  checkSettings(table, fact);
  if (v > 1) checkRated(table, fact);
}

function checkSettings(table, { players, reveal, fairness, autopilot = "forfeit" }) {
  const isPlayer = ({ kind, bot }) => (kind === "bot" ? bot !== null : kind === "human" && bot === null);
  if (!players.every(isPlayer)) table.says("a player is neither a person nor a named bot");
  if (!["hand", "game"].includes(reveal)) table.says(`its reveal is "${reveal}", but must be hand or game`);
  if (!CUTS.includes(fairness.cuts)) table.says(`its cuts are "${fairness.cuts}", but must be one of ${CUTS.join(", ")}`);
  if (fairness.cuts === "none" && (fairness.window_s !== null || (fairness.beacon ?? null) !== null))
    table.says("it waits for cuts or a beacon, but takes no cuts");
  if (!/^(forfeit|claim|bot:[a-z]{1,16})$/.test(autopilot))
    table.says(`its autopilot is "${autopilot}", but must be forfeit, claim or a bot`);
}

function checkOptions(table, fact) {
  const known = Object.hasOwn(KNOWN, fact.variant) ? KNOWN[fact.variant] : null;
  const unread = (what) => table.unread.push(finding(table.version, `this program doesn't know the ${what}`));
  if (!known) return unread(`variant ${fact.variant}`);
  for (const [name, value] of Object.entries(fact.options)) {
    if (!Object.hasOwn(known, name)) unread(`option ${name}`);
    else if (name === "rulebook" && isHash(value)) continue; // an address that only its server knows
    else if (name === "randomizer" && isRandomizer(value)) checkRandomizer(table, fact);
    else if (name === "ends_at" && isTime(value)) checkEnd(table, fact);
    else checkOption(table, fact.rules, name, value, known[name]);
  }
}

function checkOption(table, rules, name, value, values) {
  const made = values?.find(([each]) => each === value)?.[1];
  if (!made) return table.says(`the value ${text(value)} of the option ${name} isn't offered`);
  for (const [path, said] of Object.entries(made)) {
    const found = path.split(".").reduce((at, step) => at?.[step] ?? null, rules);
    if (found !== said)
      table.says(`the option ${name} is ${text(value)}, but ${path} of the rules is ${text(found)}`);
  }
}

// Return whether a value of the option has exactly its fields, with values that are offered.
function isRandomizer(asked) {
  if (asked === null) return true;
  if (!same(Object.keys(asked).sort(), Object.keys(USUAL).sort())) return false;
  const isOdds = (odds) => Array.isArray(odds) && odds.length === 2 && odds.every(Number.isSafeInteger) && areOdds(...odds);
  const areOdds = (a, b) => 0 <= a && a <= b && 0 < b && b <= MAX_TURNS;
  const areOf = (names, all) =>
    Array.isArray(names) && names.every((each) => all.includes(each)) && new Set(names).size === names.length;
  const areSwitches = [asked.dirty, asked.reverse].every((each) => typeof each === "boolean");
  const areKnown = areOf(asked.points, POINTS) && areOf(asked.partners, PARTNERS);
  return isOdds(asked.when) && (asked.end === null || isOdds(asked.end)) && areSwitches && areKnown;
}

// Return whether a value is null or a time as events write it.
function isTime(value) {
  if (value === null) return true;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(value)) return false;
  const at = new Date(`${value.slice(0, 19)}Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value.slice(0, 19));
}

// Check the odds and the menu. Without a randomizer, only a host who may change rules has a menu.
function checkRandomizer(table, { options, rules: { changes } }) {
  const asked = options.randomizer;
  const chosen = asked ?? (options.host_changes ? USUAL : NO_CHANGES);
  const odds = asked && { when: asked.when, end: asked.end };
  const drawn = changes.randomizer && { when: changes.randomizer.when, end: changes.randomizer.end };
  if (!same(odds, drawn) || !same(changes.menu, menuOf(chosen)))
    table.says("the odds or the menu of the rules aren't those of the option randomizer");
}

function menuOf(chosen) {
  const switches = ["dirty", "reverse"].filter((name) => chosen[name]).flatMap((name) => [`${name}:on`, `${name}:off`]);
  const points = chosen.points.map((each) => `points:${each}`);
  return [...points, ...switches, ...chosen.partners.map((each) => `partners:${each}`)];
}

const text = JSON.stringify;
const same = (one, other) => text(one) === text(other);

// Check that the game ends at the time of the option, or before.
function checkEnd(table, { options: { ends_at: asked }, timing: { ends_at: end } }) {
  if (asked !== null && (end === null || end > asked))
    table.says(`the option ends_at is ${asked}, but the game ends at ${end}`);
}

// Check that the opening says why the game isn't rated: the first reason that it shows, or a guest, whom it can't show.
function checkRated(table, { undo, players, watch, rated }) {
  const shown = [
    ["practice", undo === "practice"],
    ["bots", players.some(({ kind }) => kind === "bot")],
    ["private", !watch.public],
  ].find(([, applies]) => applies)?.[0];
  const possible = ["practice", "bots"].includes(shown) ? [shown] : [shown, "guest"];
  if (rated === null) {
    if (shown) table.says(`it doesn't say that the game isn't rated for the reason "${shown}"`);
  } else if (rated.counts || !possible.includes(rated.reason))
    table.says(`no such game opens with the rating "${rated.reason}", counts ${rated.counts}`);
}

// Check at the opening how moves are taken back: as in practice only at a table of one person and bots.
export function checkUndo(table, { undo = "consent", players }) {
  const people = players.filter(({ kind }) => kind === "human").length;
  if (!WAYS.includes(undo)) table.says(`its undo is "${undo}", but must be one of ${WAYS.join(", ")}`);
  if (undo === "practice" && people !== 1)
    table.says(`moves are taken back as in practice, which is for one person, but ${people} people play`);
}
