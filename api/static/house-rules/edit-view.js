/** House rules that are being written: where to begin, the choices, what they mean in plain words, and the check. */

import { h, replace } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { ask, Problem } from "../base/net.js";
import { actionButton, faultsOf, faultText } from "../pages/forms.js";
import { somebody } from "../pages/play-now.js";
import { choiceRows } from "./choice-rows.js";
import { bodyOf, draftOf, isChanged } from "./draft.js";
import { nameOf, ruleFault } from "./posted-view.js";
import { drawSummary } from "./summary-view.js";

/**
 * Show the form in a zone; `onPosted(rulebook)` is called for one that was posted.
 *
 * @param {HTMLElement} zone
 * @param {{ session: Api.Session, catalogue: Api.OfferedVariant[], choices: Api.RulebookChoices, books: Api.ShownRulebook[], restricted: boolean, begin: Api.ShownRulebook | null }} context
 */
export function showForm(zone, { session, catalogue, choices, books, restricted, begin }, onPosted) {
  const known = begin && !books.some(({ rulebook }) => rulebook === begin.rulebook) ? [begin, ...books] : books;
  const words = h("div", null);
  const scroll = h("div", { class: "summary-scroll", tabindex: 0, role: "region", "aria-label": t("house.summary") }, words);
  const rowsZone = h("div", null);
  const alert = h("div", { role: "alert" });
  const name = textField("name", h("input", { id: "house-name", type: "text", maxlength: choices.most_name, autocomplete: "off" }));
  const text = textField("text", h("textarea", { id: "house-text", rows: 2, maxlength: choices.most_text }));
  let draft;
  let rows;
  const show = (next, name = "") => {
    draft = next;
    rows.update(draft);
    replace(words, null, () => drawSummary(draft.rules, (each) => isChanged(draft, each)));
    const line = words.querySelector(`[data-says="${CSS.escape(name)}"]`);
    if (line) scroll.scrollTop += line.getBoundingClientRect().top - scroll.getBoundingClientRect().top - scroll.clientHeight / 2;
  };
  const from = h("select", { id: "house-from", onchange: () => startWith(from.value) },
    h("optgroup", { label: t("house.games") }, catalogue.map((game) => h("option", { value: game.name }, game.title))),
    known.length > 0 && h("optgroup", { label: t("house.books") }, known.map((book) => h("option", { value: book.rulebook, selected: book.rulebook === begin?.rulebook }, nameOf(book)))));
  const says = h("p", { class: "hint" });
  function startWith(chosen) {
    const game = catalogue.find((each) => each.name === chosen);
    const book = known.find((each) => each.rulebook === chosen);
    draft = draftOf(game ?? { rules: book.rules, by_players: book.by_players });
    replace(says, null, game ? game.says : book.text);
    name.input.value = game ? t("house.ours", { game: game.title }) : nameOf(book);
    rows = choiceRows(choices.items, catalogue, draft, show);
    replace(rowsZone, null, rows.node);
    replace(alert, null, null);
    show(draft);
  }
  const post = async () => {
    replace(alert, null, null);
    const sent = bodyOf(draft, catalogue, { name: name.input.value.trim(), text: text.input.value.trim() });
    try {
      await somebody(session);
      onPosted((await ask("POST", "/rulebooks", { body: sent })).body);
    } catch (error) {
      showFaults(error);
    }
  };
  function showFaults(error) {
    const errors = error instanceof Problem ? flat(error.errors) : {};
    const ofRules = Object.fromEntries(Object.entries(errors).filter(([path]) => path.startsWith("rules.")).map(([path, said]) => [path.slice("rules.".length), said]));
    const others = [...rows.showFaults(ofRules), ...Object.entries(errors).filter(([path]) => path === "rules" || /^(?:by_players|from|options)/.test(path)).map(([, said]) => ruleFault(said))];
    const own = [name, text].filter((each) => each.showFault(errors[each.name] ?? ""));
    const isAtField = own.length || zone.querySelector(".rule-choice [aria-invalid]");
    const said = others.length ? others.join(" ") : isAtField ? t("house.see-fields") : faultsOf(error).text;
    replace(alert, null, h("p", { class: "notice bad" }, said));
    /** @type {HTMLElement | null} */ (zone.querySelector("[aria-invalid]"))?.focus();
  }
  const may = session.player || session.guests;
  replace(zone, null, [
    h("h1", null, t("house.title")),
    h("p", { class: "lead soft" }, t("house.lead")),
    h("form", { class: "house-grid", onsubmit: (event) => event.preventDefault() },
      h("div", { class: "house-choices" },
        h("section", { class: "panel" }, h("h2", null, t("house.step-begin")), h("div", { class: "field" }, h("label", { for: "house-from" }, t("house.from")), from, says)),
        h("h2", { class: "step" }, t("house.step-change")), rowsZone),
      h("div", { class: "house-side" },
        h("section", { class: "panel" }, h("h2", null, t("house.summary")), h("p", { class: "hint" }, t("house.summary-hint")), scroll),
        h("section", { class: "panel", id: "check" }, h("h2", null, t("house.step-check")), name.node, text.node,
          h("p", { class: "hint" }, t("house.check-hint")), restricted && h("p", { class: "hint" }, t("house.restricted")), alert,
          may ? h("p", { class: "buttons" }, actionButton(t("house.check"), post, { kind: "primary large" })) : h("p", { class: "buttons" }, h("a", { class: "button primary large", href: "/sign-in#/house-rules" }, t("house.sign-in"))))))]);
  startWith(from.value);
}

/** Return a field with a place for what is wrong with it. */
function textField(name, input) {
  const fault = h("p", { class: "fault", id: `${input.id}-fault` });
  input.setAttribute("aria-describedby", fault.id);
  const showFault = (said) => {
    fault.textContent = said;
    if (said) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    return Boolean(said);
  };
  return { name, input, showFault, node: h("div", { class: "field" }, h("label", { for: input.id }, t(`house.${name}`)), input, fault) };
}

/** Return errors in errors by their paths: { "rules.auction.least": "Must be …" }. Those of a list's items stand at the list. */
function flat(errors, path = "") {
  if (typeof errors !== "object" || Array.isArray(errors)) return { [path]: faultText(errors) };
  const found = {};
  for (const [name, inside] of Object.entries(errors))
    for (const [at, said] of Object.entries(flat(inside, path ? `${path}.${name}` : name))) found[at] = said;
  return found;
}

define({
  "house.books": "Rulebooks",
  "house.check": "Check these rules",
  "house.check-hint": "Bots then play 200 games by them, and each game is audited. That takes some seconds. Five checks an hour.",
  "house.from": "Begin with",
  "house.games": "Games",
  "house.lead": "Play what you play at home. Begin with a game, change what is different, and let the server try it. Then open a table, or share the rules by a link.",
  "house.name": "Name",
  "house.ours": "Our {game}",
  "house.restricted": "The host of this server chooses the house rules that tables can play by. Ask them to allow yours.",
  "house.see-fields": "Some choices can't be played. See what stands at them.",
  "house.sign-in": "Sign in to check rules",
  "house.step-begin": "Begin",
  "house.step-change": "Change one choice at a time",
  "house.step-check": "Check and play",
  "house.summary-hint": "What you have changed is marked.",
  "house.text": "A remark, if you like",
});
