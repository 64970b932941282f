// Why the cards that couldn't be played at a moment couldn't: asked for once the reader stays there.

import { h } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { get } from "../base/net.js";
import { face } from "../base/cards.js";
import { ownCards, playable } from "../table/hand.js";
import { clauseLink } from "../table/news.js";
import { cardWords } from "../table/words.js";

const REST_MS = 400;

// Return the cards in the hand that weren't legal in the seat's turn to play.
/** @param {Page.Model} model */
export function illegalCards(model) {
  const legal = playable(model);
  return legal.length ? ownCards(model).filter((card) => !legal.includes(card)) : [];
}

export class Reasons {
  kept = new Map();
  timer = null;
  turn = 0;

  // `found` is called when there is more to show.
  constructor(game, found) {
    this.game = game;
    this.found = found;
  }

  // Ask for the reasons of a moment, unless the reader goes on first.
  want(model) {
    clearTimeout(this.timer);
    const mine = ++this.turn;
    const open = illegalCards(model).filter((card) => !this.of(model, card));
    if (open.length) this.timer = setTimeout(() => void this.fetch(model, open, mine), REST_MS);
  }

  of(model, card) {
    return this.kept.get(`${model.view.version} ${model.seat} ${card}`) ?? null;
  }

  async fetch(model, cards, mine) {
    for (const card of cards) {
      if (mine !== this.turn) return;
      const answer = await get(`/games/${this.game}/legal?at=${model.view.version}&seat=${model.seat}&move=${card}`).catch(() => null);
      if (!answer) return;
      if (answer.tried && !answer.tried.legal) this.kept.set(`${model.view.version} ${model.seat} ${card}`, answer.tried);
    }
    if (mine === this.turn) this.found();
  }

  // Draw the reasons that are known: each once, with its cards and clauses.
  draw(model) {
    const groups = new Map();
    for (const card of illegalCards(model)) {
      const reason = this.of(model, card);
      if (reason) groups.set(reason.says, { reason, cards: [...(groups.get(reason.says)?.cards ?? []), card] });
    }
    if (!groups.size) return null;
    return h("ul", { class: "replay-reasons", "aria-label": t("replay.illegal") }, [...groups.values()].map((group) => drawGroup(model, group)));
  }
}

/** @param {Page.Model} model */
function drawGroup(model, { reason, cards }) {
  const shown = cards.map((card) => h("span", { class: "replay-mini", role: "img", "aria-label": cardWords(card) }, face(card, true)));
  const clauses = (reason.clauses ?? []).flatMap((clause) => [" ", clauseLink(model, clause)]);
  return h("li", null, h("span", { class: "replay-minis" }, shown), h("span", null, reason.says, clauses));
}

define({
  "replay.illegal": "Cards that couldn't be played, and why",
});
