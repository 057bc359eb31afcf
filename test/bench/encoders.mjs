// An output plugin's encoder without a kernel around it, and how long it takes.

/** A plugin's own encoder, as it taps it. */
export async function encoderOf(type) {
  const { default: plugin } = await import(`@platen/plugin-${type}`);
  let encode;
  const hook = { tap() {}, tapPromise() {} };
  plugin.apply({
    hooks: { beforeOpen: hook, beforeNavigate: hook, encode: { for: () => ({ tapPromise: (_name, tap) => (encode = tap) }) } },
    options: {},
  });
  return encode;
}

/** Both by turns, after one run of each that loads code and is not counted; the median run of each: milliseconds, bytes. */
export async function compare({ ours, theirs, rounds }) {
  await ours();
  await theirs();
  const runs = { ours: [], theirs: [] };
  for (let round = 0; round < rounds; round += 1) {
    runs.ours.push(await measure(ours));
    runs.theirs.push(await measure(theirs));
  }
  return { ours: middle(runs.ours), theirs: middle(runs.theirs) };
}

async function measure(run) {
  const started = performance.now();
  const { length } = await run();
  return { ms: performance.now() - started, bytes: length };
}

function middle(runs) {
  return runs.toSorted((a, b) => a.ms - b.ms)[Math.floor(runs.length / 2)];
}
