// Events in words. A line says the number of the hand or the trick too, since the same text twice isn't read out.

import { signed, t } from "./texts.js";
import { bidWords, cardWords, playerName, seatName, seatNames, seatText, settingChanges, shortName, totalOf } from "./words.js";

const MOST = 400; // lines that are kept
const TRICKS = 16; // tricks that are kept: all of a hand

// Tell events in order. `told` is what is known from the events before: the hand, the trick and the rules in force.
export class Story {
  hand = 0;
  trick = 1;
  setting = null;
  lines = [];
  changes = [];
  tricks = [];
  asker = null; // the seat that asked for an undo or a draw last
  deals = new Map(); // the version at which a hand was dealt, by its number

  // Begin with lines from the middle of a game: find out which hand and which trick they are in.
  /**
   * @param {Page.Line[]} items
   * @param {Page.View} view
   */
  begin(items, view) {
    const events = items.flatMap(({ event }) => (event ? [event] : []));
    const dealt = events.find(({ fact }) => fact === "HandDealt");
    const taken = events.find(({ fact }) => fact === "TrickTaken");
    this.hand = dealt ? dealt.data.hand - 1 : (view.hand?.number ?? 0);
    this.trick = taken?.data.trick ?? view.hand?.trick?.number ?? 1;
  }

  // Add an event and return its line, or null if there is nothing to say of it.
  add(event, model) {
    this.note(event);
    const tell = TOLD[event.fact];
    const text = tell ? tell(event.data, asOf(model, event.version), this) : null;
    if (event.data.summary) this.announce(event);
    if (!text) return null;
    const line = { version: event.version, hand: this.hand, text, look: LOOKS[event.fact] ?? "" };
    this.lines = [...this.lines.slice(1 - MOST), line];
    return line;
  }

  note({ fact, data, version }) {
    if (fact === "HandDealt") this.deal(version, data.hand);
    if (fact === "UndoAsked" || fact === "DrawProposed") this.asker = data.seat;
    if (fact === "TrickTaken") this.tricks = [...this.tricks.slice(1 - TRICKS), { version, hand: data.hand, trick: { number: data.trick, seat: data.seat, plays: data.plays, kept: data.kept } }];
    if (fact === "MovesTakenBack") this.tricks = this.tricks.filter((each) => each.version <= data.to_version);
    if (fact === "GameOpened" && data.rules.version) this.setting = settingOf(data.rules);
  }

  deal(version, hand) {
    Object.assign(this, { hand, trick: 1 });
    this.deals.set(hand, version);
  }

  // Keep what a change of the rules changed, and why, to show it.
  announce({ fact, data, version }) {
    const before = this.setting ?? settingOf(data.rules);
    if (fact === "RulesChanged") this.setting = { ...data.summary, total: totalOf(data.rules) };
    this.changes.push({ version, text: changed(data, before), why: why(data), before, after: { ...data.summary, total: totalOf(data.rules) }, waits: fact !== "RulesChanged" });
  }
}

// The model with the players who had the seats at a version: a line names the player who did it, whoever sits there now.
/** @param {Page.Model} model */
function asOf(model, version) {
  const { view } = model;
  if (view.seats.every(({ earlier }) => !earlier.some(({ last }) => version <= last))) return model;
  const seats = view.seats.map((seat) => ({ ...seat, ...seat.earlier.find(({ last }) => version <= last) }));
  return { ...model, view: { ...view, seats } };
}

function settingOf(rules) {
  return { points: rules.version, dirty: rules.dirty, reverse: rules.reverse, partners: rules.partners, total: totalOf(rules) };
}

// An answer to an undo or a draw. The seat that asked withdraws the question with a refusal.
function answered({ seat, accept }, model, { asker }, kind) {
  if (accept) return seatText(model, "story.agrees", seat);
  if (seat === asker) return seatText(model, "story.withdraws", seat);
  return asker !== null && asker === model.seat ? t(`story.refuses.mine.${kind}`, { name: seatName(model, seat) }) : seatText(model, "story.refuses", seat);
}

