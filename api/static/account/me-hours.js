/** When the player's clocks stand still: nights, weekends and a vacation in their own time zone. */

import { h } from "../base/dom.js";
import { define, t } from "../base/messages.js";
import { ask } from "../base/net.js";
import { notify } from "../base/shell.js";
import { field, form } from "../pages/forms.js";

/**
 * Return the form for hours as the server has them; `load()` draws it again.
 *
 * @param {Api.OwnHours} found
 */
export function hours(found, load) {
  const night = found.night ?? { start: "", end: "" };
  const [vacation, ...later] = found.vacation;
  const weekends = h("input", { type: "checkbox", id: "hours-weekends", checked: found.weekends });
  const optional = (name, type, value) =>
    field({ name, id: `hours-${name}`, label: t(`hours.${name}`), type, value, required: false });
  const submit = async ({ zone, night, wakes, vacation, last }) => {
    const body = {
      zone,
      night: night ? { start: night, end: wakes } : null,
      weekends: weekends.checked,
      vacation: [...(vacation ? [{ first: vacation, last: last || vacation }] : []), ...later],
    };
    await ask("PUT", "/me/hours", { body });
    notify(t("hours.done"));
    await load();
  };
  const usual = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [
    h("p", { class: "soft" }, t("hours.text")),
    form({
      fields: [
        field({ name: "zone", id: "hours-zone", label: t("hours.zone"), hint: t("hours.zone-hint", { zone: usual }), value: found.zone, autocomplete: "off" }),
        optional("night", "time", night.start),
        optional("wakes", "time", night.end),
        h("label", { class: "check" }, weekends, h("span", null, t("hours.weekends"))),
        optional("vacation", "date", vacation?.first ?? ""),
        optional("last", "date", vacation?.last ?? ""),
        later.length ? h("p", { class: "hint" }, t("hours.later", { spans: later.map(span).join(", ") })) : null,
        h("p", { class: "hint" }, t("hours.left", { days: String(found.vacation_days_left) })),
      ],
      button: t("hours.keep"),
      submit,
    }),
  ];
}

function span({ first, last }) {
  return t("hours.span", { first, last });
}

define({
  "hours.done": "Your hours are kept. They count for turns that begin from now on.",
  "hours.keep": "Keep my hours",
  "hours.last": "Last day of the vacation",
  "hours.later": "You have planned later vacations, too, which stay as they are: {spans}",
  "hours.left": "Days of vacation that you have left: {days}",
  "hours.night": "My night begins at",
  "hours.span": "{first} to {last}",
  "hours.text": "Your clock stands still at these times. Others see the deadlines that follow from them, not your hours.",
  "hours.title": "Nights, weekends and vacation",
  "hours.vacation": "First day of a vacation",
  "hours.wakes": "My night ends at",
  "hours.weekends": "My clock stands still on Saturdays and Sundays",
  "hours.zone": "Time zone",
  "hours.zone-hint": "This browser's is {zone}.",
});
