import { createHash, randomUUID } from 'node:crypto';

/** The time at which a render stands, whose output is the same each time. */
export interface FrozenTime {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** An unsigned integer of 32 bits. */
  readonly seed: number;
}

/** The dates and ids that are written into outputs. */
export interface Clock {
  /** The output is the same each time: what may come in any order has one. */
  readonly isFrozen: boolean;
  now(): Date;
  uuid(): string;
}

export function createClock(frozen?: FrozenTime): Clock {
  if (frozen === undefined) return { isFrozen: false, now: () => new Date(), uuid: () => randomUUID() };
  let count = 0;
  return {
    isFrozen: true,
    now: () => new Date(frozen.time),
    uuid() {
      const bytes = createHash('sha256')
        .update(`${String(frozen.seed)} ${String(count++)}`)
        .digest()
        .subarray(0, 16);
      // Version 8 of RFC 9562: made by a rule of one's own.
      bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
  };
}
