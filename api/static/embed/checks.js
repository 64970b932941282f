// The check of an embedded hand in the reader's browser: the deal from its seed, and the record of the whole game.

import { define, t } from "../base/messages.js";

const MOST = 3; // causes that are shown

// Return { look, title, lines } of the check. `look` is "right", "wrong" or "" if it can't be made.
export async function checkHand(hand, record) {
  if (!globalThis.crypto?.subtle) return { look: "", title: t("embed.check.cannot"), lines: [t("embed.check.insecure")] };
  try {
    const { checkGame } = await import("../check/check.js");
    return resultOf(hand, await checkGame(record));
  } catch (error) {
    return { look: "wrong", title: t("embed.check.wrong"), lines: [error.message] };
  }
}

async function resultOf({ deal, view }, { report, record, causes, states }) {
  const isOther = report.game !== view.id;
  const isRight = !isOther && states.get(deal.n) === "right";
  if (causes.length || !isRight) return wrong(causes, record, isOther ? "embed.check.other" : causes.length ? null : "embed.check.deck");
  const { grade, cuts } = report.hands.find(({ n }) => n === deal.n);
  const lines = [
    cuts.length ? t("embed.check.deal", { grade, count: cuts.length }) : t("embed.check.deal.uncut", { grade }),
    t("embed.check.log", { count: report.size }) + (report.withheld ? ` ${t("embed.check.withheld", { count: report.withheld })}` : ""),
    t("embed.check.sums"),
    t("embed.check.open") + (report.unsigned.length ? ` ${t("embed.check.unsigned")}` : ""),
  ];
  return { look: "right", title: t("embed.check.right"), lines };
}

async function wrong(causes, record, why) {
  const { causeText } = await import("../audit/cause-list.js");
  const { seatNames } = await import("../audit/names.js");
  const shown = causes.slice(0, MOST).map((cause) => causeText(cause, record, seatNames(record)));
  const rest = causes.length - shown.length;
  return { look: "wrong", title: t("embed.check.wrong"), lines: [...(why ? [t(why)] : []), ...shown, ...(rest ? [t("embed.check.more", { count: rest })] : [])] };
}

define({
  "embed.check.cannot": "Not checked",
  "embed.check.deal": {
    one: "The deal: the shuffle follows from the seed that the server had promised before, and from the cut of one player. Its grade is {grade}.",
    other: "The deal: the shuffle follows from the seed that the server had promised before, and from the cuts of {count} players. Its grade is {grade}.",
  },
  "embed.check.deal.uncut": "The deal: the shuffle follows from the seed that the server had promised before. Nobody cut it, so its grade is {grade}.",
  "embed.check.deck": "The cards of this hand don't follow from the published seed.",
  "embed.check.insecure": "This browser has its means to check only on https pages.",
  "embed.check.log": { one: "The log: its one event is whole and in its place.", other: "The log: all {count} events are linked, whole and in their place." },
  "embed.check.more": { one: "And one more thing.", other: "And {count} more things." },
  "embed.check.mismatch": "The table that the server shows isn't the one of the record.",
  "embed.check.open": "Not checked: whether each card followed the rules of the game, and whether the server shows the same record to everybody.",
  "embed.check.other": "The record is that of another game.",
  "embed.check.right": "Checked in your browser: deal and log",
  "embed.check.running": "Your browser checks deal and log …",
  "embed.check.sums": "The sums: cards, tricks and scores add up.",
  "embed.check.unsigned": "The signatures of the public beacon aren't checked either: trickbook game verify does that.",
  "embed.check.withheld": { one: "One is hidden until its hand is over.", other: "{count} are hidden until their hand is over." },
  "embed.check.wrong": "Something is wrong with this game",
});
