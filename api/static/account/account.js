/** What the pages about accounts share: where to go on, and recovery codes to note. */

import { addressOf } from "../base/address.js";
import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";

/**
 * Return the whole address of the own page to go to after signing in: `#/games/7`, otherwise the lobby.
 *
 * A path alone could be the name of another site: the path of `/.//evil.example` is `//evil.example`.
 */
export function nextPage(hash = location.hash, origin = location.origin) {
  const target = parsed(hash.slice(1), origin);
  const own = target?.origin === origin && target.protocol === new URL(origin).protocol && !target.pathname.startsWith("//");
  return origin + addressOf(own ? target.pathname + target.search + target.hash : "/");
}

function parsed(text, origin) {
  try {
    return new URL(decodeURIComponent(text) || "/", origin);
  } catch {
    return null;
  }
}

/** Return a narrow page. */
export const narrow = (title, ...content) => h("section", { class: "panel narrow" }, h("h1", null, title), content);

/** Show new recovery codes in place of `zone`'s content, until `done()`. */
export function showCodes(zone, codes, done) {
  const copied = h("span", { role: "status" });
  const copy = () => navigator.clipboard?.writeText(codes.join("\n")).then(() => replace(copied, null, t("codes.copied")), () => {});
  replace(zone, null, narrow(t("codes.title"),
    h("p", null, t("codes.text")),
    h("ul", { class: "codes" }, codes.map((code) => h("li", null, code))),
    h("p", { class: "buttons" },
      h("button", { type: "button", class: "button primary", onclick: done }, t("codes.done")),
      h("button", { type: "button", class: "button", onclick: copy }, t("codes.copy")), copied)));
  zone.querySelector("h1").setAttribute("tabindex", "-1");
  zone.querySelector("h1").focus();
}

define({
  "codes.copied": "Copied.",
  "codes.copy": "Copy",
  "codes.done": "I have noted them",
  "codes.text":
    "If you forget your password, one of these codes lets you choose a new one. Each works once. Keep them where you keep papers: the server shows them only now.",
  "codes.title": "Your recovery codes",
});
