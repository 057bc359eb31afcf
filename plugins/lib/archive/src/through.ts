import { Readable, type Transform } from 'node:stream';
import { ArchiveDamaged } from './contract.js';

/**
 * Chunks sent through a decoder, in bounded memory.
 *
 * @throws ArchiveDamaged with this message if they cannot be decoded; the error of the chunks
 */
export async function* through(chunks: AsyncIterable<Buffer>, decoder: Transform, message: string): AsyncGenerator<Buffer> {
  const input = Readable.from(chunks, { objectMode: false });
  const failures: Error[] = [];
  input.on('error', (error) => {
    failures.push(error);
    decoder.destroy(error);
  });
  input.pipe(decoder);
  try {
    yield* decoder as AsyncIterable<Buffer>;
  } catch (error) {
    throw failures[0] ?? new ArchiveDamaged(message, { cause: error });
  } finally {
    input.destroy();
    decoder.destroy();
  }
}
