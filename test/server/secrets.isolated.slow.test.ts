import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Fragment } from '@platen/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeInventory } from '../../server/src/boot/boot.js';
import { installedCatalog } from '../../server/src/boot/catalog.js';
import { environmentName } from '../../server/src/flags/flag-set.js';
import { descendants, type Process } from '../helpers/descendants.js';
import { runCli, startServer, type RunningServer } from '../helpers/run-cli.js';
import { openSite, type Site } from '../helpers/site.js';
import { until } from '../helpers/until.js';
import { startRedis } from '../plugins/service/cluster/redis-server.js';
import { createIssuer } from '../plugins/service/license/issuer.js';

/** A secret flag's value, and the part of it that must be seen nowhere. */
interface Planted {
  readonly value: string;
  readonly canary: string;
}

const issuer = createIssuer();
const license = issuer.issue({ tier: 'enterprise' });
const { x = '' } = issuer.publicKey.export({ format: 'jwk' });

const queue = await startRedis({ password: 'canary-cluster-queue' });

/** Where a value must be more than a text. */
const SPECIAL: Readonly<Record<string, Planted>> = {
  'cluster-queue': { value: queue.url, canary: 'canary-cluster-queue' },
  'license-key': { value: license, canary: license.split('.')[2] ?? '' },
  'license-public-key': { value: x, canary: x },
  'web-bot-auth': botAuthKey(),
  'egress-proxy': { value: 'http://ann:canary-egress-proxy@127.0.0.1:9', canary: 'canary-egress-proxy' },
  'server-webhook-secret': {
    value: `whsec_${Buffer.from('canary-server-webhook-secret').toString('base64')}`,
    canary: 'canary-server-webhook-secret',
  },
  'navigator-credential': { value: 'password=canary-navigator-credential', canary: 'canary-navigator-credential' },
  'navigator-type': { value: 'openai://canary-navigator-type@127.0.0.1:9?model=m', canary: 'canary-navigator-type' },
  'llm-format-model': { value: 'openai://canary-llm-format-model@127.0.0.1:9?model=m', canary: 'canary-llm-format-model' },
};

/** The published form of `web_bot_auth`: AGENT=KEY, the key a JWK in a data: URI. */
function botAuthKey(): Planted {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return { value: `https://agent.test=data:application/json,${encodeURIComponent(JSON.stringify(jwk))}`, canary: jwk.d ?? '' };
}

/** A secret of the flag's own, in the first form that its schema takes. */
function plant(name: string, fragment: Fragment): Planted {
  const canary = `canary-${name}`;
  const pattern = new RegExp(fragment.items?.pattern ?? fragment.pattern ?? '', 'u');
  const value = [canary, `ann:${canary}`, `https://ann:${canary}@secret.test/`].find((each) => pattern.test(each));
  if (value === undefined) throw new Error(`--${name} is a secret flag that takes none of the plain forms: say in SPECIAL what it takes`);
  return { value, canary };
}

const sink = () => new PassThrough().resume();
const { flagSet } = await takeInventory([], { stdout: sink(), stderr: sink(), environment: {}, cwd: '/' }, installedCatalog);
const SECRETS = [...flagSet.values()]
  .filter(({ fragment }) => fragment['x-secret'] === true)
  .map(({ name, fragment }) => ({ name, ...(SPECIAL[name] ?? plant(name, fragment)) }));
const OF_REQUESTS = ['canary-cookie', 'canary-header', 'canary-userinfo', 'canary-storage', 'canary-local', 'canary-session'];
const CANARIES = [...SECRETS.map(({ canary }) => canary), ...OF_REQUESTS];

/** Each canary in a text, as it is or encoded. */
const found = (text: string, canaries: readonly string[] = CANARIES) =>
  canaries.filter((canary) =>
    [canary, Buffer.from(canary).toString('base64'), Buffer.from(canary).toString('base64url')].some((form) => text.includes(form)),
  );

