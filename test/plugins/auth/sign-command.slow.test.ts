import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { verifyQuery } from '@platen/server/signing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import signedUrl from '@platen/plugin-auth-signed-url';
import { isPlatenError } from '@platen/kernel';
import { runCli } from '../../helpers/run-cli.js';
import { inSeconds, openGuarded, SECRET } from './auth-server.js';

const TARGET = 'http://127.0.0.1:1/?url=http://a.test/&full_page';
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  await writeFile(join(folder, 'secret'), `# rotated in spring\n${SECRET}\nolder\n`);
});
afterAll(() => rm(folder, { recursive: true }));

/** The command as the command line calls it, without a process of its own. */
async function sign(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const printed: string[] = [];
  const write = { write: (text: string) => void printed.push(text) };
  const [command] = signedUrl.commands ?? [];
  const code = await command?.run(args, {
    stdout: write,
    stderr: write,
    environment,
    cwd: folder,
    openServer: () => Promise.reject(new Error('signing needs no server')),
  });
  return { code, url: printed.join('').trimEnd() };
}
const expiresOf = ({ url }: { readonly url: string }) => Number(new URL(url).searchParams.get('expires'));
const verify = (url: string) => verifyQuery(url.split('?')[1] ?? '', { secrets: [SECRET], now: Date.now() });

describe('platen sign URL', () => {
  it('signs with the secret of a file, for an hour', async () => {
    const signed = await sign([TARGET, '--secret', '@secret']);
    expect(signed.code).toBe(0);
    expect(verify(signed.url)).toBeUndefined();
    expect(signed.url.startsWith(`${TARGET}&expires=`)).toBe(true);
    expect(expiresOf(signed)).toBeLessThanOrEqual(inSeconds(3600));
    expect(expiresOf(signed)).toBeGreaterThan(inSeconds(3500));
  });

  it('takes the secret of the environment, of a file too, and how long or until when', async () => {
    const variable = { PLATEN_SERVER_SIGNED_URL: `hmac-sha256:${SECRET}\nolder` };
    const short = await sign([TARGET, '--expires-in', '5'], variable);
    expect(verify(short.url)).toBeUndefined();
    expect(expiresOf(short)).toBeLessThanOrEqual(inSeconds(5));
    const named = await sign(['--expires=4000000000', TARGET], { PLATEN_SERVER_SIGNED_URL: '@secret' });
    expect(expiresOf(named)).toBe(4_000_000_000);
    expect(verify(named.url)).toBeUndefined();
  });

  it('warns of a secret on the command line', async () => {
    const { code, stdout, stderr } = await runCli(['sign', TARGET, '--secret', SECRET], { env: { PLATEN_PLUGINS: 'auth-signed-url' } });
    expect([code, stderr]).toEqual([0, 'platen: every user of this host can see a secret on the command line: use --secret @FILE\n']);
    expect(verify(stdout.toString().trim())).toBeUndefined();
  });

  it('what it prints is let in', async () => {
    await using server = await openGuarded(['signed']);
    const { url } = await sign([`${server.url}/?url=http://a.test/&full_page&cookie=b&cookie=a%20~*`, '--secret', '@secret']);
    expect((await fetch(url)).status).toBe(200);
  });

  it('prints what can be sent, whatever was written, and signs what was meant', async () => {
    await using server = await openGuarded(['signed']);
    const written = `${server.url}/?url=http://a.test/ü "{x}"&cookie[]=a b=it's&cookie[]=100%&full_page`;
    const { url } = await sign([written, '--secret', '@secret']);
    expect(url).toMatch(/^http:[\w.:/?&=%-]+$/);
    const parse = (text: string) => [...new URLSearchParams(text.slice(text.indexOf('?') + 1))].slice(0, 4);
    expect(parse(url)).toEqual(parse(written));
    const { stdout } = await promisify(execFile)('curl', ['-s', '-o', '/dev/null', '-w', '%{http_code}', url]);
    expect(stdout).toBe('200');
  });

  it('takes the secret behind a byte order mark', async () => {
    await writeFile(join(folder, 'marked'), `\uFEFF${SECRET}\n`);
    expect(verify((await sign([TARGET, '--secret', '@marked'])).url)).toBeUndefined();
  });

  it.each(['http://127.0.0.1:1/status?x=1', '/render?url=http://a.test/'])(
    'hints at a path where nobody asks for a signature: %s',
    async (url) => {
      expect((await sign([url, '--secret', '@secret'])).url).toMatch(/^platen: only \/ and \/assets accept signatures.*\n.*signature=/);
    },
  );

  it.each([
    ['no URL', ['--secret', '@secret'], /sign requires a URL/],
    ['two URLs', [TARGET, 'full_page', '--secret', '@secret'], /one URL, unexpected "full_page".*quote/],
    ['no server', ['ftp://a.test/', '--secret', '@secret'], /"ftp:\/\/a.test\/" is not a server URL/],
    ['no secret', [TARGET], /no secret is given: use --secret @FILE, or set PLATEN_SERVER_SIGNED_URL/],
    ['an empty secret', [TARGET, '--secret', ''], /--secret is empty/],
    ['another algorithm', [TARGET, '--secret', 'hmac-sha512:canary'], /must be SECRET or hmac-sha256:SECRET/],
    ['no such file', [TARGET, '--secret', '@nowhere'], /cannot read the secret file .*nowhere: there is no such file/],
    ['two times', [TARGET, '--expires', '1', '--expires-in', '1', '--secret', '@secret'], /give one of them/],
    ['a time in words', [TARGET, '--expires-in', '1h', '--secret', '@secret'], /--expires-in takes whole seconds.*"1h"/],
    ['an unknown option', [TARGET, '--expire', '1'], /unknown option --expire: sign accepts --expires-in, --expires,/],
    ['a negative time', [TARGET, '--expires', '-5', '--secret', '@secret'], /--expires takes whole seconds in plain digits, not "-5"/],
    ['an option without its value', [TARGET, '--secret'], /--secret requires a value/],
    ['nothing to render', ['/', '--secret', '@secret'], /no parameter to sign/],
    ['nothing but what is signed anew', ['/?expires=1&signature=a', '--secret', '@secret'], /no parameter to sign/],
  ])('%s: says what is wrong, with the exit code of a usage error', async (_name, args, message) => {
    const error: unknown = await sign(args).catch((reason: unknown) => reason);
    expect(isPlatenError(error) && error.status).toBe(400);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain('canary');
  });

  it('is a word of the command line, with help of its own', async () => {
    const options = { cwd: folder, env: { PLATEN_PLUGINS: 'auth-signed-url' } };
    const [signed, help, topic, wrong] = await Promise.all([
      runCli(['sign', TARGET, '--secret', '@secret'], options),
      runCli(['sign', '--help'], options),
      runCli(['help', 'sign'], options),
      runCli(['sign', TARGET, '--expires', 'x', '--secret', '@secret'], options),
    ]);
    expect([signed.code, signed.stderr]).toEqual([0, '']);
    expect(verify(signed.stdout.toString().trim())).toBeUndefined();
    expect(help.stdout.toString()).toMatch(/^Usage\n {2}platen sign URL [^]*--expires-in SECONDS[^]*Example\n/);
    expect(topic.stdout.toString()).toBe(help.stdout.toString());
    expect([wrong.code, wrong.stderr]).toEqual([2, 'platen: --expires takes whole seconds in plain digits, not "x"\n']);
  });
});
