/** The disputes that wait for an arbiter, the oldest first. */

import { h, replace } from "../base/dom.js";
import { ago, t } from "../base/messages.js";
import { get } from "../base/net.js";
import { showFailure, start } from "../base/shell.js";
import { nameOf, titleOf, variants } from "../pages/words.js";
import "./texts.js";

const LOOK_MS = 20_000;
const MOST = 100;

void start(async (main, session) => {
  const me = session.player ? await get("/me") : null;
  if (!me?.roles?.includes("arbiter")) return void replace(main, "nobody", drawRefusal(me));
  const [{ items }, first] = await Promise.all([variants(), read()]);
  const list = h("div", { class: "panel queue" });
  replace(main, "queue", [h("h1", null, t("queue.title")), h("p", { class: "lead" }, t("queue.lead")), list]);
  const show = (page) => replace(list, JSON.stringify(page), () => drawQueue(page, items));
  show(first);
  const again = () => document.hidden || void read().then(show, (error) => list.childElementCount || showFailure(list, error, again));
  setInterval(again, LOOK_MS);
  document.addEventListener("visibilitychange", again);
  window.addEventListener("online", again);
});

const read = () => get(`/disputes?limit=${MOST}`);

const drawRefusal = (me) => [
  h("h1", null, t("queue.title")),
  h("p", null, t(me ? "queue.not-arbiter" : "queue.sign-in")),
  me && h("p", null, t("queue.own")),
  me ? null : h("p", { class: "buttons" }, h("a", { class: "button primary", href: "/sign-in#/disputes" }, t("shell.sign-in"))),
];

function drawQueue({ items, next, names }, variantItems) {
  if (!items.length) return h("p", { class: "empty" }, t("queue.empty"));
  return [
    h("ul", { class: "rows" }, items.map((item) => drawRow(item, names, variantItems))),
    next && h("p", { class: "hint" }, t("queue.more", { count: items.length })),
  ];
}

function drawRow(item, names, variantItems) {
  const address = `/games/${item.board}/disputes#dispute-${item.dispute}`;
  const values = { kind: t(`kind.${item.kind}`), when: ago(item.since), name: nameOf(item.arbiter, names) };
  const waits = item.status === "appealed" ? "appealed-by" : "open";
  return h("li", { class: "row" },
    h("span", { class: "title" }, h("a", { href: address }, t("queue.heading", { game: titleOf(variantItems, item.variant), board: String(item.board), hand: item.hand }))),
    h("span", { class: "facts" }, t(`queue.${waits}`, values), item.corrupt && [" ", t("queue.corrupt")]),
    h("span", { class: "action" }, h("a", { class: "button small", href: address, "aria-label": `${t("queue.look")}: ${t("queue.heading", { game: titleOf(variantItems, item.variant), board: String(item.board), hand: item.hand })}` }, t("queue.look"))));
}
