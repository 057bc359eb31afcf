import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { descendants, type Process } from '../../helpers/descendants.js';
import { startServer, type RunningServer } from '../../helpers/run-cli.js';
import { openSite, type Site } from '../../helpers/site.js';
import { basicHeader, bearer, inSeconds, signedPage } from './auth-server.js';

const CANARIES = ['canary-password', 'canary-token', 'canary-secret', 'canary-sent', 'canary-file'];
const PLUGINS = 'auth-basic,auth-token,auth-signed-url,screenshot,png,gif,frames,target,emulate,wait,ffmpeg,diagnostics';

let folder: string;
let site: Site;
let server: RunningServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  await writeFile(join(folder, 'tokens'), 'ops:canary-token\nci:canary-file\n');
  site = await openSite({ '/': '<!doctype html><p>here' });
  server = await startServer(['--plugins', PLUGINS, '--log-level', 'debug', '--server-token-auth', `@${join(folder, 'tokens')}`], {
    env: { PLATEN_SERVER_BASIC_AUTH: 'ann:canary-password', PLATEN_SERVER_SIGNED_URL: 'canary-secret' },
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const found = (text: string) => CANARIES.filter((canary) => text.includes(canary) || text.includes(Buffer.from(canary).toString('base64')));

describe('secrets of authentication', () => {
  it('are in no answer: diagnostics, refusals, headers', async () => {
    const page = `url=${encodeURIComponent(site.url('/'))}`;
    const answers = await Promise.all([
      fetch(`${server.url}/?${page}&diagnostics=true`, { headers: bearer('canary-token') }),
      fetch(`${server.url}/?${page}`, { headers: bearer('canary-sent') }),
      fetch(`${server.url}/?${page}`, { headers: basicHeader('ann:canary-password') }),
      fetch(`${server.url}/?${page}`),
      fetch(`${server.url}/?${page}&expires=1&signature=canary-sent`),
      fetch(`${server.url}/?${signedPage(inSeconds(-9), 'canary-secret')}`),
      fetch(`${server.url}/?canary=1`, { headers: bearer('canary-file') }),
      fetch(`${server.url}/status`, { headers: bearer('canary-sent') }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401, 401, 403, 403, 400, 200]);
    for (const answer of answers) expect(found(`${JSON.stringify([...answer.headers])}${await answer.text()}`)).toEqual([]);
  });

  it('are in no argument and no environment of what the server starts: browser, sandbox, ffmpeg', async () => {
    const seen = new Map<string, Process>();
    const look = () => {
      for (const each of descendants(process.pid)) if (each.environment !== '') seen.set(`${String(each.pid)}${each.args}`, each);
    };
    const page = `url=${encodeURIComponent(site.url('/'))}`;
    const rendering = ['output_type=png', 'output_type=gif&image_duration=1'].map((more) =>
      fetch(`${server.url}/?${page}&${more}`, { headers: bearer('canary-token') }).then(async (answer) => {
        look();
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    expect(await Promise.all(rendering)).toEqual([200, 200]);
    look();
    // The server itself has them in its environment: the look sees what there is.
    const own = [...seen.values()].filter(({ args }) => args.includes('cli.js'));
    expect(own.flatMap(({ environment }) => found(environment))).toEqual(expect.arrayContaining(['canary-password', 'canary-secret']));
    expect(own.flatMap(({ args }) => found(args))).toEqual([]);
    const started = [...seen.values()].filter(({ args }) => !args.includes('cli.js'));
    expect(started.some(({ args }) => args.includes('--type=renderer'))).toBe(true);
    for (const { args, environment } of started) expect(found(`${args}${environment}`), args).toEqual([]);
  });

  it('are in no log line, though they were right, wrong and sent', () => {
    expect(server.lines.length).toBeGreaterThan(5);
    expect(server.lines.some(({ identity }) => identity === 'ops')).toBe(true);
    expect(found(JSON.stringify(server.lines))).toEqual([]);
  });

  it('are inherited by no program that the command line starts', async () => {
    const program = join(folder, 'ffmpeg');
    const noted = join(folder, 'noted');
    await writeFile(program, `#!/bin/sh\nenv > '${noted}'\nexit 1\n`, { mode: 0o755 });
    const cli = new URL('../../../server/dist/cli.js', import.meta.url).pathname;
    const env = { ...process.env, PLATEN_SERVER_SIGNED_URL: 'canary-secret', PLATEN_FFMPEG_PATH: program, OTHER: 'inherited' };
    try {
      execFileSync(process.execPath, [cli, 'doctor'], { env, stdio: 'ignore' });
    } catch {
      // Doctor finds fault with such an ffmpeg.
    }
    const environment = readFileSync(noted, 'utf8');
    expect(environment).toContain('OTHER=inherited');
    expect(environment).not.toMatch(/PLATEN_|canary/);
  });
});