/** Webhooks that were received. */
const hooks: string[] = [];
let folder: string;
let site: Site;
let server: RunningServer;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  // Every other one from a file, the rest from the environment itself.
  const given = await Promise.all(
    SECRETS.map(async ({ name, value }, index) => {
      const file = join(folder, name);
      await writeFile(file, `${value}\n`);
      return [environmentName(name), index % 2 === 0 ? `@${file}` : value] as const;
    }),
  );
  env = { ...Object.fromEntries(given), PLATEN_NAVIGATOR_CREDENTIAL_ORIGIN: 'password=https://secret.test/*', NO_PROXY: '127.0.0.1' };
  site = await openSite({
    '/': '<!doctype html><title>t</title><p>here',
    '/gone': { status: 404, body: 'gone' },
    '/hook': async (request) => {
      hooks.push(JSON.stringify(request.headers) + (await text(request)));
      return 'thanks';
    },
    '/login': { status: 302, headers: { location: '/' } },
  });
  server = await startServer(
    [
      '--log-level',
      'debug',
      '--server-enable-prometheus',
      '--server-enable-schema',
      '--server-cache',
      folder,
      '--server-enable-jobs',
      folder,
    ],
    {
      env,
    },
  );
}, 60_000);
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await queue[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const secretOf = (name: string) => SECRETS.find((each) => each.name === name)?.canary ?? '';
const authorization = () => `Bearer ${secretOf('server-token-auth')}`;
const basic = (user: string) => ({ authorization: `Basic ${Buffer.from(user).toString('base64')}` });
const target = (path: string) => site.url(path).replace('http://', 'http://ann:canary-userinfo@');

/** A render with a secret in every place that a request has for one. */
function laden(more: object = {}): object {
  return {
    url: target('/'),
    cookie: [`sid=canary-cookie; Domain=127.0.0.1`],
    header: ['X-Key: canary-header'],
    with_storage: {
      cookies: [
        {
          name: 'kept',
          value: 'canary-storage',
          domain: '127.0.0.1',
          path: '/',
          expires: -1,
          httpOnly: true,
          secure: false,
          sameSite: 'Lax',
        },
      ],
      origins: [
        {
          origin: site.url('').replace(/\/$/, ''),
          localStorage: [{ name: 'k', value: 'canary-local' }],
          sessionStorage: [{ name: 'k', value: 'canary-session' }],
        },
      ],
    },
    ...more,
  };
}

const post = (body: object, headers: Record<string, string> = { authorization: authorization() }) =>
  fetch(`${server.url}/`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });

