// A drawer beside the table, for what one reads while the game goes on. The table stays usable beside it.

import { h } from "../base/dom.js";
import { t } from "./texts.js";

let open = null;

// Show an element in the drawer, instead of what was there. Escape and its button close it, and the focus goes back.
/**
 * @param {string} title
 * @param {Node} element
 * @param {{ onClose?: () => void }} [options]
 */
export function openDrawer(title, element, { onClose = () => {} } = {}) {
  closeDrawer();
  const before = document.activeElement;
  const close = h("button", { type: "button", class: "dismiss", "aria-label": t("dialog.close"), onclick: closeDrawer }, "×");
  const drawer = h("aside", { class: "drawer", role: "dialog", "aria-labelledby": "drawer-title", onkeydown: (event) => event.key === "Escape" && closeDrawer() }, h("div", { class: "drawer-top" }, h("h2", { id: "drawer-title", tabindex: "-1" }, title), close), h("div", { class: "drawer-inside", tabindex: "0" }, element));
  document.body.append(drawer);
  open = { drawer, before, onClose };
  /** @type {HTMLElement} */ (drawer.querySelector("#drawer-title")).focus();
}

export function closeDrawer() {
  if (!open) return;
  const { drawer, before, onClose } = open;
  open = null;
  const hadFocus = drawer.contains(document.activeElement);
  drawer.remove();
  if (hadFocus && before instanceof HTMLElement && before.isConnected) before.focus();
  onClose();
}
