// The clock of each turn: the time that a seat starts with, the deadline that follows, and what a deadline brings about;
// and the end of a game by time (docs/verify-a-hand.md, R-P10 and R-P15 to R-P18). Whose turn it is stands in `next` of
// the facts.

const LEAST_MS = 10_000; // no turn starts with less, but after an undo of version 1
const DAY_US = 86_400_000_000;
const MOVES = new Set(["BidMade", "BidPassed", "TrumpNamed", "CardsDiscarded", "CardPlayed"]);
const ENDS_OF_TURNS = new Set(["MisdealDeclared", "HandThrownIn", "HandScored", "GameEnded"]);
// Unless they name other seats, or say that a turn begins
const KEEPS_TURN = new Set(["RulesChanged", "PartnerCalled", "MovesTakenBack"]);
const CLOSES_GAME = new Set(["CeremonyRevealed", "CeremonyVoided", "GameEnded"]);

// The clocks before the first event: `running` is {fact, began, since}, `banks` what each seat had left when its last
// clock stopped, `undone` the version of the last undo that began a turn, `short` that it's of version 1, `back` when a
// bot gave a seat back.
const START = {
  ...{ at: "", awaited: [], turn: [], since: "", began: 0, running: null, banks: {}, undone: 0, short: false, back: {} },
  ...{ heldMs: 0, calls: 0, won: false },
};

// Check an event against the clocks before it, and move them on.
export function followClocks(table, event) {
  table.clocks ??= [START];
  const before = table.clocks.at(-1);
  table.clocksBefore = before;
  if (table.opening) check(table, before, event);
  const after = { ...before, at: event.at };
  if (table.opening) Object.assign(after, changes(table, before, event));
  while (table.clocks.length < event.version) table.clocks.push(before); // withheld lines change no clock
  table.clocks[event.version] = after;
}

function changes(table, before, { fact, data, at, version }) {
  if (fact === "TurnTimed")
    return { running: { fact: data, began: before.began, since: countsSince(table, before, data.seat) } };
  if (fact === "TurnReminded") return { heldMs: data.held_ms ?? 0 };
  if (fact === "RulingGiven")
    return table.deal && data.voids === table.deal.n
      ? { ...(table.deal.over ? {} : { turn: [] }), ...stop(before, at) }
      : {};
  if (fact === "SeatReturned")
    return table.players[data.seat].kind === "bot" ? { back: { ...before.back, [data.seat]: at } } : {};
  if (fact === "SeatHandedOver")
    return data.kind === "bot" && before.running?.fact.seat === data.seat ? stop(before, at) : {};
  return { ...auction(table, fact, data, before), ...turn(table, before, { fact, data, at, version }) };
}

function turn(table, before, { fact, data, at, version }) {
  const next = data.next ?? null;
  if (next === null) return ENDS_OF_TURNS.has(fact) ? { turn: [] } : {};
  const sameSeats = !next.length || next.join() === before.awaited.join();
  if (KEEPS_TURN.has(fact) && !data.begins_turn && sameSeats) return { turn: next };
  const begun = { turn: next, awaited: next.length ? next : before.awaited, since: at, began: version, heldMs: 0 };
  Object.assign(begun, stop(before, at));
  return fact === "MovesTakenBack" ? { ...begun, ...banksBefore(table, data, version) } : begun;
}

function auction(table, fact, data, before) {
  if (fact === "HandDealt") return { calls: 0, won: false };
  if (fact === "BidMade" || fact === "BidPassed") return { calls: before.calls + 1 };
  if (fact === "AuctionWon") return { won: true };
  const then = fact === "MovesTakenBack" ? table.clocks[data.to_version] : null;
  return then ? { calls: then.calls, won: then.won } : {};
}

function stop({ running, banks }, at) {
  return running ? { running: null, banks: { ...banks, [running.fact.seat]: timeLeft(running, at) } } : {};
}

// Return what every seat had left when the seat moved whose move is taken back.
function banksBefore(table, { to_version: to, begins_turn: isFull = false }, version) {
  const [then, after] = [table.clocks[to], table.clocks[to + 1]];
  if (!then) return {};
  const moved = then.running && after ? { [then.running.fact.seat]: timeLeft(then.running, after.at) } : {};
  return { banks: { ...then.banks, ...moved }, undone: version, short: !isFull };
}

function timeLeft({ fact, since }, at) {
  const [begin, now] = [microseconds(since), microseconds(at)];
  const open = now - begin - fact.closed.reduce((sum, pair) => sum + overlap(pair.map(microseconds), begin, now), 0);
  const used = Math.max(0, Math.floor(open / 1000));
  return Math.min(fact.left_ms, Math.max(0, fact.left_ms + fact.held_ms - used));
}

const overlap = ([from, to], begin, now) => Math.max(0, Math.min(now, to) - Math.max(begin, from));

