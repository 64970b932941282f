// Ceremonies: each is promised, used for draws, and revealed or voided, once and in order (docs/verify-a-hand.md).

import { checkNamedRound } from "./beacons.js";
import * as fairdeal from "./fairdeal.js";
import { settingOf } from "./changes.js";
import { deckOf, isHash, list, same, secretOf } from "./deals.js";
import { checkOpening, checkUndo } from "./opening.js";

const MAX_DELAY = 1000;

export const CEREMONIES = {
  GameOpened(table, fact, { by, v }) {
    if (table.opening) return table.says("the game is already open");
    const seats = fact.players.length;
    const { version: points, dirty, reverse, partners } = fact.rules;
    Object.assign(table, { opening: fact, host: by, seats, players: fact.players, scores: Array(seats).fill(0) });
    table.sat = new Set(fact.players.map(({ player }) => player));
    table.setting = settingOf({ points, dirty, reverse, partners });
    table.due = { hand: 1, redeal: 0, dealer: seats - 1 };
    if (!same(fact.deck, deckOf(fact.rules))) table.says("its deck isn't that of its rules in order");
    const delay = fact.watch?.delay ?? 0;
    if (delay < 0 || delay > MAX_DELAY) table.says(`spectators see the game ${delay} facts late, and at most ${MAX_DELAY} are allowed`);
    checkUndo(table, fact);
    checkOpening(table, fact, v);
  },

  CeremonyOpened(table, fact, { at }) {
    const { n, subject, commit, seals } = fact;
    const due = dueCeremony(table);
    if (n !== due.n) table.says(`ceremony ${n} opens, but ceremony ${due.n} is due`);
    if (subject !== due.subject && !canFlipCoin(table, subject))
      table.says(`its subject is "${subject}", but "${due.subject}" is due`);
    if ([...table.ceremonies.values()].some((each) => !each.dealt && !each.closed))
      table.says(`ceremony ${n} opens before another ceremony has dealt`);
    if (table.opening.reveal === "hand" && [...table.ceremonies.values()].some(({ closed }) => !closed)) {
      table.says(`ceremony ${n} opens before the previous ceremony is revealed`);
    }
    if (!isHash(commit) || !Object.values(seals).every(isHash))
      table.says("its commitment or one of its seals isn't 32 bytes in hex");
    if (!same(seals, subject.startsWith("deal ") ? dueSeals(table) : {}))
      table.says("its seals aren't those that the seats still playing gave with their last cuts");
    checkNamedRound(table, fact, at);
    table.ceremonies.set(n, newCeremony(fact, table));
    table.seedDue = n;
    const hand = subject.startsWith("deal ") ? (table.due?.hand ?? null) : null;
    if (!table.begun.has(hand)) table.begun.set(hand, table.version);
  },

  async SeedKept(table, { n, seed }) {
    const ceremony = table.ceremonies.get(n);
    if (!ceremony || n !== Math.max(...table.ceremonies.keys()))
      return table.says(`it keeps a seed for ceremony ${n}, which isn't the last one opened`);
    if (ceremony.secret && seed !== ceremony.secret.seed)
      table.wrong(n, `its seed isn't the one that ceremony ${n} reveals`);
    else if (!ceremony.secret && !(await secretOf(table.game, ceremony.opened, seed, [])).fits)
      table.wrong(n, `its seed doesn't match the commitment of ceremony ${n}`);
  },

  CeremonyRevealed(table, { n }) {
    const ceremony = table.ceremonies.get(n);
    if (!ceremony?.dealt || ceremony.closed)
      return table.says(`it reveals ceremony ${n}, which can't be revealed here`);
    closeCeremony(table, ceremony, n);
  },

  CeremonyVoided(table, { n, reason, by }) {
    const ceremony = table.ceremonies.get(n);
    if (!ceremony || ceremony.dealt || ceremony.closed)
      return table.says(`it voids ceremony ${n}, which can't be voided here`);
    if (reason === "ended" && by !== "server") table.says(`ceremony ${n} is voided by ${by}, but the game ended`);
    if (reason === "ruling" && !table.arbiters.has(by)) table.says(`ceremony ${n} is voided by ${by}, who gave no ruling`);
    if (!["ended", "ruling"].includes(reason)) table.says(`it voids ceremony ${n} for an unknown reason, "${reason}"`);
    ceremony.ended = "voided";
    closeCeremony(table, ceremony, n);
  },

  async SeatsDrawn(table, { n, order }) {
    const key = drawKey(table, n, "game");
    const due = key ? await fairdeal.shuffle(key, "seats", table.seats) : null;
    if (due && !same(order, due))
      table.wrong(n, `its order is ${list(order)}, but ceremony ${n} draws ${list(due)}`);
    if (
      !same(
        [...order].sort((a, b) => a - b),
        [...order.keys()],
      )
    )
      table.says("its order doesn't hold each seat once");
    table.players = order.map((index) => table.opening.players[index]);
  },

  async DealerDrawn(table, { n, seat }) {
    const key = drawKey(table, n, "game");
    const due = key ? await fairdeal.pick(key, "dealer", table.seats) : seat;
    if (seat !== due) table.wrong(n, `its dealer is seat ${seat}, but ceremony ${n} draws seat ${due}`);
    table.due = { ...table.due, dealer: seat };
  },

  async CoinFlipped(table, { n, seats, winner }) {
    const key = drawKey(table, n, "coin");
    if (
      !same(
        seats,
        [...seats].sort((a, b) => a - b),
      )
    )
      table.says("the seats of the coin aren't in ascending order");
    const due = key ? seats[await fairdeal.pick(key, "coin", seats.length)] : winner;
    if (winner !== due) table.wrong(n, `the coin goes to seat ${winner}, but ceremony ${n} draws seat ${due}`);
  },
};

