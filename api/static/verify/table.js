// The table, followed event by event with public facts alone. Findings name the event's version.

import { BEACONS } from "./beacons.js";
import { CEREMONIES } from "./ceremonies.js";
import { CHANGES } from "./changes.js";
import { followClocks } from "./clocks.js";
import { DEALS, secretOf } from "./deals.js";
import { DELAYS, DISPUTES, checkDropDue } from "./disputes.js";
import { EXCHANGE } from "./exchange.js";
import { finding } from "./export.js";
import {
  RULES_VERSION,
  checkAudience,
  checkAuthor,
  envelopeFault,
  fieldFault,
  newestRules,
  newestVersion,
} from "./fields.js";
import { BARRIERS, CLOSING, HANDS, UNDOABLE } from "./hands.js";
import { SEATS, checkHandoverDue } from "./seats.js";

const AFTER_THE_END = new Set(Object.keys(DISPUTES));
const UNCHECKED = [
  ...["PartnerRevealed", "BidScaled", "PartnersChanged"],
  ...["TurnReminded", "TurnTimed", "TimeClaimed"],
]; // only their envelope is checked
const CHECKS = {
  ...Object.fromEntries(UNCHECKED.map((fact) => [fact, () => {}])),
  ...CEREMONIES,
  ...DEALS,
  ...BEACONS,
  ...HANDS,
  ...EXCHANGE,
  ...CHANGES,
  ...DISPUTES,
  ...SEATS,
  ...DELAYS,
};
const MEANWHILE = ["BidScaled", "PartnersChanged"];
const ONCE = new Set(["SeedKept", "SeatsDrawn", "DealerDrawn", "CoinFlipped", "StockLaid"]);
const CLOSERS = new Set(["CeremonyRevealed", "CeremonyVoided", "GameEnded"]);

export class Table {
  opening;
  players;
  seats;
  scores;
  disputes = new Map();
  openers = new Map();
  appealsUntil = new Map();
  unread = [];
  unsigned = [];
  ceremonies = new Map();
  promised = new Map();
  withheld = 0;
  left = new Set();
  sat = new Set();
  lent = new Map();
  earlier = new Map();
  begun = new Map();
  moves = new Map();
  arbiters = new Set();
  seedDue = null;
  proposals = new Map();
  question = null;
  call = null;
  dropsCall = false;
  struck = new Set();
  due = null;
  deal = null;
  past = [];
  barrier = 0;
  proposal = null;
  once = new Set();
  isShown = false;
  pitched = null;
  at = "";
  ended = false;
  salts = new Map();
  isLost = false;

  // `secrets` by ceremony come from secretsOf; `roots` are those of the log by size.
  constructor(game, secrets, roots, findings) {
    this.game = game;
    this.secrets = secrets;
    this.roots = roots;
    this.findings = findings;
  }

  says(text) {
    this.findings.push(finding(this.version, text));
  }

  // Add a finding about a deal or draw that isn't as promised.
  wrong(n, text) {
    const ceremony = this.ceremonies.get(n);
    if (ceremony) ceremony.wrong = true;
    this.says(text);
  }

  // Return the seats of the people that haven't left, as text.
  persons() {
    const seats = this.players.map((player, seat) =>
      player.kind === "human" && !this.left.has(seat) ? String(seat) : null,
    );
    return seats.filter((seat) => seat !== null);
  }

  begin(fact, expected) {
    const { n, hand, redeal, dealer, eldest, counts, stock } = fact;
    this.due = null;
    this.past = [];
    if (!redeal) this.proposals.clear();
    const { version } = this;
    this.deal = { n, hand, redeal, dealer, eldest, version, full: counts, counts, stockLeft: stock, expected };
    const cards = { held: {}, stock: null, laid: false, shown: 0, gone: [], drawnFrom: 0, owed: [] };
    this.changeDeal({ ...cards, pitcher: null, stockTaker: null, table: [], takers: [], turns: 0, drawn: null, deferred: [], over: false });
  }

  changeDeal(change) {
    this.deal = { ...this.deal, ...change };
  }

  endDeal(how, due) {
    this.changeDeal({ over: true });
    this.due = due;
    const ceremony = this.ceremonies.get(this.deal.n);
    if (ceremony) ceremony.ended = how;
  }

  async follow(line) {
    this.version = line.version;
    if (this.isLost) return;
    this.checkSeedDue(line.event?.fact);
    if (line.text === null) this.skipWithheld();
    else if (line.event) await this.read(line.event);
    if (this.deal) {
      this.past.push([this.version, this.deal]);
      const ceremony = this.ceremonies.get(this.deal.n);
      if (ceremony) Object.assign(ceremony, { shown: this.deal.shown, laid: this.deal.laid });
    }
  }

  // Check that a seed is kept right after its ceremony opened, be it withheld or not.
  checkSeedDue(fact) {
    if (this.seedDue !== null && Object.hasOwn(CHECKS, fact ?? "") && fact !== "SeedKept")
      this.says(`it's ${fact}, but must be SeedKept of ceremony ${this.seedDue}`);
    this.seedDue = null;
  }

  // Count a withheld line. It may be the fact that a discard or a draw still owes.
  skipWithheld() {
    this.withheld += 1;
    if (this.deal && this.deal.owed[0]?.fact !== "CardsDrawn") this.changeDeal({ owed: this.deal.owed.slice(1) });
  }