function check(table, before, { fact, data, at }) {
  const due = deadline(table, before);
  if (!table.ended) checkEndTime(table, due, { fact, data, at });
  const person = awaitedPerson(table, before);
  if (fact === "TurnTimed") checkTimed(table, before, data, at);
  else if (fact === "TurnReminded") checkReminded(table, before, data, at);
  else if (fact === "DelayCalled") checkWaited(table, before, data, at);
  else if (fact === "SeatForfeited" && data.reason !== "handover") {
    checkLate(table, before, data.seat, deadline(table, before, data.held_ms ?? 0), at);
    checkHeldInTurn(table, before, data, at);
    const due = table.opening.autopilot === "claim" ? "claimed" : "time";
    if (data.reason !== due) table.says(`seat ${data.seat} forfeits for "${data.reason}", but must forfeit for "${due}"`);
  } else if (fact === "TimeClaimed") {
    if (table.opening.autopilot !== "claim" || data.late !== person || data.late === data.seat)
      table.says(`seat ${data.seat} can't claim the time of seat ${data.late} now`);
  } else if (MOVES.has(fact) && data.seat === person) {
    if (paceOf(table) && !clockOfTurn(table, before))
      table.says(`seat ${person} moves, but its clock was not started`);
    if (due !== null && at >= due && table.opening.autopilot !== "claim")
      table.says(`it comes at ${at}, but seat ${person} ran out of time at ${due}`);
  }
}

// Check that a game ends by time when it had to, and that nothing else comes then. The hand in play may be played out,
// and what was due first happens first: a seat that ran out of time before the end.
function checkEndTime(table, due, { fact, data, at }) {
  const end = endTime(table);
  const isPlayedOut = table.opening.rules.stop === "after_hand" && table.deal && !table.deal.over;
  if (fact === "GameEnded" && data.reason === "time") {
    if (end === null || at < end)
      table.says(`the time is up at ${at}, but the game had ${end === null ? "no time limit" : `to end at ${end}`}`);
    if (isPlayedOut) table.says("the time is up in the middle of a hand, but the rules play the hand out");
  } else if (end !== null && at >= end && !isPlayedOut && !CLOSES_GAME.has(fact)) {
    const isSeatFirst = due !== null && due < end && table.opening.autopilot !== "claim";
    if (!isSeatFirst) table.says(`it comes at ${at}, but the game had to end by ${end}`);
  }
}

// Return when the game had to end: the earlier of its set time and its number of days; null if it never had to.
function endTime({ opening, clocks }) {
  const { total_days: days = null, ends_at: set = null } = opening.timing;
  if (days === null) return set;
  const last = moment(microseconds(clocks[1].at) + days * DAY_US);
  return set !== null && set < last ? set : last;
}

// Check that the clock takes the seat of a person to move whose time is over. SeatHandedOver doesn't say how long the
// clock was held.
export function checkTakenInTime(table, seat, at) {
  checkLate(table, table.clocksBefore, seat, deadline(table, table.clocksBefore), at);
}

function checkLate(table, before, seat, due, at) {
  if (seat !== awaitedPerson(table, before))
    table.says(`seat ${seat} runs out of time, but is not a person to move`);
  else if (due === null || at < due)
    table.says(`seat ${seat} runs out of time at ${at}, but had ${due === null ? "no time limit" : `until ${due}`}`);
}

function checkReminded(table, before, { seat, held_ms: held }, at) {
  const days = table.opening.timing.nag_days;
  const due = days === null ? null : moment(microseconds(countsSince(table, before, seat)) + days * DAY_US);
  const end = deadline(table, before);
  checkHeldInTurn(table, before, { seat, held_ms: held }, at);
  if (seat !== awaitedPerson(table, before))
    table.says(`seat ${seat} is reminded, but is not a person to move`);
  else if ((due === null || at < due) && (end === null || at < end))
    table.says(`seat ${seat} is reminded at ${at}, but ${due === null ? "no reminder is due" : `only ${due} is due`}`);
}

// Check that a seat whose turn it is is called, and how long it has taken so far.
function checkWaited(table, { turn, since }, { accused, waited_ms: waited }, at) {
  const due = since ? Math.floor((microseconds(at) - microseconds(since)) / 1000) : null;
  if (!turn.includes(accused) || waited !== due)
    table.says(`seat ${accused} is recorded to have taken ${waited} ms, but ${turn.includes(accused) ? `it took ${due} ms` : "it is not to move"}`);
}

// Check that the clock wasn't held for longer than the turn lasted, nor for less than the log said before.
function checkHeldInTurn(table, before, { seat, held_ms: held = 0 }, at) {
  const clock = clockOfTurn(table, before);
  const lasted = Math.floor((microseconds(at) - microseconds(countsSince(table, before, seat) || at)) / 1000);
  if (clock ? held !== clock.fact.held_ms : held < before.heldMs || held > lasted)
    table.says(`the clock is recorded to have been held for ${held} ms in this turn, but that can't be`);
}