describe('L5: a canary in every secret of flags and requests', () => {
  it('is planted in what there is', () => {
    expect(SECRETS.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['server-basic-auth', 'server-token-auth', 'server-signed-url', 'server-prometheus-auth', 'license-key']),
    );
    expect(found(JSON.stringify(env)).length).toBeGreaterThan(0);
  });

  it('reaches the target, where it belongs', async () => {
    const answer = await post(laden());
    expect(answer.status, await answer.clone().text()).toBe(200);
    expect(found(JSON.stringify([...answer.headers]))).toEqual([]);
    const sent = site.requests.map(({ headers }) => headers);
    expect(sent.some(({ cookie = '' }) => cookie.includes('canary-cookie') && cookie.includes('canary-storage'))).toBe(true);
    expect(sent.some((headers) => headers['x-key'] === 'canary-header')).toBe(true);
  });

  it('is in no refusal and no failure, header or body', async () => {
    const { url } = server;
    const signed = `url=${encodeURIComponent(target('/'))}`;
    const answers = await Promise.all([
      fetch(`${url}/?${signed}`),
      fetch(`${url}/?${signed}`, { headers: { authorization: 'Bearer canary-cookie' } }),
      fetch(`${url}/?${signed}`, { headers: basic(`ann:${secretOf('server-basic-auth')}`) }),
      fetch(`${url}/?${signed}&expires=1&signature=00`),
      fetch(`${url}/metrics`),
      fetch(`${url}/assets?id=none`, { headers: { authorization: authorization() } }),
      post(laden({ url: target('/gone') })),
      post(laden({ url: 'http://ann:canary-userinfo@127.0.0.1:1/' })),
      post(laden({ url: 'http://ann:canary-userinfo@nowhere.invalid/' })),
      post(laden({ wait_for: 'css:#never', timeout: 0.5 })),
      post(laden({ image_selector: '#never' })),
      post(laden({ javascript: 'throw new Error("no")' })),
      post(laden({ cookie: ['canary-cookie'] })),
      post(laden({ header: ['canary-header'] })),
      post(laden({ header: ['X Key: canary-header'] })),
      post(laden({ with_storage: { cookies: [{ value: 'canary-storage' }] } })),
      post(laden({ url: 'http://ann:canary-userinfo@[bad/' })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      401, 401, 401, 403, 401, 404, 502, 403, 502, 504, 422, 422, 400, 400, 400, 400, 400,
    ]);
    for (const answer of answers) {
      const body = await answer.text();
      expect(found(`${JSON.stringify([...answer.headers])}${body}`), body).toEqual([]);
    }
  });

  it('is in no report: metrics, diagnostics, OpenAPI document, status', async () => {
    const headers = { authorization: authorization() };
    const reports = await Promise.all([
      fetch(`${server.url}/metrics`, { headers: basic(`ann:${secretOf('server-prometheus-auth')}`) }),
      fetch(`${server.url}/openapi.json`, { headers }),
      fetch(`${server.url}/status`, { headers }),
      post(laden({ diagnostics: true })),
    ]);
    for (const report of reports) {
      const body = await report.text();
      expect(report.status, body).toBe(200);
      expect(body.length).toBeGreaterThan(50);
      expect(found(`${JSON.stringify([...report.headers])}${body}`)).toEqual([]);
    }
  });

  it('is in no job and no webhook, and in no file of a job that has ended', async () => {
    const headers = { authorization: authorization() };
    const accepted = await post(laden(), { ...headers, prefer: 'respond-async', 'webhook-url': site.url('/hook') });
    expect(accepted.status).toBe(202);
    const path = accepted.headers.get('location') ?? '';
    const show = async () => await (await fetch(server.url + path, { headers: { ...headers, prefer: 'wait=60' } })).text();
    await until(async () => (await show()).includes('"delivered"'));
    const files = (await readdir(join(folder, 'jobs-1'))).filter((file) => !file.endsWith('.part'));
    const stored = await Promise.all(files.map((file) => readFile(join(folder, 'jobs-1', file), 'utf8')));
    expect(files.some((file) => file.endsWith('.params'))).toBe(false);
    for (const shown of [await accepted.text(), await show(), ...hooks, ...stored]) expect(found(shown), shown).toEqual([]);
    expect(hooks).toHaveLength(1);
  });

  it('is not in what `platen config` prints', async () => {
    for (const args of [[], ['--json']]) {
      const { code, stdout, stderr } = await runCli(['config', '--server', '--server-enable-prometheus', ...args], { env });
      expect(code, stderr).toBe(0);
      for (const { name } of SECRETS) expect(stdout.toString()).toContain(name);
      expect(found(`${stdout.toString()}${stderr}`)).toEqual([]);
    }
  });

  it('is in no argument and no environment of what the server starts: browser, sandbox, ffmpeg', async () => {
    const seen = new Map<string, Process>();
    const look = () => {
      for (const each of descendants(process.pid)) if (each.environment !== '') seen.set(`${String(each.pid)}${each.args}`, each);
    };
    const started = () => [...seen.values()].filter(({ args }) => !args.includes('cli.js'));
    const rendering = Promise.all([post(laden({ output_type: 'mp4', video_duration: 1 })), post(laden())]);
    await until(() => {
      look();
      return started().some(({ args }) => /(^|\/)ffmpeg\0/.test(args)) && started().some(({ args }) => args.includes('--type=renderer'));
    });
    expect((await rendering).map(({ status }) => status)).toEqual([200, 200]);
    look();
    // The server itself has them in its environment: the look sees what there is.
    const own = [...seen.values()].filter(({ args }) => args.includes('cli.js'));
    expect(own.flatMap(({ environment }) => found(environment)).length).toBeGreaterThan(0);
    expect(own.flatMap(({ args }) => found(args))).toEqual([]);
    for (const { args, environment } of started()) expect(found(`${args}${environment}`), args).toEqual([]);
  });

  it('is in no log line, at level debug', async () => {
    server.signal('SIGHUP');
    await server.line('the configuration was reloaded');
    server.signal('SIGTERM');
    expect(await server.exited).toBe(0);
    expect(server.lines.some(({ level }) => level === 'debug')).toBe(true);
    expect(server.lines.length).toBeGreaterThan(20);
    for (const line of server.lines) expect(found(JSON.stringify(line)), JSON.stringify(line)).toEqual([]);
    expect(found(await server.errors)).toEqual([]);
  });
});
