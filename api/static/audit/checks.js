// What was checked, and how it came out: one row for each part, from the report of this browser or of the server.

import { t } from "../base/messages.js";
import "./texts.js";

// Return [{id, state, text}] from a check in this browser. `state` is right, wrong, waits (not yet known) or none (not checked).
export function browserChecks({ report, states, causes }, compared) {
  const has = (check) => causes.some((cause) => cause.check === check);
  const isBroken = causes.some(({ isFault }) => isFault);
  return [
    { id: "log", ...logCheck(report, has("log")) },
    { id: "deals", ...dealsCheck(states, has("deals")) },
    { id: "play", ...playCheck(has("play"), isBroken) },
    { id: "receipts", ...receiptsCheck(report, has("receipts"), compared) },
  ];
}

// Return what a check in the browser leaves out.
export const uncheckedParts = () => [
  { id: "rules", state: "none", text: t("check.rules.page") },
  { id: "people", state: "none", text: t("check.people.page") },
];

function logCheck({ size, withheld }, isWrong) {
  if (isWrong) return { state: "wrong", text: t("check.log.wrong") };
  const hidden = withheld ? ` ${t("check.log.withheld", { count: withheld })}` : "";
  return { state: "right", text: t("check.log.right", { count: size }) + hidden };
}

function dealsCheck(states, isWrong) {
  const all = states.size;
  const count = (state) => [...states.values()].filter((each) => each === state).length;
  if (count("wrong")) return { state: "wrong", text: t("check.deals.wrong", { count: count("wrong"), all }) };
  if (isWrong) return { state: "wrong", text: t("check.deals.order") };
  if (count("broken")) return { state: "waits", text: t("check.deals.broken", { count: count("broken"), all }) };
  return dealsText(count("right"), count("unrevealed"));
}

// Return the row of deals of which none is wrong.
export function dealsText(right, waiting) {
  const texts = [
    right ? t("check.deals.right", { count: right }) : "",
    waiting ? t("check.deals.waits", { count: waiting }) : "",
  ];
  return {
    state: right && !waiting ? "right" : "waits",
    text: texts.filter(Boolean).join(" ") || t("check.deals.none"),
  };
}

function playCheck(isWrong, isBroken) {
  if (isWrong) return { state: "wrong", text: t("check.play.wrong") };
  return isBroken ? { state: "waits", text: t("check.play.broken") } : { state: "right", text: t("check.play.right") };
}

function receiptsCheck({ receipts, ok: isRight }, isWrong, compared) {
  if (isWrong || receipts.some(({ ok }) => ok === false)) return { state: "wrong", text: t("check.receipts.wrong") };
  if (receipts.some(({ ok }) => ok === null)) return { state: "waits", text: t("check.receipts.waits") };
  if (isRight === false && (compared || receipts.length)) return { state: "none", text: t("check.receipts.beside") };
  if (compared) return { state: "right", text: t("check.receipts.kept", { count: compared }) };
  return { state: "none", text: t(receipts.length ? "check.receipts.file" : "check.receipts.none") };
}
