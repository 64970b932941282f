/** The box for commands: it keeps the focus, and the lines that were sent before unless they hold a password. */

import { h } from "../base/dom.js";
import { shownLine } from "./line.js";
import { t } from "./texts.js";

/** Return the form. `send(text)` is called with each line. */
export function commandBox(send) {
  const lines = [];
  let at = 0;
  const input = h("input", {
    id: "command", type: "text", name: "line", autocomplete: "off", autocapitalize: "off", autocorrect: "off",
    spellcheck: "false", enterkeyhint: "send", "aria-describedby": "command-hint", maxlength: "900",
    onkeydown: (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      at = Math.min(Math.max(at + step, 0), lines.length);
      input.value = lines[at] ?? "";
    },
  });
  const submit = (event) => {
    event.preventDefault();
    const text = input.value.trim();
    input.focus();
    if (!text) return;
    if (lines.at(-1) !== text && shownLine(text) === text) lines.push(text);
    at = lines.length;
    input.value = "";
    send(text);
  };
  return h("form", { class: "command", onsubmit: submit },
    h("label", { for: "command" }, t("text.label")),
    h("div", { class: "command-line" }, input, h("button", { class: "button primary", type: "submit" }, t("text.send"))),
    h("p", { id: "command-hint", class: "hint" }, t("text.hint")));
}