  async read(event) {
    const check = Object.hasOwn(CHECKS, event.fact) ? CHECKS[event.fact] : null;
    if (!this.isWhole(event, check)) return;
    try {
      this.checkEnvelope(event);
      this.checkOwed(event.fact);
      this.checkOrder(event.fact, event.data);
      checkDropDue(this, event.fact);
      checkHandoverDue(this, event.fact);
      const { seat = null } = event.data;
      if (seat !== null && !(Number.isInteger(seat) && seat in this.scores))
        throw new RangeError(`there is no seat ${seat}`);
      if (this.opening) checkAuthor(this, event);
      followClocks(this, event);
      const { rules } = event.data;
      await check(this, rules ? { ...event.data, rules: newestRules(rules) } : event.data, event);
      if (CLOSING.has(event.fact)) this.proposal = null;
      if (UNDOABLE.has(event.fact)) this.moves.set(this.version, seat);
      if (BARRIERS.has(event.fact)) this.barrier = this.version;
    } catch (error) {
      const why = error instanceof RangeError ? `: ${error.message}` : ""; // the engine's own messages don't help a reader
      this.says(`it can't come here or can't be read${why}`);
    }
  }

  // Return whether an event is of a known fact and version, and has the fields of that. Say what is wrong with them.
  isWhole(event, check) {
    const { fact, v, data } = event;
    const { rules_v: rulesV } = data?.rules ?? {};
    if (Number.isSafeInteger(v) && v < 1) return this.skips("its v isn't the number of a version");
    const isLater = (number, newest) => Number.isSafeInteger(number) && number > newest;
    const isNewer = isLater(v, newestVersion(fact)) || isLater(rulesV, RULES_VERSION) || rulesV < 1;
    if (typeof fact === "string" && (!check || isNewer)) {
      this.unread.push(finding(this.version, `this program doesn't know ${fact} of version ${v}`));
      this.isLost = true; // all that follows may depend on it
      return false;
    }
    const faults = [envelopeFault(event), check && data ? fieldFault(fact, v, data) : null].filter(Boolean);
    const worst = faults.find(({ readable }) => !readable);
    if (worst) return this.skips(worst.says);
    for (const { says } of faults) this.says(says);
    return true;
  }

  // Say what is wrong with an event that can't be followed. After such an opening, nothing can.
  skips(text) {
    this.says(text);
    this.isLost ||= this.version === 1;
    return false;
  }

  // Check that a draw comes once, the stock before any turn, and nothing after the seed of a hand in play but the end.
  checkOrder(fact, { n = null }) {
    const drawn = `${fact} ${n}`;
    if (ONCE.has(fact) && this.once.has(drawn)) this.says(`${fact} of ceremony ${n} is there twice`);
    this.once.add(drawn);
    if (fact === "StockLaid" && this.deal?.turns) this.says("the stock is laid after a turn");
    if (this.isShown && !CLOSERS.has(fact)) this.says(`it's ${fact}, but the seed of the hand in play was just revealed`);
    const shows = fact === "CeremonyRevealed" && this.deal?.n === n && !this.deal.over;
    this.isShown = shows || (this.isShown && fact.startsWith("Ceremony"));
  }

  // Check that discarded or drawn cards are named, and due ones drawn, before anything else happens.
  checkOwed(fact) {
    const [due, ...later] = this.deal?.owed ?? [];
    if (!due || [due.fact, ...MEANWHILE].includes(fact)) return;
    this.says(`${due.fact} of seat ${due.seat} is missing before it`);
    this.changeDeal({ owed: later.filter((each) => each.fact === fact) });
  }

  checkEnvelope(event) {
    const { version, game, at, salt, fact } = event;
    if (version !== this.version) this.says(`its bytes say that it is event ${version}`);
    if (game !== this.game) this.says("it belongs to another game");
    if (!/^[0-9a-f]{32}$/.test(salt)) this.says("its salt isn't 16 bytes in hex");
    else if (this.salts.has(salt)) this.says(`its salt is that of event ${this.salts.get(salt)}`);
    else this.salts.set(salt, this.version);
    checkAudience(this, event);
    if (at < this.at) this.says(`its time ${at} is earlier than that of the event before it`);
    this.at = at;
    if (!this.opening && fact !== "GameOpened") throw new RangeError("the game isn't open yet");
    if (this.ended && !AFTER_THE_END.has(fact)) this.says("it comes after the end of the game");
  }

  // Check the whole log: if a deal is revealed, all its cards must be there.
  close() {
    let secret = 0;
    for (const [n, { closed, dealt, version, shown, laid }] of this.ceremonies) {
      this.version = version;
      if (!closed) secret += 1;
      else if (dealt?.counts && (shown !== this.seats || Boolean(dealt.stock) !== laid)) {
        this.wrong(n, `ceremony ${n} is revealed, but cards of its deal are missing`);
      }
    }
    this.version = null;
    if (this.withheld && !secret && !this.unread.length)
      this.says(`${this.withheld} events are withheld, but nothing is secret any more`);
  }
}

// Return {seed, fits, key} by number of the ceremony, for those that are revealed or voided.
export async function secretsOf(game, lines) {
  const events = lines.map((line) => line.event).filter((event) => event?.data);
  const of = (fact) => new Map(events.filter((event) => event.fact === fact).map(({ data }) => [data.n, data]));
  const [opened, dealt] = [of("CeremonyOpened"), of("HandDealt")];
  const secrets = new Map();
  for (const [n, { seed }] of [...of("CeremonyRevealed"), ...of("CeremonyVoided")]) {
    const cuts = dealt.get(n)?.cuts ?? [];
    if (opened.has(n)) secrets.set(n, { seed, ...(await secretOf(game, opened.get(n), seed, cuts)) });
  }
  return secrets;
}