function changed(data, before) {
  const parts = settingChanges(before, data.summary, data.rules);
  const offered = totalOf(data.rules);
  const points = before.points !== data.summary.points && before.total !== offered ? t("story.offer", { before: before.total, after: offered }) : "";
  return t("story.changed", { changes: parts.length ? parts : [t("story.same")] }) + points;
}

function why(data) {
  if (data.cause === "randomizer") return t("story.why.drawn", { turn: Number(data.label.split(" ")[1]) + 1, pick: data.pick + 1, of: data.of });
  return t(data.cause === "host" ? "story.why.host" : "story.why.deferred");
}

const LOOKS = { RulesChanged: "change", RulesChangeDeferred: "change", BidScaled: "change", PartnersChanged: "change", HandScored: "score", HandDealt: "deal", GameEnded: "score", CardPlayed: "card", TrickTaken: "taken" };

const TOLD = {
  HandDealt: (data, model) => {
    const late = data.missing.length ? ` ${t("story.missing", { names: seatNames(model, data.missing) })}` : "";
    return seatText(model, data.redeal ? "story.redealt" : "story.dealt", data.dealer, { hand: data.hand }) + late;
  },
  DealerDrawn: (data, model) => seatText(model, "story.dealer", data.seat),
  MisdealDeclared: (data, model) => t("story.misdeal", { hand: data.hand, names: seatNames(model, data.seats) }),
  TrumpTurnedUp: (data) => t("story.turned", { hand: data.hand, card: cardWords(data.card), suit: t(`suit.${data.suit}`) }),
  CutOpened: (data, model) => seatText(model, "story.cut", data.seat, { n: data.n }),
  BeaconRecorded: (data) => t("story.beacon", { source: data.source }),
  CoinFlipped: (data, model) => t("story.coin", { name: seatName(model, data.winner), names: seatNames(model, data.seats) }),
  BidMade: (data, model, story) => seatText(model, "story.bid", data.seat, { hand: story.hand, bid: bidWords(model.view, data.bid) }),
  BidPassed: (data, model, story) => seatText(model, "story.passed", data.seat, { hand: story.hand }),
  HandThrownIn: (data) => t("story.thrown", { hand: data.hand }),
  AuctionWon: (data, model, story) => seatText(model, data.forced ? "story.forced" : "story.won", data.seat, { hand: story.hand, bid: bidWords(model.view, data.bid) }),
  TrumpNamed: (data, model, story) => seatText(model, "story.named", data.seat, { hand: story.hand, suit: t(`suit.${data.suit}`) }),
  TrumpPitched: (data, model, story) => seatText(model, "story.pitched", data.seat, { hand: story.hand, suit: t(`suit.${data.suit}`) }),
  PartnerCalled: (data, model, story) => seatText(model, "story.called", data.seat, { hand: story.hand, card: cardWords(data.card) }),
  PartnerRevealed: (data, model) => {
    const values = { pitcher: seatName(model, data.bidder), card: cardWords(data.card) };
    return data.seat === null ? t("story.alone", values) : t("story.partner", { ...values, name: seatName(model, data.seat) });
  },
  CardsDiscarded: (data, model, story) => {
    const shown = data.shown.length ? ` ${t("story.shown", { cards: data.shown.map(cardWords) })}` : "";
    return seatText(model, "story.discarded", data.seat, { hand: story.hand, n: data.count }) + shown;
  },
  CardsDrawn: (data, model, story) => seatText(model, "story.drew", data.seat, { hand: story.hand, n: data.count }),
  CardsTaken: (data, model) => (data.seat === model.seat && data.cards.length ? t("story.got", { cards: data.cards.map(cardWords) }) : null),
  StockTaken: (data, model, story) => seatText(model, model.view.rules.kitty ? "story.kitty" : "story.stock", data.seat, { hand: story.hand, n: data.count }),
  CardPlayed: (data, model, story) => t("story.played", { trick: story.trick, name: shortName(model, data.seat), card: cardWords(data.card) }),
  TrickTaken: (data, model, story) => {
    story.trick = data.trick + 1;
    const kept = data.kept.length ? ` ${t("story.kept", { cards: data.kept.map(({ seat, card }) => `${shortName(model, seat)}: ${cardWords(card)}`) })}` : "";
    return seatText(model, "story.took", data.seat, { trick: data.trick }) + kept;
  },
  HandScored: (data, model) => t("story.scored", { hand: data.hand, changes: data.changes.map((change, seat) => `${shortName(model, seat)} ${signed(change)}`) }),
  RulesChanged: (data, _, story) => `${changed(data, story.setting ?? settingOf(data.rules))} ${why(data)}`,
  RulesChangeDeferred: (data, _, story) => `${t("story.deferred")} ${changed(data, story.setting ?? settingOf(data.rules))}`,
  BidScaled: (data, model) => t("story.scaled", { name: seatName(model, data.seat), before: data.before, after: data.after }),
  PartnersChanged: (data, model) => {
    if (data.bidder === null) return null;
    const pitcher = seatName(model, data.bidder);
    return data.partner === null ? t("story.partner.none", { pitcher }) : t("story.partner.now", { pitcher, name: seatName(model, data.partner) });
  },
  DelayCalled: (data, model) => t("ask.delay", { name: seatName(model, data.seat), accused: seatName(model, data.accused), seconds: Math.floor(data.waited_ms / 1000) }),
  DelayVoted: (data, model) => t(data.guilty ? "vote.guilty" : "vote.innocent", { name: seatName(model, data.seat) }),
  DelayJudged: (data, model) => t(data.guilty ? "story.guilty" : "story.innocent", { name: seatName(model, data.accused) }),
  DelayDropped: (data, model) => t("story.delay.dropped", { name: seatName(model, data.accused) }),
  UndoAsked: (data, model) => t("ask.undo", { name: seatName(model, data.seat) }),
  UndoAnswered: (data, model, story) => answered(data, model, story, "undo"),
  MovesTakenBack: (data, model) => seatText(model, "story.undone", data.seat, { version: data.to_version }),
  DrawProposed: (data, model) => t("ask.draw", { name: seatName(model, data.seat) }),
  DrawAnswered: (data, model, story) => answered(data, model, story, "draw"),
  SeatResigned: (data, model) => seatText(model, "story.resigned", data.seat),
  SeatForfeited: (data, model) => seatText(model, "story.forfeited", data.seat),
  TurnReminded: (data, model) => seatText(model, "story.reminded", data.seat),
  TurnTimed: () => null,
  TimeClaimed: (data, model) => t("story.claimed", { name: seatName(model, data.seat), late: seatName(model, data.late) }),
  HandoverAsked: (data, model) => t("ask.hand", { name: seatName(model, data.seat), to: playerName(model, data.to) }),
  HandoverAnswered: (data, model) => seatText(model, data.accept ? "story.agrees" : "story.refuses", data.seat),
  SeatHandedOver: (data, model) => t("story.handed", { name: playerName(model, data.from), to: playerName(model, data.to) }),
  SeatReturned: (data, model) => t("story.returned", { to: playerName(model, data.to) }),
  DisputeOpened: (data, model) => seatText(model, "story.disputed", data.seat, { hand: data.hand }),
  RulingGiven: (data) => t("story.ruling", { dispute: data.dispute, decision: t(`decision.${data.decision}`, { changes: data.changes.map(signed) }) }),
  DisputeWithdrawn: (data, model) => seatText(model, "story.withdrawn", data.seat, { dispute: data.dispute }),
  RulingAppealed: (data, model) => seatText(model, "story.appealed", data.seat, { dispute: data.dispute }),
  RulingDecided: (data) => t("story.decided", { dispute: data.dispute, decision: t(`story.${data.decision}`) }),
  GameEnded: (data, model) => {
    const reason = t(`reason.${data.reason}`);
    return data.winners.length ? `${reason} ${t("story.winners", { names: seatNames(model, data.winners) })}` : `${reason} ${t("over.nobody")}`;
  },
};
