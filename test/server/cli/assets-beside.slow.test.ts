import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callCli } from '../../helpers/call-cli.js';
import { runCli } from '../../helpers/run-cli.js';
import { openSite, type Site } from '../../helpers/site.js';

let cwd: string;
let site: Site;
beforeAll(async () => {
  site = await openSite({ '/': '<!doctype html><h1>Hello</h1><script>localStorage.a = 1</script>', '/never': () => undefined });
});
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterEach(() => rm(cwd, { recursive: true }));
afterAll(() => site[Symbol.asyncDispose]());

const run = (...args: readonly string[]) => callCli(args, { cwd });
/** From the built files: a HAR takes what another plugin hands it, and in this process half of them would come from the sources. */
const runProcess = (...args: readonly string[]) => runCli(args, { cwd });
const read = (name: string) => readFile(join(cwd, name));
const packed = async (name: string) => gunzipSync(await read(name)).toString('latin1');

/** Each bare switch, and the file that it makes beside `page.png`. */
const FILES = {
  '--with-har': 'page.har',
  '--with-network-log': 'page.network.jsonl',
  '--with-trace': 'page.trace.json.gz',
  '--with-pprof-cpu': 'page.cpu.pb.gz',
  '--with-pprof-memory': 'page.memory.pb.gz',
  '--with-storage': 'page.storage.json',
  '--with-axtree': 'page.axtree.json',
};

describe('additional assets of a single capture', () => {
  it('further outputs lie beside the output file, each with the extension of its type', async () => {
    const types = ['pdf', 'markdown', 'axtree', 'axtree_json', 'har'];
    const { code, stderr } = await runProcess(site.url('/'), 'page.txt', ...types.flatMap((type) => ['--with-output', type]));
    expect([code, stderr.trimEnd().split('\n').length]).toEqual([0, types.length]);
    expect((await readdir(cwd)).sort()).toEqual(['page.axtree.json', 'page.axtree.txt', 'page.har', 'page.md', 'page.pdf', 'page.txt']);
    expect(String(await read('page.md'))).toBe('# Hello\n');
  });

  it('lie beside the output file, each under a name of its own, and are told of', async () => {
    const { code, stdout, stderr } = await runProcess(site.url('/'), 'page.png', ...Object.keys(FILES));
    expect([code, stdout.length]).toEqual([0, 0]);
    expect((await readdir(cwd)).sort()).toEqual([...Object.values(FILES), 'page.png'].sort());
    const told = stderr.trimEnd().split('\n');
    expect(told.map((line) => line.replace(/ \(\d+ bytes\)$/, '')).sort()).toEqual(Object.values(FILES).sort());
    expect(JSON.parse(String(await read('page.har')))).toMatchObject({ log: { version: '1.2' } });
    expect(JSON.parse(String(await read('page.storage.json')))).toMatchObject({ origins: [{ localStorage: [{ name: 'a', value: '1' }] }] });
    expect(String(await read('page.network.jsonl'))).toContain('"Network.requestWillBeSent"');
    expect(await packed('page.trace.json.gz')).toMatch(/^\{"traceEvents":/);
    expect(await packed('page.cpu.pb.gz')).toContain('nanoseconds');
    expect(await packed('page.memory.pb.gz')).toContain('inuse_space');
  });

  it('lie in the current folder where the output is a device', async () => {
    const { code, stderr } = await runProcess(site.url('/'), '/dev/null', '--output-type', 'png', '--with-har');
    const files = await readdir(cwd);
    expect([code, files.length, files[0]?.endsWith('.har')]).toEqual([0, 1, true]);
    expect(stderr).toContain(`${String(files[0])} (`);
    expect(await readdir('/dev')).not.toContain('null.har');
  });

  it('are not packed where that is asked for, and their names say so', async () => {
    const { code } = await run(site.url('/'), 'page.png', '--with-trace', '--trace-no-gzip', '--with-pprof-cpu', '--pprof-no-gzip');
    expect([code, (await readdir(cwd)).sort()]).toEqual([0, ['page.cpu.pb', 'page.png', 'page.trace.json']]);
  });

  it.each([
    ['page.trace.json', /^\{"traceEvents":/],
    ['page.trace.json.gz', /^\x1f\x8b/],
    ['page.cpu.pb', /nanoseconds/],
    ['page.memory.pb.gz', /^\x1f\x8b/],
  ])('%s as the output file is what its ending says', async (name, expected) => {
    const { code } = await run(site.url('/'), name);
    expect(code).toBe(0);
    expect((await read(name)).toString('latin1')).toMatch(expected);
  });

  it('give way to the output file where they would have its name', async () => {
    const { code } = await runProcess(site.url('/'), 'page.har', '--with-har');
    expect([code, (await readdir(cwd)).sort()]).toEqual([0, ['page.har', 'page.har.har']]);
  });

  it('are there for a render that failed, which leaves no output file', async () => {
    const { code, stderr } = await runProcess(site.url('/never'), 'page.png', '--timeout', '10', '--with-har', '--with-network-log');
    expect(code).toBe(4);
    expect((await readdir(cwd)).sort()).toEqual(['page.har', 'page.network.jsonl']);
    expect(stderr).toContain('page.har (');
  });
});
