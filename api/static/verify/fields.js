// The fields of each version of each fact: an event has exactly these, at every depth. Who writes it, and who sees it before
// the reveal (docs/events.md).

import { list, same } from "./deals.js";

// The newest version of the fields of rules
export const RULES_VERSION = 2;

// The facts and the records in them: name, newest version, author, fields and their types.
// n is a number, t text, b true or false, o an object, [] a list, ? may be null, +2 gained with version 2 of the fact, and
// in rules with version 2 of the rules.
// Written by `python -m tests.generators.field_table`; changes here are lost.
const FACTS = `
GameOpened 3 opener board:n variant:t rules:Rules options:o sides:[[n]] players:[Player] deck:[t] timing:Timing fairness:Fairness reveal:t limits:GameLimits?+2 rated:Rating?+2 watch:Watch+2 undo:t+2 autopilot:t+2
SeatsDrawn 1 server n:n order:[n]
DealerDrawn 1 server n:n seat:n
CeremonyOpened 2 server n:n subject:t commit:t seals:o beacon:t?+2
SeedKept 1 server n:n seed:t
CutOpened 1 seat n:n seat:n cut:t next_seal:t?
BeaconRecorded 1 bringer n:n source:t signature:t cut:t
HandDealt 1 server hand:n redeal:n n:n dealer:n eldest:n counts:[n] stock:n cuts:[[t]] missing:[n] grade:t next:[n]
CardsDealt 1 server n:n seat:n cards:[t]
StockLaid 1 server n:n cards:[t]
MisdealDeclared 1 server hand:n redeal:n seats:[n]
TrumpTurnedUp 1 server hand:n card:t suit:t
CeremonyRevealed 1 server n:n seed:t
CeremonyVoided 1 server n:n reason:t by:t seed:t
CoinFlipped 1 server n:n seats:[n] winner:n
BidMade 1 seat seat:n bid:n next:[n]
BidPassed 1 seat seat:n next:[n]
HandThrownIn 1 server hand:n
AuctionWon 1 server seat:n bid:n forced:b max:b sides:[[n]] next:[n]
TrumpNamed 1 seat seat:n suit:t next:[n]
PartnerCalled 2 seat seat:n card:t next:[n] begins_turn:b+2
PartnerRevealed 1 server bidder:n seat:n? card:t sides:[[n]] next:[n]
CardsDiscarded 1 seat seat:n count:n shown:[t] next:[n]
CardsBuried 1 seat n:n seat:n cards:[t]
CardsDrawn 1 seat seat:n count:n
StockTaken 1 seat seat:n count:n next:[n]
CardsTaken 1 seat n:n seat:n cards:[t]
TrumpPitched 1 seat seat:n suit:t card:t
CardPlayed 1 seat seat:n card:t next:[n]
TrickTaken 1 server hand:n trick:n seat:n plays:[Play] kept:[Play] next:[n]
HandScored 1 server hand:n pegs:[Peg] counts:[n] made:b? changes:[n] scores:[n] tricks:[n] bids:[n?]
RulesChanged 1 any rules:Rules summary:RulesSummary cause:t n:n? label:t? pick:n? of:n? next:[n]
RulesChangeDeferred 1 any rules:Rules summary:RulesSummary cause:t n:n? label:t? pick:n? of:n?
BidScaled 1 server seat:n before:n after:n
PartnersChanged 1 server bidder:n? partner:n? sides:[[n]]
DelayCalled 1 seat seat:n accused:n waited_ms:n
DelayVoted 1 seat seat:n guilty:b
DelayJudged 1 server accused:n guilty:b scores:[n]
DelayDropped 1 server seat:n accused:n
UndoAsked 1 seat seat:n to_version:n
UndoAnswered 1 seat seat:n accept:b
MovesTakenBack 2 server seat:n to_version:n next:[n] begins_turn:b+2
DrawProposed 1 seat seat:n
DrawAnswered 1 seat seat:n accept:b
SeatResigned 1 seat seat:n
SeatForfeited 2 server seat:n reason:t held_ms:n+2
TurnReminded 2 server seat:n held_ms:n+2
TurnTimed 1 server seat:n left_ms:n closed:[[t]] held_ms:n deadline:t
TimeClaimed 1 seat seat:n late:n
HandoverAsked 1 seat seat:n to:t kind:t bot:t?
HandoverAnswered 1 seat seat:n accept:b
SeatHandedOver 1 server seat:n from:t to:t kind:t bot:t?
SeatReturned 1 player seat:n to:t
DisputeOpened 1 anyholder dispute:n seat:n hand:n at_version:n kind:t note:t
DisputeWithdrawn 1 anyholder dispute:n seat:n
RulingGiven 3 arbiter dispute:n decision:t changes:[n] basis:t? standard:t evidence:Evidence note:t voids:n? ruled:Ruled? drops_call:b+2 appeal_until:t?+3
RulingAppealed 1 anyholder dispute:n seat:n
RulingDecided 1 arbiter dispute:n decision:t ruled:Ruled?
GameEnded 1 server reason:t winners:[n] scores:[n] n:n? label:t? ruled:Ruled?
Rules - - variant:t seats:[n] jokers:b hand_sizes:[n] ranks:[t] first_dealer:t partners:t auction:Auction trump:t follow:t points:[Point] settle:t ending:t goal:n? sights:[t] seating:t misdeal:[t] fill:t kept_cards:n version:t off:[t] dirty:b reverse:b keeps:b joker_order:t call:t won_face_down:b tally:t worth:t credit:t defenders:t double:t changes:Changes delay:Delay? stop:t removed:[t]+2 kitty:n+2 throw:t+2 most_thrown:n?+2 opening_lead:t+2 miss:t+2 fixed_trump:t?+2 joker_count:n+2 quirks:[t]+2 rules_v:n
Auction - - bids:[n] of:t least:n contract:b rising:b passing:b hook:b zero_passes:b around:t dealer:t all_pass:t moon:t+2
Point - - name:t award:t worth:n rank:t? off:b needs:[t]
Changes - - menu:[t] versions:[Version] randomizer:Randomizer? host:b scaling:t hold:t
Version - - name:t points:[Point] off:[t]
Randomizer - - when:[n] end:[n]?
Delay - - after_ms:n costs:n
Player - - player:t kind:t bot:t?
Timing - - nag_days:n? forfeit_days:n? total_days:n? ends_at:t? pace:TurnPace?+2
TurnPace - - kind:t base_s:n? move_s:n? increment_s:n? auction_s:n? cap_s:n?
Fairness - - cuts:t window_s:n? beacon:t?+3
GameLimits - - events:n proposals:n
Rating - - counts:b reason:t
Watch - - public:b delay:n
Play - - seat:n card:t
Peg - - point:t worth:n seat:n card:t? credited:b
RulesSummary - - points:t dirty:b reverse:b partners:t
Evidence - - size:n root:t
Ruled - - scores:[n] winners:[n]
`;

