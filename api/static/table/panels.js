// The panels beside the table: the scores by hand, what happened, and the chat.

import { h } from "../base/dom.js";
import { withTerms } from "../base/terms.js";
import { minus, signed, t } from "./texts.js";
import { bidWords, ownOrName, playerName, pointName, seatName, shortName } from "./words.js";

export const TABS = ["scores", "story", "talk"];

// Draw the tabs. The panel itself is a zone of its own, so that a text being typed stays.
/** @param {Page.Model} model */
export function drawTabs(model) {
  return h("div", { class: "tabs", role: "tablist" }, TABS.map((name) => drawTab(model, name)));
}

/** @param {Page.Model} model */
function drawTab(model, name) {
  const chosen = model.tab === name;
  const unread = name === "talk" && model.unread > 0 ? ` (${model.unread})` : "";
  return h(
    "button",
    { type: "button", role: "tab", id: `tab-${name}`, class: "tab", "data-do": "tab", "data-tab": name, "data-key": `tab ${name}`, "aria-selected": String(chosen), "aria-controls": "panel", tabindex: chosen ? "0" : "-1" },
    t(`tab.${name}`) + unread,
  );
}

// Say above the hand that messages came. On a small screen the tab with their number is below it.
/** @param {Page.Model} model */
export function drawUnread(model) {
  const { chat, unread } = model;
  const last = unread > 0 && chat?.items.findLast(({ by, erased }) => by !== model.me?.id && !erased);
  if (!last) return [];
  const said = t("talk.said", { name: playerName({ names: { ...model.names, ...chat.names } }, last.by), text: last.text });
  const open = h("button", { type: "button", class: "unread-text", "data-do": "tab", "data-tab": "talk", "data-key": "unread" }, said);
  return h("div", { class: "unread" }, open, unread > 1 && h("span", { class: "unread-count" }, unread), h("button", { type: "button", class: "dismiss", "data-do": "seen", "data-key": "seen", "aria-label": t("news.dismiss") }, "×"));
}

// Draw the scores: a line for each hand, the running scores, and the last hand as its score lines say it.
/** @param {Page.Model} model */
export function drawScores(model) {
  const { board } = model;
  if (!board?.hands.length) return h("p", { class: "empty-note" }, t("scores.none"));
  return h("div", {}, drawHands(model, board), drawLines(model, board.hands.at(-1)));
}

/** @param {Page.Model} model */
function drawHands(model, board) {
  const seats = model.view.seats.map((_, seat) => seat);
  const head = [h("th", { scope: "col" }, t("scores.hand")), ...seats.map((seat) => h("th", { scope: "col", title: seatName(model, seat) }, h("span", { class: "score-name" }, shortName(model, seat))))];
  const rows = board.hands.map((hand, place) => drawRow(model.view, hand, changesOf(board, place)));
  const total = h("tr", { class: "total" }, h("th", { scope: "row" }, t("scores.total")), board.totals.map((score) => h("td", {}, minus(score))));
  return h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": t("tab.scores") }, h("table", { class: seats.length > 3 ? "score-table narrow" : "score-table" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows, total)));
}

// Return what each seat won or lost in a hand: the difference to the total before.
function changesOf(board, place) {
  const totals = (at) => (at < 0 ? board.totals.map(() => 0) : board.hands[at].lines.map((line) => line.total));
  return totals(place).map((total, seat) => [total - totals(place - 1)[seat], total]);
}

function drawRow(view, hand, changes) {
  const note = hand.made === null ? "" : ` ${t(hand.made ? "scores.made" : "scores.set", { bid: bidWords(view, hand.bid) })}`;
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, String(hand.hand), h("span", { class: "made" }, withTerms(note))),
    changes.map(([change, total], seat) => h("td", { class: seat === hand.pitcher ? "pitched" : "" }, h("span", { class: "change" }, signed(change)), " ", h("span", { class: "sum" }, minus(total)), seat === hand.pitcher && h("span", { class: "hidden-text" }, ` ${t("scores.pitcher")}`))),
  );
}

