// The server's report (trickbook-audit/1) as rows, and together with those of this browser.

import { t } from "../base/messages.js";
import { dealsText } from "./checks.js";

const WORST = ["wrong", "waits", "none", "right"];

// Return [{id, state, text}] from the server's report.
/** @param {Api.AuditReport} audit */
export function serverChecks(audit) {
  const { log, hands, rulings, journal } = audit;
  const rows = [
    { id: "log", ...logCheck(log) },
    { id: "deals", ...dealsCheck(hands) },
    { id: "play", ...playCheck(audit) },
    { id: "rules", ...rulesCheck(audit.rejudge) },
    { id: "receipts", ...receiptsCheck(log.receipts, audit.verdict.code === 1) },
  ];
  if (rulings.disputes.length) rows.push({ id: "rulings", ...rulingsCheck(rulings) });
  const restored = journal.filter(({ what }) => what === "restored");
  if (restored.length) rows.push({ id: "restored", state: "none", text: restoredText(restored) });
  const lost = journal.filter(({ what }) => what === "served-after-loss");
  if (lost.length) rows.push({ id: "lost", state: "none", text: t("check.lost.says", { at: new Date(lost.at(-1).at) }) });
  return rows;
}

// Return the rows of both with `by`: server, browser, both, or differ. Where both checked, the worse result counts.
export function together(server, browser) {
  const merged = browser.map((row) =>
    merge(
      server.find(({ id }) => id === row.id),
      row,
    ),
  );
  return [
    ...merged,
    ...server.filter(({ id }) => !browser.some((row) => row.id === id)).map((row) => ({ ...row, by: "server" })),
  ];
}

function merge(ofServer, row) {
  if (!ofServer) return { ...row, by: row.state === "none" ? null : "browser" };
  if (row.state === "none") return { ...ofServer, by: "server" };
  const isDifferent = [ofServer.state, row.state].includes("wrong") && ofServer.state !== row.state;
  const worse = WORST.indexOf(ofServer.state) < WORST.indexOf(row.state) ? ofServer : row;
  return { ...worse, by: isDifferent ? "differ" : "both" };
}

/** @param {Api.LogSection} log */
function logCheck({ ok, size, withheld }) {
  if (!ok) return { state: "wrong", text: t("check.log.wrong") };
  const hidden = withheld ? ` ${t("check.log.withheld", { count: withheld })}` : "";
  return { state: "right", text: t("check.log.right", { count: size }) + hidden };
}

/** @param {Api.AuditedDeal[]} hands */
function dealsCheck(hands) {
  const count = (deck) => hands.filter((each) => each.deck === deck).length;
  if (count("wrong"))
    return { state: "wrong", text: t("check.deals.wrong", { count: count("wrong"), all: hands.length }) };
  return dealsText(count("right"), count("unrevealed"));
}

/** @param {Api.AuditReport} audit */
function playCheck({ table, hands }) {
  const isRight = table.ok && hands.every(({ ok }) => ok);
  return { state: isRight ? "right" : "wrong", text: t(isRight ? "check.play.right" : "check.play.wrong") };
}

/** @param {Api.RejudgeSection | null} rejudge */
function rulesCheck(rejudge) {
  if (!rejudge) return { state: "none", text: t("check.rules.none") };
  if (!rejudge.ok) return { state: "wrong", text: t("check.rules.wrong") };
  const state = rejudge.waits ? "waits" : "right";
  return { state, text: t(`check.rules.${state}`, { count: rejudge.commands }) };
}

/** @param {Api.LogSection["receipts"]} receipts */
function receiptsCheck(receipts, isWrong) {
  if (receipts === "absent") return { state: "none", text: t("check.receipts.none") };
  if (receipts.some(({ state }) => !["good", "unknown key"].includes(state)))
    return { state: "wrong", text: t("check.receipts.wrong") };
  if (isWrong) return { state: "none", text: t("check.receipts.beside") };
  const count = receipts.filter(({ state }) => state === "good").length;
  return count
    ? { state: "right", text: t("check.receipts.server", { count }) }
    : { state: "waits", text: t("check.receipts.waits") };
}

/** @param {Api.RulingSection} rulings */
function rulingsCheck({ ok, disputes }) {
  return ok
    ? { state: "right", text: t("check.rulings.right", { count: disputes.length }) }
    : { state: "wrong", text: t("check.rulings.wrong") };
}

const restoredText = (restored) =>
  t("check.restored.says", { count: restored.length, at: new Date(restored.at(-1).at) });
