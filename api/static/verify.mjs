// node verify.mjs FILE [RECEIPT...]: check an export, and receipts that were kept of its game, with nothing but node (18 or
// later). Exit code 0: all is right, 1: something is not, 2: it cannot be told.

import { readFile } from "node:fs/promises";
import { argv, exit } from "node:process";
import { webcrypto } from "node:crypto";
import { checkExport } from "./verify.js";

globalThis.crypto ??= webcrypto;
const [file, ...kept] = argv.slice(2);

function told({ hands, receipts, findings, unread, withheld, size, root, ok }) {
  const deals = hands.map(
    ({ subject, deck, grade, ended }) => `${subject}: ${deck}${grade ? `, ${grade}` : ""}, ${ended}`,
  );
  const signed = receipts.map(({ source, size: at, says }) => `receipt (${source}) at ${at ?? "?"}: ${says}`);
  const wrong = [...findings, ...unread].map(
    ({ version, says }) => `${version === null ? "file" : `event ${version}`}: ${says}`,
  );
  const verdict = { true: "right", false: "WRONG", null: "cannot be told" }[ok];
  return [...deals, ...signed, ...wrong, `${size} events, ${withheld} withheld, root ${root}`, `verdict: ${verdict}`];
}

try {
  if (!file) throw new Error("name a file: node verify.mjs game.ndjson [receipt.txt ...]");
  const receipts = await Promise.all(kept.map((name) => readFile(name, "utf8")));
  const report = await checkExport(new Uint8Array(await readFile(file)), { receipts });
  console.log(told(report).join("\n"));
  exit(report.ok === null ? 2 : report.ok ? 0 : 1);
} catch (error) {
  console.error(`Error: ${error.message}`);
  exit(2);
}
