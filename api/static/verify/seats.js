// Seats that change hands: everybody else agrees first, and only a player who lent a seat takes it back
// (docs/rules/common.md, R-P13 and R-P14).

import { checkTakenInTime } from "./clocks.js";
import { checkDrawAnswered, checkDrawProposed, checkUndoAnswered, checkUndoAsked } from "./hands.js";

export const SEATS = {
  HandoverAsked(table, { seat, to, kind, bot }) {
    if (!persons(table).includes(seat)) table.says(`seat ${seat} asks to hand itself over, but no person plays it`);
    if (table.question) table.says("another hand-over is still being asked about");
    if (table.sat.has(to)) table.says(`seat ${seat} is to go to ${to}, who has or had a seat in this game`);
    if (!["human", "bot"].includes(kind) || (kind === "bot") !== (bot !== null))
      table.says(`a player of the kind ${kind} can't have the strategy ${bot}`);
    if (isDealPending(table)) table.says("a hand-over is asked for while a deal is pending");
    propose(table, seat);
    table.question = { seat, to, kind, bot, agreed: [seat] };
  },

  HandoverAnswered(table, { seat, accept }) {
    const { question } = table;
    if (!question || question.agreed.includes(seat) || !persons(table).includes(seat))
      table.says(`seat ${seat} has no question about a hand-over to answer`);
    if (question) table.question = accept ? { ...question, agreed: [...question.agreed, seat] } : null;
  },

  SeatHandedOver(table, { seat, from, to, kind, bot }, { at }) {
    const { question } = table;
    const byClock = isTakenByClock(table, seat);
    if (byClock) checkTakenByClock(table, { seat, to, kind, bot }, at);
    else if (!isAgreed(table) || leavesNobody(table))
      table.says(`seat ${seat} is handed over, but not every other person agreed to it, or a deal is pending`);
    else if ([question.seat, question.to, question.kind, question.bot].join() !== [seat, to, kind, bot].join())
      table.says(`seat ${seat} goes to ${to}, but the question was about seat ${question.seat} and ${question.to}`);
    if (from !== table.players[seat].player)
      table.says(`seat ${seat} comes from ${from}, but ${table.players[seat].player} holds it`);
    table.lent.set(seat, [...(table.lent.get(seat) ?? []), from]);
    table.sat.add(to);
    seatPlayer(table, seat, { player: to, kind, bot });
    if (question?.seat === seat) table.question = null;
  },

  SeatReturned(table, { seat, to }) {
    const { question } = table;
    const lenders = table.lent.get(seat) ?? [];
    if (table.left.has(seat)) table.says(`seat ${seat} is returned, but it has left the game`);
    if (!lenders.includes(to)) table.says(`seat ${seat} is returned to ${to}, who did not hand it over`);
    if (isDealPending(table)) table.says(`seat ${seat} is returned while a deal is pending`);
    if (lenders.includes(to)) table.lent.set(seat, lenders.slice(0, lenders.indexOf(to)));
    seatPlayer(table, seat, { player: to, kind: "human", bot: null });
    if (question?.seat === seat) table.question = null;
    else if (question) table.question = { ...question, agreed: question.agreed.filter((each) => each !== seat) };
  },

  SeatResigned: leave,

  SeatForfeited(table, fact) {
    if (fact.reason === "handover") checkForfeit(table, fact);
    leave(table, fact);
  },

  UndoAsked(table, fact) {
    propose(table, fact.seat);
    checkUndoAsked(table, fact);
  },

  UndoAnswered: checkUndoAnswered,

  DrawProposed(table, fact) {
    propose(table, fact.seat);
    checkDrawProposed(table, fact);
  },

  DrawAnswered: checkDrawAnswered,
};

// Count a proposal of a seat in this hand, and check the limit of the game.
export function propose(table, seat) {
  const made = table.proposals.get(seat) ?? 0;
  const most = table.opening.limits?.proposals ?? null;
  if (most !== null && made >= most)
    table.says(`seat ${seat} makes proposal ${made + 1} of this hand, but may make ${most}`);
  table.proposals.set(seat, made + 1);
}

// Check that nothing else happens once everybody agreed: the hand-over, or the forfeit in its place, is due.
export function checkHandoverDue(table, fact) {
  if (!isAgreed(table) || OTHERS.has(fact)) return;
  const due = leavesNobody(table) ? "SeatForfeited" : "SeatHandedOver";
  if (fact === due) return;
  table.says(`it's ${fact}, but must be ${due}`);
  table.question = null;
}

// Facts that come first: the rest of a deal, and the end of the game.
const OTHERS = new Set([
  ...["CardsDealt", "StockLaid", "TrumpTurnedUp", "MisdealDeclared"],
  ...["CeremonyRevealed", "CeremonyVoided", "GameEnded"],
]);

// Return whether the clock hands the seat over: the table hasn't agreed to it, whether or not it was asked.
function isTakenByClock(table, seat) {
  const isAsked = table.question?.seat === seat && isAgreed(table);
  return (table.opening.autopilot ?? "forfeit").startsWith("bot:") && !isAsked;
}

// Check that the clock hands the seat of a person to the table's bot, and that another person stays.
function checkTakenByClock(table, { seat, to, kind, bot }, at) {
  checkTakenInTime(table, seat, at);
  if (kind !== "bot" || `bot:${bot}` !== table.opening.autopilot)
    table.says(`the clock hands seat ${seat} to ${to}, but the autopilot is ${table.opening.autopilot}`);
  if (!persons(table).some((each) => each !== seat) || !persons(table).includes(seat))
    table.says(`the clock takes seat ${seat}, but no other person is at the table`);
  if (table.sat.has(to)) table.says(`seat ${seat} is to go to ${to}, who has or had a seat in this game`);
}

function checkForfeit(table, { seat, held_ms: held }) {
  if (!isAgreed(table) || !leavesNobody(table) || table.question.seat !== seat || held)
    table.says(`seat ${seat} forfeits for "handover", but its player isn't the last person at the table`);
}

function isAgreed(table) {
  const { question } = table;
  return (
    Boolean(question) && !isDealPending(table) && persons(table).every((seat) => question.agreed.includes(seat))
  );
}

function leavesNobody(table) {
  const { kind, seat } = table.question;
  return kind !== "human" && persons(table).join() === String(seat);
}

function persons(table) {
  return table.persons().map(Number);
}

// Tell whether a ceremony is open that hasn't dealt or drawn anything yet.
function isDealPending({ ceremonies }) {
  return [...ceremonies.values()].some(({ dealt, closed }) => !dealt && !closed);
}

function seatPlayer(table, seat, player) {
  table.earlier.set(seat, [...(table.earlier.get(seat) ?? []), table.players[seat].player]);
  table.players = table.players.map((each, at) => (at === seat ? player : each));
  table.promised.delete(String(seat));
}

function leave(table, { seat }) {
  if (table.left.has(seat)) table.says(`seat ${seat} has left before`);
  table.left.add(seat);
  if (table.question?.seat === seat) table.question = null;
}
