// The fields for what a reader kept: receipts as text or files, and keys.

import { h } from "../base/dom.js";
import { t } from "../base/messages.js";
import { keptIn } from "./kept.js";

// Return {node, read()}: the fields, with a button that calls `compare()`; read() returns {receipts, roots, keys}, or throws
// Unreadable.
export function keptForm(compare, withKeys = true) {
  const text = h("textarea", {
    id: "kept",
    rows: 4,
    spellcheck: "false",
    autocomplete: "off",
    "aria-describedby": "kept-hint",
  });
  const files = h("input", { id: "kept-files", type: "file", multiple: true });
  const keys = h("textarea", {
    id: "keys",
    rows: 3,
    spellcheck: "false",
    autocomplete: "off",
    "aria-describedby": "keys-hint",
  });
  const button = h("button", { type: "submit", class: "button" }, t("kept.compare"));
  const node = h(
    "form",
    { class: "kept", onsubmit: (event) => (event.preventDefault(), compare()) },
    h(
      "div",
      { class: "field" },
      h("label", { for: "kept" }, t("kept.text")),
      text,
      h("p", { class: "hint", id: "kept-hint" }, t("kept.hint")),
    ),
    h("div", { class: "field" }, h("label", { for: "kept-files" }, t("kept.files")), files),
    withKeys
      ? h(
          "div",
          { class: "field" },
          h("label", { for: "keys" }, t("kept.keys")),
          keys,
          h("p", { class: "hint", id: "keys-hint" }, t("kept.keys.hint")),
        )
      : null,
    h("p", { class: "buttons" }, button),
  );
  const read = async () =>
    keptIn([
      ...receiptsIn(text.value),
      keys.value,
      ...(await Promise.all([...files.files].map((file) => file.text()))),
    ]);
  return { node, read };
}

// Return the texts in a field: several receipts can be pasted one below the other.
function receiptsIn(value) {
  const text = value.replaceAll("\r\n", "\n").trim();
  if (text.startsWith("{")) return [text];
  return text.split(/\n(?=\S+\/game\/[0-9a-f-]+$)/m);
}
