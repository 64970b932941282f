// A drawer beside the table, for what one reads while the game goes on. The table stays usable beside it.

import { h } from "../base/dom.js";
import { t } from "./texts.js";

let open = null;

// Show an element in the drawer, instead of what was there. Escape and its button close it; the focus goes back, if it was there.
/** @param {string} title @param {Node} element */
export function openDrawer(title, element) {
  closeDrawer();
  const before = document.activeElement;
  const close = h("button", { type: "button", class: "dismiss", "aria-label": t("dialog.close"), onclick: closeDrawer }, "×");
  const drawer = h("aside", { class: "drawer", role: "dialog", "aria-labelledby": "drawer-title" }, h("div", { class: "drawer-top" }, h("h2", { id: "drawer-title", tabindex: "-1" }, title), close), h("div", { class: "drawer-inside", tabindex: "0" }, element));
  document.body.append(drawer);
  open = { drawer, before };
  document.addEventListener("keydown", onKey);
  /** @type {HTMLElement} */ (drawer.querySelector("#drawer-title")).focus();
}

// A dialog above the table closes first.
const onKey = ({ key }) => key === "Escape" && !document.querySelector("dialog[open]") && closeDrawer();

function closeDrawer() {
  if (!open) return;
  const { drawer, before } = open;
  open = null;
  document.removeEventListener("keydown", onKey);
  const hadFocus = drawer.contains(document.activeElement);
  drawer.remove();
  if (hadFocus && before instanceof HTMLElement && before.isConnected) before.focus();
}
