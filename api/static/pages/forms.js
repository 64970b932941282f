/** Forms: fields with a label, a hint and a place for what is wrong, and sending that says what it does. */

import { h, replace } from "../base/dom.js";
import { define, inOwnWords, t } from "../base/messages.js";
import { Problem, Unreached } from "../base/net.js";

/**
 * Return a field: field({ name: "password", label: "Password", type: "password", hint: "At least 8 characters" }).
 *
 * @param {Page.Attributes & { name: string, label: Page.Child, hint?: Page.Child, type?: string, id?: string }} options
 */
export function field({ name, label, hint, type = "text", id = `field-${name}`, ...attrs }) {
  const described = [hint && `${id}-hint`, `${id}-fault`].filter(Boolean).join(" ");
  return h("div", { class: "field" },
    h("label", { for: id }, label),
    h("input", { id, name, type, "aria-describedby": described, required: true, ...attrs }),
    hint && h("p", { class: "hint", id: `${id}-hint` }, hint),
    h("p", { class: "fault", id: `${id}-fault` }));
}

/** The attributes of a field for a name, for a password that exists, and for a new one. */
export const NAME = { name: "name", autocomplete: "username", maxlength: 32, autocapitalize: "none", spellcheck: "false" };
export const PASSWORD = { name: "password", type: "password", autocomplete: "current-password", maxlength: 256 };
export const NEW_PASSWORD = { type: "password", autocomplete: "new-password", minlength: 8, maxlength: 256 };

/**
 * Return a form that calls `submit(values)`, with the focus in the field that is `data-first`; faults of fields are shown at the fields, others above the button. `username`
 * tells password managers whose password the form takes.
 *
 * @param {object} options
 * @param {Page.Child} options.fields
 * @param {string} [options.username]
 * @param {string} options.button
 * @param {(values: any) => unknown} options.submit
 * @param {boolean} [options.danger]
 * @param {Page.Child} [options.extra]
 */
export function form({ fields, username, button, submit, danger = false, extra = null }) {
  const alert = h("div", { role: "alert" });
  const send = h("button", { class: danger ? "button danger" : "button primary", type: "submit" }, button);
  const whole = h("form", { novalidate: true, onsubmit: (event) => void sent(event) }, username && keeper(username), fields, alert, h("p", { class: "buttons" }, send, extra));
  // The attribute autofocus would be refused, and the refusal logged, if something has the focus already.
  queueMicrotask(() => document.activeElement === document.body && /** @type {HTMLElement | null} */ (whole.querySelector("[data-first]"))?.focus());
  async function sent(event) {
    event.preventDefault();
    if (send.getAttribute("aria-busy") === "true") return;
    showFaults(whole, alert, { fields: invalid(whole) });
    if (whole.querySelector("[aria-invalid]")) return;
    send.setAttribute("aria-busy", "true");
    try {
      await submit(valuesOf(whole));
    } catch (error) {
      showFaults(whole, alert, faultsOf(error));
    } finally {
      send.removeAttribute("aria-busy");
    }
  }
  return whole;
}

/** Return what is wrong, for people: { fields: { name: text }, text }. */
export function faultsOf(error) {
  if (!(error instanceof Problem || error instanceof Unreached)) {
    console.error(error);
    return { fields: {}, text: t("page.broken") };
  }
  const errors = error instanceof Problem ? error.errors : {};
  const fields = Object.fromEntries(Object.entries(errors).map(([name, texts]) => [name, faultText(texts)]));
  return { fields, text: error.message };
}

/** Return what the server says is wrong with a field, one sentence or several. */
export const faultText = (texts) => [texts].flat(Infinity).map((each) => inOwnWords("sent.", each)).join(" ");

/**
 * Return a button that runs `act()` once at a time, and says beside itself what went wrong.
 *
 * @param {Page.Child} text
 * @param {() => unknown} act
 * @param {Page.Attributes & { kind?: string }} [options]
 */
export function actionButton(text, act, { kind = "", ...attrs } = {}) {
  const said = h("span", { class: "fault", role: "alert" });
  const button = h("button", { type: "button", class: `button ${kind}`.trim(), ...attrs, onclick: () => void pressed() }, text);
  async function pressed() {
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    replace(said, null, null);
    try {
      await act();
    } catch (error) {
      replace(said, null, faultsOf(error).text);
    } finally {
      button.removeAttribute("aria-busy");
    }
  }
  return [button, said];
}

/** For password managers: whose password it is. It has no name, so it isn't sent. */
const keeper = (username) => h("input", { type: "text", autocomplete: "username", value: username, hidden: true, readonly: true, "aria-hidden": "true", tabindex: -1 });

/**
 * Return the texts of a form's fields by their names.
 *
 * @param {HTMLFormElement} whole
 * @returns {any}
 */
export const valuesOf = (whole) => Object.fromEntries(new FormData(whole));

function invalid(whole) {
  const wrong = [...whole.elements].filter((each) => each.name && !each.checkValidity());
  return Object.fromEntries(wrong.map((each) => [each.name, fault(each)]));
}

function fault({ validity, minLength }) {
  if (validity.valueMissing) return t("form.missing");
  if (validity.tooShort) return t("form.short", { count: minLength });
  return t("form.invalid");
}

function showFaults(whole, alert, { fields, text = "" }) {
  let first = null;
  let shown = 0;
  for (const input of whole.querySelectorAll("input, select, textarea")) {
    const place = document.getElementById(`${input.id}-fault`);
    if (!place) continue;
    const wrong = fields[input.name] ?? "";
    place.textContent = wrong;
    if (wrong) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    if (wrong) shown += 1;
    if (wrong) first ??= input;
  }
  replace(alert, null, text && !shown ? h("p", { class: "notice bad" }, text) : null);
  first?.focus();
}

define({
  "form.invalid": "This isn't valid.",
  "form.missing": "Fill this in.",
  "form.short": { one: "At least {count} character.", other: "At least {count} characters." },
});
