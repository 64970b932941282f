/** The disputes of a game: open one, read all, rule, appeal and decide. */

import { ownPath } from "../base/address.js";
import { h, replace } from "../base/dom.js";
import { gameLink, gameLinks } from "../base/game-links.js";
import { t } from "../base/messages.js";
import { get } from "../base/net.js";
import { loading, notify, start } from "../base/shell.js";
import { isForming } from "../pages/words.js";
import { DisputePanel } from "./dispute.js";
import { attachedEvidence } from "./evidence.js";
import { Model } from "./model.js";
import { drawOpenForm, openHands } from "./open-form.js";
import { drawScores } from "./scores.js";
import "./texts.js";

void start(async (main, session) => {
  const [, , reference] = ownPath().split("/");
  const view = await get(`/games/${reference}`);
  const head = [h("h1", null, t("disputes.game-title", { board: String(view.board) })), isForming(view) ? h("p", null, gameLink("table", view.board)) : gameLinks("disputes", view.board)];
  if (isForming(view)) return void replace(main, "forming", [head, h("p", { class: "empty" }, t("game.forming"))]);
  replace(main, "loading", [head, loading()]);
  const model = await Model.load(view, session.player ? await get("/me") : null);
  await Promise.all(model.disputes.map(({ opened }) => attachedEvidence(model, opened).catch(() => null))); // so that nothing moves when it comes
  const page = new Page(model);
  replace(main, "disputes", [head, h("p", { class: "lead" }, t("game.lead")), page.nodes]);
  page.update();
  page.goToDispute();
  page.follow();
});

class Page {
  constructor(model) {
    this.model = model;
    this.moment = momentOfAddress();
    this.isOpening = this.moment.at !== null;
    this.panels = new Map();
    this.zones = { link: h("div", { role: "status" }), scores: h("div"), open: h("section", { class: "open-part", tabindex: -1 }), list: h("div", { class: "disputes" }) };
  }

  get nodes() {
    return h("div", { class: "disputes-page" }, Object.values(this.zones));
  }

  update() {
    const { view, disputes } = this.model;
    replace(this.zones.scores, JSON.stringify([view.ruled, view.result, view.seats.map((seat) => seat.score)]), () => drawScores(this.model));
    this.updateOpen();
    for (const item of disputes) this.panelOf(item.dispute).update(this.model, item, this.done);
    const shown = disputes.map((item) => this.panelOf(item.dispute).node).reverse();
    replace(this.zones.list, shown.length, () => (shown.length ? shown : h("p", { class: "empty" }, t("game.empty"))));
  }

  /** Show the form, the button that opens it, or why this viewer can't open a dispute. A form that is filled in stays. */
  updateOpen() {
    const why = whyNot(this.model);
    if (why) return void replace(this.zones.open, why, () => h("p", { class: "hint" }, t(why)));
    const open = () => {
      this.isOpening = true;
      this.updateOpen();
      document.getElementById("open-kind").focus();
    };
    if (!this.isOpening) return void replace(this.zones.open, "button", () => h("p", { class: "buttons" }, h("button", { type: "button", class: "button primary", onclick: open }, t("game.new"))));
    const cancel = () => {
      this.isOpening = false;
      this.updateOpen();
    };
    replace(this.zones.open, "form", () => h("div", { class: "panel" }, h("h2", null, t("game.new")), drawOpenForm(this.model, this.moment, { done: this.done, cancel })));
  }

  panelOf(number) {
    if (!this.panels.has(number)) this.panels.set(number, new DisputePanel(number, this.moment.seat));
    return this.panels.get(number);
  }

  /** After something was sent: read again, and say that it's done. */
  done = async (text) => {
    this.isOpening = false;
    await this.model.reload().catch(() => {}); // the stream brings it later
    this.update();
    notify(text);
  };

  follow() {
    this.model.follow(() => this.update(), (state) => replace(this.zones.link, state, () => (state === "waiting" ? h("p", { class: "notice warn" }, t("game.waiting")) : null)));
  }

  /** Go to the dispute that the address names, as the queue's links do. */
  goToDispute() {
    const found = location.hash.startsWith("#dispute-") ? document.getElementById(location.hash.slice(1)) : null;
    found?.focus({ preventScroll: true });
    found?.scrollIntoView();
  }
}

/** Return the key of the reason why this viewer can't open a dispute, or null. */
function whyNot(model) {
  if (model.seat === null) return model.isArbiter ? "game.arbiter" : model.me ? "game.other" : "game.sign-in";
  if (!model.record.deals.length && model.liveHand === null) return "game.no-hand";
  return openHands(model).length ? null : "game.all-disputed";
}

/** Return the moment that the address names: `?at=57&seat=2`. */
function momentOfAddress() {
  const query = new URLSearchParams(location.search);
  const number = (name, least) => (/^[0-9]{1,9}$/.test(query.get(name) ?? "") && Number(query.get(name)) >= least ? Number(query.get(name)) : null);
  return { at: number("at", 1), seat: number("seat", 0) };
}
