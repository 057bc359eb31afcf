import { createHash } from 'node:crypto';
import { decodeDataUrl, type LoadedPlugin, type RenderPlan, splitDataUrl, withoutUserinfo } from '@platen/kernel';
import { type Redaction, secretKeysOf } from '@platen/lib-redaction';

const WITHHELD = '***';
/** Members of a step whose text goes into the page: often a password. */
const TYPED: ReadonlySet<string> = new Set(['value', 'type', 'text']);
/** Characters of a text that is repeated; of a longer one its digest identifies it, of a data: URL that of its content. */
const MAX_TEXT = 2_000;

/** What may hold a login without being declared secret as a whole. */
const PARTLY_SECRET: Readonly<Record<string, (value: unknown) => unknown>> = {
  cookie: (value) => withholdEach(value, /^([^=]*=)[^;]*/),
  header: (value) => withholdEach(value, /^([^:]*: ?).*/s),
  steps: withholdTyped,
  with_storage: (value) => (typeof value === 'object' ? WITHHELD : value),
};

/** The parameters of a render as they hold, for anyone to read: secrets are `***`, long texts are `{bytes, sha256}`. */
export function describeParams(
  { params, url, output }: RenderPlan,
  plugins: readonly LoadedPlugin[],
  { value: redact }: Pick<Redaction, 'value'>,
): Readonly<Record<string, unknown>> {
  const secret = secretKeysOf(plugins);
  const all = Object.entries({ ...params, url, output_type: output.type });
  return Object.fromEntries(
    all.map(([key, value]) => [key, secret.has(key) ? WITHHELD : abridge(redact(PARTLY_SECRET[key]?.(value) ?? value))]),
  );
}

function withholdTyped(steps: unknown): unknown {
  const withhold = (name: string, member: unknown) => (typeof member === 'string' && TYPED.has(name) ? WITHHELD : member);
  return JSON.parse(JSON.stringify(steps, withhold)) as unknown;
}

/** The first group of the expression stays. */
function withholdEach(value: unknown, expression: RegExp): unknown {
  return [value]
    .flat()
    .map((text) => (typeof text === 'string' && expression.test(text) ? text.replace(expression, `$1${WITHHELD}`) : WITHHELD));
}

function abridge(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(abridge);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, abridge(inner)]));
  if (typeof value !== 'string') return value;
  if (value.length <= MAX_TEXT) return withoutUserinfo(value);
  const file = splitDataUrl(value);
  const bytes = file === undefined ? Buffer.from(value) : decodeDataUrl(file);
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
