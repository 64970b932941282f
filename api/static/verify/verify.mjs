// node verify.mjs [--key VKEY|KEYS.JSON]... [--game GAME] FILE [RECEIPT...]: check an export with nothing but node (18
// or later). Check each game of a file of many, or only the one with this board or id, and the kept receipts of that
// game. Trust the given keys; without any, those that the file names. Exit code 0: everything is right, 1: something
// is wrong, 2: undecided, or an argument can't be read.

import { readFile } from "node:fs/promises";
import process, { argv } from "node:process";
import { parseArgs } from "node:util";
import { webcrypto } from "node:crypto";
import { NotAnExport, UNSIGNED, checkExport, gamesIn, keysIn, receiptIn } from "./verify.js";

globalThis.crypto ??= /** @type {Crypto} */ (webcrypto);
const USAGE = "node verify.mjs [--key VKEY|KEYS.JSON]... [--game GAME] game.ndjson [receipt.txt ...]";
const VERDICT = { true: "right", false: "WRONG", null: "undecided" };
const BUT_BEACONS = ", apart from the signatures of a beacon";
const ONLY_ENDS = "; only line ends differ from the server's file";
const CODE = { true: 0, false: 1, null: 2 };
const WORST = [1, 2, 0]; // exit codes, the worst first
const MOST = 20; // findings printed of one game of many

function wrongIn({ findings, unread }) {
  return [...findings, ...unread].map(
    ({ version, says }) => `${version === null ? "file" : `event ${version}`}: ${says}`,
  );
}

function verdictOf({ ok, unsigned, lineEnds }) {
  return `${VERDICT[ok]}${ok && unsigned.length ? BUT_BEACONS : ""}${ok && lineEnds ? ONLY_ENDS : ""}`;
}

function notesOf({ lineEnds, noReceipt, ok }) {
  return [
    ...(lineEnds ? [`line ends: ${lineEnds}; a program has changed them, and no event depends on them`] : []),
    ...(noReceipt && ok === null ? [`undecided: ${UNSIGNED}; name one after the file`] : []),
  ];
}

function reportLines(report) {
  const { hands, receipts, unsigned, withheld, size, root } = report;
  const deals = hands.map(
    ({ subject, deck, grade, ended }) => `${subject}: ${deck}${grade ? `, ${grade}` : ""}, ${ended}`,
  );
  const signed = receipts.map(({ source, size: at, says }) => `receipt (${source}) at ${at ?? "?"}: ${says}`);
  const beacons = unsigned.map(
    ({ version, source }) => `event ${version}: the beacon's signature of ${source} isn't checked here`,
  );
  const counted = `${size} events, ${withheld} withheld, root ${root}`;
  return [...deals, ...signed, ...beacons, ...wrongIn(report), ...notesOf(report), counted, `verdict: ${verdictOf(report)}`];
}

async function checkOne(data, kept) {
  const report = await checkExport(data, kept);
  console.log(reportLines(report).join("\n"));
  return CODE[report.ok];
}

// Print a line and the findings for each game. Return the worst exit code.
async function checkAll(games, kept) {
  const codes = [];
  for (const [at, data] of games.entries()) codes.push(await checkNext(data, at + 1, kept));
  const count = (code) => codes.filter((each) => each === code).length;
  console.log(`${codes.length} games: ${count(0)} right, ${count(1)} WRONG, ${count(2)} undecided`);
  return WORST.find((code) => codes.includes(code));
}

async function checkNext(data, place, kept) {
  try {
    const report = await checkExport(data, kept);
    const { board, variant, game, size, withheld, ok } = report;
    const wrong = wrongIn(report);
    const receipts = receiptsOf(report);
    console.log(
      `board ${board}, ${variant}, ${game}: ${size} events, ${withheld} withheld${receipts}: ${verdictOf(report)}`,
    );
    for (const each of wrong.slice(0, MOST)) console.log(`  ${each}`);
    if (wrong.length > MOST) console.log(`  and ${wrong.length - MOST} more`);
    return CODE[ok];
  } catch (error) {
    if (!(error instanceof NotAnExport)) throw error;
    console.log(`game ${place} of the file can't be read: ${error.message}`);
    return 2;
  }
}

function receiptsOf({ receipts }) {
  return receipts.length ? `, receipt: ${receipts.map(({ says }) => says).join("; ")}` : ", no receipt";
}

// Return the board and the id of a game; nothing if its first line isn't a header.
function namesOf(data) {
  try {
    const { board, game } = JSON.parse(new TextDecoder().decode(data.subarray(0, data.indexOf(10))));
    return [String(board), String(game)];
  } catch {
    return [];
  }
}

async function read(name, encoding) {
  try {
    return await readFile(name, encoding);
  } catch (error) {
    throw error.code === "ENOENT" ? new Error(`there is no file ${name}`) : error;
  }
}

async function keyGiven(key) {
  return key.includes("+") ? readFile(key, "utf8").catch(() => key) : read(key, "utf8");
}

async function receiptGiven(name) {
  const text = await read(name, "utf8");
  try {
    return receiptIn(text);
  } catch (error) {
    throw new Error(`${name}: ${error.message}`);
  }
}

/**
 * @param {string[]} files
 * @param {{ key?: string[], game?: string }} options
 */
async function check([file, ...kept], { key = [], game }) {
  const receipts = await Promise.all(kept.map(receiptGiven));
  const keys = await Promise.all(key.map(keyGiven));
  await keysIn(keys);
  const all = gamesIn(new Uint8Array(await read(file)));
  const games = game === undefined ? all : all.filter((each) => namesOf(each).includes(game));
  if (!games.length) throw new Error(`${file} holds no game ${game}`);
  if (games.length === 1) return checkOne(games[0], { receipts, keys });
  if (receipts.length)
    throw new Error(`${file} holds ${games.length} games, but a receipt is for one: name it with --game`);
  return checkAll(games, { keys });
}

try {
  const { positionals, values } = parseArgs({
    args: argv.slice(2),
    options: { key: { type: "string", multiple: true }, game: { type: "string" } },
    allowPositionals: true,
  });
  if (!positionals.length) throw new Error(`name a file: ${USAGE}`);
  process.exitCode = await check(positionals, values);
} catch (error) {
  console.error(`Error: ${error.message}`);
  process.exitCode = 2;
}
