// What deciding about one request costs with a list as long as EasyList: node test/bench/adblock.mjs [LIST...]
// Without lists it makes 60,000 rules of the kinds, and in about the shares, that EasyList has.
import { readFileSync } from 'node:fs';
import buildEngine from '../../plugins/page/adblock/dist/build-worker.js';
import { createBlocker } from '../../plugins/page/adblock/dist/blocker.js';

const RULES = 60_000;
const REQUESTS = 20_000;
const LIMIT_MICROSECONDS = 50;

/** The same numbers at every run (a linear congruential generator). */
function createRandom(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const random = createRandom(7);
const pick = (list) => list[random(list.length)];
const word = () => Array.from({ length: 3 + random(8) }, () => String.fromCharCode(97 + random(26))).join('');
const host = () => `${word()}.${pick(['com', 'net', 'org', 'io', 'co.uk', 'example'])}`;

const RULE_KINDS = [
  [45, () => `||${host()}^`],
  [9, () => `||${host()}^$third-party`],
  [2, () => `&${word()}=*&${word()}=`],
  [0.5, () => `||${host()}^*/${word()}*^${word()}^`],
  [0.3, () => `/${word()}*/*${word()}*.js$script`],
  [
    0.2,
    () => `/^https?:\\/\\/[a-z]{${3 + random(5)},${8 + random(9)}}\\.${word()}\\/(${word()}|\\d{1,3})+\\/[0-9a-f-]+\\.js$/$third-party`,
  ],
  [10, () => `/${word()}/${word()}-`],
  [5, () => `||${host()}/${word()}/*.js$script`],
  [3, () => `.${word()}/ads/$image,domain=${host()}|${host()}`],
  [2, () => `@@||${host()}^$script,domain=${host()}`],
  [13, () => `##.${word()}-${word()}`],
  [10, () => `${host()}##.${word()}`],
];

function makeRule() {
  let at = random(100);
  for (const [share, make] of RULE_KINDS) if ((at -= share) < 0) return make();
  return RULE_KINDS[0][1]();
}

/** What a rule with wildcards looks for, but for the end: the search goes as far as it can. */
const wordsOf = (rule) =>
  rule
    .replace(/^\|\|[^/^*]+/, '')
    .replace(/\$.*/, '')
    .replace(/[*^]/g, '/')
    .slice(0, -2);

function makeRequest({ all, wild }) {
  const known = random(20) === 0 ? /^\|\|([^/^$]+)/.exec(pick(all))?.[1] : undefined;
  const words = random(10) === 0 && wild.length > 0 ? wordsOf(pick(wild)) : '';
  const type = pick(['script', 'image', 'stylesheet', 'xhr', 'font', 'sub_frame']);
  return {
    url: `https://${known ?? `${word()}.${host()}`}/${word()}/${words}${word()}-${random(1e6)}.${pick(['js', 'png', 'css'])}?v=${random(1e9)}`,
    type,
    source: `https://${host()}/`,
  };
}

const lists = process.argv.slice(2);
const texts = lists.length > 0 ? lists.map((path) => readFileSync(path, 'utf8')) : [Array.from({ length: RULES }, makeRule).join('\n')];
const rules = texts.flatMap((text) => text.split('\n'));
const wild = rules.filter((rule) => !rule.includes('#') && /[^*].*\*.*[^*]/.test(rule));
const timed = (run) => {
  const started = performance.now();
  const value = run();
  return { value, ms: performance.now() - started };
};

const built = timed(() => buildEngine(texts));
const opened = timed(() => createBlocker(built.value));
const requests = Array.from({ length: REQUESTS }, () => makeRequest({ all: rules, wild }));
let blocked = 0;
const times = [];
for (const round of ['warm', 'measured']) {
  for (const request of requests) {
    const { value, ms } = timed(() => opened.value.check(request));
    if (round === 'warm') continue;
    times.push(ms * 1000);
    if (value !== undefined) blocked++;
  }
}
times.sort((a, b) => a - b);
const at = (share) => times[Math.floor((times.length - 1) * share)];
// An address that a hostile page makes of what rules look for.
const hostile = wild.slice(0, 200).map((rule) => `https://x.example/${`${wordsOf(rule)}/`.repeat(50_000)}`);
const soonest = (url) =>
  Math.min(...[1, 2, 3].map(() => timed(() => opened.value.check({ url, type: 'script', source: 'https://y.example/' })).ms));
const worst = Math.max(...hostile.map(soonest));
const { facts, bytes } = built.value;
console.log(`${facts.rules} rules (${facts.skipped} lines skipped), engine ${(bytes.length / 1e6).toFixed(1)} MB`);
console.log(`built in ${built.ms.toFixed(0)} ms, read from disk's bytes in ${opened.ms.toFixed(0)} ms`);
console.log(
  `a request: median ${at(0.5).toFixed(1)} µs, 95 % ${at(0.95).toFixed(1)} µs, 99 % ${at(0.99).toFixed(1)} µs; ${blocked} of ${REQUESTS} blocked`,
);
console.log(`an address of a megabyte made of a rule's words: ${(worst * 1000).toFixed(0)} µs at most of ${hostile.length}`);
if (at(0.5) >= LIMIT_MICROSECONDS) {
  console.error(`the median is to be under ${LIMIT_MICROSECONDS} µs`);
  process.exitCode = 1;
}
