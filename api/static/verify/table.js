// The table as a stranger follows it, event by event; what is wrong goes to `findings` with the event's version.

import { CEREMONIES } from "./ceremonies.js";
import { CHANGES } from "./changes.js";
import { DEALS, secretOf } from "./deals.js";
import { DISPUTES } from "./disputes.js";
import { finding } from "./export.js";
import { HANDS } from "./hands.js";

const SECRET = new Set(["SeedKept", "CardsDealt", "StockLaid", "CardsBuried", "CardsTaken"]);
const AFTER_THE_END = new Set(Object.keys(DISPUTES));
const UNCHECKED = [
  ...["AuctionWon", "PartnerRevealed", "TrumpPitched", "BidScaled", "PartnersChanged", "DelayCalled", "DelayVoted"],
  ...["UndoAsked", "UndoAnswered", "DrawProposed", "DrawAnswered", "TurnReminded"],
]; // only their envelope is looked at
const CHECKS = {
  ...Object.fromEntries(UNCHECKED.map((fact) => [fact, () => {}])),
  ...CEREMONIES,
  ...DEALS,
  ...HANDS,
  ...CHANGES,
  ...DISPUTES,
};
const MEANWHILE = ["BidScaled", "PartnersChanged"];
const FORMAT = 1; // every fact's `v`

export class Table {
  // `secrets` by ceremony as secretsOf gives them, `roots` of the log by size.
  constructor(game, secrets, roots, findings) {
    Object.assign(this, {
      game,
      secrets,
      roots,
      findings,
      disputes: new Map(),
      unread: [],
      ceremonies: new Map(),
      promised: new Map(),
      withheld: 0,
    });
    Object.assign(this, {
      left: new Set(),
      struck: new Set(),
      due: null,
      deal: null,
      past: [],
      at: "",
      ended: false,
    });
  }

  says(text) {
    this.findings.push(finding(this.version, text));
  }

  // The same of a deal or draw, which is then not as it was promised.
  wrong(n, text) {
    const ceremony = this.ceremonies.get(n);
    if (ceremony) ceremony.wrong = true;
    this.says(text);
  }

  // The people that have not left, as text.
  persons() {
    const seats = this.players.map((player, seat) =>
      player.kind === "human" && !this.left.has(seat) ? String(seat) : null,
    );
    return seats.filter((seat) => seat !== null);
  }

  begin(fact, made) {
    const { n, hand, redeal, dealer, eldest, counts, stock } = fact;
    this.due = null;
    this.past = [];
    this.deal = {
      n,
      hand,
      redeal,
      dealer,
      eldest,
      version: this.version,
      full: counts,
      counts,
      stockLeft: stock,
      made,
    };
    const cards = { held: {}, stock: null, laid: false, shown: 0, gone: [], drawnFrom: 0 };
    const owed = { fact: null, seat: null, count: 0 };
    this.deals({ ...cards, owed, table: [], takers: [], turns: 0, drawn: null, deferred: [], over: false });
  }

  deals(change) {
    this.deal = { ...this.deal, ...change };
  }

  over(how, due) {
    this.deals({ over: true });
    this.due = due;
    const ceremony = this.ceremonies.get(this.deal.n);
    if (ceremony) ceremony.ended = how;
  }

  async follow(line) {
    this.version = line.version;
    if (line.text === null) this.unseen();
    else if (line.event) await this.read(line.event);
    if (this.deal) {
      this.past.push([this.version, this.deal]);
      const ceremony = this.ceremonies.get(this.deal.n);
      if (ceremony) Object.assign(ceremony, { shown: this.deal.shown, laid: this.deal.laid });
    }
  }

  // A line that is not shown: what a discard or a draw owed is told by it.
  unseen() {
    this.withheld += 1;
    if (this.deal) this.deals({ owed: { fact: null, seat: null, count: 0 } });
  }

  async read(event) {
    const check = Object.hasOwn(CHECKS, event.fact) ? CHECKS[event.fact] : null;
    if (!check || event.v !== FORMAT) {
      this.unread.push(finding(this.version, `${event.fact} of version ${event.v} is not known here`));
      return;
    }
    try {
      this.around(event);
      this.named(event.fact);
      const { seat = null } = event.data;
      if (seat !== null && !(Number.isInteger(seat) && seat in this.scores))
        throw new RangeError(`there is no seat ${seat}`);
      await check(this, event.data);
    } catch (error) {
      const why = error instanceof RangeError ? `: ${error.message}` : ""; // the engine's own words tell a reader nothing
      this.says(`it cannot stand here or cannot be read${why}`);
    }
  }

  // What was thrown away or drawn is named before anything else happens.
  named(fact) {
    const owed = this.deal?.owed;
    if (!owed?.count || [owed.fact, ...MEANWHILE].includes(fact)) return;
    this.says(`${owed.fact} of seat ${owed.seat} is missing before it`);
    this.deals({ owed: { fact: null, seat: null, count: 0 } });
  }

  around({ version, game, at, salt, seen_by: seen, fact }) {
    if (version !== this.version) this.says(`its bytes say that it is event ${version}`);
    if (game !== this.game) this.says("it belongs to another game");
    if (!/^[0-9a-f]{32}$/.test(salt)) this.says("its salt is not 16 bytes in hex");
    if (SECRET.has(fact) !== (seen !== null))
      this.says(`it is for ${seen === null ? "everybody" : "a few"}, which ${fact} is not`);
    if (at < this.at) this.says(`its time ${at} lies before that of the event before it`);
    this.at = at;
    if (!this.opening && fact !== "GameOpened") throw new RangeError("the game is not open yet");
    if (this.ended && !AFTER_THE_END.has(fact)) this.says("it stands after the end of the game");
  }

  // What only the whole log can tell: deals that are revealed and not shown whole.
  close() {
    let secret = 0;
    for (const [n, { closed, dealt, version, shown, laid }] of this.ceremonies) {
      this.version = version;
      if (!closed) secret += 1;
      else if (dealt?.counts && (shown !== this.seats || Boolean(dealt.stock) !== laid)) {
        this.wrong(n, `ceremony ${n} is revealed, and its deal is not shown whole`);
      }
    }
    this.version = null;
    if (this.withheld && !secret && !this.unread.length)
      this.says(`${this.withheld} events are withheld though nothing is secret any more`);
  }
}

// What each ceremony's seed makes, by its number: {seed, fits, key}, for those that are revealed or voided.
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
