// The jobs that the tests run on the JavaScript: one job in, its answer out, with bytes in hex.

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const pairs = (cuts) => cuts.map(([source, cut]) => [source, unhex(cut)]);

async function draw(m, key, { op, label, n, m: of, a }) {
  if (op === "shuffle") return m.shuffle(key, label, n);
  return op === "chance" ? m.chance(key, label, a, of) : m.pick(key, label, of);
}

async function ceremony(m, { game, n, subject, seed, cuts, draws, drawn_with: given }) {
  const key = await m.key(game, n, subject, unhex(seed), pairs(cuts));
  const from = given ? unhex(given) : key;
  const seals = [];
  for (const [seat, cut] of pairs(cuts)) seals.push(hex(await m.seal(game, seat, cut)));
  const results = [];
  for (const each of draws) results.push(await refused(() => draw(m, from, each)));
  return { commit: hex(await m.commit(game, n, subject, unhex(seed))), seals, key: hex(key), results };
}

async function refused(what) {
  try {
    return await what();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

function several(each, asked) {
  return Promise.all(asked.map((one) => refused(() => each(one))));
}

// Return the causes of what is wrong in an export, and the number of findings of the report.
async function causesOf(m, text) {
  const { causes, report } = await m.checkGame(text);
  const told = causes.map(({ kind, from, check, findings }) => ({ kind, from, check, findings }));
  return { causes: told, findings: report.findings.length };
}

const JOBS = {
  ceremonies: (m, asked) => several((one) => ceremony(m, one), asked),
  exports: (m, asked) => several(({ text, data, ...kept }) => m.checkExport(bytesOf(text, data), kept), asked),
  causes: (m, asked) => several((text) => causesOf(m, text), asked),
  deals: (m, asked) => several((one) => m.checkDeal(one), asked),
  canonical: (m, asked) => several((text) => m.canonical(JSON.parse(text)), asked),
  stream: (m, asked) =>
    several((one) => m.streamOf(unhex(one.key), one.label).then((stream) => used(stream, one.sizes)), asked),
  refusals: (m, asked) => several(({ name, args }) => m[name](...args.map(plain)), asked),
  fields: (m, asked) => several(({ fact, v, data }) => m.fieldFault(fact, v, data)?.says ?? null, asked),
};

// Return an argument: {"hex": "..."} means bytes, {"pairs": [...]} means cuts.
const plain = (arg) => (arg?.hex !== undefined ? unhex(arg.hex) : arg?.pairs ? pairs(arg.pairs) : arg);

const bytesOf = (text, data) => (text === undefined ? unhex(data) : new TextEncoder().encode(text));

async function used(stream, sizes) {
  for (const m of sizes) await stream.below(m);
  return stream.used;
}

// Return the answer to a job: {do, module, asked}. Modules are below `base`.
export async function answer(base, job) {
  const module = await import(`${base}/${job.module}`);
  return JOBS[job.do](module, job.asked);
}
