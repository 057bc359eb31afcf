import type { Kind, Lines } from './read-items.js';
import type { Refusal, Written } from './write-items.js';

type Read = (kind: Kind, room: () => number) => Lines;

type Write = { readonly [O in keyof Written]: (given: Written[O]) => Refusal | Promise<Refusal> };

/** The interface of the isolated world. Texts are sent in pieces in both directions, since a storage may exceed the size of a message. */
export interface StorageRpc {
  /** Appends a piece to the text of the next order. */
  take(piece: string): void;
  /** Executes the order and returns the first piece of the result. */
  run(order: keyof Written | 'read', piece: string): Promise<Piece>;
  /** Returns the next piece. */
  give(): Piece;
}

export interface Piece {
  readonly text: string;
  readonly more: boolean;
}

export function createStorageRpc(readItems: Read, write: Write): StorageRpc {
  let taken = '';
  let result = '';
  const read = createReader(readItems);
  const carryOut = async <O extends keyof Written>(order: O, text: string): Promise<string> => {
    // Written by the other half of this protocol, in `storage-world.ts`.
    const given = JSON.parse(text) as Written[O];
    return JSON.stringify(await write[order](given));
  };
  const give = (): Piece => {
    let end = Math.min(2_000_000, result.length);
    // A lone surrogate would be lost in the message.
    if (end < result.length && /[\uD800-\uDBFF]/.test(result[end - 1] ?? '')) end--;
    const text = result.slice(0, end);
    result = result.slice(end);
    return { text, more: result !== '' };
  };
  return {
    take(piece) {
      taken += piece;
    },
    async run(order, piece) {
      const text = taken + piece;
      taken = '';
      result = order === 'read' ? await read(text) : await carryOut(order, text);
      return give();
    },
    give,
  };
}

/** Returns the next lines, about a megabyte at a time; an empty text at the end. */
function createReader(readItems: Read): (text: string) => Promise<string> {
  let reading: { readonly kind: Kind; readonly lines: Lines } | undefined;
  let left = 0;
  return async (text) => {
    // As above.
    const { kind, room } = JSON.parse(text) as { readonly kind: Kind; readonly room: number };
    left = room;
    // After an error in one kind, the next kind starts a new reader.
    if (reading?.kind !== kind) reading = { kind, lines: readItems(kind, () => left) };
    const batch: string[] = [];
    for (let chars = 0; chars < 1_000_000;) {
      const { value, done } = await reading.lines.next();
      if (done === true) break;
      batch.push(value);
      chars += value.length;
    }
    return batch.join('\n');
  };
}
