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
  "jokers": [["first_high",{"joker_order":"first_high"}],["first_low",{"joker_order":"first_low"}]],
  "worth": [["at_end",{"worth":"at_end"}],["when_taken",{"worth":"when_taken"}]],
  "scaling": [["standing",{"changes.scaling":"standing"}],["original",{"changes.scaling":"original"}]],
  "call": [["announced",{"call":"announced"}],["secret",{"call":"secret"}]],
  "credit": [["full",{"credit":"full"}],["own",{"credit":"own"}],["half",{"credit":"half"}]],
  "defenders": [["full",{"defenders":"full"}],["own",{"defenders":"own"}],["none",{"defenders":"none"}]],
  "double": [["when_made",{"double":"when_made"}],["at_end",{"double":"at_end"}]],
  "hold": [["hand",{"changes.hold":"hand"}],["verdict",{"changes.hold":"verdict"}]],
  "stop": [["at_once",{"stop":"at_once"}],["after_hand",{"stop":"after_hand"}]]
 },
 "ten-point": {
  "least": [[5,{"auction.least":5}],[4,{"auction.least":4}]],
  "all_pass": [["dealer_has_it",{"auction.all_pass":"dealer_has_it"}],["throw_in",{"auction.all_pass":"throw_in"}],["same_dealer",{"auction.all_pass":"same_dealer"}]],
  "ending": [["bidder_only",{"ending":"bidder_only"}],["bidder_first",{"ending":"bidder_first"}],["highest",{"ending":"highest"}]],
  "two": [["kept",{"dirty":false}],["taker",{"dirty":true}]],
  "last_point": [["ten",{"points.3.award":"card","points.3.name":"ten","points.3.rank":"10"}],["game",{"points.3.award":"count","points.3.name":"game","points.3.rank":null}]],
  "higher_joker": [["first",{"joker_order":"first_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["marked",{"joker_order":"marked","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["second",{"joker_order":"second_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["lowest",{"joker_order":"first_high","ranks.0":"X","ranks.1":"2","ranks.2":"3","ranks.3":"4","ranks.4":"5","ranks.5":"6","ranks.6":"7","ranks.7":"8","ranks.8":"9","ranks.9":"10"}]],
  "goal": [[52,{"goal":52}],[32,{"goal":32}],[31,{"goal":31}]],
  "moon": [["game",{"auction.moon":"game"}],["double",{"auction.moon":"double"}]]
 },
 "ten-point-five": {
  "least": [[5,{"auction.least":5}],[4,{"auction.least":4}]],
  "all_pass": [["dealer_has_it",{"auction.all_pass":"dealer_has_it"}],["throw_in",{"auction.all_pass":"throw_in"}],["same_dealer",{"auction.all_pass":"same_dealer"}]],
  "ending": [["bidder_only",{"ending":"bidder_only"}],["bidder_first",{"ending":"bidder_first"}],["highest",{"ending":"highest"}]],
  "two": [["kept",{"dirty":false}],["taker",{"dirty":true}]],
  "last_point": [["ten",{"points.3.award":"card","points.3.name":"ten","points.3.rank":"10"}],["game",{"points.3.award":"count","points.3.name":"game","points.3.rank":null}]],
  "higher_joker": [["first",{"joker_order":"first_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["marked",{"joker_order":"marked","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["second",{"joker_order":"second_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["lowest",{"joker_order":"first_high","ranks.0":"X","ranks.1":"2","ranks.2":"3","ranks.3":"4","ranks.4":"5","ranks.5":"6","ranks.6":"7","ranks.7":"8","ranks.8":"9","ranks.9":"10"}]],
  "dealt": [["kitty",{"kitty":4,"removed":[]}],["no_fours",{"kitty":0,"removed":["4C","4D","4H","4S"]}]]
 },
 "ten-point-teams": {
  "least": [[5,{"auction.least":5}],[4,{"auction.least":4}]],
  "all_pass": [["dealer_has_it",{"auction.all_pass":"dealer_has_it"}],["throw_in",{"auction.all_pass":"throw_in"}],["same_dealer",{"auction.all_pass":"same_dealer"}]],
  "ending": [["bidder_only",{"ending":"bidder_only"}],["bidder_first",{"ending":"bidder_first"}],["highest",{"ending":"highest"}]],
  "two": [["kept",{"dirty":false}],["taker",{"dirty":true}]],
  "last_point": [["ten",{"points.3.award":"card","points.3.name":"ten","points.3.rank":"10"}],["game",{"points.3.award":"count","points.3.name":"game","points.3.rank":null}]],
  "higher_joker": [["first",{"joker_order":"first_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["marked",{"joker_order":"marked","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["second",{"joker_order":"second_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["lowest",{"joker_order":"first_high","ranks.0":"X","ranks.1":"2","ranks.2":"3","ranks.3":"4","ranks.4":"5","ranks.5":"6","ranks.6":"7","ranks.7":"8","ranks.8":"9","ranks.9":"10"}]],
  "goal": [[52,{"goal":52}],[32,{"goal":32}],[31,{"goal":31}]],
  "moon": [["game",{"auction.moon":"game"}],["double",{"auction.moon":"double"}]],
  "dealt": [["kitty",{"hand_sizes.0":8,"kitty":6}],["nine",{"hand_sizes.0":9,"kitty":0}]]
 },
 "ten-point-pairs": {
  "least": [[5,{"auction.least":5}],[4,{"auction.least":4}]],
  "all_pass": [["dealer_has_it",{"auction.all_pass":"dealer_has_it"}],["throw_in",{"auction.all_pass":"throw_in"}],["same_dealer",{"auction.all_pass":"same_dealer"}]],
  "ending": [["bidder_only",{"ending":"bidder_only"}],["bidder_first",{"ending":"bidder_first"}],["highest",{"ending":"highest"}]],
  "two": [["kept",{"dirty":false}],["taker",{"dirty":true}]],
  "last_point": [["ten",{"points.3.award":"card","points.3.name":"ten","points.3.rank":"10"}],["game",{"points.3.award":"count","points.3.name":"game","points.3.rank":null}]],
  "higher_joker": [["first",{"joker_order":"first_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["marked",{"joker_order":"marked","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["second",{"joker_order":"second_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["lowest",{"joker_order":"first_high","ranks.0":"X","ranks.1":"2","ranks.2":"3","ranks.3":"4","ranks.4":"5","ranks.5":"6","ranks.6":"7","ranks.7":"8","ranks.8":"9","ranks.9":"10"}]],
  "goal": [[52,{"goal":52}],[32,{"goal":32}],[31,{"goal":31}]],
  "dealt": [["kitty",{"hand_sizes.0":8,"kitty":6}],["nine",{"hand_sizes.0":9,"kitty":0}]]
 },
 "seven-point": {
  "ending": [["bidder_first",{"ending":"bidder_first"}],["bidder_only",{"ending":"bidder_only"}],["highest",{"ending":"highest"}]],
  "two": [["kept",{"dirty":false}],["taker",{"dirty":true}]],
  "last_point": [["ten",{"points.3.award":"card","points.3.name":"ten","points.3.rank":"10"}],["game",{"points.3.award":"count","points.3.name":"game","points.3.rank":null}]],
  "higher_joker": [["first",{"joker_order":"first_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["marked",{"joker_order":"marked","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["second",{"joker_order":"second_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["lowest",{"joker_order":"first_high","ranks.0":"X","ranks.1":"2","ranks.2":"3","ranks.3":"4","ranks.4":"5","ranks.5":"6","ranks.6":"7","ranks.7":"8","ranks.8":"9","ranks.9":"10"}]]
 },
 "thirteen-point": {
  "least": [[4,{"auction.least":4}],[5,{"auction.least":5}]],
  "ending": [["bidder_only",{"ending":"bidder_only"}],["bidder_first",{"ending":"bidder_first"}],["highest",{"ending":"highest"}]],
  "two": [["kept",{"dirty":false}],["taker",{"dirty":true}]],
  "higher_joker": [["first",{"joker_order":"first_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["marked",{"joker_order":"marked","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["second",{"joker_order":"second_high","ranks.0":"2","ranks.1":"3","ranks.2":"4","ranks.3":"5","ranks.4":"6","ranks.5":"7","ranks.6":"8","ranks.7":"9","ranks.8":"10","ranks.9":"X"}],["lowest",{"joker_order":"first_high","ranks.0":"X","ranks.1":"2","ranks.2":"3","ranks.3":"4","ranks.4":"5","ranks.5":"6","ranks.6":"7","ranks.7":"8","ranks.8":"9","ranks.9":"10"}]]
 },
 "smear": {
  "all_pass": [["throw_in",{"auction.all_pass":"throw_in"}],["same_dealer",{"auction.all_pass":"same_dealer"}]],
  "ending": [["highest",{"ending":"highest"}],["bidder_only",{"ending":"bidder_only"}],["bidder_first",{"ending":"bidder_first"}]],
  "two": [["kept",{"dirty":false}],["taker",{"dirty":true}]],
  "joker": [[0,{"joker_count":0}],[1,{"joker_count":1}]]
 },
 "pedro": {
  "least": [[6,{"auction.least":6}],[7,{"auction.least":7}]],
  "goal": [[62,{"goal":62}],[52,{"goal":52}],[91,{"goal":91}]],
  "ending": [["bidder_first",{"ending":"bidder_first"}],["bidder_only",{"ending":"bidder_only"}],["highest",{"ending":"highest"}]],
  "two": [["kept",{"dirty":false}],["taker",{"dirty":true}]]
 },
 "cinch": {
  "made": [["difference",{"tally":"difference"}],["own",{"tally":"points"}]]
 },
 "four-point-kitty": {
  "draw": [[false,{"fill":"kitty"}],[true,{"fill":"kitty_and_draw"}]]
 },
 "setback-21": {
  "five": [[false,{"auction.bids":[2,3,4],"points":[{"name":"high","award":"highest","worth":1,"rank":null,"off":false,"needs":[]},{"name":"low","award":"lowest","worth":1,"rank":null,"off":false,"needs":[]},{"name":"jack","award":"card","worth":1,"rank":"J","off":false,"needs":[]},{"name":"game","award":"count","worth":1,"rank":null,"off":false,"needs":[]}]}],[true,{"auction.bids":[2,3,4,5],"points":[{"name":"high","award":"highest","worth":1,"rank":null,"off":false,"needs":[]},{"name":"low","award":"lowest","worth":1,"rank":null,"off":false,"needs":[]},{"name":"jack","award":"card","worth":1,"rank":"J","off":false,"needs":[]},{"name":"game","award":"count","worth":1,"rank":null,"off":false,"needs":[]},{"name":"all_tricks","award":"all_tricks","worth":1,"rank":null,"off":false,"needs":[]}]}]]
 },
 "oh-hell": {
  "largest": [[10,{}],["most",{}]],
  "order": [["up_down",{}],["down_up",{}]],
  "trump": [["turned",{"fixed_trump":null,"trump":"turned_up"}],["spades",{"fixed_trump":"S","trump":"fixed"}]],
  "ties": [["bids_made",{"ending":"hands"}],["shared",{"ending":"hands_shared"}]]
 },
 "oh-hell-tricks": {
  "largest": [[10,{}],["most",{}]],
  "order": [["up_down",{}],["down_up",{}]],
  "trump": [["turned",{"fixed_trump":null,"trump":"turned_up"}],["spades",{"fixed_trump":"S","trump":"fixed"}]],
  "ties": [["bids_made",{"ending":"hands"}],["shared",{"ending":"hands_shared"}]]
 },
 "oh-hell-minus": {
  "largest": [[10,{}],["most",{}]],
  "order": [["up_down",{}],["down_up",{}]],
  "trump": [["turned",{"fixed_trump":null,"trump":"turned_up"}],["spades",{"fixed_trump":"S","trump":"fixed"}]],
  "ties": [["bids_made",{"ending":"hands"}],["shared",{"ending":"hands_shared"}]],
  "miss": [["bid_and_ten",{"miss":"bid_and_ten"}],["bid",{"miss":"bid"}],["ten_each",{"miss":"ten_each"}]]
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
  if (Object.hasOwn(known, "rulebook") && !Object.hasOwn(fact.options, "rulebook")) table.says("it names no rulebook");
  for (const [name, value] of Object.entries(fact.options)) {
    if (!Object.hasOwn(known, name)) unread(`option ${name}`);
    else if (name === "rulebook" && isHash(value)) continue; // an address that only its server knows
    else if (name === "randomizer" && isRandomizer(value)) checkRandomizer(table, fact);
    else if (name === "ends_at" && isTime(value)) checkEnd(table, fact);
    else checkOption(table, fact.rules, name, value, known[name]);
  }
  if (known.largest && known.order) checkHandSizes(table, fact);
}

// Check the numbers of cards dealt, which depend on the number of players besides the options.
function checkHandSizes(table, { options: { largest, order }, players, deck, rules }) {
  const most = Math.floor((deck.length - 1) / players.length);
  const top = largest === "most" ? most : Math.min(largest, most);
  const up = Array.from({ length: Number.isInteger(top) ? top : 0 }, (_, at) => at + 1);
  const down = [...up].reverse();
  const sizes = { up_down: [...up, ...down.slice(1)], down_up: [...down, ...up.slice(1)] }[order];
  if (up.length && sizes && !same(rules.hand_sizes, sizes))
    table.says(`the options largest and order deal ${top} cards at most, ${order}; the rules deal ${text(rules.hand_sizes)}`);
}

function checkOption(table, rules, name, value, values) {
  const made = values?.find(([each]) => each === value)?.[1];
  if (!made) return table.says(`the value ${text(value)} of the option ${name} isn't offered`);
  for (const [path, said] of Object.entries(made)) {
    const found = path.split(".").reduce((at, step) => at?.[step] ?? null, rules);
    if (!isEqual(found, said))
      table.says(`the option ${name} is ${text(value)}, but ${path} of the rules is ${text(found)}`);
  }
}

// Return whether two values of JSON are equal, whatever the order of their keys.
function isEqual(one, other) {
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isEqual(one[name], other[name]));
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
