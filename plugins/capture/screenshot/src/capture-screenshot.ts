import { Readable } from 'node:stream';
import { type DeviceProfile, type Page, PlatenError, type RenderContext } from '@platen/kernel';
import { settleAnimations, type View, waitForStablePage } from '@platen/lib-page-layout';
import { openClip } from './clip.js';
import { type OpenElement, openElement } from './element.js';
import { type Frame, planFrame, refuseTooLarge, type Region } from './frame.js';
import { openDocumentRegion } from './full-page.js';
import { capturesLossless } from './keys.js';
import type { ScreenshotParams } from './params.js';
import { readCaptureOptions, type ScreenshotCapture, type ScreenshotCaptureOptions } from './screenshot-capture.js';
import { CHANGES_MS, MIDDLE, SINGLE_CAPTURE_PIXELS, TILE_PIXELS } from './limits.js';
import { readHeader, stitchTiles, tagSrgb } from './stitch-png.js';
import { type ShownStrip, startSegmentScroller } from './scroll-segments.js';

/** One still image of the page: the viewport, one element, or the full page. */
export async function captureScreenshot(context: RenderContext<ScreenshotParams>): Promise<ScreenshotCapture> {
  const { page, params, plan } = context;
  const { image_quality: quality, image_lossless: lossless } = params;
  const options = { ...readCaptureOptions(plan.output.captureOptions), ...(quality === undefined ? {} : { quality }) };
  const wishes = { ...(quality === undefined ? {} : { quality }), ...(lossless === true ? { lossless } : {}) };
  const frameOf = (region: Region): Frame => {
    const frame = planFrame({ region, params, deviceScaleFactor: page.profile.deviceScaleFactor });
    refuseTooLarge(frame, options, plan.output.type);
    return frame;
  };
  for (const ending = performance.now() + CHANGES_MS; ;) {
    context.setWaitReason('images, fonts and transitions');
    const { region, hasSameBox, leave } = await openRegion(context, frameOf);
    const frame = frameOf(region);
    context.setWaitReason('the screenshot');
    const screenshot = await takeScreenshot(page, frame, context.get(capturesLossless) ? withoutNative(options) : options);
    const isDone = hasSameBox === undefined || performance.now() > ending || (await hasSameBox());
    await leave?.();
    if (isDone) return { ...screenshot, ...wishes };
  }
}

function withoutNative({ native: _, ...options }: ScreenshotCaptureOptions): ScreenshotCaptureOptions {
  return options;
}

type OpenRegion = Pick<OpenElement, 'region'> & Partial<OpenElement>;

async function openRegion(context: RenderContext<ScreenshotParams>, refuse: (region: Region) => unknown): Promise<OpenRegion> {
  const { page, params } = context;
  if (params.full_page === true) return { region: await openDocumentRegion(context) };
  if (params.image_selector !== undefined) return openElement(page, params.image_selector);
  if (params.image_clip !== undefined) return { region: await openClip(page, params.image_clip, refuse) };
  const view = await waitForStablePage(page);
  if (view.animated) await settleAnimations(page, { everywhere: true });
  return { region: viewportRegion(context, view) };
}

function viewportRegion({ page: { profile } }: RenderContext<ScreenshotParams>, { x, y, scale, left }: View): Region {
  return {
    x: x - left,
    y,
    width: profile.width / scale,
    height: profile.height / scale,
    zoom: profile.deviceScaleFactor * scale,
    viewport: true,
    beyond: false,
  };
}

/** Takes the screenshot: in one piece, as the browser encodes it, or in tiles if it is large. */
async function takeScreenshot(page: Page, frame: Frame, options: ScreenshotCaptureOptions): Promise<ScreenshotCapture> {
  const { width, height } = frame;
  const tiled = width * height > SINGLE_CAPTURE_PIXELS || frame.segments.length > 0;
  if (tiled && frame.clip !== undefined) {
    return { format: 'png', data: Readable.from(stitchTiles(await captureTiles(page, frame))), width, height };
  }
  const { native: format, quality } = options;
  if (format === undefined) return { format: 'png', data: tagSrgb(await capturePng(page, frame)), width, height };
  const data = await page.screenshot({ format, ...place(frame), ...(quality === undefined ? {} : { quality }) });
  return { format, data, width, height };
}

