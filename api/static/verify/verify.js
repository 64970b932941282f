// Check an export of trickbook in a browser or in node, with nothing but WebCrypto: the second implementation, written
// from docs/verify-a-hand.md.
//
//     const report = await checkExport(textOrBytes, { receipts: [note], keys: [vkey], roots: [hex] });
//     report.ok        true: everything is right; false: something is wrong; null: undecided
//     report.findings  [{ version or null, says }]
//     report.noReceipt true: no receipt shows where the log ends, so that the end can be missing
//     report.lineEnds  null, or how the line ends of the file differ from the server's
//     report.unsigned  [{ version, source, signature }]: signatures of a beacon, which nothing here checks
//
// `gamesIn(data)` returns each game of a file of many, for checkExport.

import { exportsIn } from "./bulk.js";
import { NotAnExport, UNSIGNED, checkAround, checkLog, checkReceipts, finding, readExport } from "./export.js";
import { receiptIn } from "./kept.js";
import { Unreadable } from "./notes.js";
import { Table, secretsOf } from "./table.js";

export { chance, commit, key, pick, seal, shuffle } from "./fairdeal.js";
export { checkDeal } from "./deals.js";
export { canonical, leaf, node } from "./cardlog.js";
export { keysIn } from "./kept.js";
export { exportsIn as gamesIn };
export { NotAnExport, UNSIGNED, Unreadable, readExport, receiptIn };

// Return the report on an export. `kept` are receipts, roots and keys that somebody has kept. Throw NotAnExport if the
// file isn't an export of one game, and Unreadable if a receipt or key can't be read.
export async function checkExport(data, kept = {}) {
  const many = exportsIn(data).length;
  if (many > 1) throw new NotAnExport(`it holds ${many} games; choose one`);
  return checkRead(readExport(data), kept);
}

// Do the same with what readExport returned. `kept.onLine(count, of)` is awaited after each event, to show how far it is.
// With `kept.fromServer`, the server has just given the export, and needs no receipt to say where the log ends.
export async function checkRead(read, kept = {}) {
  if (!globalThis.crypto?.subtle)
    throw new Error("WebCrypto is missing: browsers have it only on https pages and on localhost");
  const { header, lines, findings } = read;
  const roots = await checkLog(lines, findings);
  const receipts = await checkReceipts(read, roots, kept, findings);
  const table = new Table(header.game, await secretsOf(header.game, lines), roots, findings);
  for (const [at, line] of lines.entries()) {
    await table.follow(line);
    await kept.onLine?.(at + 1, lines.length);
  }
  table.close();
  await tryAround(read, roots, findings);
  for (const root of kept.roots ?? []) {
    if (!roots.includes(root)) findings.push(finding(null, `the log never had the root ${root}, which was kept`));
  }
  const noReceipt = !receipts.length && !kept.fromServer;
  return { ...report(read, roots, receipts, table, findings, noReceipt), noReceipt, lineEnds: read.lineEnds };
}

async function tryAround(read, roots, findings) {
  try {
    await checkAround(read, roots, findings);
  } catch {
    findings.push(finding(1, "it isn't a valid opening of a game"));
  }
}

function report({ header, lines }, roots, receipts, table, findings, noReceipt) {
  const undecided = noReceipt || table.unread.length || receipts.some((each) => each.ok === null);
  const ok = findings.length ? false : undecided ? null : true;
  return {
    report: "trickbook-verify/1",
    ok,
    game: header.game,
    board: header.board,
    variant: header.variant,
    complete: table.ended,
    size: lines.length,
    root: roots.at(-1),
    withheld: table.withheld,
    receipts,
    hands: [...table.ceremonies].map(([n, ceremony]) => handOf(n, ceremony)),
    findings: inOrder(findings),
    unread: table.unread,
    unsigned: table.unsigned,
  };
}

function handOf(n, { opened, dealt, closed, wrong, ended, changes, scored, cuts }) {
  const { hand = null, redeal = null, dealer = null, grade = null } = dealt ?? {};
  const deck = wrong ? "wrong" : closed ? "right" : "unrevealed";
  const summary = { n, subject: opened.subject, commit: opened.commit, hand, redeal, dealer, grade };
  return { ...summary, cuts: Object.keys(cuts).map(Number), deck, revealed: closed, changes, ended, score: scored };
}

function inOrder(findings) {
  return [...findings].sort((a, b) => (a.version ?? Infinity) - (b.version ?? Infinity));
}
