import { PlatenError, type Kernel } from '@platen/kernel';
import { coerceQuery, parseQuery, type QueryPair, type Source, takesObjects } from '@platen/schema';
import { largeKeysOf, limitsOfBody } from '../service/body-limit.js';
import type { ServerContext } from './server-context.js';
import type { RouteContext } from '../service/router.js';
import { type BodyBudget, createBodyBudget, MEMORY_PER_BYTE, type Share } from './body-budget.js';
import { readJsonBody } from './read-body.js';

/** A request's parameters as sent; the text values of a query string are converted to their types. */
export interface GivenParams {
  readonly raw: unknown;
  readonly source: Source;
}

type Schema = Kernel['schema'];

/** Limits and schema of request parameters. */
export interface BodyRoom {
  /** Maximum bytes of a body before it is read. */
  readonly bodyLimit: number;
  readonly budget: BodyBudget;
  /** Names of the parameters whose values are objects. */
  readonly objectKeys: ReadonlySet<string>;
  /** Names of the parameters whose values may be large. */
  readonly largeKeys: readonly string[];
}

export function createBodyRoom(kernel: Pick<Kernel, 'schema'>): BodyRoom {
  const takingObjects = [...kernel.schema.keys].filter(([, { fragment }]) => takesObjects(fragment));
  const largeKeys = largeKeysOf(kernel);
  const { plain, large = plain } = limitsOfBody(largeKeys);
  return {
    bodyLimit: large,
    largeKeys,
    budget: createBodyBudget(),
    objectKeys: new Set(takingObjects.map(([key]) => key)),
  };
}

/** Memory for request data, held until the response has ended: the parameters exist while the render waits and runs. */
function shareOf({ res }: RouteContext, { budget }: BodyRoom): Share {
  const share = budget.open();
  res.once('close', () => {
    share.release();
  });
  return share;
}

export function readQuery(ctx: ServerContext, schema: Schema, room: BodyRoom): GivenParams {
  shareOf(ctx, room).grow(ctx.querystring.length);
  return { raw: coerceQuery(pairsOf(ctx), schema), source: 'query' };
}

/** A JSON object, or a form. */
export async function readBody(ctx: ServerContext, schema: Schema, room: BodyRoom): Promise<GivenParams> {
  const given = isForm(ctx) ? await readFormBody(ctx, schema, room) : await readOptionalBody(ctx, room);
  if (given === undefined) throw new PlatenError('malformed_request', 'the body is empty: send a JSON object with at least "url"');
  return given;
}

/** `DELETE /` may have its parameters in the query, in the body, or none at all: then undefined. */
export async function readQueryOrBody(ctx: ServerContext, schema: Schema, room: BodyRoom): Promise<GivenParams | undefined> {
  const body = await readOptionalBody(ctx, room);
  if (body !== undefined) return body;
  if (pairsOf(ctx).length > 0) return readQuery(ctx, schema, room);
  refuseEmptyQuery(ctx);
  refuseEmptyBody(ctx);
  return undefined;
}

/** `/?` and `/?&&` are queries whose values were lost on the way: the client did not mean to address everything. */
function refuseEmptyQuery({ req: { url = '' }, querystring }: ServerContext): void {
  if (!url.includes('?') || parseQuery(querystring).length > 0) return;
  throw new PlatenError('malformed_request', 'the query is empty: give the parameters of a result, or omit the "?" to purge everything');
}

/** A client that sends a content type intended to send a body. */
function refuseEmptyBody(ctx: ServerContext): void {
  if (ctx.get('Content-Type') === '') return;
  throw new PlatenError(
    'malformed_request',
    'the body is empty: give the parameters of a result, or omit "Content-Type" to purge everything',
  );
}

/** The JSON body, undefined if there is none. Its memory is counted until the response has ended. */
export async function readJson(ctx: RouteContext, room: BodyRoom, paramsAt?: readonly string[]): Promise<unknown> {
  return await readJsonBody(ctx, {
    limit: room.bodyLimit,
    share: shareOf(ctx, room),
    objectKeys: room.objectKeys,
    largeKeys: room.largeKeys,
    paramsAt,
  });
}

async function readOptionalBody(ctx: ServerContext, room: BodyRoom): Promise<GivenParams | undefined> {
  const raw = await readJson(ctx, room);
  return raw === undefined ? undefined : toGiven(ctx, raw);
}

function isForm(ctx: ServerContext): boolean {
  return ctx.is('multipart/form-data') === 'multipart/form-data';
}

/** The packages that read forms are loaded with the first one. */
async function readFormBody(ctx: ServerContext, schema: Schema, room: BodyRoom): Promise<GivenParams> {
  const [{ readForm }, { toParams }] = await Promise.all([import('./read-form.js'), import('./form-params.js')]);
  const share = shareOf(ctx, room);
  const parts = await readForm(ctx, { limit: room.bodyLimit, share });
  return toGiven(ctx, toParams(parts, { schema, takeMemory: (bytes) => share.grow(bytes / MEMORY_PER_BYTE) }));
}

function toGiven(ctx: ServerContext, raw: unknown): GivenParams {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw new PlatenError('malformed_request', 'the body must be a JSON object whose keys are the render parameters');
  }
  const [first] = pairsOf(ctx);
  if (first !== undefined) {
    throw new PlatenError(
      'malformed_request',
      `parameters go either into the body or into the query, not both: the query has "${first[0]}"`,
    );
  }
  return { raw, source: 'body' };
}

/** The query's decoded pairs without the credentials. */
function pairsOf(ctx: ServerContext): readonly QueryPair[] {
  assertDecodable(ctx.querystring);
  return parseQuery(ctx.querystring).filter(([name]) => !ctx.state.strip.includes(name));
}

/** URLSearchParams replaces bytes that it cannot decode, and so would render a different URL than the requested one. */
function assertDecodable(query: string): void {
  try {
    decodeURIComponent(query);
  } catch {
    throw new PlatenError(
      'malformed_request',
      'the query string has an invalid %-escape or is not UTF-8: encode each value with percent-encoding',
    );
  }
}