function checkTimed(table, before, fact, at) {
  const pace = paceOf(table);
  if (!pace || fact.seat !== awaitedPerson(table, before))
    return table.says(`the turn of seat ${fact.seat} is timed, but ${pace ? "it is not to move" : "no clock runs"}`);
  const running = clockOfTurn(table, before);
  const expected = running ? running.fact.left_ms : startMs(table, before, pace, fact.seat);
  if (fact.left_ms !== expected)
    table.says(`seat ${fact.seat} starts its turn with ${fact.left_ms} ms, but has ${expected} ms`);
  checkHeld(table, running, fact, at);
  checkDeadline(table, before, fact, pace);
}

function startMs(table, { banks, undone, short, began, calls, won }, pace, seat) {
  const left = banks[seat] ?? null;
  if (left !== null && undone === began) return short ? left : Math.max(LEAST_MS, left);
  const isAuction = calls < table.seats || (table.opening.rules.auction.contract && !won);
  const more = (isAuction ? pace.auction_s : null) ?? (pace.kind === "live" ? pace.increment_s : pace.move_s) ?? 0;
  if (pace.kind === "daily") return more * 1000;
  const total = more * 1000 + (left ?? (pace.base_s ?? 0) * 1000);
  return Math.max(LEAST_MS, Math.min(total, (pace.cap_s ?? Infinity) * 1000));
}

function checkHeld(table, running, { held_ms: held }, at) {
  const known = running?.fact.held_ms ?? 0;
  const lasted = running ? Math.floor((microseconds(at) - microseconds(running.since)) / 1000) : 0;
  if (running ? !(known < held && held <= lasted) : held)
    table.says(`the clock is recorded to have been held for ${held} ms, but that can't be`);
}

// Check that the deadline comes when the time has passed that isn't closed.
function checkDeadline(table, before, fact, pace) {
  const begin = microseconds(countsSince(table, before, fact.seat));
  const spans = fact.closed.map((pair) => pair.map(microseconds));
  const inOrder = spans.every(([from, to], at) => from < to && (at === 0 ? from >= begin : from > spans[at - 1][1]));
  if (!inOrder || (spans.length && pace.kind === "live"))
    return table.says("the closed times can't be those of this turn");
  let due = begin + (fact.left_ms + fact.held_ms) * 1000;
  for (const [from, to] of spans) {
    if (from >= due) table.says(`a closed time begins at ${moment(from)}, after the deadline`);
    due += to - from;
  }
  if (fact.deadline !== moment(due)) table.says(`the deadline is ${fact.deadline}, but follows to be ${moment(due)}`);
}

const paceOf = ({ opening }) => opening.timing.pace ?? null;

// Return the seat to move if a person plays it who hasn't left; otherwise null.
function awaitedPerson({ left, players }, { turn }) {
  return turn.find((seat) => !left.has(seat) && players[seat].kind === "human") ?? null;
}

// Return when the time of the turn began to run: with the turn, or when a bot gave the seat back.
function countsSince(table, { since, back }, seat) {
  if (seat === null || (!paceOf(table) && !(table.opening.autopilot ?? "").startsWith("bot:"))) return since;
  return since > (back[seat] ?? "") ? since : back[seat];
}

// Return the clock of the turn; null if it doesn't run yet.
function clockOfTurn(table, clocks) {
  const [{ running }, seat] = [clocks, awaitedPerson(table, clocks)];
  const isOfTurn = running && running.fact.seat === seat && running.began === clocks.began;
  return isOfTurn && running.since === countsSince(table, clocks, seat) ? running : null;
}

// Return the time until which the person to move could move; null if there is none.
function deadline(table, clocks, heldMs = clocks.heldMs) {
  const running = clockOfTurn(table, clocks);
  if (running) return running.fact.deadline;
  const days = table.opening.timing.forfeit_days ?? null;
  const seat = awaitedPerson(table, clocks);
  if (days === null || seat === null) return null;
  return moment(microseconds(countsSince(table, clocks, seat)) + days * DAY_US + heldMs * 1000);
}

// Return a time as a number of microseconds: below 2^53 for centuries.
function microseconds(text) {
  const [, whole, part] = /^(.{19})\.([0-9]{6})Z$/.exec(text) ?? [];
  const ms = Date.parse(`${whole}Z`);
  if (Number.isNaN(ms)) throw new RangeError(`${text} isn't a time`);
  return ms * 1000 + Number(part);
}

function moment(us) {
  const ms = Math.floor(us / 1_000_000) * 1000;
  return `${new Date(ms).toISOString().slice(0, 19)}.${String(us - ms * 1000).padStart(6, "0")}Z`;
}
