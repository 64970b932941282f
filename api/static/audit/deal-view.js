// A deal, step by step: the promise, the cuts, the seed, the shuffle, and the cards that each player got.

import { h } from "../base/dom.js";
import { has, list, t } from "../base/messages.js";
import { cardRow, hash, mark, unfold } from "./marks.js";
import { seatName } from "./names.js";

const SHORT = 12; // digits of a cut that are shown
const STATES = { right: "right", wrong: "wrong", unrevealed: "waits", broken: "waits" };

// Return the list of deals. `more(hand)` is shown below a hand that was dealt.
export const dealList = ({ report, record, again, states }, who, more = () => null) =>
  report.hands.map((hand) =>
    dealItem(
      { ...hand, deck: states.get(hand.n) },
      record.deals.find(({ n }) => n === hand.n),
      again.get(hand.n),
      who,
      more,
    ),
  );

function dealItem(hand, deal, again, who, more) {
  const state = STATES[hand.deck];
  const summary = [
    mark(state),
    h("span", { class: "deal-name" }, title(hand)),
    " ",
    h("span", { class: "deal-facts" }, facts(hand, who).join(" · ")),
  ];
  return unfold(
    summary,
    () => [steps(hand, deal, again, who), hand.hand === null ? [] : (more(hand.hand) ?? [])].flat(),
    { class: "more deal", "data-hand": hand.hand ?? hand.subject, "data-state": state },
  );
}

function title({ subject, hand, redeal, n }) {
  if (subject === "game" || subject === "coin") return t(`deal.title.${subject}`);
  const said = hand ?? /^deal hand (\d+)/.exec(subject)?.[1];
  return said === undefined
    ? t("deal.title.unknown", { n })
    : t(redeal ? "deal.title.redeal" : "deal.title.hand", { hand: said });
}

function facts({ deck, dealer, grade, ended, score }, who) {
  const points = (score?.changes ?? []).flatMap((change, seat) =>
    change ? [t("deal.points", { name: seatName(who, seat), points: signed(change) })] : [],
  );
  return [
    t(`deal.state.${deck}`),
    grade,
    dealer === null ? null : t("deal.dealer", { name: seatName(who, dealer) }),
    t(`deal.ended.${ended.replaceAll(" ", "-")}`),
    ...points,
  ].filter(Boolean);
}

const signed = (number) => (number > 0 ? `+${number}` : `−${Math.abs(number)}`);

// Return the steps, or a sentence for a deal whose facts can't be shown: a file may say anything.
function steps(hand, deal, again, who) {
  if (!deal?.opened || !again) return h("p", null, t("deal.no-seed"));
  try {
    return stepList(hand, deal, again, who);
  } catch {
    return h("p", { class: "bad" }, t("deal.failed"));
  }
}

function stepList(hand, deal, again, who) {
  const made = [
    promise(deal),
    deal.dealt ? cuts(deal, again, who) : null,
    seed(deal, again),
    ...computed(hand, deal, again, who),
  ];
  return h("ol", { class: "steps plain" }, made);
}

const step = (name, ...inside) => h("li", null, h("h3", null, t(name)), inside);

const promise = ({ opened }) => step("deal.promise", h("p", null, t("deal.promise.says")), hash(opened.commit));

function cuts({ dealt }, again, who) {
  const missing = dealt.missing?.length
    ? h("p", null, t("deal.missing", { names: list(dealt.missing.map((seat) => seatName(who, seat))) }))
    : null;
  const grade = h(
    "p",
    { class: "grade" },
    h("strong", null, t("deal.grade", { grade: dealt.grade })),
    ": ",
    has(`grade.${dealt.grade}`) ? t(`grade.${dealt.grade}`) : "?",
  );
  const made = again.cuts.length
    ? again.cuts
    : (dealt.cuts ?? []).map(([source, cut]) => ({ source, cut, fits: null }));
  const rows = made.map((each) => h("li", { class: each.fits === false ? "bad" : null }, cutText(each, who)));
  return step(
    "deal.cuts",
    h("p", null, t(rows.length ? "deal.cuts.says" : "deal.cuts.none")),
    rows.length ? h("ul", null, rows) : null,
    missing,
    grade,
  );
}

function cutText({ source, cut, fits }, who) {
  const short = `${cut.slice(0, SHORT)}…`;
  if (!/^\d+$/.test(source)) return t("deal.cut.beacon", { source, cut: short });
  const kind = fits === null ? "deal.cut" : fits ? "deal.cut.sealed" : "deal.cut.broken";
  return t(kind, { name: seatName(who, Number(source)), cut: short });
}

function seed(deal, again) {
  if (!deal.seed) return step("deal.seed", h("p", null, t("deal.seed.waits")));
  if (!again.commit)
    return step(
      "deal.seed",
      h("p", null, t("deal.seed.says")),
      hash(deal.seed),
      h("p", { class: "bad" }, t(again.right === null ? "deal.no-seed" : "deal.failed")),
    );
  const compared = again.fits
    ? h("p", { class: "good" }, t("deal.seed.right"))
    : [h("p", { class: "bad" }, t("deal.seed.wrong")), hash(again.commit)];
  return step("deal.seed", h("p", null, t("deal.seed.says")), hash(deal.seed), compared);
}

function computed(hand, deal, again, who) {
  const changes = hand.changes ? h("li", null, h("p", null, t("deal.changes", { count: hand.changes }))) : null;
  if (again.deck) return [shuffle(again), cards(deal, again, who), stock(deal, again), changes];
  return again.draws?.length ? [draws(again, who)] : [];
}

function shuffle({ swaps, deck }) {
  const [first, ...rest] = swaps;
  const pairs = rest.map(({ place, with: other }) => t("deal.shuffle.pair", { place, other }));
  const says = t("deal.shuffle.says", {
    place: first.place,
    other: first.with,
    rest: list(pairs),
    count: deck.length - 1,
  });
  return step("deal.shuffle", h("p", null, says), cardRow(deck));
}

function cards({ dealt, cards: recorded }, { hands }, who) {
  const rows = hands.flatMap(({ seat, cards: dealtAgain, fits }) => [
    h("dt", null, seatName(who, seat)),
    h("dd", null, cardRow(dealtAgain), compared(fits), fits === false ? inLog(recorded[seat]) : null),
  ]);
  return step(
    "deal.cards",
    h("p", null, t("deal.cards.says", { name: seatName(who, dealt.eldest) })),
    h("dl", { class: "hands" }, rows),
  );
}

const compared = (fits) =>
  h(
    "span",
    { class: fits ? "good" : "bad" },
    t(fits === null ? "deal.cards.missing" : fits ? "deal.cards.fit" : "deal.cards.differ"),
  );

const inLog = (cards) => h("p", null, t("deal.cards.log"), " ", cardRow(cards));

function stock({ stock: recorded }, { stock: { cards: left, fits } }) {
  if (!left.length) return null;
  return step("deal.stock", cardRow(left), h("p", null, compared(fits)), fits === false ? inLog(recorded) : null);
}

function draws({ draws: drawn }, who) {
  const rows = drawn.map((draw) =>
    h(
      "li",
      { class: draw.fits ? null : "bad" },
      drawText(draw, who),
      " ",
      t(draw.fits ? "deal.draw.right" : "deal.draw.wrong"),
    ),
  );
  return step("deal.draws", h("ul", null, rows));
}

function drawText({ fact, seat, winner, order }, who) {
  const name = seatName(who, fact === "CoinFlipped" ? winner : (seat ?? 0));
  return t(`deal.drawn.${fact}`, { name, names: list((order ?? []).map((_, place) => seatName(who, place))) });
}
