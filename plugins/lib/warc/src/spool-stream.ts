import { type Readable } from 'node:stream';
import { openScratchFile } from '@platen/lib-spool';

/**
 * Reads a stream to its end into a private file.
 *
 * @returns its content, as a stream that owns the file
 */
export async function spoolStream(stream: Readable): Promise<Readable> {
  await using file = await openScratchFile();
  // Not in object mode: the chunks are Buffers.
  for await (const chunk of stream as AsyncIterable<Buffer>) await file.append(chunk);
  return await file.read();
}
