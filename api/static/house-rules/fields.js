/**
 * The choices of the rules in their order at a table, and which of them matter under given rules.
 *
 * The server says which choices there are and which values they have. One that isn't named here is shown last, by its name.
 */

const hasPitcher = (rules) => rules.auction.contract;
const isNamed = (rules) => rules.trump === "named";
const hasKitty = (rules) => rules.fill === "kitty" || rules.fill === "kitty_and_draw";
const hasDiscards = (rules) => rules.fill === "discard" || rules.fill === "dealer" || hasKitty(rules);
const changes = (rules) => rules.changes.menu.length > 0;
const changesTo = (start) => (rules) => rules.changes.menu.some((each) => each.startsWith(start));
const changesPartners = changesTo("partners");
const canHavePartners = (rules) => rules.partners !== "alone" || changesPartners(rules);
const calls = (rules) => rules.partners === "call" || changesTo("partners:call")(rules);
const hasPoints = (rules) => rules.tally !== "exact";
const isLow = (point) => point.award === "lowest";
const hasGoal = (rules) => !["hands", "hands_shared", "session"].includes(rules.ending);

/**
 * Each group with its choices: a name, or [name, when it matters, the value that the summary needn't mention, or a test of it].
 *
 * @type {[string, (string | [string, ((rules: any) => boolean) | null, unknown?])[]][]}
 */
const ORDER = [
  ["players", [
    "seats", "partners", ["call", calls], ["seating", null, "as_given"], ["first_dealer", null, "last_seat"],
  ]],
  ["deal", [
    "jokers", ["removed", null, []], "hand_sizes", ["misdeal", null, []], ["sights", null, ["own"]],
  ]],
  ["order", [
    "ranks", ["joker_order", (rules) => rules.jokers && !rules.removed.some((card) => card[0] === "X")], ["reverse", null, false],
  ]],
  ["bidding", [
    "auction.contract", "auction.of", ["auction.bids", ({ auction }) => auction.of === "listed"],
    ["auction.least", ({ auction }) => auction.of === "points" || (auction.of === "listed" && auction.all_pass === "dealer_has_it")],
    ["auction.moon", hasPitcher, "none"], ["auction.around", null, "left"], ["auction.rising", null, true], ["auction.passing", null, true],
    ["auction.zero_passes", ({ auction }) => auction.of === "listed" && auction.bids.includes(0), false],
    ["auction.dealer", hasPitcher, "as_others"], ["auction.all_pass", hasPitcher],
    ["auction.hook", ({ auction }) => !auction.contract, false],
  ]],
  ["trump", [
    "trump", ["fixed_trump", ({ trump }) => trump === "fixed"], ["fill", null, "nothing"], ["kitty", hasKitty],
    ["kept_cards", hasDiscards], ["throw", hasDiscards], ["most_thrown", hasDiscards, null],
  ]],
  ["play", [
    ["opening_lead", isNamed], "follow", ["won_face_down", null, false],
  ]],
  ["points", [
    ["points", hasPoints], ["off", null, []], ["joker_count", (rules) => rules.jokers && rules.points.some(({ award }) => award === "count"), 0],
    ["dirty", (rules) => rules.keeps || rules.points.some(isLow) || changesTo("dirty")(rules)], ["keeps", null, false],
  ]],
  ["score", [
    "tally", ["miss", ({ tally }) => tally === "exact"], ["settle", (rules) => rules.tally === "points" && hasGoal(rules)],
    ["credit", (rules) => hasPitcher(rules) && canHavePartners(rules), "full"], ["defenders", (rules) => hasPitcher(rules) && canHavePartners(rules), "full"],
    ["double", hasPitcher, "never"],
  ]],
  ["end", [
    "ending", ["goal", hasGoal], ["stop", ({ ending }) => ending === "session"],
  ]],
  ["changes", [
    ["changes", null, ({ menu }) => !menu.length], ["changes.host", changes, false], ["changes.scaling", changes], ["changes.hold", changes], ["worth", changes],
    ["delay", null, null], ["version", changes, ""],
  ]],
];

/** The groups, in their order. */
export const GROUPS = [...ORDER.map(([name]) => name), "other"];

/** What is set with another choice, and has no field of its own. */
const PARTS = /^(?:points\[\]|changes\.(?:menu|versions|randomizer)|delay\.|auction$)/;

const known = new Map(ORDER.flatMap(([group, choices]) => choices.map((choice, at) => {
  const [name, when = null, plain] = Array.isArray(choice) ? choice : [choice];
  return [name, { name, group, at, when: when ?? (() => true), plain }];
})));

/**
 * Return what is known of a choice of the server; null if another choice sets it.
 *
 * @param {string} name
 */
export const fieldOf = (name) => (PARTS.test(name) ? null : known.get(name) ?? { name, group: "other", at: 0, when: () => true, plain: undefined });

/** Return the names of a group's choices that matter under these rules, in their order. */
export const namesIn = (group, rules) => [...known.values()].filter((field) => field.group === group && field.when(rules)).map(({ name }) => name);

/** Return whether the summary needn't mention a value. */
export const isPlain = (name, rules) => {
  const { plain } = known.get(name);
  const value = valueAt(rules, name);
  return typeof plain === "function" ? plain(value) : plain !== undefined && same(value, plain);
};

/** Return the value of a choice: valueAt(rules, "auction.moon"). */
export const valueAt = (rules, name) => name.split(".").reduce((inside, part) => inside?.[part], rules);

/** Return rules with another value of a choice. */
export function withValue(rules, name, value) {
  const [first, ...rest] = name.split(".");
  return { ...rules, [first]: rest.length ? withValue(rules[first], rest.join("."), value) : value };
}

/** Return whether two values are the same as JSON, whatever the order of their fields. */
export function same(one, other) {
  if (one === other) return true;
  if (!one || !other || typeof one !== "object" || typeof other !== "object") return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Array.isArray(one) === Array.isArray(other) && [...names].every((name) => same(one[name], other[name]));
}
