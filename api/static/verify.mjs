// node verify.mjs [--key VKEY]... FILE [RECEIPT...]: check an export, and receipts that were kept of its game, with nothing
// but node (18 or later). Of keys those are believed that are given; without any, those that the file names. Exit code 0:
// all is right, 1: something is not, 2: it cannot be told.

import { readFile } from "node:fs/promises";
import { argv, exit } from "node:process";
import { parseArgs } from "node:util";
import { webcrypto } from "node:crypto";
import { checkExport } from "./verify.js";

globalThis.crypto ??= webcrypto;

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
  const options = { key: { type: "string", multiple: true } };
  const { positionals, values } = parseArgs({ args: argv.slice(2), options, allowPositionals: true });
  const [file, ...kept] = positionals;
  if (!file) throw new Error("name a file: node verify.mjs [--key VKEY]... game.ndjson [receipt.txt ...]");
  const receipts = await Promise.all(kept.map((name) => readFile(name, "utf8")));
  const report = await checkExport(new Uint8Array(await readFile(file)), { receipts, keys: values.key ?? [] });
  console.log(told(report).join("\n"));
  exit(report.ok === null ? 2 : report.ok ? 0 : 1);
} catch (error) {
  console.error(`Error: ${error.message}`);
  exit(2);
}