// Return a score line as the record writes it, with the names and words of the page: what wasn't won stays blank.
/** @param {Page.Model} model */
function scoreLine(model, hand, seat) {
  const { total, exact, tricks, bid, pegs, count } = hand.lines[seat];
  const width = Math.max(...hand.lines.map((_, each) => ownOrName(model, each).length));
  const begins = `${ownOrName(model, seat).padEnd(width)}  ${String(total).padStart(3)}  `;
  if (exact !== null) {
    const taken = t("scores.taken", { tricks: String(tricks).padStart(2), bid: String(bid).padStart(2) });
    return `${begins}${taken}  ${exact ? t("scores.exact") : ""}`.trimEnd();
  }
  const won = pegs.filter(({ credited }) => credited).map(({ point }) => point);
  const times = (points, point) => points.filter((each) => each === point).length;
  const columns = hand.words.map((word, at) => (times(hand.words.slice(0, at + 1), word) <= times(won, word) ? pointName(word) : " ".repeat(pointName(word).length)));
  const marks = hand.marks.filter((mark) => won.includes(mark)).map((mark) => `  ${pointName(mark)}`);
  return `${begins}${columns.join(" ")}  ${count === null ? "" : String(count).padStart(3)}${marks.join("")}`.trimEnd();
}

/** @param {Page.Model} model */
function drawLines(model, hand) {
  return h(
    "div",
    { class: "score-lines" },
    h("h3", {}, t("scores.lines", { hand: hand.hand })),
    h("p", { class: "lines-note" }, t(hand.lines.some(({ exact }) => exact !== null) ? "scores.lines.tricks" : "scores.lines.points")),
    h("pre", { tabindex: "0" }, hand.lines.map((_, seat) => scoreLine(model, hand, seat)).join("\n")),
  );
}

// Draw what happened, the newest first. A line can be commented on.
/** @param {Page.Model} model */
export function drawStory(model) {
  const lines = model.story.lines.slice(-LINES);
  if (!lines.length) return h("p", { class: "empty-note" }, t("story.none"));
  return h("ol", { class: "story", reversed: true }, lines.toReversed().map((line) => drawLine(model, line)));
}

const LINES = 80;

/** @param {Page.Model} model */
function drawLine(model, line) {
  const comment = model.seat !== null && h("button", { type: "button", class: "comment", "data-do": "comment", "data-event": line.version, "data-key": `comment ${line.version}`, "aria-label": `${t("story.comment")}: ${line.text}` }, "✎");
  return h("li", { class: `line is-${line.look}`, "data-version": line.version }, h("span", {}, line.text), comment);
}

// Draw the messages. The form below them is drawn once.
/** @param {Page.Model} model */
export function drawMessages(model) {
  const { chat } = model;
  if (!chat) return h("p", { class: "empty-note" }, t(model.me ? "talk.none" : "talk.login"));
  if (!chat.items.length) return h("p", { class: "empty-note" }, t("talk.none"));
  return h("ol", { class: "messages" }, chat.items.map((message) => drawMessage(model, message)));
}

/** @param {Page.Model} model */
function drawMessage(model, message) {
  const names = { ...model.names, ...model.chat.names };
  const about = message.event ? ` ${t("talk.comment", { event: message.event })}` : "";
  const to = message.to === "table" ? "" : ` ${t(`talk.to.${message.to}`)}`;
  return h(
    "li",
    { class: "message" },
    h("span", { class: "message-by" }, (message.by === model.me?.id ? t("you.short") : playerName({ names }, message.by)) + to + about),
    h("p", {}, message.erased ? t("talk.erased") : message.text),
  );
}

// Draw the form to write a message. It's drawn again only if what can be written changes.
/** @param {Page.Model} model */
export function drawWrite(model) {
  if (!model.me) return h("span");
  if (model.chat && !model.chat.open) return h("p", { class: "empty-note" }, t("talk.closed"));
  const label = model.about ? t("talk.write.to", { about: model.about.text }) : t("talk.write");
  return h(
    "form",
    { class: "write", "data-form": "talk", autocomplete: "off" },
    h("label", { for: "talk-text" }, label),
    h("div", { class: "write-line" }, h("input", { id: "talk-text", name: "text", type: "text", maxlength: "2000", required: true, "data-key": "talk-text" }), h("button", { class: "button", type: "submit", "data-key": "talk-send" }, t("talk.send"))),
    model.about ? h("button", { type: "button", class: "button plain", "data-do": "no-comment", "data-key": "no-comment" }, t("menu.cancel")) : null,
  );
}
