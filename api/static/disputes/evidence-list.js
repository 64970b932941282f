/** Evidence as lists on the page. */

import { h } from "../base/dom.js";
import { t } from "../base/messages.js";
import { evidenceLines } from "./evidence.js";

const SHOWN = 5;

/** Draw what the log has for a dispute that isn't sent yet; nothing for what no question is about. */
export function drawFound(model, found) {
  if (!found.asks) return null;
  if (found.unknown) return h("p", { class: "hint" }, t(found.unknown));
  const lines = evidenceLines(model, found);
  return lines.length ? part(t(found.points.length ? "dispute.evidence" : "open.attached"), lines) : h("p", { class: "hint" }, t("evidence.empty"));
}

/** Draw what a dispute has attached, and what else the log has by now. */
export function drawEvidence(model, found) {
  const attached = evidenceLines(model, found.attached);
  const also = evidenceLines(model, found);
  if (!attached.length && !also.length) return found.asks ? h("p", { class: "soft" }, t(found.unknown ?? "evidence.empty")) : null;
  return attached.length ? [part(t("evidence.attached"), attached), also.length ? part(t("evidence.also"), also) : null] : part(null, also);
}

const part = (title, lines) => [
  title && h("p", { class: "evidence-title" }, title),
  h("ul", { class: "evidence" }, lines.slice(0, SHOWN).map((line) => h("li", null, line))),
  lines.length > SHOWN && h("details", null, h("summary", null, t("evidence.more", { count: lines.length - SHOWN })), h("ul", { class: "evidence" }, lines.slice(SHOWN).map((line) => h("li", null, line)))),
];
