import type { VideoSize } from './captions-area.js';
import type { Point, RecordedAction, RecordedPointer, SessionRecorder } from './record-session.js';
import type { ScreenFrame, Viewport } from './record-screen.js';

/** Times of a video are multiples of it: captions know no finer ones. */
const UNIT_MS = 10;
/** Between the frames of an animation. */
const TICK_MS = 40;
/** Upper limit between two frames: players seek to frames. */
const STILL_MS = 1_000;
/** The last frame is shown for this long. */
const TAIL_MS = 1_000;
/** Of a movement of the pointer. */
const MOVE_MS = 300;
/** After which a press is no longer visible. */
const PRESS_MS = 400;
/** A caption is shown for as long as it takes to read it. */
const READING = { baseMs: 1_200, characterMs: 55, minMs: 1_500, maxMs: 6_000 } as const;

/** Milliseconds from the beginning of the video. */
interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Caption extends Span {
  readonly text: string;
}

/** In pixels of the video. Where both points are the same, it rests. */
export interface PointerSpan extends Span {
  readonly start: Point;
  readonly end: Point;
}

export interface Press extends Span {
  readonly point: Point;
}

/** A video as it is encoded. Not every moment has a frame: each is shown until the next. */
export interface ComposedVideo {
  readonly frames: readonly { readonly at: number; readonly frame: ScreenFrame }[];
  readonly captions: readonly Caption[];
  readonly pointer: readonly PointerSpan[];
  readonly presses: readonly Press[];
  /** Milliseconds. */
  readonly duration: number;
  /** Its beginning is missing, since there are too many frames. */
  readonly isCut: boolean;
}

export interface ComposeOptions {
  readonly size: VideoSize;
  readonly showsCaptions: boolean;
  readonly showsPointer: boolean;
  readonly maxFrames: number;
}

/** How long a caption is shown before its action. */
export function readingTime(text: string): number {
  const { baseMs, characterMs, minMs, maxMs } = READING;
  return Math.min(Math.max(baseMs + characterMs * Array.from(text).length, minMs), maxMs);
}

/**
 * Lays out the video of a recording. Before an action with a caption the video pauses on the frame before it; otherwise it has the time of
 * the navigation. Undefined: nothing was recorded.
 */
export function composeVideo(
  { frames, actions, endedAt }: Pick<SessionRecorder, 'frames' | 'actions' | 'endedAt'>,
  { size, showsCaptions, showsPointer, maxFrames }: ComposeOptions,
): ComposedVideo | undefined {
  const [first] = frames;
  if (first === undefined) return undefined;
  const holds = actions.map(({ at, caption }) => ({ at, ms: showsCaptions && caption !== '' ? readingTime(caption) : 0 }));
  // The pause belongs to the time after the moment.
  const toVideo = (time: number): number => {
    const held = holds.reduce((sum, { at, ms }) => (at < time ? sum + ms : sum), 0);
    return round(Math.max(0, time - first.at) + held);
  };
  const duration = Math.max(toVideo(endedAt), toVideo(frames.at(-1)?.at ?? 0)) + TAIL_MS;
  const captions = showsCaptions ? actions.flatMap((action) => captionOf(action, toVideo)) : [];
  const { pointer, presses } = showsPointer ? movePointer(actions, { size, toVideo, duration }) : { pointer: [], presses: [] };
  const screen = frames.map((frame) => ({ at: toVideo(frame.at), frame }));
  const moments = [...screen.map(({ at }) => at), ...momentsOf({ captions, pointer, presses }), duration];
  return cut({ frames: pickFrames(moments, screen), captions, pointer, presses, duration, isCut: false }, maxFrames);
}

function round(ms: number): number {
  return Math.round(ms / UNIT_MS) * UNIT_MS;
}

function captionOf({ at, until, caption }: RecordedAction, toVideo: (time: number) => number): readonly Caption[] {
  if (caption === '') return [];
  const from = toVideo(at);
  return [{ text: caption, from, to: Math.max(toVideo(until), from + round(readingTime(caption))) }];
}

interface Layout {
  readonly size: VideoSize;
  readonly toVideo: (time: number) => number;
  readonly duration: number;
}

