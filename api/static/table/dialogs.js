// Questions and explanations in a dialog of the browser, which keeps the focus and closes with Escape.

import { h } from "../base/dom.js";
import { t } from "./texts.js";

// Ask a person whether to go on. Return whether they want to.
export function confirmed(text, yes) {
  const dialog = h(
    "dialog",
    { class: "table-dialog", "aria-labelledby": "dialog-text" },
    h("p", { id: "dialog-text" }, text),
    h("form", { method: "dialog", class: "dialog-buttons" }, h("button", { class: "button", value: "no" }, t("menu.cancel")), h("button", { class: "button danger", value: "yes" }, yes)),
  );
  return opened(dialog).then((value) => value === "yes");
}

// Explain something with a text or an element.
export function explain(title, text) {
  const dialog = h(
    "dialog",
    { class: "table-dialog", "aria-labelledby": "dialog-title" },
    h("h2", { id: "dialog-title" }, title),
    text instanceof Node ? text : h("p", {}, text),
    h("form", { method: "dialog", class: "dialog-buttons" }, h("button", { class: "button primary", value: "no" }, t("dialog.close"))),
  );
  return opened(dialog);
}

function opened(dialog) {
  (document.querySelector(".table-page") ?? document.body).append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}
