// The page at /verify: a file is chosen or dropped, and checked in this browser. The page asks the server for nothing.

import { h, replace } from "../base/dom.js";
import { t } from "../base/messages.js";
import { NotAnExport, Unreadable, gamesIn } from "../verify/verify.js";
import { checkGame } from "../check/check.js";
import { browserChecks, uncheckedParts } from "./checks.js";
import { gameTitle, manyGames } from "./many-games.js";
import { keptForm } from "../receipts/kept-form.js";
import { breath, progress } from "./progress.js";
import { causesOf, checksPart, dealsPart, receiptsPart, verdictOf, verdictPanel, wordsPart } from "./report-view.js";
import { seatNames } from "./names.js";
import "./page-texts.js";

const LARGEST = 64 * 1024 * 1024; // bytes; an export of a thousand events is less than one million

class VerifyPage {
  constructor(main) {
    this.turn = 0; // number of the last check; earlier ones are dropped
    this.shown = null; // what is shown: {name, data}
    this.input = h("input", {
      id: "file",
      type: "file",
      accept: ".ndjson,application/x-ndjson",
      "aria-describedby": "drop-hint",
      onchange: () => this.checkFile(this.input.files[0]),
    });
    this.kept = keptForm(() => this.again());
    this.progress = progress();
    this.error = h("p", { role: "alert", class: "fault" });
    this.games = h("div", null);
    this.report = h("div", { class: "report" });
    this.drop = h(
      "div",
      { id: "drop", class: "drop" },
      h("label", { for: "file" }, t("verify.file")),
      this.input,
      h("p", { id: "drop-hint", class: "hint" }, t("verify.drop")),
    );
    replace(main, null, this.page());
    this.progress.say(t("verify.none"));
    if (!globalThis.crypto?.subtle) this.error.textContent = t("verify.no-crypto");
  }

  page() {
    const intro = h("header", { class: "intro" }, h("h1", null, t("verify.title")), h("p", null, t("verify.says")));
    const kept = h(
      "details",
      { class: "more", id: "own" },
      h("summary", null, t("kept.title")),
      h("p", null, t("kept.says")),
      this.kept.node,
    );
    return [
      intro,
      h("div", { class: "panel" }, this.drop, kept, this.progress.node, this.error),
      this.games,
      this.report,
      wordsPart(),
    ];
  }

  async checkFile(file) {
    if (!file) return;
    this.clear();
    this.progress.say(t("verify.reading", { name: file.name }));
    await breath();
    await this.guarded(file.name, async (mine) => {
      if (file.size > LARGEST) throw new NotAnExport(t("verify.too-large"));
      const data = new Uint8Array(await file.arrayBuffer());
      const games = gamesIn(data);
      if (games.length === 1) return this.checkOne(file.name, data, mine);
      this.shown = null;
      await this.checkMany(file.name, games, mine);
    });
  }

  // Check a game of a file of many, or the same game again.
  async choose(name, data) {
    replace(this.report, null, null);
    this.error.textContent = "";
    await this.guarded(name, (mine) => this.checkOne(name, data, mine));
  }

  async again() {
    if (this.shown) await this.choose(this.shown.name, this.shown.data);
    else this.error.textContent = t("verify.choose-first");
  }

  async checkOne(name, data, mine) {
    this.shown = { name, data };
    const kept = await this.kept.read();
    this.progress.say(t("verify.checking", { name }));
    const checked = await checkGame(data, { ...kept, onLine: (done, of) => this.step(mine, done, of) });
    if (mine !== this.turn) return;
    const compared = kept.receipts.length + kept.roots.length;
    const verdict = verdictOf(checked, compared, kept.keys.length > 0);
    this.show(checked, verdict, compared, kept.keys.length ? "keys" : "file");
    this.progress.say(t("verify.checked", { name, verdict: verdict.title }));
    document.getElementById("verdict").focus({ preventScroll: true });
    document.getElementById("verdict").scrollIntoView({ block: "start" });
  }

  show(checked, verdict, compared, trust) {
    const who = seatNames(checked.record);
    const rows = [...browserChecks(checked, compared), ...uncheckedParts()];
    replace(this.report, null, [
      h("p", { class: "soft game-title" }, gameTitle(checked, who)),
      verdictPanel(verdict, causesOf(checked, who)),
      checksPart(rows),
      receiptsPart(checked, trust),
      dealsPart(checked, who),
    ]);
  }

  async checkMany(name, games, mine) {
    const { keys } = await this.kept.read();
    const found = await manyGames(
      games,
      { keys },
      async (done) => {
        this.progress.say(t("verify.many", { name, place: done + 1, count: games.length }));
        await breath();
        return mine === this.turn;
      },
      (data) => void this.choose(name, data),
    );
    if (mine !== this.turn) return;
    replace(this.games, null, found.node);
    this.progress.say(t("verify.checked-many", { name, counted: found.counted }));
    found.node.focus();
  }

  async step(mine, done, of) {
    if (mine === this.turn) await this.progress.step(done, of);
  }

  clear() {
    replace(this.report, null, null);
    replace(this.games, null, null);
    this.error.textContent = "";
  }

  // Run a check as the only one, and say what went wrong.
  async guarded(name, check) {
    const mine = ++this.turn;
    try {
      await check(mine);
    } catch (error) {
      if (mine !== this.turn) return;
      if (!(error instanceof NotAnExport || error instanceof Unreadable)) console.error(error);
      this.progress.say("");
      this.error.textContent = faultText(name, error);
    }
  }
}

function faultText(name, error) {
  if (error instanceof NotAnExport) return t("verify.not-an-export", { name, says: error.message });
  return error instanceof Unreadable
    ? t("kept.unreadable", { says: error.message })
    : t("verify.failed", { name, says: error.message });
}

// Check a file that is dropped anywhere on the page, as if it were chosen.
function takeDrops(page) {
  const over = (is) => page.drop.classList.toggle("over", is);
  document.addEventListener("dragover", (event) => (event.preventDefault(), over(true)));
  document.addEventListener("dragleave", () => over(false));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    const { files } = event.dataTransfer;
    if (files.length) page.input.files = files;
    void page.checkFile(files[0]);
  });
}

takeDrops(new VerifyPage(document.getElementById("main")));
