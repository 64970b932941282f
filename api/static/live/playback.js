// Showing cards one after the other when several arrive at once, so that the last card of a trick is seen before the trick
// is gathered. What the seat can do never waits for this.

const CARD_MS = 400;
const TAKEN_MS = 1100;
const MOST = 16; // more steps than that aren't shown, as after a long sleep

// Return the states of the table that events pass through: [trick, milliseconds]. `trick` is the one before. `version` in
// a state is that of its event, which tells what else had happened by then.
export function stepsOf(trick, events) {
  const steps = [];
  let now = trick && { number: trick.number, leader: trick.leader, plays: trick.plays };
  for (const { fact, data, version } of events) {
    if (fact === "CardPlayed") {
      now = { version, number: now?.number ?? 1, leader: now?.leader ?? data.seat, plays: [...(now?.plays ?? []), { seat: data.seat, card: data.card }] };
      steps.push([now, CARD_MS]);
    } else if (fact === "TrickTaken") {
      steps.push([{ version, number: data.trick, leader: data.plays[0].seat, plays: data.plays, taker: data.seat }, TAKEN_MS]);
      now = { number: data.trick + 1, leader: data.seat, plays: [] };
    } else if (fact === "HandDealt") now = null;
    else if (fact === "MovesTakenBack") steps.length = 0;
  }
  const isShort = steps.length <= MOST && (steps.length > 1 || steps.some(([, length]) => length === TAKEN_MS));
  return isShort ? steps : [];
}

// Plays steps, one after the other; later ones wait for those before.
export class Playback {
  steps = [];
  timer = null;

  constructor(show) {
    this.show = show;
  }

  add(steps) {
    this.steps = this.steps.length + steps.length > MOST ? [] : [...this.steps, ...steps];
    if (this.timer === null) this.next();
  }

  next() {
    this.timer = null;
    const step = this.steps.shift();
    this.show(step ? step[0] : null);
    if (step) this.timer = setTimeout(() => this.next(), step[1]);
  }

  // Show the table as it is now.
  stop() {
    clearTimeout(this.timer);
    Object.assign(this, { steps: [], timer: null });
    this.show(null);
  }
}
