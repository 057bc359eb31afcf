import { openCheckedFile, runChecker } from '../../helpers/checkers.js';

/** Seconds that each frame of an animation is shown, as programs read them that share no code with ours. */
export const readDelays = { gif: gifDelays, apng: apngDelays, avif: avifDelays, webp: webpDelays } as const;

async function printed(program: 'gifsicle' | 'avifdec' | 'webpinfo', args: readonly string[], bytes: Buffer): Promise<string> {
  await using file = await openCheckedFile(bytes, 'bin');
  return String(await runChecker(program, [...args, file.path]));
}

const numbers = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, value]) => Number(value));

async function gifDelays(bytes: Buffer): Promise<readonly number[]> {
  return numbers(await printed('gifsicle', ['--info'], bytes), /delay ([\d.]+)s/g);
}

/** By the file's own frame controls (W3C PNG, 11.3.6.2): no program at hand prints them. */
function apngDelays(bytes: Buffer): Promise<readonly number[]> {
  const controls = chunksOf(bytes).filter(({ type }) => type === 'fcTL');
  return Promise.resolve(controls.map(({ data }) => data.readUInt16BE(20) / data.readUInt16BE(22)));
}

async function avifDelays(bytes: Buffer): Promise<readonly number[]> {
  const text = await printed('avifdec', ['--info'], bytes);
  const [timescale = NaN] = numbers(text, /(\d+) timescales per second/g);
  return numbers(text, /\[duration [\d.]+ \((\d+) timescales\)\]/g).map((ticks) => ticks / timescale);
}

async function webpDelays(bytes: Buffer): Promise<readonly number[]> {
  return numbers(await printed('webpinfo', [], bytes), /Duration: (\d+)/g).map((ms) => ms / 1000);
}

/** Chunks of a png, in order. */
export function chunksOf(png: Buffer): readonly { readonly type: string; readonly data: Buffer }[] {
  const chunks = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + png.readUInt32BE(at)) });
  }
  return chunks;
}
