// eslint-disable-next-line @typescript-eslint/no-restricted-imports -- asks a server of the operator's own, which no policy for targets is about
import { request, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';
import { resolveBaseFlags } from '../boot/boot.js';
import { explainError } from '../boot/explain-error.js';
import type { Io } from '../boot/io.js';
import { EXIT } from '../flags/exit-codes.js';
import { BASE_FLAGS } from '../flags/flag-set.js';
import { optionNames, parseArguments } from '../flags/parse-arguments.js';
import { assertNoMore, UsageError } from '../flags/usage-error.js';
import { socketPathFault, toBindAddress } from '../http/bind.js';

const TIMEOUT_MS = 3_000;
const FLAGS = ['server-bind-address', 'server-bind-port'];

/**
 * `platen healthcheck [URL]`: 0 if a server accepts renders, 1 if it does not or cannot be reached (containers know no other codes).
 * Without a URL it uses the address in the flags, the environment and the config file.
 */
export async function checkHealth(args: readonly string[], io: Io): Promise<number> {
  try {
    await assertHealthy(await findServer(args, io));
    io.stdout.write('ok\n');
    return EXIT.ok;
  } catch (error) {
    io.stderr.write(explainError(error));
    return EXIT.failed;
  }
}

async function findServer(args: readonly string[], io: Io): Promise<RequestOptions> {
  const { options, positionals } = parseArguments(args, optionNames(BASE_FLAGS, {}));
  const unknown = options.find(({ name }) => ![...FLAGS, 'config'].includes(name));
  if (unknown !== undefined)
    throw new UsageError(`healthcheck does not accept --${unknown.name}`, `only --config, --${FLAGS.join(', --')}`);
  const [given, ...others] = positionals;
  assertNoMore(others, '`platen healthcheck` accepts one URL');
  if (given !== undefined) return toOptions(given);
  const { flags } = await resolveBaseFlags(args, FLAGS, io);
  const address = toBindAddress(String(flags['server-bind-address']), Number(flags['server-bind-port']));
  if ('path' in address) return toSocket(address.path);
  if (address.port === 0) throw new UsageError('the port of a server with port 0 is unknown', 'give its URL');
  return { host: ANY[address.host] ?? address.host, port: address.port };
}

/** A server that listens on all addresses is reached on the loopback address. */
const ANY: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** `http://127.0.0.1:3000`, or `unix:/run/platen.sock`. */
function toOptions(url: string): RequestOptions {
  if (url.startsWith('unix:/')) return toSocket(url.slice('unix:'.length));
  if (!URL.canParse(url) || new URL(url).protocol !== 'http:') {
    throw new UsageError(`"${url}" is not the URL of a server`, 'for example http://127.0.0.1:3000 or unix:/run/platen.sock');
  }
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? 80 : Number(port) };
}

function toSocket(path: string): RequestOptions {
  const problem = socketPathFault(path);
  if (problem !== undefined) throw new UsageError(`no server can listen on ${path}: ${problem}`);
  return { socketPath: path };
}

/** Requests `/status`, which needs no credentials and does not wait for a browser. */
async function assertHealthy(server: RequestOptions): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { status, body } = await askStatus(server, signal).catch((error: unknown) => {
    const code = signal.aborted ? 'no response in time' : error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new Error(`no server responds at ${nameOf(server)}: ${code}`, {
      cause: error,
    });
  });
  const state = stateOf(body);
  if (status !== 200 || state !== 'ok')
    throw new Error(`the server is not ready: status ${status}${state === undefined ? '' : `, ${state}`}`);
}

function nameOf({ socketPath, host, port }: RequestOptions): string {
  const name = String(host);
  return socketPath ?? `${name.includes(':') ? `[${name}]` : name}:${String(port)}`;
}

function askStatus(server: RequestOptions, signal: AbortSignal): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ ...server, path: '/status', agent: false, signal }, (answer) => {
      text(answer).then((body) => {
        resolve({ status: answer.statusCode ?? 0, body });
      }, reject);
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** The state in the report, if it is one of the three known ones. */
function stateOf(body: string): string | undefined {
  return /"status":"(ok|degraded|draining)"/.exec(body)?.[1];
}
