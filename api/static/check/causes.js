// Findings by their cause: a line that was deleted makes hundreds of findings, and is one cause.

import { dealAt } from "./record.js";
import { faultsOf, isFaultItself, isOfFile, isPlace } from "./faults.js";

// What depends on the hands before: running scores, promises of seals, the number that is due.
const CARRIED =
  /^its scores are|^the ruled scores|^its seals aren't|before the previous ceremony is revealed| is due$|^seat \d+ deals, but|^ceremony \d+ opens before/;
const OF_DEALS = /grade|cuts?\b|seals?\b|ceremony|seed|deals|dealt|stock|randomizer|draws/;
const HEADER = /^the header|^the file names an invalid key|^the log doesn't begin/;
const OF_SEED = /than the seed|that the seed|match the commitment|cards of its deal are missing|but ceremony \d+ draws/;
const NOTHING_YET = { places: 0, findings: 0 };
const RECEIPT = /^(the trailer's receipt|a receipt that was kept) isn't valid: /;
const OTHER_LOG = /isn't valid: (the log had another root|it counts \d+ events, but)/;
const KEPT_ROOT = /^the log never had the root/;

// Return [{kind, from, check, more, places, findings}] in the order of the game. `check` is the part of the report that a cause
// belongs to: log, deals, play or receipts. `more` are the findings that can follow from it, `places` counts the lines that aren't
// in their places because of it, and `findings` all of these with its own. `again` are the deals computed again, by number.
export async function causesOf(read, report, record, again) {
  const causes = (await faultsOf(read, report.findings)).map((fault) => ({
    ...fault,
    check: "log",
    ...NOTHING_YET,
    more: [],
  }));
  const broken = brokenDeals(causes, record);
  const wrong = record.deals.filter((deal) => again.get(deal.n)?.right === false && deal.closed && !broken.has(deal));
  if (wrong.length)
    causes.push({ kind: "deals", from: wrong[0].from, deals: wrong, again, check: "deals", ...NOTHING_YET, more: [] });
  for (const finding of report.findings) assign(finding, causes, record);
  return causes.sort((a, b) => a.from - b.from);
}

// Return the deals in which the file itself is at fault. Nothing can be said about their cards.
export const brokenDeals = (causes, record) =>
  new Set(causes.filter(({ isFault }) => isFault).map(({ from }) => dealAt(record, from)));

function assign(finding, causes, record) {
  const cause = causeOf(finding, causes, record);
  if (cause) {
    cause.findings += 1;
    if (isPlace(finding)) cause.places += 1;
    else if (!isOwn(finding, cause)) cause.more.push(finding);
    return;
  }
  const check = checkOf(finding);
  const from = ["play", "deals"].includes(check) ? finding.version : Infinity;
  causes.push({ kind: "finding", from, finding, check, ...NOTHING_YET, more: [] });
}

// Return whether a finding says what the cause says already.
const isOwn = (finding, { kind }) => isFaultItself(finding) || (kind === "deals" && OF_SEED.test(finding.says));

function checkOf({ version, says }) {
  if (RECEIPT.test(says) || KEPT_ROOT.test(says)) return "receipts";
  if (version === null) return "log";
  return OF_DEALS.test(says) ? "deals" : "play";
}

// Return the cause that a finding follows from, or null if it's one of its own.
function causeOf(finding, causes, record) {
  const { version, says } = finding;
  const faults = causes.filter(({ isFault }) => isFault);
  if (isOfFile(finding)) return faults.findLast(({ from }) => version === null || from <= version) ?? faults[0] ?? null;
  if (/is for another game/.test(says)) return faults.find(({ kind }) => kind === "header") ?? null;
  if (RECEIPT.test(says)) return OTHER_LOG.test(says) ? lastOf(causes.filter(isOfEvents), version) : null;
  if (KEPT_ROOT.test(says)) return lastOf(causes.filter(isOfEvents), Infinity);
  if (version === null) return HEADER.test(says) ? firstOpening(faults) : lastOf(causes, Infinity);
  const earlier =
    ofSameDeal(causes, version, record) ?? faults.findLast(({ from }) => startOf(from, record) <= version);
  return earlier ?? (CARRIED.test(says) ? lastOf(causes.filter(isOfEvents), version) : null);
}

const isOfEvents = ({ check }) => check !== "receipts";
const lastOf = (causes, version) => causes.findLast(({ from }) => from <= (version ?? Infinity)) ?? null;

// A file that lost its first event, or got another first line, can't agree with its first line.
const firstOpening = (faults) => faults.find(({ from }) => from === 1) ?? null;

function ofSameDeal(causes, version, record) {
  const deal = dealAt(record, version);
  const of = ({ deals, from }) => (deals ? deals.includes(deal) : dealAt(record, from) === deal);
  return causes.find((cause) => cause.from !== Infinity && of(cause)) ?? null;
}

// Return where the deal of an event begins: findings about a deal name its beginning.
const startOf = (version, record) => Math.min(version, dealAt(record, version)?.from ?? version);
