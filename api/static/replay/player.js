// Plays a replay by itself: one step after another, until its end or until the reader does something else.

import { setting } from "../base/settings.js";

const STEP_MS = { slow: 2500, normal: 1200, fast: 500 };

export class Player {
  timer = null;
  steps = false;

  /** @param {import("./replay.js").Replay} replay */
  constructor(replay) {
    this.replay = replay;
  }

  get isOn() {
    return this.timer !== null;
  }

  // Begin, from the beginning if the replay is at its end, or stop.
  toggle() {
    if (this.isOn) return this.stop();
    const { replay } = this;
    if (replay.at >= replay.log.size) replay.go(replay.log.first, true);
    this.wait();
    replay.draw();
  }

  stop() {
    if (!this.isOn) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.replay.draw();
  }

  wait() {
    this.timer = setTimeout(() => this.step(), STEP_MS[setting("replayPace")]);
  }

  // Go one step on. A moment that hasn't come yet is waited for.
  step() {
    const { replay } = this;
    const isThere = replay.view.version === replay.at;
    if (isThere && replay.at >= replay.log.size) return this.stop();
    this.steps = true;
    if (isThere) replay.act("forth");
    this.steps = false;
    this.wait();
  }
}
