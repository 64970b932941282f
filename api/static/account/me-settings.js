/** How the pages look and behave in this browser. */

import { addressOf } from "../base/address.js";
import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { choose, DECKS, FELTS, ORDERS, PACES, setting } from "../base/settings.js";
import { notify } from "../base/shell.js";
import { pushBox } from "./me-push.js";

/** The actions with a key at the table, and their usual keys. */
export const ACTIONS = { last: "c", scores: "s", turn: "t", hand: "h" };
const LANGUAGES = { de: "Deutsch", en: "English", es: "Español" };
const YEAR_S = 31_536_000;
const FIXED = ["Enter", "Escape", "Tab", " ", "Home", "End", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];

/** Return the panels of settings; messages to this browser need a player. */
export const settingsPanels = (player) => [
  h("section", { class: "panel" }, h("h2", null, t("look.title")), h("p", { class: "soft" }, t("look.text")),
    languages(),
    options("theme", ["auto", "light", "dark"]),
    options("deck", DECKS),
    options("felt", FELTS),
    options("order", ORDERS),
    toggle("fourColors"),
    toggle("ascending")),
  h("section", { class: "panel" }, h("h2", null, t("play.title")), options("pace", PACES), toggle("autoplay"), toggle("cut"), toggle("sound"), notices(), player && pushBox(), keys()),
];

const options = (name, values) => choices(name, values.map((value) => [value, t(`setting.${name}.${value}`)]), setting(name), (value) => choose(name, value));

const choices = (name, values, chosen, onchange) =>
  h("fieldset", { class: "choices" }, h("legend", null, t(`setting.${name}`)),
    h("div", { class: "options" }, values.map(([value, text]) =>
      h("label", { class: "check", lang: LANGUAGES[value] && value }, h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchange(value) }), h("span", null, text)))));

/** The server makes a page in its language, so the choice is a cookie, and the page is loaded again. */
function languages() {
  const chosen = document.cookie.match(/(?:^|; )language=(\w+)/)?.[1] ?? "auto";
  const secure = location.protocol === "https:" ? "; Secure" : "";
  return choices("language", [["auto", t("setting.language.auto")], ...Object.entries(LANGUAGES)], chosen, (code) => {
    // biome-ignore lint/suspicious/noDocumentCookie: Firefox and Safari have had no Cookie Store for long
    document.cookie = `language=${code}; Path=${addressOf("/")}; Max-Age=${code === "auto" ? 0 : YEAR_S}; SameSite=Lax${secure}`;
    location.reload();
  });
}

/**
 * @param {string} name
 * @param {(checked: boolean, box: HTMLInputElement) => unknown} [onchange]
 */
function toggle(name, onchange = (checked) => choose(name, checked)) {
  const box = h("input", { type: "checkbox", checked: setting(name), onchange: () => onchange(box.checked, box) });
  return h("label", { class: "check" }, box, h("span", null, t(`setting.${name}`), h("span", { class: "hint" }, " ", t(`setting.${name}.hint`))));
}

/** Notices of the browser: it asks only after this click. */
function notices() {
  if (typeof Notification !== "function") return null;
  return toggle("notices", async (checked, box) => {
    const may = checked && (await Notification.requestPermission()) === "granted";
    choose("notices", may);
    box.checked = may;
    if (checked && !may) notify(t("setting.notices.refused"));
  });
}

function keys() {
  const zone = h("div", null);
  const draw = () => replace(zone, null, [
    h("ul", { class: "rows" }, Object.entries(ACTIONS).map(([action, usual]) => keyRow(action, setting("keys")[action] ?? usual, draw))),
  ]);
  draw();
  return h("details", { class: "more" }, h("summary", null, t("keys.title")), h("p", { class: "soft" }, t("keys.text")), zone);
}

function keyRow(action, key, draw) {
  const button = h("button", { type: "button", class: "button small", "data-key": action, onclick: () => listen(button, action, draw) }, t("keys.change"), h("span", { class: "hidden-text" }, ` ${t(`keys.${action}`)}`));
  return h("li", { class: "row" }, h("span", { class: "title" }, t(`keys.${action}`), " ", h("kbd", null, key)), h("span", { class: "action" }, button));
}

function listen(button, action, draw) {
  replace(button, null, t("keys.press"));
  button.addEventListener("keydown", (event) => {
    event.preventDefault();
    if (!FIXED.includes(event.key) && event.key.length === 1) {
      const taken = Object.keys(ACTIONS).find((each) => each !== action && (setting("keys")[each] ?? ACTIONS[each]) === event.key);
      if (taken) notify(t("keys.taken", { action: t(`keys.${taken}`) }));
      else choose("keys", { ...setting("keys"), [action]: event.key });
    }
    draw();
  }, { once: true });
}

define({
  "keys.change": "Change",
  "keys.hand": "your cards",
  "keys.last": "last trick",
  "keys.press": "Press a key",
  "keys.scores": "scores",
  "keys.taken": "That key is taken: {action}.",
  "keys.text": "At the table. Arrows, Home, End and Enter move through your cards and play them.",
  "keys.title": "Keys",
  "keys.turn": "whose turn it is",
  "look.text": "Kept in this browser, not on the server.",
  "look.title": "Look",
  "play.title": "At the table",
  "setting.ascending": "Low cards first",
  "setting.ascending.hint": "Otherwise the highest card of each suit comes first.",
  "setting.autoplay": "Play the only card I can",
  "setting.autoplay.hint": "With the same pause as for any other card, so that it tells nobody anything.",
  "setting.cut": "Cut the cards for me",
  "setting.cut.hint": "At tables with cuts, so that the deal is fair even against the server.",
  "setting.deck": "Cards",
  "setting.deck.classic": "Classic",
  "setting.deck.large": "With large corners",
  "setting.felt": "Felt",
  "setting.felt.blue": "Blue",
  "setting.felt.green": "Green",
  "setting.felt.plum": "Plum",
  "setting.fourColors": "Four colors",
  "setting.fourColors.hint": "Clubs green and diamonds blue. A letter stands beside each suit, too.",
  "setting.language": "Language",
  "setting.language.auto": "As the browser",
  "setting.notices": "Tell me when it's my turn",
  "setting.notices.hint": "A notice of the browser, as long as a page is open. It never names a card.",
  "setting.notices.refused": "The browser doesn't allow notices of this page.",
  "setting.order": "Order of my cards",
  "setting.order.dealt": "As dealt",
  "setting.order.ranks": "By rank",
  "setting.order.suits": "By suit",
  "setting.order.trump": "By suit, trump first",
  "setting.pace": "Pace of the table",
  "setting.pace.none": "At once",
  "setting.pace.normal": "Normal",
  "setting.pace.quick": "Quick",
  "setting.pace.slow": "Slow",
  "setting.sound": "Sounds",
  "setting.sound.hint": "For cards, tricks, your turn and the end of a game.",
  "setting.theme": "Theme",
  "setting.theme.auto": "As the system",
  "setting.theme.dark": "Dark",
  "setting.theme.light": "Light",
});
