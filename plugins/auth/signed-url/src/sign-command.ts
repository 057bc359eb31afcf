import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { describeReadError, PlatenError, readTextFile, type CommandDeclaration, type CommandIo } from '@platen/kernel';
import { SECRET_PATTERN, signUrl } from '@platen/server/signing';
import { SIGNED_VARIABLE } from './flag.js';
import { isSigned } from './signed-routes.js';
import { toSendable } from './to-sendable.js';

const DEFAULT_LIFETIME_S = 3600;

/** `platen sign URL`: a line that can be sent as it is. */
export const SIGN_COMMAND: CommandDeclaration = {
  name: 'sign',
  usage: 'URL [--expires-in SECONDS | --expires UNIX] [--secret @FILE]',
  description: `Prints the URL, signed. The secret is that of --server-signed-url, by default the one in ${SIGNED_VARIABLE}.`,
  help: `Prints the URL, signed with the secret of --server-signed-url.

  URL                   of a server's / or /assets, absolute or from the path on. What no URL can hold (blanks,
                        letters beyond ASCII) is escaped in what is printed
  --expires-in SECONDS  how long the signature holds (default ${String(DEFAULT_LIFETIME_S)})
  --expires UNIX        or until when: Unix time in seconds
  --secret @FILE        the secret's file; SECRET itself would be seen by everybody on the host
                        (default: what ${SIGNED_VARIABLE} holds). Of several lines the first signs

Example
  platen sign 'http://127.0.0.1:3000/?url=https://example.com/' --secret @secret.txt`,
  async run(args, io) {
    const { url, expiresIn, expires, secret } = parse(args);
    assertParameters(url);
    if (secret !== undefined && !secret.startsWith('@'))
      io.stderr.write('platen: everybody on this host can see the secret on a command line: --secret @FILE keeps it\n');
    if (!isAskedThere(url))
      io.stderr.write(
        'platen: signatures are asked for at / and /assets alone: this URL is right only where a proxy leads it to one of them\n',
      );
    const signing = { secret: await readSecret(secret, io), expires: toTime(expiresIn, expires) };
    io.stdout.write(`${signUrl(toSendable(url), signing)}\n`);
    return 0;
  },
};

function isAskedThere(url: string): boolean {
  return isSigned(new URL(url, 'http://localhost').pathname);
}

interface SignArguments {
  readonly url: string;
  readonly expiresIn: string | undefined;
  readonly expires: string | undefined;
  readonly secret: string | undefined;
}

const TEXT = { type: 'string' } as const;
const OPTIONS = { 'expires-in': TEXT, expires: TEXT, secret: TEXT } as const;

function parse(args: readonly string[]): SignArguments {
  // Judged here: in strict mode a value that begins with a dash is refused in words about parsers.
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: OPTIONS,
  });
  for (const token of tokens) {
    if (token.kind === 'option' && !Object.hasOwn(OPTIONS, token.name))
      throw wrong(
        `sign does not know ${token.rawName}, only ${Object.keys(OPTIONS)
          .map((name) => `--${name}`)
          .join(', ')}`,
      );
  }
  const [url, ...others] = positionals;
  if (url === undefined) throw wrong('sign needs a URL: platen sign URL; platen sign --help says more');
  if (others.length > 0) throw wrong(`sign takes one URL, not also "${String(others[0])}": quote a URL that holds "&" or blanks`);
  const isSendable = url.startsWith('/') || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol));
  if (!isSendable) throw wrong(`"${url}" is no URL of a server: it begins with http://, https:// or /`);
  const textOf = (name: 'expires-in' | 'expires' | 'secret') => {
    if (values[name] === true) throw wrong(`--${name} needs a value`);
    return typeof values[name] === 'string' ? values[name] : undefined;
  };
  return {
    url,
    expiresIn: textOf('expires-in'),
    expires: textOf('expires'),
    secret: textOf('secret'),
  };
}

/** A signature of no parameters lets nobody do anything: it was to be one of a forgotten "url". */
function assertParameters(url: string): void {
  const names = [...new URL(url, 'http://localhost').searchParams.keys()];
  if (names.every((name) => name === 'expires' || name === 'signature'))
    throw wrong('the URL has no parameter to sign: add what to render, as in "?url=https://example.com/"');
}

function toTime(expiresIn: string | undefined, expires: string | undefined): number {
  if (expires !== undefined && expiresIn !== undefined) throw wrong('--expires and --expires-in say the same: give one of them');
  if (expires !== undefined) return toSeconds('--expires', expires);
  return Math.floor(Date.now() / 1000) + toSeconds('--expires-in', expiresIn ?? String(DEFAULT_LIFETIME_S));
}

function toSeconds(flag: string, text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw wrong(`${flag} takes whole seconds in plain digits, not "${text}"`);
  return Number(text);
}

/** As the flag: `@FILE` is a file's content, secrets stand a line each, and a line that begins with # is a remark. */
async function readSecret(given: string | undefined, { environment, cwd }: CommandIo): Promise<string> {
  const source = given === undefined ? SIGNED_VARIABLE : '--secret';
  const text = given ?? environment[SIGNED_VARIABLE] ?? '';
  if (text === '')
    throw wrong(given === undefined ? `there is no secret: give --secret @FILE, or set ${SIGNED_VARIABLE}` : `${source} is empty`);
  const content = text.startsWith('@') ? await readSecretFile(resolve(cwd, text.slice(1))) : text;
  const secret = content.split(/\r?\n/).find((line) => line !== '' && !line.startsWith('#')) ?? '';
  if (!new RegExp(SECRET_PATTERN, 'u').test(secret))
    throw wrong(`the secret of ${source} must be SECRET or hmac-sha256:SECRET, and not empty`);
  return secret;
}

async function readSecretFile(path: string): Promise<string> {
  return await readTextFile(path).catch((error: unknown) => {
    throw wrong(`cannot read the secret file ${path}: ${describeReadError(error)}`);
  });
}

/** The command line ends with 2 for what it cannot obey. */
function wrong(text: string): PlatenError {
  return new PlatenError('invalid_parameters', text);
}
