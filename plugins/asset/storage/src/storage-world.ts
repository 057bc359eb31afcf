import { addSourceUrl, type ProtocolSession, type Result } from '@platen/kernel';
import { openStorageRpc } from './in-page/index.js';
import type { Kind } from './in-page/read-items.js';
import type { Piece } from './in-page/storage-rpc.js';
import type { Refusal, Written } from './in-page/write-items.js';

/** An isolated world in one frame: it shares the frame's storage, and page scripts can neither see nor modify it. */
export interface StorageWorld {
  /** Writes the items in the JSON text. */
  write(order: keyof Written, text: string): Promise<Refusal>;
  /** The next lines of a kind, see in-page/read-items.ts; empty at the end. */
  read(kind: Kind, room: number): Promise<readonly string[]>;
}

export interface WorldOptions {
  readonly frameId: string;
  /** The timeout of a call that starts now. */
  readonly timeoutMs: () => number;
}

const WORLD_NAME = 'platen-storage';
/** Maximum characters in one message. */
const PIECE = 2_000_000;

export async function openStorageWorld(session: ProtocolSession, { frameId, timeoutMs }: WorldOptions): Promise<StorageWorld> {
  const limit = {
    get timeoutMs() {
      return timeoutMs();
    },
  };
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: WORLD_NAME }, limit);
  const open = { functionDeclaration: addSourceUrl(openStorageRpc.toString()), executionContextId };
  const rpc = await session.send('Runtime.callFunctionOn', open, limit);
  const { objectId } = valueOf(rpc);
  if (objectId === undefined) throw new Error('the world has no rpc');
  const call = async (method: 'take' | 'run' | 'give', args: readonly string[]): Promise<unknown> => {
    const response = await session.send(
      'Runtime.callFunctionOn',
      {
        functionDeclaration: addSourceUrl(`function (...args) { return this.${method}(...args); }`),
        objectId,
        arguments: args.map((value) => ({ value })),
        returnByValue: true,
        awaitPromise: true,
      },
      limit,
    );
    return valueOf(response).value;
  };
  const run = async (order: string, text: string): Promise<string> => {
    const pieces = [...cut(text)];
    const last = pieces.pop() ?? '';
    for (const piece of pieces) await call('take', [piece]);
    const texts: string[] = [];
    // Returned by value, with the type that the rpc declares.
    let given = (await call('run', [order, last])) as Piece;
    for (;;) {
      texts.push(given.text);
      if (!given.more) return texts.join('');
      // As above.
      given = (await call('give', [])) as Piece;
    }
  };
  return {
    // Returned by the functions in `in-page/write-items.ts`.
    write: async (order, text) => JSON.parse(await run(order, text)) as Refusal,
    async read(kind, room) {
      const text = await run('read', JSON.stringify({ kind, room }));
      return text === '' ? [] : text.split('\n');
    },
  };
}

type Evaluation = Pick<Result<'Runtime.callFunctionOn'>, 'result' | 'exceptionDetails'>;

function valueOf({ result, exceptionDetails }: Evaluation): Evaluation['result'] {
  if (!exceptionDetails) return result;
  const thrown = exceptionDetails.exception?.description ?? exceptionDetails.text;
  throw new Error(thrown.split('\n', 1)[0] ?? thrown);
}

/** Never splits a surrogate pair, since a lone surrogate would be lost in the message. */
function* cut(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = start + PIECE;
    if (end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1] ?? '')) end--;
    yield text.slice(start, end);
    start = end;
  }
}
