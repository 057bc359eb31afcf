// What a server has of its host: read from /proc, which knows better than the server itself.
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const REAPED_MS = 5_000;

/** Descriptors, processes and files of a server, and its memory after its garbage was collected. */
export async function measure(child, folders) {
  child.send('memory');
  const [{ rss, heapUsed, external }] = await once(child, 'message');
  const family = await settledFamily(child.pid);
  const files = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true }).catch(() => [])));
  return {
    descriptors: (await readdir(`/proc/${child.pid}/fd`)).length,
    processes: family.length,
    zombies: family.filter(({ state }) => state === 'Z').length,
    // What lies in a profile comes and goes with the browser. The record of an asset that has expired is kept, for the 410 that it answers.
    files: files.flat().filter((name) => !name.includes('/') && !name.endsWith('.json')).length,
    rss: rss / 2 ** 20,
    heap: heapUsed / 2 ** 20,
    external: external / 2 ** 20,
    browser: family.reduce((sum, { resident }) => sum + resident, 0),
  };
}

/** A process that has just ended is a zombie until its parent asks, which is no leak: one is counted that stays. */
async function settledFamily(pid) {
  for (const giveUp = performance.now() + REAPED_MS; ; await delay(50)) {
    const family = await descendantsOf(pid);
    if (performance.now() > giveUp || !family.some(({ state }) => state === 'Z')) return family;
  }
}

async function descendantsOf(pid) {
  const all = (await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(factsOf))).filter(Boolean);
  const found = [];
  for (let parents = [pid]; parents.length > 0;) {
    const children = all.filter(({ parent }) => parents.includes(parent));
    found.push(...children);
    parents = children.map((child) => child.pid);
  }
  return found;
}

/** `/proc/PID/stat`: state and parent stand behind the name, which may hold anything. */
async function factsOf(name) {
  const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { pid: Number(name), state: fields[0], parent: Number(fields[1]), resident: (Number(fields[21]) * 4096) / 2 ** 20 };
}
