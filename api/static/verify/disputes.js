// Disputes: a ruling quotes this very log, and scores as ruled are scores as played and the rulings in force.

import { list, same } from "./deals.js";

export const DISPUTES = {
  DisputeOpened(table, { dispute, at_version: at }) {
    const due = table.disputes.size + 1;
    if (dispute !== due) table.says(`it is dispute ${dispute} where dispute ${due} is due`);
    if (at >= table.version) table.says(`it contests event ${at}, which it does not come after`);
    table.disputes.set(dispute, null);
  },

  RulingGiven(table, { dispute, changes, evidence, voids, ruled }) {
    if (table.disputes.get(dispute) !== null) table.says(`dispute ${dispute} does not wait for a ruling`);
    if (evidence.size >= table.version || table.roots[evidence.size] !== evidence.root) {
      table.says(`it rests on a log of ${evidence.size} events which this log never was`);
    }
    table.disputes.set(dispute, changes);
    if (voids !== null) voided(table, voids);
    asRuled(table, ruled);
  },

  RulingAppealed(table, { dispute }) {
    if (!table.disputes.get(dispute)) table.says(`dispute ${dispute} has no ruling to appeal`);
  },

  RulingDecided(table, { dispute, decision, ruled }) {
    if (!table.disputes.get(dispute)) table.says(`dispute ${dispute} has no ruling to decide on`);
    if (decision === "reversed") table.disputes.set(dispute, []);
    asRuled(table, ruled);
  },
};

// The live hand ends and is dealt again by the same dealer; a deal that waits for cuts is promised anew, and still due.
function voided(table, n) {
  const { deal } = table;
  if (waits(table.ceremonies.get(n))) return;
  if (!deal || deal.over || deal.n !== n)
    return table.says(`it voids the hand of ceremony ${n}, which is not in play`);
  table.over("voided", { hand: deal.hand, redeal: deal.redeal + 1, dealer: deal.dealer });
}

function waits(ceremony) {
  return Boolean(ceremony) && !ceremony.dealt && !ceremony.closed && ceremony.opened.subject.startsWith("deal ");
}

// `ruled` is null where no ruling in force moves a score, else it has the scores.
export function asRuled(table, ruled) {
  const { disputes, scores } = table;
  const moves = scores.map((_, seat) =>
    [...disputes.values()].reduce((sum, changes) => sum + (changes?.[seat] ?? 0), 0),
  );
  const due = moves.some((move) => move) ? scores.map((score, seat) => score + moves[seat]) : null;
  const told = ruled?.scores ?? null;
  if (!same(told, due))
    table.says(`the scores as ruled are ${told ? list(told) : "none"} where ${due ? list(due) : "none"} are due`);
}
