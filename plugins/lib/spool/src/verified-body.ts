import { createHash } from 'node:crypto';
import { pipeline, type Readable, Transform } from 'node:stream';

export interface ExpectedBody {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/**
 * Passes a stored body on. Its last chunk is sent after the whole body is verified, so that a corrupt body fails before its end and is
 * never complete. Destroying the result destroys the source.
 */
export function verifyBody(source: Readable, { bytes, sha256 }: ExpectedBody, onDamaged?: () => Promise<void>): Readable {
  const hash = createHash('sha256');
  let position = 0;
  let last: Buffer | undefined;
  const verified = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      position += chunk.length;
      const ready = last;
      last = chunk;
      done(null, ready);
    },
    flush(done) {
      if (position === bytes && hash.digest('hex') === sha256) {
        done(null, last);
        return;
      }
      const fail = () => {
        done(new Error('the stored body is corrupt'));
      };
      Promise.resolve(onDamaged?.()).then(fail, fail);
    },
  });
  // It may fail before it is read; its reader gets the error.
  verified.on('error', () => undefined);
  return pipeline(source, verified, () => undefined);
}