const ENVELOPE = "Event - - at:t by:t command:t data:o fact:t game:t salt:t seen_by:[n]? v:n version:n";
const TABLE = parse(`${FACTS}${ENVELOPE}`);

// Return the newest version of a fact; undefined if there is no such fact.
export function newestVersion(fact) {
  return TABLE.get(fact)?.version;
}

// Return what is wrong with the fields of an event, as {says, readable}, or null. If only fields are too many, the others
// are readable.
export function envelopeFault(event) {
  return checkRecord("Event", event, "", 1, "an event");
}

// Do the same with the data of a fact of a known version.
export function fieldFault(fact, version, data) {
  return fits(data, fact, "", version, `${fact} of version ${version}`);
}

function parse(text) {
  const rows = text.trim().split("\n").map((row) => row.split(" "));
  const specOf = (version, author, fields) => ({ version: Number(version) || undefined, author, fields: fields.map(fieldOf) });
  return new Map(rows.map(([name, version, author, ...fields]) => [name, specOf(version, author, fields)]));
}

function fieldOf(word) {
  const [name, rest] = word.split(":");
  const [kind, since] = rest.split("+");
  return { name, kind, since: Number(since ?? 1) };
}

function checkRecord(record, value, path, versionOfFact, of) {
  const version = record === "Rules" && Number.isInteger(value.rules_v) ? value.rules_v : versionOfFact;
  const due = TABLE.get(record).fields.filter(({ since }) => since <= version);
  const names = due.map(({ name }) => name);
  const missing = [...names].sort().find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return { says: `the field ${path}${missing} is missing`, readable: false };
  const extra = Object.keys(value).sort().find((name) => !names.includes(name));
  const faults = due.map(({ name, kind }) => fits(value[name], kind, `${path}${name}`, version, of)).filter(Boolean);
  if (extra !== undefined) faults.unshift({ says: `it has a field ${path}${extra}, which ${of} doesn't have`, readable: true });
  return worst(faults);
}

