// The newest receipt of a game, to be kept: copied, saved, or made of the log as it is now.

import { h, replace } from "../base/dom.js";
import { t } from "../base/messages.js";
import { send } from "../base/net.js";
import { notify } from "../base/shell.js";
import { actionButton } from "../pages/forms.js";
import { part } from "../audit/report-view.js";

// Return {node, load(checked)}: the part of the page with the receipt of a checked game, and `own`, the fields to compare others.
export function serverReceipt(path, { board }, isSeated, own) {
  const zone = h("div", null);
  const show = (receipt) => replace(zone, null, receipt ? shown(receipt, board) : h("p", null, t("receipt.none-yet")));
  const make = isSeated
    ? actionButton(t("receipt.make"), async () => show((await send("POST", `${path}/receipts`, {})).body))
    : null;
  const node = part(
    "keep",
    t("receipt.title"),
    h("p", { class: "soft" }, t("receipt.says")),
    zone,
    make ? h("p", { class: "buttons" }, make) : null,
    own,
  );
  const load = (checked) => show(checked && newest(checked));
  return { node, load };
}

// Return the newest receipt, with which the log's file ends, or null if there is none or it can't be read.
function newest({ record, report }) {
  const size = report.receipts.find(({ source }) => source === "trailer")?.size ?? null;
  return size === null ? null : { note: record.receipt, size };
}

function shown({ note, size }, board) {
  const file = URL.createObjectURL(new Blob([note], { type: "text/plain" }));
  const copy = () =>
    void navigator.clipboard.writeText(note).then(
      () => notify(t("receipt.copied")),
      () => notify(t("receipt.not-copied")),
    );
  return [
    h("p", null, t("receipt.newest", { size })),
    h("pre", { class: "note", tabindex: "0", "aria-label": t("receipt.title") }, note),
    h(
      "p",
      { class: "buttons" },
      h("a", { class: "button", href: file, download: `board-${board}-receipt-${size}.txt` }, t("receipt.save")),
      h("button", { type: "button", class: "button", onclick: copy }, t("receipt.copy")),
    ),
  ];
}
