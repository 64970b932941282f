/** A rulebook that was posted: how far its check is, its rules in plain words, a table by it, and a link to give away. */

import { addressOf, wholeAddressOf } from "../base/address.js";
import { h, replace } from "../base/dom.js";
import { define, inOwnWords, t } from "../base/messages.js";
import { ask, get } from "../base/net.js";
import { wordOf } from "./sentences.js";
import { drawSummary } from "./summary-view.js";

const LOOK_MS = 3_000;
const mayOpen = ({ status, allowed }) => status === "green" && allowed;

/** Return the name to show for a rulebook. */
export const nameOf = ({ name }) => name ?? t("house.unnamed");

/** Return why rules can't be played, in the language of the page. */
export const ruleFault = (says) => inOwnWords("fault.", says, wordOf);

/**
 * Show a rulebook in a zone, and follow its check; `onChange` begins with its rules. Return a function that ends following.
 * Its author, the `player`, can erase the name and the text.
 *
 * @param {HTMLElement} zone
 * @param {Api.ShownRulebook} first
 * @param {Api.Session["player"]} player
 */
export function showPosted(zone, first, player, onChange) {
  const verdict = h("div", { class: "verdict" });
  const said = h("p", { class: "hidden-text", role: "status" }); // how the check went, once it's known, and not each game of it
  const buttons = h("p", { class: "buttons" });
  const words = h("div", null);
  const players = playersField(first, words);
  let source = null;
  let timer = null;
  let isOver = false;
  const draw = (book) => {
    replace(verdict, `${book.status} ${book.games}`, () => drawVerdict(book));
    replace(said, book.status, t(book.status === "waiting" ? "house.waiting" : `house.${book.status}`));
    replace(buttons, book.status, () => [
      mayOpen(book) && h("a", { class: "button primary large", href: `/new#rulebook=${book.rulebook}` }, t("house.open")),
      h("button", { type: "button", class: mayOpen(book) ? "button large" : "button", onclick: onChange }, t("house.begin"))]);
    if (book.status !== "waiting") end();
  };
  const follow = () => {
    source = new EventSource(addressOf(`/api/v1/rulebooks/${first.rulebook}`));
    source.onmessage = ({ data }) => draw(JSON.parse(data));
    source.onerror = () => source.readyState === EventSource.CLOSED && void look();
  };
  /** Look now and then, at a server that sends no streams, or has no room for one more. */
  const look = async () => {
    try {
      draw(await get(`/rulebooks/${first.rulebook}`));
    } catch {
      // the next look may reach the server
    }
    if (!isOver) timer = setTimeout(() => void look(), LOOK_MS);
  };
  const end = () => {
    isOver = true;
    clearTimeout(timer);
    source?.close();
  };
  const heading = h("div", null);
  const own = h("div", null);
  drawWords(heading, own, first, player);
  replace(zone, null, [
    h("p", { class: "eyebrow" }, t("house.title")),
    heading,
    verdict,
    said,
    buttons,
    h("div", { class: "posted" },
      h("section", { class: "panel" }, h("h2", null, t("house.summary")), players, words),
      h("div", null, shareBox(first.rulebook), own))]);
  draw(first);
  if (!isOver) follow();
  return end;
}

/**
 * Draw the name and the text; for their author, also a button that erases them once it's pressed twice.
 *
 * @param {Api.ShownRulebook} book
 */
function drawWords(heading, own, book, player) {
  const isOwn = player !== null && book.author === player.id;
  const said = h("span", { role: "status", class: "hint" });
  let isAsked = false;
  const erase = async (event) => {
    if (!isAsked) {
      isAsked = true;
      event.target.textContent = t("house.erase-sure");
      return;
    }
    try {
      await ask("DELETE", `/rulebooks/${book.rulebook}`);
      drawWords(heading, own, { ...book, name: null, text: null, author: null }, player);
    } catch (error) {
      replace(said, null, error.message);
    }
  };
  replace(heading, null, [
    h("h1", null, nameOf(book)),
    book.text ? h("p", { class: "own-words" }, book.text) : null]);
  replace(own, null,
    isOwn && h("p", { class: "buttons" }, h("button", { type: "button", class: "button", onclick: erase }, t("house.erase")), said));
}

/** @param {Api.ShownRulebook} book */
function drawVerdict({ status, games, of, says, rulebook, allowed }) {
  if (status === "green") return h("p", { class: "notice" }, h("strong", null, t("house.green")), " ", t("house.green-text", { count: games }), !allowed && [" ", t("house.not-allowed")]);
  if (status === "refused")
    return h("div", { class: "notice bad" }, h("p", null, h("strong", null, t("house.refused")), " ", ruleFault(says ?? "")),
      h("p", { class: "verdict-game" }, h("a", { href: addressOf(`/api/v1/rulebooks/${rulebook}/game`), download: `${rulebook.slice(0, 8)}.jsonl` }, t("house.fault-game")), ". ", h("a", { href: "/verify" }, t("house.fault-hint"))));
  const text = t(games ? "house.checking" : "house.waiting", { games, of });
  return h("div", { class: "notice" }, h("p", null, h("label", { for: "house-progress" }, text)), h("progress", { id: "house-progress", max: of, value: games }));
}

/**
 * If the rules differ by the number of players: a choice of it. The words are drawn for that.
 *
 * @param {Api.ShownRulebook} book
 */
function playersField({ rules, by_players: special }, words) {
  const draw = (players) => replace(words, players, () => drawSummary({ ...rules, ...(special[players] ?? {}) }));
  const { seats } = rules;
  draw(String(seats[0]));
  if (!Object.keys(special).length) return null;
  return h("div", { class: "field" }, h("label", { for: "house-players" }, t("house.for-players")),
    h("select", { id: "house-players", onchange: (event) => draw(event.target.value) }, seats.map((each) => h("option", { value: each }, each))));
}

function shareBox(address) {
  const link = wholeAddressOf(`/house-rules#${address}`);
  const said = h("span", { role: "status", class: "hint" });
  const copy = () => navigator.clipboard?.writeText(link).then(() => replace(said, null, t("house.copied")), () => {});
  return h("section", { class: "panel" }, h("h2", null, t("house.share")), h("p", { class: "soft" }, t("house.share-text")),
    h("div", { class: "link-box" }, h("input", { type: "text", readonly: true, value: link, "aria-label": t("house.link"), onfocus: (event) => event.target.select() }), h("button", { type: "button", class: "button", onclick: copy }, t("house.copy"))), said);
}

define({
  "house.begin": "Change these rules",
  "house.checking": "Bots play by these rules, and each game is audited: {games} of {of} games.",
  "house.copied": "Copied.",
  "house.copy": "Copy",
  "house.erase": "Erase my name and text",
  "house.erase-sure": "Erase them? The rules stay. Press once more.",
  "house.fault-game": "Save the game that went wrong",
  "house.fault-hint": "Look at it under “Check a game”",
  "house.for-players": "Rules for how many players?",
  "house.green": "These rules work.",
  "house.green-text": { one: "Bots have played {count} game by them, and the audit found nothing wrong.", other: "Bots have played {count} games by them, and the audit found nothing wrong." },
  "house.link": "The link to these rules",
  "house.not-allowed": "The host of this server doesn't allow tables to play by them. You can still share and change them.",
  "house.open": "Make a table",
  "house.refused": "A game by these rules went wrong.",
  "house.share": "Share these rules",
  "house.share-text": "Anybody with the link can read them, play by them, and begin with them.",
  "house.summary": "In plain words",
  "house.title": "House rules",
  "house.unnamed": "House rules without a name",
  "house.waiting": "Waiting for the check.",
});
