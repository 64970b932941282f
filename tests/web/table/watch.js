// Plays recorded facts on the page as they would come from the server, and looks at each frame: all that it shows has to be
// what the server's view of one version shows.

import { Game } from "/static/live/game.js";
import { newModel, withView } from "/static/table/model.js";
import { animate } from "/static/table/motion.js";
import { draw, frame } from "/static/table/zones.js";

const FASTER = 12;
const LATER = 1e9;
const COMPARED = ["headline", "force", "rules", "seats", "own"];
const PREFS = { cuts: false, auto: false, sound: false, four: false, order: "suits", pace: "normal", keys: {} };

export async function watch({ shots, ends, seat }) {
  hasten();
  const page = frame();
  document.querySelector("#main").replaceChildren(page);
  const player = seat === null ? null : { id: shots[0].view.seats[seat].player };
  const game = new Game(shots[0].view.id, { prefs: PREFS, drawn: (model) => draw(page, model), said: () => {}, animate: (...moved) => animate(page, ...moved) });
  const lines = shots.map(({ item }) => item);
  await game.open({ body: shots[ends[0] - 1].view, headers: new Headers() }, null, player);
  await game.record.add(lines.slice(0, ends[0]));
  game.set({ news: LATER });
  game.begin();
  const found = { frames: 0, versions: new Set(), wrong: [] };
  const known = rulesAt(shots);
  let isOver = false;
  const look = () => {
    found.frames += 1;
    found.versions.add(Number(page.dataset.version));
    compare(page, game, shots, known, player, found);
    if (!isOver && found.wrong.length < 3) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  for (const [place, end] of ends.slice(1).entries()) {
    void game.record.add(lines.slice(ends[place], end));
    await pause(place % 3 ? 5 : 60);
    game.take(shots[end - 1].view, null);
    while (place % 4 === 3 && game.pace.isBusy) await pause(100);
  }
  while (game.pace.isBusy) await pause(50);
  await pause(100);
  isOver = true;
  return { ...found, versions: found.versions.size, last: game.model.view.version };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Let the page's time run faster.
function hasten() {
  const [wait, now] = [setTimeout, performance.now.bind(performance)];
  globalThis.setTimeout = (work, ms, ...more) => wait(work, ms / FASTER, ...more);
  performance.now = () => now() * FASTER;
}

// The rules in force at each version.
function rulesAt(shots) {
  let rules = null;
  return shots.map(({ event }) => (rules = event?.data.rules && event.fact !== "RulesChangeDeferred" ? event.data.rules : rules));
}

function compare(page, game, shots, known, player, found) {
  const version = Number(page.dataset.version);
  const server = shots[version - 1].view;
  const { seats } = game.model.view.turn;
  const view = { ...server, turn: { ...server.turn, seats: server.turn.seats.length ? server.turn.seats : seats } };
  const model = { ...withView({ ...newModel(PREFS), me: player, names: game.model.names }, view), rules: known[version - 1], news: LATER, busy: game.model.busy, summary: game.model.summary, scored: game.model.scored };
  const ought = frame();
  draw(ought, model);
  const zone = (from, name) => from.querySelector(`[data-zone="${name}"]`);
  const text = (from, name) => zone(from, name).textContent;
  const cards = (from) => [...zone(from, "hand").querySelectorAll("[data-card]")].map((one) => one.dataset.card).join(" ");
  const say = (what, is, should) => is !== should && found.wrong.push({ version, fact: shots[version - 1].event?.fact, what, is, should });
  for (const name of COMPARED) say(name, text(page, name), text(ought, name));
  say("hand", cards(page), cards(ought));
  if (page.querySelector(".play.taker")) say("gathered trick", view.hand.trick?.plays.length ?? 0, 0);
  else say("trick", text(page, "trick"), text(ought, "trick"));
}
