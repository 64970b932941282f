// Receipts and what they say about the log.

import { h } from "../base/dom.js";
import { t } from "../base/messages.js";
import { mark } from "../audit/marks.js";

// Return the list of receipts in a report; `trust` says whose keys were used: keys (given), file or server. If something else in
// the report `isWrong`, no receipt is marked as right.
export const receiptList = (receipts, trust, isWrong = false) =>
  h(
    "ul",
    { class: "checks plain" },
    receipts.map((receipt) => receiptItem(receipt, trust, isWrong)),
  );

function receiptItem(receipt, trust, isWrong) {
  const { source, size, ok } = receipt;
  const state = ok && isWrong ? "none" : stateOf(ok);
  const whose = t(source === "kept" ? "receipt.kept" : "receipt.trailer");
  const name = size === null ? whose : t("receipt.of", { whose, size });
  return h(
    "li",
    { "data-state": state },
    mark(state),
    h("div", null, h("strong", null, name), h("p", null, state === "none" ? t("receipt.beside") : sentence(receipt, trust))),
  );
}

const stateOf = (ok) => (ok === null ? "waits" : ok ? "right" : "wrong");

/** @type {[RegExp, string][]} */
const FAULTS = [
  [/^the log had another root/, "receipt.wrong.root"],
  [/^it counts \d+ events/, "receipt.wrong.short"],
  [/^it is for another game/, "receipt.wrong.game"],
  [/^its signature is wrong/, "receipt.wrong.signature"],
];

function sentence({ ok, says, size }, trust) {
  if (ok) return t(`receipt.right.${trust}`);
  const [, key] = FAULTS.find(([pattern]) => ok === false && pattern.test(says)) ?? [null, "receipt.other"];
  return t(key, { says: says.slice(0, 1).toUpperCase() + says.slice(1), size: size ?? 0 });
}