function worst(faults) {
  return faults.find(({ readable }) => !readable) ?? faults[0] ?? null;
}

function fits(value, kind, path, version, of) {
  if (kind.endsWith("?")) return value === null ? null : fits(value, kind.slice(0, -1), path, version, of);
  if (kind.startsWith("[") && Array.isArray(value))
    return worst(value.map((each) => fits(each, kind.slice(1, -1), path, version, of)).filter(Boolean));
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (TABLE.has(kind) && isObject) return checkRecord(kind, value, path && `${path}.`, version, of);
  const types = { n: Number.isSafeInteger(value), t: typeof value === "string", b: typeof value === "boolean" };
  return { ...types, o: isObject }[kind] ? null : { says: `the field ${path || "data"} has another type`, readable: false };
}

const SERVER = "server";
const SECRET = new Set(["SeedKept", "CardsDealt", "StockLaid", "CardsBuried", "CardsTaken"]);
const OF_NO_SEAT = new Set(["SeedKept", "StockLaid"]);

// Check that the author may write such a fact. A fact by its seat's player is by the one who holds the seat then.
export function checkAuthor(table, { fact, by, data }) {
  const isSeated = table.players.some(({ player }) => player === by);
  const holder = () => table.players[data.seat].player;
  const fits = {
    opener: () => by !== "",
    server: () => by === SERVER,
    seat: () => by === SERVER || by === holder(),
    bringer: () => by === SERVER || isSeated,
    player: () => by === data.to,
    anyholder: () => [holder(), ...(table.earlier.get(data.seat) ?? [])].includes(by),
    arbiter: () => by !== SERVER && !table.sat.has(by),
    any: () => (data.cause === "host" ? by === table.host && isSeated : by === SERVER),
  };
  if (!fits[TABLE.get(fact).author]()) table.says(`${by} can't be the author of this ${fact}`);
}

// Check who sees an event: all, or for secret facts nobody, the seat alone, or all others if the rules say so.
export function checkAudience(table, { fact, data, seen_by: seen }) {
  if (SECRET.has(fact) !== (seen !== null))
    return table.says(`it is for ${seen === null ? "everybody" : "some seats"}, but ${fact} isn't`);
  if (seen === null || !table.opening) return;
  const due = OF_NO_SEAT.has(fact) ? [] : seatsThatSee(table, data.seat);
  if (!same(seen, due)) table.says(`seats ${list(seen)} see it, but ${fact} is for seats ${list(due)}`);
}

function seatsThatSee({ opening, deal, seats }, seat) {
  const { sights } = opening.rules;
  const sight = sights[Math.min(deal?.hand ?? 1, sights.length) - 1];
  return sight === "others" ? [...Array(seats).keys()].filter((each) => each !== seat) : [seat];
}
