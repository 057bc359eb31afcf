import { type Box, type CaptionsArea, toBox, type VideoSize } from './captions-area.js';
import type { ComposedVideo, PointerSpan, Press } from './compose-video.js';

/** Of the texts, relative to the shorter side of the video. */
const FONT_SHARE = 24;
const MIN_FONT = 8;
/** Height of a line, mean width of a letter, and border of the box behind, relative to the size of the font. */
const LINE = 1.2;
const LETTER = 0.6;
const BORDER = 0.25;
/** Height of the pointer in a video of 720 lines. */
const POINTER = { height: 28, lines: 720 } as const;
/** Frames are drawn at the millisecond before theirs if a time cannot be written exactly: what they show begins one unit earlier. */
const EARLY_MS = 10;

/** The tip is its origin. */
const ARROW = 'm 0 0 l 0 25 6 19 10 28 14 26 10 18 18 18';
/** Of 40 units, as four Bézier curves. */
const CIRCLE = 'm 0 20 b 0 9 9 0 20 0 b 31 0 40 9 40 20 b 40 31 31 40 20 40 b 9 40 0 31 0 20';

export interface OverlayOptions {
  readonly size: VideoSize;
  readonly area: CaptionsArea;
  /** The pointer is a fingertip. */
  readonly isTouch: boolean;
}

