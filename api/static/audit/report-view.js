// The report on a game: verdict, causes, what was checked and what wasn't, receipts, and the deals hand by hand.

import { h } from "../base/dom.js";
import { t } from "../base/messages.js";
import { causeList } from "./cause-list.js";
import { dealList } from "./deal-view.js";
import { checkList, grades, words } from "./marks.js";
import { receiptList } from "../receipts/receipt-list.js";

const WORDS = ["log", "hash", "root", "receipt", "seed", "cut", "export"];

// Return {look, title, text} of a checked game. `compared` counts what the reader kept; `hasKeys` says whether they gave keys.
export function verdictOf({ report, causes }, compared = 0, hasKeys = false) {
  if (report.ok === false) return { look: "wrong", title: t("verdict.wrong"), text: causesText(causes) };
  if (report.ok === null) return { look: "waits", title: t("verdict.undecided"), text: undecidedText(report) };
  const own = compared ? t("verdict.compared", { count: compared }) : t("verdict.alone");
  const ends = report.lineEnds ? ` ${t("verdict.line-ends", { how: report.lineEnds })}` : "";
  const text = (compared && hasKeys ? `${own} ${t("verdict.compared-keys")}` : own) + ends;
  if (report.complete) return { look: "right", title: t("verdict.right"), text };
  return {
    look: "right",
    title: t("verdict.running"),
    text: `${liveText(report.hands.filter(({ revealed }) => !revealed).length)} ${text}`,
  };
}

const causesText = (causes) =>
  causes.length === 1 && !causes[0].more.length && !causes[0].places
    ? t("verdict.single")
    : t("verdict.causes", { count: causes.length });

// Return that a game isn't over, and how many deals are secret.
export const liveText = (count) => (count ? t("verdict.live", { count }) : t("verdict.live-none"));

function undecidedText({ unread, receipts, noReceipt }) {
  if (noReceipt && !unread.length) return t("verdict.unsigned");
  const unknown = receipts.find(({ ok }) => ok === null);
  return unknown ? t("verdict.receipt-unknown", { says: unknown.says }) : t("verdict.unread", { count: unread.length });
}

// Return the verdict as a part of the page, which can be focused.
export const verdictPanel = ({ look, title, text }, causes = null) =>
  h(
    "section",
    { class: `panel verdict ${look}`, id: "verdict", tabindex: "-1", "aria-labelledby": "verdict-title" },
    h("h2", { id: "verdict-title" }, title),
    h("p", null, text),
    causes,
  );

// Return the causes, or null if nothing is wrong.
export const causesOf = ({ causes, record }, who) => (causes.length ? causeList(causes, record, who) : null);

// Return a part with a heading.
export const part = (id, title, ...inside) =>
  h(
    "section",
    { class: "panel part", id, "aria-labelledby": `${id}-title` },
    h("h2", { id: `${id}-title` }, title),
    inside,
  );

// Return what was checked, and what wasn't.
export const checksPart = (rows) => part("checks", t("part.checks"), checkList(rows));

export const receiptsPart = ({ report }, trust) =>
  part(
    "receipts",
    t("part.receipts"),
    report.receipts.length ? receiptList(report.receipts, trust, report.ok === false) : h("p", null, t("check.receipts.none")),
  );

// Return the deals, each to be unfolded; `more(hand)` is shown below a hand that was dealt.
export const dealsPart = (checked, who, more) =>
  part(
    "deals",
    t("part.deals"),
    h("p", { class: "soft" }, t("part.deals.says")),
    dealList(checked, who, more),
    grades(),
  );

// Return the words of the page, explained.
export const wordsPart = () => h("section", { class: "panel part", "aria-label": t("word.title") }, words(WORDS));
