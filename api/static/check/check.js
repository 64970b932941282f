// Check an export, and sort what is wrong by its causes. It has no page: it also runs under node.

import { NotAnExport, checkRead, readExport } from "../verify/verify.js";
import { brokenDeals, causesOf } from "./causes.js";
import { recompute } from "./recompute.js";
import { recordOf } from "./record.js";

const EVENT = /^\{"(event|leaf)":/;

const hasNoHeader = (data) =>
  EVENT.test(typeof data === "string" ? data.slice(0, 9) : new TextDecoder().decode(data.subarray(0, 9)));

// Return {report, record, again, causes, states}: the report of verify.js, the game for people, its deals computed again by their
// number, the causes of what is wrong, and the state of each deal: right, wrong, unrevealed, or broken (the file is at fault). `kept` is as for checkExport; `kept.onLine` follows the progress.
export async function checkGame(data, kept = {}) {
  if (hasNoHeader(data)) throw new NotAnExport("its first line is missing, which names the game");
  const read = readExport(data);
  const report = await checkRead(read, kept);
  const record = recordOf(read);
  const again = new Map();
  for (const deal of record.deals) again.set(deal.n, await recompute(record, deal));
  const causes = await causesOf(read, report, record, again);
  const states = new Map(report.hands.map((hand) => [hand.n, stateOf(hand, record, again, causes)]));
  return { report, record, again, causes, states };
}

function stateOf({ n, deck }, record, again, causes) {
  const isRight = again.get(n)?.right ?? null;
  if (brokenDeals(causes, record).has(record.deals.find((deal) => deal.n === n))) return "broken";
  if (isRight === false) return "wrong";
  return isRight && causes.some(({ kind }) => kind === "header") ? "right" : deck; // dealt for the game that the events name
}
