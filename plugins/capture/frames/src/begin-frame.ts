import type { Page } from '@platen/kernel';
import { HUNG_MS } from './limits.js';

export type FrameFormat = 'png' | 'jpeg';

/** For video frames, which are encoded again. */
const JPEG_QUALITY = 90;

export interface FrameOrder {
  /** The browser's clock, see `browserNow`. */
  readonly ticks: number;
  /** Milliseconds until the next frame. */
  readonly interval: number;
  /** Undefined: the frame is drawn without a screenshot. */
  readonly format?: FrameFormat | undefined;
}

/** Milliseconds of the system's monotonic clock, by which Chromium times its frames too. */
export function browserNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Draws one frame (HeadlessExperimental.beginFrame). Returns its screenshot, if one was requested and the browser made one. */
export async function beginFrame(page: Page, { ticks, interval, format }: FrameOrder): Promise<Buffer | undefined> {
  const { screenshotData } = await page.send(
    'HeadlessExperimental.beginFrame',
    { frameTimeTicks: ticks, interval, ...(format === undefined ? {} : { screenshot: screenshotOptions(format) }) },
    { timeoutMs: HUNG_MS },
  );
  return screenshotData === undefined || screenshotData === '' ? undefined : Buffer.from(screenshotData, 'base64');
}

/** The protocol's format options, for screencasts and single frames. */
export function screenshotOptions(format: FrameFormat): { format: FrameFormat; quality?: number; optimizeForSpeed?: boolean } {
  return format === 'png' ? { format, optimizeForSpeed: true } : { format, quality: JPEG_QUALITY };
}
