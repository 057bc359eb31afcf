import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { type Asset, type EncodeContext, invalidParameter, type Output, PlatenError } from '@platen/kernel';
import { openScratchFile } from '@platen/lib-spool';
import type { ScreenshotCapture } from '@platen/plugin-screenshot';
import { compareImages } from './compare-images.js';
import type { Compared, CompareInput } from './compare-worker.js';
import { type Comparison, describeComparison, formatShare, isBeyond, type Limits } from './comparison.js';
import type { CompareParams } from './params.js';

const PANELS = ['baseline', 'change', 'image'] as const;

type Context = EncodeContext<CompareParams>;

/** The comparison of one render. */
export interface RenderComparison {
  /** Begins to compare the capture, and returns it for its encoder: the image that is compared is the one that is delivered. */
  begin(capture: ScreenshotCapture, context: Context): Promise<ScreenshotCapture>;
  /**
   * Adds the header.
   *
   * @throws PlatenError `picture_differs` with the output, `invalid_parameters`, and the errors of the baseline
   */
  check(output: Output, context: Context): Promise<void>;
  /** The assets that the request asks for. */
  assets(params: CompareParams): readonly Asset[];
}

export function createRenderComparison(baseline: Promise<Buffer>): RenderComparison {
  let comparing: Promise<Compared> | undefined;
  const outcome = async (): Promise<Compared> => {
    if (comparing === undefined) throw new Error('no image was captured');
    return await comparing;
  };
  // It is reported once the image is there.
  baseline.catch(() => undefined);
  return {
    async begin(capture, context) {
      const kept = Buffer.isBuffer(capture.data) ? keepBuffer(capture.data) : await keepStream(capture.data, context);
      comparing = compare(kept, baseline, context);
      comparing.catch(() => undefined);
      return { ...capture, data: kept.data };
    },
    async check(output, context) {
      context.setWaitReason('the comparison');
      const { comparison, drawing } = await outcome();
      const { equal, pixels, ratio, regions } = comparison;
      const found = `equal=${String(equal)}; pixels=${String(pixels)}; ratio=${formatShare(ratio)}; regions=${String(regions.length)}`;
      context.setResponseHeader('X-Compare', found);
      if (!isBeyond(comparison, limitsOf(context.params))) return;
      const { with_comparison: hasJson = false, with_diff: hasDiff = false } = context.params;
      throw new PlatenError('picture_differs', `the image differs from the baseline: ${describeComparison(comparison)}`, {
        report: { equal, pixels, ratio, regions: regions.length },
        evidence: [
          { name: 'output', contentType: output.contentType, extension: output.extension, body: output.body },
          ...(hasDiff || drawing === undefined ? [] : [diffAsset(() => Buffer.from(drawing))]),
          ...(hasJson ? [] : [jsonAsset(() => formatComparison(comparison))]),
        ],
      });
    },
    assets: ({ with_comparison: hasJson, with_diff: hasDiff }) => [
      ...(hasDiff === true ? [diffAsset(async () => Buffer.from((await outcome()).drawing ?? []))] : []),
      ...(hasJson === true ? [jsonAsset(async () => formatComparison((await outcome()).comparison))] : []),
    ],
  };
}

function diffAsset(body: Asset['body']): Asset {
  return { name: 'diff', contentType: 'image/png', extension: 'diff.png', body };
}

function jsonAsset(body: Asset['body']): Asset {
  return { name: 'comparison', contentType: 'application/json', extension: 'comparison.json', body };
}

function formatComparison(comparison: Comparison): Buffer {
  return Buffer.from(`${JSON.stringify(comparison, undefined, 2)}\n`);
}

function limitsOf({ compare_max_pixels: pixels, compare_max_ratio: ratio }: CompareParams): Limits {
  return { pixels, ratio };
}

async function compare({ source: image, end }: Kept, baseline: Promise<Buffer>, { params, signal }: Context): Promise<Compared> {
  const { compare_threshold: threshold = 0.1, compare_antialiasing: antialiasing = false, with_diff: hasDiff } = params;
  const undrawn = hasDiff === true ? undefined : limitsOf(params);
  try {
    const input = { image, baseline: await baseline, threshold, antialiasing, panels: PANELS, undrawn };
    const found = await compareImages(input, { signal });
    if (!('problem' in found)) return found;
    if (found.of === 'image') throw new PlatenError('encode_failed', `the image cannot be compared: ${found.problem}`);
    throw invalidParameter('compare', `"compare" is not an image that can be compared: ${found.problem}`);
  } finally {
    await end();
  }
}

interface Kept {
  /** For the thread. */
  readonly source: CompareInput['image'];
  /** For the encoder. */
  readonly data: Buffer | Readable;
  /** The thread has read it. */
  readonly end: () => Promise<void>;
}

function keepBuffer(data: Buffer): Kept {
  return { source: data, data, end: () => Promise.resolve() };
}

/** A stream has two readers: it becomes a file without a name, which is gone once both have read it. */
async function keepStream(data: Readable, { signal }: Context): Promise<Kept> {
  const file = await openScratchFile();
  try {
    // Not in object mode: the chunks are Buffers.
    for await (const chunk of data as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      await file.append(chunk);
    }
    const reader = await open(file.path);
    const copy = addAbortSignal(signal, reader.createReadStream());
    return { source: file.path, data: copy, end: async () => await file[Symbol.asyncDispose]() };
  } catch (error) {
    await file[Symbol.asyncDispose]();
    throw error;
  }
}
