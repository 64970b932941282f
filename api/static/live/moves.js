// Sending a move so that it counts once. What isn't acknowledged is sent again with the same key until there is an answer.

import { send } from "../base/net.js";

// One move at a time. `changed` is called with what is under way, { move, state }, or null.
export class Sender {
  pending = null;

  constructor(game, changed) {
    this.game = game;
    this.changed = changed;
  }

  // Send a move that was made for a version of the game. Return the body and the ETag of the answer; throw a Problem.
  async send(move, version) {
    const headers = version === null ? {} : { "If-Match": `"${version}"` };
    this.show({ move, state: "sending" });
    const onWait = (text) => text && this.show({ move, state: "unsent" });
    try {
      const { body, headers: got } = await send("POST", `/games/${this.game}/moves`, move, { headers, onWait });
      return { body, etag: got.get("ETag") };
    } finally {
      this.show(null);
    }
  }

  show(pending) {
    this.pending = pending;
    this.changed(pending);
  }
}
