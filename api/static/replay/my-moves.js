// My moves: each of the player's own moves beside the strong bot's choice in their place, once the game is over. The server
// works the choices out hand by hand.

import { h } from "../base/dom.js";
import { define, hundredths, t } from "../base/messages.js";
import { get, Problem } from "../base/net.js";
import { moveText } from "../table/words.js";
import { moveAddress } from "./address.js";

const WORST = 3;
const LEAST = 0.005; // a smaller difference is none

export class MyMoves {
  state = "idle";
  done = 0;
  of = 0;
  moves = [];
  trouble = null;

  /** @param {import("./replay.js").Replay} replay */
  constructor(replay) {
    this.replay = replay;
  }

  // What the panel shows: it changes with that.
  get key() {
    return [this.state, this.done, this.of, this.trouble, this.replay.isLive, this.replay.log.size];
  }

  // Ask for all hands, one after another. A server that has too much to do is waited for.
  async fetch() {
    const { log, mine, game } = this.replay;
    const hands = [...new Set(log.deals.filter(({ n }) => log.revealed.has(n)).map(({ hand }) => hand))];
    Object.assign(this, { state: "working", moves: [], done: 0, of: hands.length, trouble: null });
    try {
      for (const hand of hands) {
        this.replay.draw();
        const { choices } = await patient(() => get(`/games/${game}/hands/${hand}/choices?seat=${mine}`));
        this.moves.push(...choices.filter(({ worlds }) => worlds).map((choice) => ({ hand, choice, lost: lostBy(choice) })));
        this.done += 1;
      }
      this.state = "done";
    } catch (error) {
      Object.assign(this, { state: "idle", trouble: error.message });
    }
    this.replay.draw();
    this.replay.say(t(this.state === "done" ? "my-moves.ready" : "my-moves.failed"));
  }

  /** @param {Page.Model} model */
  draw(model) {
    if (this.replay.isLive) return h("p", { class: "soft" }, t("my-moves.later"));
    if (this.state === "working") {
      const text = t("my-moves.working", { done: this.done, of: this.of });
      return [h("p", null, text), h("progress", { max: this.of, value: this.done, "aria-label": text })];
    }
    if (this.state === "done") return this.drawMoves(model);
    return [
      h("p", null, t("my-moves.says")),
      this.trouble && h("p", { class: "alert" }, this.trouble),
      h("button", { type: "button", class: "button", "data-do": "my-moves", "data-key": "my-moves" }, t("my-moves.ask")),
    ];
  }

  drawMoves(model) {
    if (!this.moves.length) return h("p", { class: "soft" }, t("my-moves.none"));
    const worst = this.moves.filter(({ lost }) => lost >= LEAST).sort((a, b) => b.lost - a.lost).slice(0, WORST);
    const same = this.moves.filter(({ lost }) => lost < LEAST).length;
    const list = (moves) => h("ol", { class: "my-moves" }, moves.map((each) => this.drawMove(model, each)));
    return [
      h("p", null, t("my-moves.same", { count: same, of: this.moves.length })),
      worst.length > 0 && [h("h3", null, t("my-moves.worst")), list(worst)],
      h("details", null, h("summary", { "data-key": "my-moves all" }, t("my-moves.all")), list(this.moves)),
      h("p", { class: "soft" }, t("my-moves.note")),
    ];
  }

  drawMove({ view }, { hand, choice, lost }) {
    const { log, mine } = this.replay;
    const { version, played, chosen } = choice;
    const trick = log.entry(version)?.trick;
    const before = log.entry(version - 1)?.event?.fact === "TrumpPitched" ? version - 2 : version - 1;
    const place = t(trick ? "my-moves.trick" : "my-moves.hand", { hand, trick: trick ?? 0 });
    const words = { played: moveText(played, view), chosen: moveText(chosen, view), points: hundredths(lost) };
    return h("li", null,
      h("span", { class: "soft" }, place), " ",
      h("span", null, t(lost < LEAST ? "my-moves.right" : "my-moves.other", words)), " ",
      h("a", { href: `/games/${this.replay.board}/replay${moveAddress(before, mine)}`, "aria-label": t("my-moves.what-if", { place }) }, t("my-moves.try")));
  }
}

// Return how many points the move gave away on average, against the choice of the strong bot.
function lostBy({ options, chosen, played }) {
  const gain = (move) => options.find((option) => same(option.move, move))?.gain;
  return Math.max(0, (gain(chosen) ?? 0) - (gain(played) ?? gain(chosen) ?? 0));
}

// A discard may name its cards in any order.
function same(one, other) {
  const plain = (move) => JSON.stringify(move.cards ? { ...move, cards: [...move.cards].sort() } : move);
  return plain(one) === plain(other);
}

async function patient(work) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem) || !error.retryAfterS) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.retryAfterS * 1000));
    }
  }
}

define({
  "my-moves": "My moves",
  "my-moves.all": "All my moves",
  "my-moves.ask": "Compare my moves",
  "my-moves.failed": "Your moves couldn't be compared.",
  "my-moves.hand": "Hand {hand}:",
  "my-moves.later": "When the game is over, you can compare your moves with those of the strong bot here.",
  "my-moves.none": "You had nothing to choose in this game.",
  "my-moves.note": "The strong bot knew what you knew. A difference is the average of 100 deals that you couldn't rule out: the points of your side, less those of the others.",
  "my-moves.other": "you {played}; the strong bot would {chosen}, for {points} points more.",
  "my-moves.ready": "Your moves are compared.",
  "my-moves.right": "you {played}, as the strong bot would.",
  "my-moves.same": { one: "One of your {of} moves was as good as the strong bot's.", other: "{count} of your {of} moves were as good as the strong bot's." },
  "my-moves.says": "What would the strong bot have done in your place? Each of your moves is compared with its choice.",
  "my-moves.trick": "Hand {hand}, trick {trick}:",
  "my-moves.try": "What if?",
  "my-moves.what-if": "{place} what if?",
  "my-moves.working": "Comparing: hand {done} of {of} is done.",
  "my-moves.worst": "What cost most",
});
