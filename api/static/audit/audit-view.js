// The report of the audit page: the server's and this browser's result in one.

import { h } from "../base/dom.js";
import { t } from "../base/messages.js";
import { browserChecks } from "./checks.js";
import { ask } from "./heavy.js";
import { checkList, unfold } from "./marks.js";
import { plain } from "./names.js";
import {
  causesOf,
  dealsPart,
  liveText,
  part,
  receiptsPart,
  verdictOf,
  verdictPanel,
  wordsPart,
} from "./report-view.js";
import { serverChecks, together } from "./server-checks.js";

const MOST = 50; // findings of the server that are listed

// Return the parts of the report. `audit` or `checked` is null if the server or this browser couldn't check.
export function reportParts(all) {
  const { audit, checked, who, trust, faults } = all;
  if (!audit && !checked)
    return h("section", { class: "state", role: "alert" }, h("h2", null, t("page.failed")), h("p", null, faults[0]));
  const found = audit ? serverFindings(audit, checked?.record ?? { deals: [] }, who) : null;
  return [
    verdictPanel(bothVerdicts(all), [
      faults.map((fault) => h("p", { class: "bad" }, fault)),
      checked ? causesOf(checked, who) : null,
      found,
    ]),
    part("checks", t("part.checks.audit"), checkList(rowsOf(all))),
    checked && hasOwn(checked) ? receiptsPart(checked, trust) : null,
    checked ? dealsPart(checked, who, (hand) => serverDeal(all.path, hand)) : null,
    wordsPart(),
  ];
}

// Return whether there is more to say of receipts than that the log's own one is right.
const hasOwn = ({ report }) => report.receipts.some(({ source, ok }) => source === "kept" || !ok);

function bothVerdicts({ audit, checked, compared, trust }) {
  const isWrong = audit?.verdict.code === 1 || checked?.report.ok === false;
  if (checked?.report.ok === false) return verdictOf(checked);
  if (isWrong) return { look: "wrong", title: t("verdict.wrong"), text: t("audit.server.wrong") };
  if (checked?.report.ok === null) return verdictOf(checked);
  const live = audit?.unrevealed.length ?? checked.report.hands.filter(({ revealed }) => !revealed).length;
  const isOver = audit?.complete ?? checked.report.complete;
  const both = t(audit && checked ? "audit.both" : checked ? "audit.browser.only" : "audit.server.only");
  const own = compared ? ` ${t(trust === "keys" ? "audit.compared-keys" : "audit.compared", { count: compared })}` : "";
  const text = (isOver ? "" : `${liveText(live)} `) + both + own;
  return { look: "right", title: t(isOver ? "verdict.right" : "verdict.running"), text };
}

function rowsOf({ audit, checked, compared, seen }) {
  const server = audit ? serverChecks(audit) : [];
  const rows = checked
    ? together(server, browserChecks(checked, compared))
    : server.map((row) => ({ ...row, by: "server" }));
  return [...rows, ...seenRow(seen, checked), { id: "people", state: "none", text: t("check.people.page") }];
}

function seenRow(seen, checked) {
  if (!seen || !checked) return [];
  const isWrong = checked.report.findings.some(({ says }) => says.includes(seen.root));
  return [
    {
      id: "seen",
      state: isWrong ? "wrong" : "right",
      text: t(isWrong ? "check.seen.wrong" : "check.seen.right", { size: seen.size }),
    },
  ];
}

// Return the server's findings, or null. Where this browser found causes, they stand in a folded part below them.
/** @param {Api.AuditReport} audit */
function serverFindings({ log, table, hands, rulings, rejudge }, record, who) {
  const sections = [log, table, ...hands, rulings, rejudge ?? { findings: [] }];
  const unique = new Map(
    sections.flatMap(({ findings }) => findings).map((each) => [`${each.version} ${each.says}`, each]),
  );
  const findings = [...unique.values()].sort((a, b) => (a.version ?? 0) - (b.version ?? 0));
  if (!findings.length) return null;
  const items = findings
    .slice(0, MOST)
    .map(({ version, says }) =>
      h(
        "li",
        null,
        version === null
          ? t("cause.finding-file", { says: plain(says, who, record) })
          : t("cause.event", { version, says: plain(says, who, record) }),
      ),
    );
  const rest = findings.length - items.length;
  return unfold(
    t("audit.server.findings", { count: findings.length }),
    () => h("ul", null, items, rest ? h("li", null, t("cause.too-many", { count: rest })) : null),
    { open: true },
  );
}

// Return what the server says about a hand's deal, asked when it's opened.
function serverDeal(path, hand) {
  const status = h("p", { role: "status" }, t("page.loading"));
  const load = async () => {
    try {
      const response = await ask(`${path}/hands/${hand}/deal`, (text) => (status.textContent = text), "text/plain");
      status.replaceWith(h("pre", { class: "note", tabindex: "0" }, await response.text()));
    } catch (error) {
      status.textContent = error.message;
    }
  };
  return unfold(t("audit.server.deal"), () => (void load(), status));
}

// Return the links to what one can take along.
export function takeAway({ board }) {
  const link = (href, key, attrs = {}) =>
    h("li", null, h("a", { href, ...attrs }, t(key)), h("p", { class: "soft" }, t(`${key}.says`)));
  return part(
    "take",
    t("take.title"),
    h("ul", { class: "plain take" }, [
      link(`/api/v1/games/${board}/export`, "take.export", { download: "" }),
      link("/verify", "take.verify"),
      link("/.well-known/trickbook/keys", "take.keys", { download: "keys.json" }),
    ]),
  );
}
