import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type CommandDeclaration, type CommandIo, describeReadError, PlatenError, readTextFile } from '@platen/kernel';
import { SECRET_PATTERN, signUrl } from '@platen/server/signing';

/** Endpoints that accept signatures (the interface specification, Authentication, rule 5). */
const SIGNED: Readonly<Record<string, readonly string[]>> = { '/': ['GET', 'HEAD', 'DELETE'], '/assets': ['GET', 'HEAD'] };

/** Whether any method of the path accepts signatures. */
function isSigned(path: string): boolean {
  return Object.hasOwn(SIGNED, path);
}

/** Whether a request without a credential header must be signed. */
export function needsSignature({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return Object.hasOwn(SIGNED, path) && SIGNED[path]?.includes(method) === true;
}

/** The flag of the shared secrets, without leading dashes. */
export const SIGNED_FLAG = 'server-signed-url';
/** The environment variable of the flag. */
const SIGNED_VARIABLE = 'PLATEN_SERVER_SIGNED_URL';

/** Not valid in a URL (RFC 3986, 2), or special in shells and curl: quotes, braces, brackets, a lone percent sign. */
const UNSENDABLE = /%(?![0-9a-f]{2})|[^!-~]|["'<>[\\\]^`{|}]/giu;

const DEFAULT_LIFETIME_S = 3600;

/** `platen sign URL`: prints a URL that can be sent as printed. */
export const SIGN_COMMAND: CommandDeclaration = {
  name: 'sign',
  usage: 'URL [--expires-in SECONDS | --expires UNIX] [--secret @FILE]',
  description: `Print the signed URL. The secret is a secret of --server-signed-url; by default the first one in ${SIGNED_VARIABLE}.`,
  help: `Prints the URL signed with a secret of --server-signed-url.

  URL                   URL of / or /assets of a server, absolute or starting with the path. Characters that are
                        not valid in a URL (spaces, non-ASCII) are escaped in the output
  --expires-in SECONDS  lifetime of the signature (default ${String(DEFAULT_LIFETIME_S)})
  --expires UNIX        end of the lifetime: Unix time in seconds
  --secret @FILE        file with the secret; every user of the host could see SECRET itself
                        (default: ${SIGNED_VARIABLE}). The first of several lines is used

Example
  platen sign 'http://127.0.0.1:3000/?url=https://example.com/' --secret @secret.txt`,
  async run(args, io) {
    const { url, expiresIn, expires, secret } = parse(args);
    assertParameters(url);
    if (secret !== undefined && !secret.startsWith('@'))
      io.stderr.write('platen: every user of this host can see a secret on the command line: use --secret @FILE\n');
    if (!acceptsSignature(url))
      io.stderr.write('platen: only / and /assets accept signatures: this URL works only if a proxy maps it to one of these paths\n');
    const signing = { secret: await readSecret(secret, io), expires: toTime(expiresIn, expires) };
    io.stdout.write(`${signUrl(toSendable(url), signing)}\n`);
    return 0;
  },
};

function acceptsSignature(url: string): boolean {
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
  // Checked here: the strict mode of `parseArgs` has an unclear error for values that begin with a dash.
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
        `unknown option ${token.rawName}: sign accepts ${Object.keys(OPTIONS)
          .map((name) => `--${name}`)
          .join(', ')}`,
      );
  }
  const [url, ...others] = positionals;
  if (url === undefined) throw wrong('sign requires a URL: platen sign URL; see platen sign --help');
  if (others.length > 0) throw wrong(`sign takes one URL, unexpected "${String(others[0])}": quote a URL that contains "&" or spaces`);
  const isSendable = url.startsWith('/') || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol));
  if (!isSendable) throw wrong(`"${url}" is not a server URL: it must begin with http://, https:// or /`);
  const textOf = (name: 'expires-in' | 'expires' | 'secret') => {
    if (values[name] === true) throw wrong(`--${name} requires a value`);
    return typeof values[name] === 'string' ? values[name] : undefined;
  };
  return {
    url,
    expiresIn: textOf('expires-in'),
    expires: textOf('expires'),
    secret: textOf('secret'),
  };
}

/** A signature without parameters permits nothing; probably "url" was forgotten. */
function assertParameters(url: string): void {
  const names = [...new URL(url, 'http://localhost').searchParams.keys()];
  if (names.every((name) => name === 'expires' || name === 'signature'))
    throw wrong('the URL has no parameter to sign: add the page to render, as in "?url=https://example.com/"');
}

function toTime(expiresIn: string | undefined, expires: string | undefined): number {
  if (expires !== undefined && expiresIn !== undefined) throw wrong('--expires and --expires-in are mutually exclusive: give one of them');
  if (expires !== undefined) return toSeconds('--expires', expires);
  return Math.floor(Date.now() / 1000) + toSeconds('--expires-in', expiresIn ?? String(DEFAULT_LIFETIME_S));
}

function toSeconds(flag: string, text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw wrong(`${flag} takes whole seconds in plain digits, not "${text}"`);
  return Number(text);
}

/** Like the flag: `@FILE` is the content of a file with one secret per line; lines that begin with # are comments. */
async function readSecret(given: string | undefined, { environment, cwd }: CommandIo): Promise<string> {
  const source = given === undefined ? SIGNED_VARIABLE : '--secret';
  const text = given ?? environment[SIGNED_VARIABLE] ?? '';
  if (text === '')
    throw wrong(given === undefined ? `no secret is given: use --secret @FILE, or set ${SIGNED_VARIABLE}` : `${source} is empty`);
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

/** Wrong usage: exit code 2. */
function wrong(text: string): PlatenError {
  return new PlatenError('invalid_parameters', text);
}

/** Escapes the URL so that any client can send it. It decodes to the same parameters, so the signature stays valid. */
function toSendable(url: string): string {
  const [origin = ''] = /^https?:\/\/[^/?#]*/i.exec(url) ?? [];
  return origin + Buffer.from(url.slice(origin.length)).toString().replace(UNSENDABLE, encodeMark);
}

/** `encodeURIComponent` does not escape the apostrophe. */
function encodeMark(mark: string): string {
  return mark === "'" ? '%27' : encodeURIComponent(mark);
}
