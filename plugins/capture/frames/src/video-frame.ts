import { PlatenError, type DeviceProfile, type Rect } from '@platen/kernel';
import { fitSize, type Size } from '@platen/lib-page-layout';
import { describeExcess, type VideoPlan } from './video-plan.js';
import type { VideoArea } from './video-area.js';
import { drawnScale } from './limits.js';
import type { FrameCrop, FramesCaptureOptions } from './frames-capture.js';

/** Size and crop that the encoder applies to each screenshot. */
export interface VideoFrame extends Size {
  readonly crop?: FrameCrop;
}

export interface FrameRequest {
  /** Of the browser's screenshots. */
  readonly source: Size;
  /** In pixels of these. */
  readonly area: VideoArea | undefined;
  readonly profile: Pick<DeviceProfile, 'width' | 'height' | 'deviceScaleFactor'>;
  readonly video: VideoPlan;
  readonly options: FramesCaptureOptions;
  readonly type: string;
}

/**
 * Size of the video and the part of the screenshots that it shows: the largest part of the wanted area with the wanted ratio, from the
 * top and the middle.
 */
export function planVideoFrame(request: FrameRequest): VideoFrame {
  const { source } = request;
  const { area, width, height, zoom } = measureVideo(request);
  const excess = describeTooLarge(request);
  if (excess !== undefined) throw new PlatenError('capture_too_large', excess.detail);
  const shown = { width: Math.min(area.width, roundSide(width / zoom)), height: Math.min(area.height, roundSide(height / zoom)) };
  const crop = { x: area.x + Math.floor((area.width - shown.width) / 2), y: area.y, ...shown };
  const whole = shown.width === source.width && shown.height === source.height;
  return { width, height, ...(whole ? {} : { crop }) };
}

interface VideoMeasures extends Size {
  readonly area: Rect;
  /** From pixels of the screenshots to pixels of the video. */
  readonly zoom: number;
}

function measureVideo(request: FrameRequest): VideoMeasures {
  const { source, video, profile, area: wanted } = request;
  const area = wanted === undefined ? { x: 0, y: 0, ...source } : clip(wanted, source);
  const shrink = wanted?.magnification ?? profile.deviceScaleFactor / drawnScale(profile.deviceScaleFactor);
  const { width, height, factor } = fitSize(exactSize(wanted, area, request), video.asked);
  return { area, width, height, zoom: factor * shrink };
}

/** In device pixels, with fractions. Of an element that has begun to leave the viewport, the remaining part. */
function exactSize(wanted: VideoArea | undefined, area: Rect, { source, profile }: FrameRequest): Size {
  if (wanted === undefined) return sizeOfViewport(source, profile);
  const { magnification } = wanted;
  const whole = area.width === wanted.width && area.height === wanted.height;
  return whole ? wanted.natural : { width: area.width * magnification, height: area.height * magnification };
}

/** In device pixels, as the render requests them. A side set by the viewport is known exactly; a page's height only from its screenshot. */
function sizeOfViewport(source: Size, { deviceScaleFactor: scale, ...viewport }: FrameRequest['profile']): Size {
  const drawn = drawnScale(scale);
  if (drawn === scale) return source;
  const side = (pixels: number, length: number) => (pixels === Math.ceil(length * drawn) ? length * scale : (pixels * scale) / drawn);
  return { width: side(source.width, viewport.width), height: side(source.height, viewport.height) };
}

function roundSide(length: number): number {
  return Math.max(1, Math.round(length));
}

function clip(area: Rect, { width, height }: Size): Rect {
  const x = Math.min(area.x, width - 1);
  const y = Math.min(area.y, height - 1);
  return { x, y, width: Math.min(area.width, width - x), height: Math.min(area.height, height - y) };
}

/** Why a video exceeds its format or the limits, and the key that causes it; undefined if it does not. */
export function describeTooLarge(request: FrameRequest): { readonly key: string; readonly detail: string } | undefined {
  const { video, options, type } = request;
  const { maxWidth = Infinity, maxHeight = Infinity } = options;
  const { width, height } = measureVideo(request);
  if (width > maxWidth || height > maxHeight) {
    const key = `${video.kind}_${width > maxWidth ? 'width' : 'height'}`;
    const sides = `"${video.kind}_width" or "${video.kind}_height"`;
    const detail = `the recording would be ${String(width)} x ${String(height)} pixels, and ${type} supports at most ${String(maxWidth)} x ${String(maxHeight)}: request a smaller ${sides}`;
    return { key, detail };
  }
  const detail = describeExcess(video, { width, height });
  return detail === undefined ? undefined : { key: `${video.kind}_duration`, detail };
}
