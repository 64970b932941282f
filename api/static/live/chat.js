// The messages at a table: loading them, counting those that weren't read, reading them out, and writing.

import { get, send } from "../base/net.js";
import { t } from "../table/texts.js";
import { playerName } from "../table/words.js";

export class Chat {
  // `table` is the game on the page.
  /** @param {import("./game.js").Game} table */
  constructor(table) {
    this.table = table;
  }

  async load() {
    const { table } = this;
    if (!table.model.me) return;
    const chat = await get(`/games/${table.id}/chat`).catch(() => null);
    const { model } = table;
    if (!chat || JSON.stringify(chat) === JSON.stringify(model.chat)) return;
    const fresh = model.chat ? newOnes(model, chat) : [];
    table.set({ chat, unread: model.tab === "talk" ? 0 : model.unread + fresh.length });
    const names = { ...model.names, ...chat.names };
    if (fresh.length) table.say(...fresh.map(({ by, text }) => t("talk.said", { name: playerName({ names }, by), text })));
  }

  // Send a message, or a comment on an event. Return whether it was sent.
  async write(text) {
    const { table } = this;
    const { about, seat } = table.model;
    /** @type {Api.Sent<"POST", "/games/7/chat">} */
    const body = { text, ...(about ? { event: about.version } : {}), ...(seat === null ? { to: "watchers" } : {}) };
    try {
      await send("POST", `/games/${table.id}/chat`, body);
      table.set({ about: null });
    } catch (error) {
      table.note(t("talk.unsent", { says: error.message }));
      return false;
    }
    await this.load();
    return true;
  }
}

// The messages of others that weren't there before.
/**
 * @param {Page.Model} model
 * @param {Api.ChatPage} chat
 */
function newOnes({ chat: before, me }, { items }) {
  const known = new Set(before.items.map(({ id }) => id));
  return items.filter(({ id, by, erased }) => !known.has(id) && by !== me.id && !erased);
}
