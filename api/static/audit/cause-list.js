// The causes of what is wrong, in sentences. What follows from a cause is folded away.

import { h } from "../base/dom.js";
import { t } from "../base/messages.js";
import { dealWords, eventWords, plain, seatName } from "./names.js";
import { dealAt, neighbors } from "../check/record.js";
import { unfold } from "./marks.js";

const MOST = 50; // findings listed below one cause

export const causeList = (causes, record, who) =>
  h(
    "ol",
    { class: "causes" },
    causes.map((cause) => causeItem(cause, record, who)),
  );

function causeItem(cause, record, who) {
  const count = cause.more.length + cause.places;
  return h(
    "li",
    { "data-cause": cause.kind },
    h("p", null, capital(causeText(cause, record, who))),
    count ? unfold(t("cause.more", { count }), () => consequences(cause, record, who)) : null,
  );
}

function consequences({ more, places }, record, who) {
  const listed = more
    .slice(0, MOST)
    .map(({ version, says }) =>
      h(
        "li",
        null,
        version === null
          ? capital(plain(says, who, record))
          : t("cause.event", { version, says: plain(says, who, record) }),
      ),
    );
  const rest = more.length - listed.length;
  return h(
    "ul",
    null,
    places ? h("li", null, capital(t("cause.places", { count: places }))) : null,
    listed,
    rest ? h("li", null, t("cause.too-many", { count: rest })) : null,
  );
}

// Return a cause as a sentence.
export function causeText(cause, record, who) {
  const { kind, from } = cause;
  const texts = TEXTS[kind] ?? ordinary;
  return texts(cause, { where: from === Infinity ? "" : where(record, from), from, record, who });
}

const TEXTS = {
  missing: ({ last, count }, { from, record, who }) => missingText(from, last, count, record, who),
  "cut-off": (_, { from }) => t("cause.cut-off", { last: from - 1 }),
  changed: (_, { from, where: place, record, who }) =>
    t("cause.changed", { from, where: place, event: saidNow(record, from, who) }),
  deals: ({ deals, again }, { who }) => dealsText(deals, again, who),
  finding: ({ finding }, { where: place, record, who }) => findingText(finding, place, record, who),
};

function dealsText(deals, again, who) {
  if (deals.length > 1) return t("cause.deals", { count: deals.length, deals: deals.map((deal) => dealWords(deal)) });
  const deal = dealWords(deals[0]);
  const { fits, hands = [], stock } = again.get(deals[0].n);
  if (fits === false) return t("cause.deal.promise", { deal });
  const differs = (fit) => [
    ...hands.filter((hand) => hand.fits === fit).map(({ seat }) => seatName(who, seat)),
    ...(stock?.fits === fit ? [t("cause.deal.stock")] : []),
  ];
  if (differs(false).length) return t("cause.deal.cards", { deal, names: differs(false) });
  return differs(null).length
    ? t("cause.deal.missing", { deal, names: differs(null) })
    : t("cause.deal.other", { deal });
}

const ordinary = ({ kind, ...values }, { where: place }) => t(`cause.${kind}`, { ...values, where: place });

function missingText(from, last, count, record, who) {
  const [before, after] = neighbors(record, from, last);
  if (!after) return t("cause.missing-end", { from, last, count });
  const between = before
    ? t("cause.between", { before: eventWords(before, who), after: eventWords(after, who) })
    : t("audit.before");
  const place = before ? `${where(record, from)}, ${between}` : between;
  return t("cause.missing", { from, last, count, where: place });
}

function findingText({ version, says }, place, record, who) {
  if (version === null || place === "") return t("cause.finding-file", { says: plain(says, who, record) });
  const event = record.events.get(version);
  const at = event ? t("cause.at-event", { version, event: eventWords(event, who) }) : t("cause.at", { version });
  return t("cause.finding", { where: `${place}, ${at}`, says: plain(says, who, record) });
}

const saidNow = (record, version, who) =>
  record.events.has(version) ? eventWords(record.events.get(version), who) : t("cause.nothing");

// Return where in the game an event is: "in hand 3".
export function where(record, version) {
  const deal = dealAt(record, version);
  if (!deal) return t("audit.before");
  return deal.dealt
    ? t("audit.in-hand", { hand: String(deal.dealt.hand) })
    : t("audit.in-deal", { deal: dealWords(deal, t("audit.before")) });
}

const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
