// The page that checks a game: the server's report, and a check of the same log in this browser, side by side.

import { ownPath } from "../base/address.js";
import { h, replace } from "../base/dom.js";
import { gameLink, gameLinks } from "../base/game-links.js";
import { t } from "../base/messages.js";
import { get } from "../base/net.js";
import { start } from "../base/shell.js";
import { isForming } from "../pages/words.js";
import { checkGame } from "../check/check.js";
import { ask, bytesOf } from "./heavy.js";
import { keptForm } from "../receipts/kept-form.js";
import { seatNames } from "./names.js";
import { progress } from "./progress.js";
import { serverReceipt } from "../receipts/own-receipt.js";
import { seenRoot } from "../receipts/seen.js";
import { reportParts, takeAway } from "./audit-view.js";
import "./page-texts.js";

void start(async (main, session) => {
  const reference = ownPath().split("/")[2];
  const game = await get(`/games/${reference}`);
  document.title = t("audit.tab", { board: String(game.board) });
  if (isForming(game)) return replace(main, null, notBegun(game));
  return new AuditPage(main, game, session).run();
});

const notBegun = ({ board }) =>
  h(
    "section",
    { class: "state" },
    h("h1", null, t("audit.title", { board: String(board) })),
    h("p", null, t("audit.forming")),
    h("p", { class: "buttons" }, gameLink("table", board, { class: "button" })),
  );

class AuditPage {
  data = null;
  /** @type {Api.AuditReport | null} */
  audit = null;
  faults = [];

  constructor(main, game, { player }) {
    this.game = game;
    this.path = `/games/${game.id}`;
    const isSeated = Boolean(player) && game.seats.some((seat) => seat.player === player.id);
    this.server = progress();
    this.browser = progress();
    this.kept = keptForm(() => void this.compare());
    this.report = h("div", { class: "report" });
    this.error = h("p", { role: "alert", class: "fault" });
    const own = h(
      "details",
      { class: "more", id: "own" },
      h("summary", null, t("kept.title")),
      h("p", null, t("audit.kept.says")),
      this.kept.node,
      this.error,
    );
    this.receipt = serverReceipt(this.path, game, isSeated, own);
    const working = h("div", { class: "working" }, this.server.node, this.browser.node);
    replace(main, null, [
      heading(game, () => void this.run()),
      working,
      this.report,
      this.receipt.node,
      takeAway(game),
    ]);
  }

  // Check the game now, and show the result.
  async run() {
    this.faults = [];
    const [audit, checked] = await Promise.all([
      this.guarded(this.server, () => this.ofServer()),
      this.guarded(this.browser, () => this.ofBrowser()),
    ]);
    this.audit = audit;
    this.draw(checked);
    this.receipt.load(checked);
  }

  async ofServer() {
    const clock = this.server.clock((count) => t("audit.server.checks", { count }));
    try {
      const response = await ask(`${this.path}/audit`, (text) => clock.hold(text));
      return await response.json();
    } finally {
      clock.stop();
    }
  }

  async ofBrowser() {
    this.browser.say(t("audit.browser.loads"));
    const response = await ask(`${this.path}/export`, (text) => this.browser.say(text), "application/x-ndjson");
    this.data = await bytesOf(response, this.browser.step);
    return this.check(await this.kept.read());
  }

  async check(kept) {
    this.browser.say(t("audit.browser.checks"));
    this.seen = await seenRoot(this.game.id);
    this.compared = kept.receipts.length + kept.roots.length;
    this.trust = kept.keys.length ? "keys" : "server";
    const roots = this.seen ? [...kept.roots, this.seen.root] : kept.roots;
    return checkGame(this.data, { ...kept, roots, onLine: this.browser.step, fromServer: true });
  }

  // Check again, with what the reader kept.
  async compare() {
    this.error.textContent = "";
    if (!this.data) return;
    try {
      this.draw(await this.check(await this.kept.read()));
      document.getElementById("verdict").focus();
    } catch (error) {
      this.browser.say("");
      this.error.textContent = t("kept.unreadable", { says: error.message });
    }
  }

  draw(checked) {
    const who = checked ? seatNames(checked.record) : [];
    this.browser.say("");
    this.server.say("");
    const { audit, seen, compared, trust, path, faults } = this;
    replace(this.report, null, reportParts({ audit, checked, who, seen, compared, trust, path, faults }));
    openHand();
  }

  async guarded(meter, work) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof TypeError) console.error(error);
      this.faults.push(error.message);
      return null;
    } finally {
      meter.say("");
    }
  }
}

function heading({ board }, again) {
  return h(
    "header",
    { class: "intro" },
    h("h1", null, t("audit.title", { board: String(board) })),
    h("p", null, t("audit.says")),
    gameLinks("audit", board),
    h(
      "p",
      { class: "buttons" },
      h("button", { type: "button", class: "button small", onclick: again }, t("audit.again")),
    ),
  );
}

// Open the hand that the address names: #hand-3.
function openHand() {
  const hand = /^#hand-(\d+)$/.exec(location.hash)?.[1];
  /** @type {HTMLDetailsElement | null} */
  const details = hand && document.querySelector(`details[data-hand="${hand}"]`);
  if (details) {
    details.open = true;
    details.scrollIntoView({ block: "start" });
  }
}