/** First the tiles beyond the viewport, with the page unchanged; then the tiles that must be in view. */
async function captureTiles(page: Page, frame: Frame): Promise<readonly Buffer[]> {
  const tiles = tilesOf(frame, page.profile);
  const screenshots: Buffer[] = [];
  for (const [index, tile] of tiles.entries()) if (tile.segments.length === 0) screenshots[index] = await capturePng(page, tile);
  if (frame.segments.length === 0) return screenshots;

  await using scroller = await startSegmentScroller(page);
  for (const [index, tile] of tiles.entries()) {
    const [strip] = tile.segments;
    if (strip === undefined) continue;
    screenshots[index] = await capturePng(page, asShown(tile, await scroller.show(strip)));
  }
  return screenshots;
}

function asShown(tile: Frame, { shift, inView }: ShownStrip): Frame {
  return tile.clip === undefined ? tile : { ...tile, beyond: tile.beyond || !inView, clip: { ...tile.clip, y: tile.clip.y + shift } };
}

/** Cuts a frame into strips of its full width. Each part of a strip that must be in view is no higher than the viewport, in CSS pixels. */
export function tilesOf({ clip, segments, width, height }: Frame, viewport: Pick<DeviceProfile, 'width' | 'height'>): readonly Frame[] {
  if (clip === undefined) return [];
  const perPixel = clip.height / height;
  const most = Math.max(1, Math.floor(TILE_PIXELS / width));
  const asItIs = { rows: most, inView: false };
  const seenAtOnce = Math.max(1, Math.min(most, Math.floor(viewport.height / perPixel)));
  const inMiddle = Math.max(1, Math.floor(seenAtOnce * MIDDLE));
  const tiles: Frame[] = [];
  const cut = (
    end: number,
    { rows, inView, placed = false }: { readonly rows: number; readonly inView: boolean; readonly placed?: boolean },
  ): void => {
    for (let top = tiles.reduce((sum, tile) => sum + tile.height, 0); top < end; top += rows) {
      const strip = Math.min(rows, end - top);
      const y = clip.y + top * perPixel;
      const shown = { top: y, bottom: y + strip * perPixel, placed };
      const beyond = !inView || clip.width > viewport.width;
      tiles.push({ clip: { ...clip, y, height: strip * perPixel }, beyond, segments: inView ? [shown] : [], width, height: strip });
    }
  };
  const rowOf = (y: number) => Math.min(height, Math.max(0, (y - clip.y) / perPixel));
  for (const { top, bottom, placed } of segments) {
    cut(Math.floor(rowOf(top)), asItIs);
    const whole = rowOf(bottom) - rowOf(top) <= seenAtOnce;
    cut(Math.ceil(rowOf(bottom)), { rows: placed && !whole ? inMiddle : seenAtOnce, inView: true, placed });
  }
  cut(height, asItIs);
  return tiles;
}

async function capturePng(page: Page, frame: Frame): Promise<Buffer> {
  const data = await page.screenshot({ format: 'png', fast: true, ...place(frame) });
  const { width, height } = readHeader(data);
  if (width === frame.width && height === frame.height) return data;
  throw new PlatenError('encode_failed', `the browser returned an image of ${sizeOf({ width, height })} instead of ${sizeOf(frame)}`);
}

function place({ clip, beyond }: Frame): { clip?: NonNullable<Frame['clip']>; beyondViewport?: boolean } {
  return clip === undefined ? {} : { clip, beyondViewport: beyond };
}

function sizeOf({ width, height }: { readonly width: number; readonly height: number }): string {
  return `${String(width)} x ${String(height)} pixels`;
}