/** The pointer comes from the center, moves to the place of an action shortly before it, and rests there until the next one. */
function movePointer(actions: readonly RecordedAction[], { size, toVideo, duration }: Layout) {
  const pointer: PointerSpan[] = [];
  const presses: Press[] = [];
  let [now, place] = [0, { x: size.width / 2, y: size.height / 2 }];
  const move = (end: Point, from: number, to: number): void => {
    if (pointer.length > 0 && from > now) pointer.push({ from: now, to: from, start: place, end: place });
    pointer.push({ from, to, start: place, end });
    [now, place] = [to, end];
  };
  for (const { at, pointer: acted } of actions) {
    if (acted === undefined) continue;
    const { point, toPoint, isPress, viewport } = acted;
    const end = toScreen(point, viewport, size);
    const pressed = toVideo(pressTime(acted, at));
    const arrival = Math.max(pressed, now + UNIT_MS);
    move(end, Math.max(now, arrival - MOVE_MS), arrival);
    if (isPress) presses.push({ point: end, from: arrival, to: arrival + PRESS_MS });
    if (toPoint !== undefined) move(toScreen(toPoint, viewport, size), arrival, Math.max(toVideo(acted.endedAt), arrival + MOVE_MS));
  }
  // Beyond the last frame.
  if (pointer.length > 0) pointer.push({ from: now, to: duration + STILL_MS, start: place, end: place });
  return { pointer, presses };
}

/** An action begins with waiting for its element; a drag takes until its end. */
function pressTime({ startedAt, endedAt, toPoint }: RecordedPointer, at: number): number {
  return Math.max(at + 1, startedAt, toPoint === undefined ? endedAt - MOVE_MS : startedAt);
}

/** Where a point of a viewport is in a video that shows the whole viewport in its middle. */
export function toScreen({ x, y }: Point, viewport: Viewport, size: VideoSize): Point {
  const factor = Math.min(size.width / viewport.width, size.height / viewport.height);
  return {
    x: (size.width - viewport.width * factor) / 2 + x * viewport.scale * factor,
    y: (size.height - viewport.height * factor) / 2 + y * viewport.scale * factor,
  };
}

/** The moments at which something drawn over the page changes. */
function momentsOf({ captions, pointer, presses }: Pick<ComposedVideo, 'captions' | 'pointer' | 'presses'>): readonly number[] {
  const moving = pointer.filter(({ start, end }) => start !== end);
  return [
    ...captions.flatMap(({ from, to }) => [from, to]),
    ...[...moving, ...presses].flatMap(({ from, to }) => [
      ...Array.from({ length: Math.ceil((to - from) / TICK_MS) }, (_, index) => from + index * TICK_MS),
      to,
    ]),
  ];
}

/** The newest frame at each of the moments, and at the seconds between them. */
function pickFrames(moments: readonly number[], screen: ComposedVideo['frames']): ComposedVideo['frames'] {
  const sorted = [...new Set(moments)].sort((a, b) => a - b);
  const times = sorted.flatMap((moment, index) => {
    const still = (sorted[index + 1] ?? moment) - moment;
    return Array.from({ length: Math.max(1, Math.ceil(still / STILL_MS)) }, (_, second) => moment + second * STILL_MS);
  });
  let next = 0;
  return times.flatMap((at) => {
    while ((screen[next]?.at ?? Infinity) <= at) next += 1;
    const newest = screen[next - 1];
    return newest === undefined ? [] : [{ at, frame: newest.frame }];
  });
}

/** Omits the beginning of a video that has too many frames. */
function cut(video: ComposedVideo, maxFrames: number): ComposedVideo {
  const { frames, captions, pointer, presses, duration } = video;
  if (frames.length <= maxFrames) return video;
  const offset = frames.at(-maxFrames)?.at ?? 0;
  const shift = <T extends Span>(spans: readonly T[]): readonly T[] =>
    spans.filter(({ to }) => to > offset).map((span) => ({ ...span, from: Math.max(0, span.from - offset), to: span.to - offset }));
  return {
    frames: frames.slice(-maxFrames).map(({ at, frame }) => ({ at: at - offset, frame })),
    captions: shift(captions),
    pointer: shift(pointer),
    presses: shift(presses),
    duration: duration - offset,
    isCut: true,
  };
}
