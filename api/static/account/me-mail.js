/** Which mails about boards the player gets. */

import { h } from "../base/dom.js";
import { day, define, t } from "../base/messages.js";
import { ask } from "../base/net.js";
import { notify } from "../base/shell.js";
import { form } from "../pages/forms.js";

const LEVELS = ["every", "turn", "digest", "none"];

/**
 * Return the form for levels as `GET /me` has them under `mail`.
 *
 * @param {Api.MailSettings} mail
 */
export function mailLevels({ level, games, stopped }) {
  const boxes = LEVELS.map((each) => h("input", { type: "radio", name: "level", value: each, id: `mail-${each}`, checked: each === level }));
  const submit = async () => {
    const chosen = /** @type {Api.MailSettings["level"]} */ (boxes.find((box) => box.checked).value);
    await ask("PUT", "/me/mail", { body: { level: chosen } });
    notify(t("mail.done"));
  };
  const others = Object.keys(games).length;
  return [
    stopped ? h("p", { class: "notice", role: "status" }, t("mail.stopped", { address: stopped.address, day: day(stopped.at), reason: stopped.reason })) : null,
    form({
      fields: [
        h("fieldset", { class: "choices" }, h("legend", null, t("mail.title")), boxes.map((box, at) => h("label", { class: "check" }, box, h("span", null, t(`mail.${LEVELS[at]}`))))),
        others ? h("p", { class: "hint" }, t("mail.others", { count: others })) : null,
      ],
      button: t("mail.keep"),
      submit,
    }),
  ];
}

define({
  "mail.digest": "Once a day, with the boards that wait for me",
  "mail.done": "Your choice is kept.",
  "mail.every": "After every move of others",
  "mail.keep": "Keep this choice",
  "mail.none": "None",
  "mail.others": { one: "{count} board has a choice of its own.", other: "{count} boards have a choice of their own." },
  "mail.stopped": "Mail to {address} came back on {day} ({reason}), so the server sends none there. Confirm an address again to get mail.",
  "mail.title": "Mails about your boards",
  "mail.turn": "When it's my turn, and at the end of a game",
});
