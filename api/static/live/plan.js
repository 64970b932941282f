// The cards that the player has chosen to play next, in that order. Each is sent when the turn comes and the rules allow it,
// a moment after the page shows the turn. Nobody else is told of a plan.

import { playable } from "../table/hand.js";
import { t } from "../table/texts.js";
import { cardWords } from "../table/words.js";

const BEAT_MS = 500;

export class Plan {
  timer = null;
  isRest = false;

  /** @param {import("./game.js").Game} table */
  constructor(table) {
    this.table = table;
  }

  // Put a card at the end of the plan, or take it out.
  toggle(card) {
    const { plan } = this.table.model;
    this.isRest = false;
    this.set(plan.includes(card) ? plan.filter((other) => other !== card) : [...plan, card], card);
  }

  // Play all cards, in this order; of those that may be played, the first one.
  rest(cards) {
    this.isRest = true;
    this.set(cards, cards[0]);
    this.play();
  }

  clear() {
    clearTimeout(this.timer);
    this.table.set({ plan: [] });
  }

  set(plan, focus) {
    this.table.set({ plan, focus });
    this.table.say(plan.length ? t("plan.next", { card: cardWords(plan[0]), n: plan.length }) : t("plan.stop"));
  }

  // Play the next card of the plan if it's the player's turn. Return whether one is going to be played. A card that may not
  // be played ends the plan, and so does another hand.
  play() {
    const { table } = this;
    const { plan, view } = table.model;
    const legal = playable(table.model);
    clearTimeout(this.timer);
    if (!plan.length || (view.phase === "play" && !legal.length)) return false;
    const card = (this.isRest && plan.find((each) => legal.includes(each))) || plan[0];
    if (!legal.includes(card)) {
      this.clear();
      if (view.you?.cards?.includes(card)) table.note(t("plan.illegal", { card: cardWords(card) }));
      return false;
    }
    this.timer = setTimeout(() => this.send(card), BEAT_MS);
    return true;
  }

  send(card) {
    const { table } = this;
    if (!table.model.plan.includes(card) || !playable(table.model).includes(card)) return;
    void table.move({ type: "play", card });
  }
}
