// Disputes: a ruling quotes a root of this log; ruled scores are the played scores and the changes of rulings in force.

import { isHash, list, same } from "./deals.js";

const KINDS = ["revoke", "deal", "score", "turn", "delay", "rules", "consent", "conduct", "other"];

export const DISPUTES = {
  DisputeOpened(table, { dispute, seat, hand, at_version: at, kind, note }, { by }) {
    const due = table.disputes.size + 1;
    if (dispute !== due) table.says(`it is dispute ${dispute}, but dispute ${due} is due`);
    if (at >= table.version) table.says(`it contests event ${at}, which isn't an earlier event`);
    const begun = table.begun.get(hand) ?? Infinity;
    if (at < begun) table.says(`it contests hand ${hand} at event ${at}, but that hand hadn't begun`);
    if (!KINDS.includes(kind)) table.says(`"${kind}" isn't a kind of dispute`);
    checkNote(table, note);
    table.disputes.set(dispute, null);
    table.openers.set(dispute, { seat, by });
  },

  DisputeWithdrawn(table, { dispute, seat }, { by }) {
    const opener = table.openers.get(dispute);
    if (table.disputes.get(dispute) !== null) table.says(`dispute ${dispute} isn't waiting for a ruling`);
    if (seat !== opener?.seat || by !== opener?.by) table.says(`another player opened dispute ${dispute}`);
    table.disputes.set(dispute, false);
  },

  RulingGiven(table, fact, { by, at, v }) {
    const { dispute, changes, evidence, voids, ruled, drops_call: drops = voids !== null } = fact;
    if (table.disputes.get(dispute) !== null) table.says(`dispute ${dispute} isn't waiting for a ruling`);
    if (evidence.size >= table.version || table.roots[evidence.size] !== evidence.root) {
      table.says(`its evidence is a log of ${evidence.size} events that isn't the start of this log`);
    }
    table.disputes.set(dispute, changes);
    table.appealsUntil.set(dispute, fact.appeal_until ?? null);
    if (v > 2 && !(fact.appeal_until > at)) table.says("it can't be appealed at any time after it");
    checkRuling(table, fact);
    table.arbiters.add(by);
    if (voids !== null) voidHand(table, voids);
    noteVoid(table, voids, drops);
    checkRuledScores(table, ruled);
  },

  RulingAppealed(table, { dispute }, { at }) {
    const until = table.appealsUntil.get(dispute) ?? null;
    if (until !== null && at >= until) table.says(`the ruling on dispute ${dispute} could be appealed until ${until}`);
    if (!table.disputes.get(dispute)) table.says(`dispute ${dispute} has no ruling to appeal`);
  },

  RulingDecided(table, { dispute, decision, ruled }) {
    if (!table.disputes.get(dispute)) table.says(`dispute ${dispute} has no ruling to decide on`);
    if (!["upheld", "reversed"].includes(decision)) table.says(`an appeal is decided as "${decision}"`);
    if (decision === "reversed") table.disputes.set(dispute, []);
    checkRuledScores(table, ruled);
  },
};

function checkRuling(table, { decision, changes, standard, note, voids, drops_call: drops }) {
  if (!["none", "adjust", "void"].includes(decision)) table.says(`"${decision}" isn't a decision of an arbiter`);
  if (decision === "none" && changes.some((change) => change)) table.says("it lets the result stand, but changes scores");
  if (!["recorded", "likely"].includes(standard)) table.says(`"${standard}" isn't a standard of proof`);
  if (voids !== null && decision !== "void") table.says("it ends a hand, but isn't void");
  if (drops) table.says("it drops a delay call itself, as only rulings of version 1 did");
  checkNote(table, note);
}

function checkNote(table, note) {
  if (!isHash(note)) table.says("its note isn't 32 bytes in hex");
}

// End the live hand: the same dealer deals it again. A deal that waits for cuts gets a new ceremony and is still due.
function voidHand(table, n) {
  const { deal } = table;
  if (awaitsCuts(table.ceremonies.get(n))) return;
  if (!deal || deal.over || deal.n !== n)
    return table.says(`it voids the hand of ceremony ${n}, which isn't in play`);
  table.proposal = null;
  table.endDeal("voided", { hand: deal.hand, redeal: deal.redeal + 1, dealer: deal.dealer });
}

function awaitsCuts(ceremony) {
  return Boolean(ceremony) && !ceremony.dealt && !ceremony.closed && ceremony.opened.subject.startsWith("deal ");
}

// Check the ruled scores: `ruled` is null if no ruling in force changes a score.
export function checkRuledScores(table, ruled) {
  const { disputes, scores } = table;
  const moves = scores.map((_, seat) =>
    [...disputes.values()].reduce((sum, changes) => sum + (changes?.[seat] ?? 0), 0),
  );
  const due = moves.some((move) => move) ? scores.map((score, seat) => score + moves[seat]) : null;
  const recorded = ruled?.scores ?? null;
  const text = (scores, missing) => (scores ? list(scores) : missing);
  if (!same(recorded, due))
    table.says(`the ruled scores are ${text(recorded, "missing")}, but ${text(due, "none")} are due`);
}

// Calls of delay of game: one is open at a time, and a ruling that ends its hand drops it (docs/rules/corellian.md,
// R-C39).

export const DELAYS = {
  DelayCalled(table, { seat, accused }) {
    if (table.call) table.says("delay of game is called while another call is open");
    if (seat === accused) table.says(`seat ${seat} calls delay of game on itself`);
    table.call = { seat, accused, n: table.deal?.n ?? null, voted: [seat, accused] };
  },

  DelayVoted(table, { seat }) {
    const { call } = table;
    if (!call || call.voted.includes(seat)) table.says(`seat ${seat} has no delay call to vote on`);
    if (call) table.call = { ...call, voted: [...call.voted, seat] };
  },

  DelayDropped(table, { seat, accused }) {
    const { call, dropsCall } = table;
    if (!call || !dropsCall) table.says("a delay call is dropped, but no ruling ended the hand of an open call");
    else if (call.seat !== seat || call.accused !== accused)
      table.says(
        `the call of seat ${seat} on seat ${accused} is dropped, but the open call is that of seat ${call.seat} on ` +
          `seat ${call.accused}`,
      );
    Object.assign(table, { call: null, dropsCall: false });
  },
};

// Note whether a ruling that ends the hand of ceremony `voids` must be followed by DelayDropped. A ruling of version 1
// drops any open call itself.
export function noteVoid(table, voids, dropsItself) {
  if (dropsItself) table.call = null;
  else table.dropsCall = voids !== null && table.call?.n === voids;
}

// Check that a call which a ruling drops is dropped directly after it.
export function checkDropDue(table, fact) {
  if (!table.dropsCall || fact === "DelayDropped") return;
  table.says(`it's ${fact}, but must be DelayDropped`);
  Object.assign(table, { call: null, dropsCall: false });
}
