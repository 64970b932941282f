/** A player's page: the games that everybody may see. */

import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { get } from "../base/net.js";
import { showFailure, start } from "../base/shell.js";
import { finishedRow, gameRow } from "./lobby-rows.js";
import { variants } from "./words.js";

const PAGE = 25;

void start(async (main) => {
  const name = decodeURIComponent(location.pathname.split("/")[2]);
  const { items } = await variants();
  const path = (status, cursor) => `/games?player=${encodeURIComponent(name)}&status=${status}&limit=${PAGE}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`;
  const [active, finished] = await Promise.all([get(path("active")), get(path("finished"))]);
  const id = Object.entries({ ...active.names, ...finished.names }).find(([, each]) => each === name)?.[0] ?? null;
  document.title = `${name} · trickbook`;
  const list = h("ul", { class: "rows" });
  const more = h("p", { class: "buttons" });
  const add = (page) => {
    list.append(...page.items.map((game) => finishedRow(game, page.names, { items, player: { id } })));
    replace(more, null, page.next ? h("button", { type: "button", class: "button", onclick: () => void get(path("finished", page.next)).then(add, (error) => showFailure(more, error, () => add(page))) }, t("player.more")) : null);
  };
  add(finished);
  replace(main, "player", [
    h("h1", null, name),
    h("div", { class: "settings" },
      h("section", { class: "panel" }, h("h2", null, t("player.active")), active.items.length ? h("ul", { class: "rows" }, active.items.map((game) => gameRow(game, active.names, { items, player: null }))) : h("p", { class: "empty" }, t("player.none"))),
      h("section", { class: "panel" }, h("h2", null, t("player.finished")), finished.items.length ? [list, more] : h("p", { class: "empty" }, t("player.none")))),
  ]);
});

define({
  "player.active": "Running games",
  "player.finished": "Finished games",
  "player.more": "More",
  "player.none": "None that you may see.",
});