function dueCeremony({ opening, ceremonies, due, deal }) {
  const draws = opening.rules.seating === "drawn" || opening.rules.first_dealer === "drawn";
  if (draws && !ceremonies.size) return { n: 0, subject: "game" };
  const { hand, redeal } = due ?? deal ?? {};
  if (!hand) throw new RangeError("no hand is due");
  return {
    n: Math.max(0, ...ceremonies.keys()) + 1,
    subject: `deal hand ${hand}${redeal ? ` redeal ${redeal}` : ""}`,
  };
}

function canFlipCoin({ deal }, subject) {
  return subject === "coin" && deal?.over;
}

function newCeremony(opened, { version, secrets }) {
  const secret = secrets.get(opened.n) ?? null;
  return {
    opened,
    version,
    secret,
    cuts: {},
    beacon: null,
    dealt: null,
    closed: false,
    wrong: false,
    ended: "not dealt",
    changes: 0,
    scored: null,
  };
}

// Return the seals for the next deal: those of the players still in the game who gave one with their last cut and never
// withheld a cut.
function dueSeals(table) {
  const given = table.persons().filter((seat) => table.promised.get(seat) && !table.struck.has(seat));
  return Object.fromEntries(given.map((seat) => [seat, table.promised.get(seat)]));
}

function closeCeremony(table, ceremony, n) {
  ceremony.closed = true;
  if (!ceremony.secret?.fits) table.wrong(n, `its seed doesn't match the commitment of ceremony ${n}`);
}

// Return the key of a ceremony that draws for the table; null if its seed isn't known.
function drawKey(table, n, subject) {
  const ceremony = table.ceremonies.get(n);
  if (ceremony?.opened.subject !== subject || ceremony.closed) {
    table.says(`it draws from ceremony ${n}, which isn't open for "${subject}"`);
    return null;
  }
  Object.assign(ceremony, { dealt: {}, ended: "drawn" });
  return ceremony.secret?.key ?? null;
}
