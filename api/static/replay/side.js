// Beside the table: through whose eyes one looks, what one can do with the moment, the events of the hand, and the scores.

import { wholeAddressOf } from "../base/address.js";
import { h } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { setting } from "../base/settings.js";
import { drawScores } from "../table/panels.js";
import { minus } from "../table/texts.js";
import { seatName, seatNames, shortName } from "../table/words.js";
import { boardAt } from "./moment.js";
import { NOBODY, query } from "./address.js";

// Draw the choice of the seat: everybody, the own one, and the others once everything dealt is open.
export function drawViewer({ model, log, at, seat, mine }) {
  const isOpen = log.isOpen(at);
  const options = model.view.seats.map((_, number) => {
    const name = number === mine ? t("replay.seat.mine") : seatName(model, number);
    const isAllowed = isOpen || number === mine;
    return h("option", { value: number, selected: seat === number, disabled: !isAllowed }, isAllowed ? name : t("replay.seat.later", { name }));
  });
  return [
    h("label", { for: "replay-seat" }, t("replay.seat")),
    h("select", { id: "replay-seat", "data-do": "seat" }, h("option", { value: NOBODY, selected: seat === null }, t("replay.seat.none")), options),
    h("label", { class: "check" }, h("input", { type: "checkbox", id: "replay-hands", "data-do": "hands", checked: setting("replayHands"), disabled: !isOpen }), h("span", null, t(isOpen ? "replay.hands" : "replay.hands.later"))),
    h("label", { class: "check" }, h("input", { type: "checkbox", id: "replay-skips", "data-do": "skips", checked: setting("replaySkips") }), h("span", null, t("replay.skips"))),
  ];
}

// Draw what can be done with the moment.
export function drawDoings({ at, seat, board, branching }) {
  const dispute = `/games/${board}/disputes${seat === null ? `?at=${at}` : query(at, seat)}`;
  return [
    h("button", { type: "button", class: "button", "data-do": "what-if", "data-key": "what-if", "aria-disabled": branching ? "true" : null }, t("replay.what-if")),
    h("button", { type: "button", class: "button", "data-do": "copy", "data-key": "copy" }, t("replay.copy")),
    h("a", { class: "button", href: dispute, "data-key": "dispute" }, t("replay.dispute")),
    branching ? h("p", { class: "soft" }, t(`replay.what-if.${branching}`)) : null,
  ];
}

// Draw the events of the hand, each a button that leads to it.
export function drawEvents({ log, at }) {
  const lines = log.linesAround(at);
  if (!lines.length) return h("p", { class: "empty-note" }, t("replay.events.none"));
  const now = lines.findLast(({ version }) => version <= at)?.version;
  return h("ol", { class: "replay-events" }, lines.map((line) => drawEvent(line, line.version === now)));
}

function drawEvent({ version, text, look }, isNow) {
  const attrs = { type: "button", "data-do": "event", "data-version": version, "data-key": `event ${version}`, "aria-current": isNow ? "step" : null };
  return h("li", { class: `is-${look}` }, h("button", attrs, text));
}

// Draw the scores as they stood: as played, and as ruled if a ruling moves them.
export function drawStanding({ model, scoreboard }) {
  const { view } = model;
  const ruled = view.result?.ruled ?? view.ruled;
  const board = boardAt(scoreboard, view);
  return [drawScores({ ...model, board }), ruled ? h("p", { class: "replay-ruled" }, ruledText(model, ruled)) : null];
}

/** @param {Page.Model} model */
function ruledText(model, { scores, winners }) {
  const each = scores.map((score, seat) => `${shortName(model, seat)} ${minus(score)}`);
  const text = t("replay.ruled", { scores: each });
  return winners.length ? `${text} ${t("replay.ruled.won", { names: seatNames(model, winners) })}` : text;
}

// Draw how a page of another site can show the hand, or why it can't yet.
export function drawEmbed({ log, at, board }) {
  const deal = log.dealAt(at);
  const why = embedTrouble(log, deal);
  if (why) return h("p", { class: "soft" }, t(why));
  const line = iframeLine(board, deal.hand);
  return [
    h("p", null, t("replay.embed.text", { hand: deal.hand })),
    h("label", { for: "replay-iframe" }, t("replay.embed.line")),
    h("textarea", { id: "replay-iframe", readonly: true, rows: 4, "data-key": "iframe", spellcheck: "false" }, line),
    h("div", { class: "replay-row" },
      h("button", { type: "button", class: "button small", "data-do": "copy-iframe", "data-key": "copy-iframe" }, t("replay.embed.copy")),
      h("a", { href: `/embed/games/${board}/hands/${deal.hand}`, target: "_blank", rel: "noopener" }, t("replay.embed.see"))),
  ];
}

// Return the line of HTML that shows a hand in a page of another site.
export function iframeLine(board, hand) {
  const src = wholeAddressOf(`/embed/games/${board}/hands/${hand}`);
  return `<iframe src="${src}" title="${t("replay.embed.title", { hand })}" width="100%" height="720" loading="lazy"></iframe>`;
}

function embedTrouble(log, deal) {
  const opened = log.entry(1)?.event?.data;
  if (opened?.watch?.public === false) return "replay.embed.private";
  if (!deal) return "replay.embed.none";
  return log.revealed.has(deal.n) ? null : "replay.embed.later";
}

define({
  "replay.copy": "Copy link to this moment",
  "replay.dispute": "Dispute from here",
  "replay.embed.copy": "Copy the line",
  "replay.embed.later": "This hand can be embedded once it's over and revealed.",
  "replay.embed.line": "Line of HTML",
  "replay.embed.none": "No hand has been dealt at this moment.",
  "replay.embed.private": "Only players may see this game, so none of its hands can be embedded.",
  "replay.embed.see": "See the page",
  "replay.embed.text": "Put this line into a page of yours. It shows hand {hand} trick by trick, to everybody, and checks the deal and the record in the reader's browser.",
  "replay.embed.title": "A hand of cards, hand {hand}",
  "replay.events.none": "Nothing has happened in this hand yet.",
  "replay.hands": "Show all hands",
  "replay.hands.later": "Show all hands (once the hand is over)",
  "replay.ruled": "Scores as ruled: {scores}.",
  "replay.ruled.won": "As ruled, won by {names}.",
  "replay.seat": "Seen by",
  "replay.seat.later": "{name} (once the hand is over)",
  "replay.seat.mine": "You",
  "replay.seat.none": "everybody",
  "replay.skips": "Skip events that change nothing on the table",
  "replay.what-if": "What if? Play on from here",
  "replay.what-if.later": "A hand can be played differently once it's over.",
  "replay.what-if.nobody": "To play differently, go to a moment at which somebody is to move.",
});