/** Captions and pointer as a subtitle file (Advanced SubStation Alpha v4.00+), in pixels of the video. */
export function writeOverlay(video: Pick<ComposedVideo, 'captions' | 'pointer' | 'presses'>, options: OverlayOptions): string {
  const { size } = options;
  const scale = Math.max(25, (Math.min(size.width, size.height) / POINTER.lines) * 100);
  const { style, tagsOf } = layCaptions(options);
  return [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${String(size.width)}`,
    `PlayResY: ${String(size.height)}`,
    'ScaledBorderAndShadow: yes',
    '',
    '[V4+ Styles]',
    `Format: ${Object.keys(style).join(', ')}`,
    `Style: ${Object.values(style).join(',')}`,
    `Style: ${Object.values({ ...style, ...POINTER_STYLE, ScaleX: round(scale), ScaleY: round(scale) }).join(',')}`,
    '',
    '[Events]',
    'Format: Layer, Start, End, Style, Text',
    ...video.captions.map(({ from, to, text }) =>
      dialogue({ layer: 0, from, to, style: 'Caption', text: tagsOf(text) + escapeText(text) }),
    ),
    ...video.presses.map((press) => drawPress(press, scale)),
    ...video.pointer.map((span) => drawPointer(span, options)),
    '',
  ].join('\n');
}

type Style = Readonly<Record<string, string | number>>;

const STYLE: Style = {
  Name: 'Caption',
  Fontname: 'sans-serif',
  Fontsize: 0,
  Bold: 0,
  Italic: 0,
  Underline: 0,
  StrikeOut: 0,
  PrimaryColour: '&H00FFFFFF',
  SecondaryColour: '&H00FFFFFF',
  OutlineColour: '&H00000000',
  BackColour: '&H40000000',
  ScaleX: 100,
  ScaleY: 100,
  Spacing: 0,
  Angle: 0,
  // Style 4 has one box behind all lines, whose border is the shadow; 3 has one behind each, which is clipped.
  BorderStyle: 4,
  Outline: 0,
  Shadow: 0,
  Alignment: 2,
  MarginL: 0,
  MarginR: 0,
  MarginV: 0,
  Encoding: 1,
};

const POINTER_STYLE: Style = { Name: 'Pointer', BorderStyle: 1, Outline: 1.5, Shadow: 0, Alignment: 7, MarginL: 0, MarginR: 0, MarginV: 0 };

const ALIGNMENTS = { top: 8, center: 5, bottom: 2 } as const;

/** The style of captions, and the tags at the beginning of each. */
function layCaptions({ size, area }: OverlayOptions): { readonly style: Style; readonly tagsOf: (text: string) => string } {
  const { width, height } = size;
  const font = Math.max(MIN_FONT, Math.min(width, height) / FONT_SHARE);
  const border = round(font * BORDER);
  const box = typeof area === 'object' ? toBox(area, size) : undefined;
  if (box === undefined) {
    const side = round(width / 20);
    const Alignment = ALIGNMENTS[typeof area === 'object' ? 'bottom' : area];
    const margins = { MarginL: side, MarginR: side, MarginV: round(height / 20) };
    return { style: { ...STYLE, ...margins, Fontsize: round(font), BorderStyle: 4, Shadow: border, Alignment }, tagsOf: () => '' };
  }
  const { left, top, right, bottom } = box;
  const place = `\\pos(${round((left + right) / 2)},${round((top + bottom) / 2)})\\clip(${[left, top, right, bottom].join(',')})`;
  const style = { ...STYLE, BorderStyle: 3, Outline: border, Alignment: 5, MarginL: left, MarginR: width - right };
  return { style, tagsOf: (text) => `{${place}\\fs${round(fitFont(text, box, font))}}` };
}

/** The size at which a text fits into a box, by the mean width of Latin letters. */
function fitFont(text: string, { left, top, right, bottom }: Box, largest: number): number {
  const fits = (font: number): boolean => {
    const lines = Math.ceil((Array.from(text).length * font * LETTER) / (right - left - 2 * font * BORDER));
    return lines > 0 && lines * font * LINE + 2 * font * BORDER <= bottom - top;
  };
  let font = largest;
  while (font > MIN_FONT && !fits(font)) font -= 1;
  return Math.max(font, MIN_FONT);
}

function drawPointer({ from, to, start, end }: PointerSpan, { isTouch }: Pick<OverlayOptions, 'isTouch'>): string {
  const isStill = start.x === end.x && start.y === end.y;
  const place = isStill ? `\\pos(${point(start)})` : `\\move(${point(start)},${point(end)})`;
  const shape = isTouch ? `\\an5\\1a&H60&\\p1}${CIRCLE}` : `\\p1}${ARROW}`;
  return dialogue({ layer: 2, from, to, style: 'Pointer', text: `{${place}${shape}` });
}

/** A ring that grows and fades. */
function drawPress({ from, to, point: center }: Press, scale: number): string {
  const [small, large] = [round(scale / 2), round(scale * 2)];
  const growth = `\\fscx${small}\\fscy${small}\\t(\\fscx${large}\\fscy${large})\\fad(0,200)`;
  const ring = `\\an5\\1a&HFF&\\bord3\\3c&HE8731A&`;
  return dialogue({ layer: 1, from, to, style: 'Pointer', text: `{\\pos(${point(center)})${ring}${growth}\\p1}${CIRCLE}` });
}

interface Dialogue {
  readonly layer: number;
  readonly from: number;
  readonly to: number;
  readonly style: 'Caption' | 'Pointer';
  readonly text: string;
}

function dialogue({ layer, from, to, style, text }: Dialogue): string {
  return `Dialogue: ${String(layer)},${formatTime(from - EARLY_MS)},${formatTime(to - EARLY_MS)},${style},${text}`;
}

/** `0:00:00.00`. */
function formatTime(ms: number): string {
  const hundredths = Math.max(0, Math.round(ms / 10));
  const [hours, minutes, seconds] = [Math.floor(hundredths / 360_000), Math.floor(hundredths / 6_000) % 60, (hundredths % 6_000) / 100];
  return `${String(hours)}:${String(minutes).padStart(2, '0')}:${seconds.toFixed(2).padStart(5, '0')}`;
}

/** Neither tags nor line breaks: a backslash has no escape, but a word joiner after it takes its meaning away. */
function escapeText(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('\\', '\\\u2060').replaceAll('{', '\\{').replaceAll('}', '\\}');
}

function point({ x, y }: { readonly x: number; readonly y: number }): string {
  return `${round(x)},${round(y)}`;
}

/** In tenths. */
function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
