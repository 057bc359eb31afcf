import { silentLogger } from '@platen/kernel';
import { type Boot, bootStart } from '../boot/boot.js';
import type { Catalog } from '../boot/catalog.js';
import type { Io } from '../boot/io.js';
import { misspelledVariables } from '../boot/unknown-flag.js';
import { EXIT } from '../flags/exit-codes.js';
import { environmentName, type Flag, isCliOnly } from '../flags/flag-set.js';
import { type FlagSources, type Origin, originOf, secretFiles } from '../flags/resolve-flags.js';
import { assertNoMore, UsageError } from '../flags/usage-error.js';
import { addressFault, type BindAddress, isSamePlace, toBindAddress } from '../http/bind.js';
import type { ExtraListener } from '../service/hooks.js';
import { servePlugins } from '../service/server-api.js';

const MASK = '***';

/** One flag with a value. */
interface Setting {
  readonly name: string;
  /** Masked if it is secret. */
  readonly value: unknown;
  readonly origin: Origin;
  /** The origin as text: `environment variable PLATEN_SERVER`. */
  readonly from: string;
  /** The files of a secret. */
  readonly files: readonly string[];
}

/** `platen config`: the merged and validated flags, environment and config file; secrets are masked. As YAML, with `--json` as JSON. */
export async function showConfig(args: readonly string[], io: Io, catalog: Catalog): Promise<number> {
  const booted = await bootStart(
    args.filter((arg) => arg !== '--json'),
    io,
    catalog,
  );
  assertNoMore(booted.positionals, '`platen config` accepts only flags');
  const [key] = Object.keys(booted.request);
  if (key !== undefined) throw new UsageError(`"${key}" is a request key, not a startup flag`, 'a configuration contains startup flags');
  for (const [name, near] of misspelledVariables(io.environment, booted.flagSet))
    io.stderr.write(`platen: unknown environment variable ${name}: did you mean ${near}?\n`);
  await checkStart(booted);
  const settings = settingsOf(booted);
  io.stdout.write(args.includes('--json') ? toJson(settings) : toYaml(settings));
  return EXIT.ok;
}

function settingsOf({ flagSet, flags, sources }: Boot): readonly Setting[] {
  return [...flagSet.values()].flatMap((flag) => {
    const origin = originOf(flag, sources);
    if (origin === undefined || isCliOnly(flag) || flags[flag.name] === undefined) return [];
    const isSecret = flag.fragment['x-secret'] === true;
    const files = isSecret ? secretFiles(new Map([[flag.name, flag]]), sources) : [];
    const value = isSecret ? mask(flags[flag.name]) : maskUrls(flags[flag.name]);
    return [{ name: flag.name, value, origin, from: describeOrigin(flag, origin, sources), files }];
  });
}

/** The number of values is not secret. */
function mask(value: unknown): unknown {
  return Array.isArray(value) ? value.map(() => MASK) : MASK;
}

/** A URL may contain a password, or a key in its query, even if its flag is not secret. */
function maskUrls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskUrls);
  return typeof value === 'string' ? value.replaceAll(/([a-z][a-z0-9+.-]*:)([\\/]{2,}\S*)/gi, maskUrl) : value;
}

/** The user info reaches to the last @ before the path, or further if the rest would not be a URL. */
function maskUrl(_: string, scheme: string, rest: string): string {
  const [userinfo] = URL.canParse(scheme + rest) ? [/^([\\/]+)[^\\/?#]*@/] : [/^([\\/]+)[^\\/].*@/];
  return `${scheme}${rest.replace(userinfo, `$1${MASK}@`).replace(/\?[^#]*/, maskQuery)}`;
}

/** Masks the values of a query. Parameter names stay, if there are any. */
function maskQuery(query: string): string {
  return query.replaceAll(/([?&])([^&=]*=)?[^&]+/g, (_, before: string, name = '') => `${before}${String(name)}${MASK}`);
}

function describeOrigin({ name }: Flag, origin: Origin, { lines }: FlagSources): string {
  const line = lines?.get(name);
  switch (origin) {
    case 'flag':
      return 'command line';
    case 'environment':
      return `environment variable ${environmentName(name)}`;
    case 'file':
      return `config file${line === undefined ? '' : `, line ${line}`}`;
    case 'default':
      return 'default';
  }
}

function toJson(settings: readonly Setting[]): string {
  const entries = settings.map(({ name, value, origin, from, files }) => [
    name,
    { value, origin, from, ...(files.length === 0 ? {} : { files }) },
  ]);
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}

/** Every JSON value is valid YAML, so the output can be a config file once its masks are replaced. */
function toYaml(settings: readonly Setting[]): string {
  const lines = settings.map(({ name, value }) => `${name}: ${JSON.stringify(value)}`);
  const width = Math.max(...lines.map(({ length }) => length).filter((length) => length <= 60));
  return settings
    .map(
      ({ from, files }, index) =>
        `${(lines[index] ?? '').padEnd(width)}  # ${[from, ...files.map((file) => `read from ${file}`)].join(', ')}\n`,
    )
    .join('');
}

/**
 * Runs the parts of a server's start that have no side effects: plugins boot and check their flags. Nothing is written, fetched, bound or
 * run. Throws the errors that the start would throw.
 */
async function checkStart({ createKernel, flags }: Pick<Boot, 'createKernel' | 'flags'>): Promise<void> {
  const kernel = createKernel(silentLogger);
  try {
    const listeners: BindAddress[] = [];
    const listen = ({ address: text, port }: Pick<ExtraListener, 'address' | 'port'>): Promise<string> => {
      const address = toBindAddress(text, port);
      const taken = listeners.some((other) => isSamePlace(other, address))
        ? 'another listener of this server uses that address'
        : undefined;
      const problem = addressFault(address) ?? taken;
      if (problem !== undefined) return Promise.reject(new UsageError(`cannot listen on ${text}: ${problem}`));
      listeners.push(address);
      return Promise.resolve(text);
    };
    const hooks = servePlugins({ kernel, flags, listen });
    const { 'server-bind-address': address = '127.0.0.1', 'server-bind-port': port = 3000 } = flags;
    // Binding shows whether the address belongs to this machine and is free.
    await listen({ address: String(address), port: Number(port) });
    await hooks.check.promise();
  } finally {
    await kernel.close(0);
  }
}
