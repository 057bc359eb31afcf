import { createTestKernel, type TestRender } from '@platen/kernel/testing';
import frames, { type FramesCapture } from '@platen/plugin-frames';
import pixels from '@platen/plugin-screenshot';
import sharp from 'sharp';
import { decodePicture, type Picture } from '../pictures.js';
import view from '../view-plugin.js';
import video from './video-plugin.js';

export const PLUGINS = [pixels, frames, view, video];

export const createVideoKernel = () => createTestKernel({ plugins: PLUGINS });

export interface VideoFile {
  readonly said: Omit<FramesCapture, 'frames'>;
  /** As they came out of the capture. */
  readonly raw: readonly Buffer[];
  /** One frame as the video shows it: cropped, then scaled. */
  frame(index: number): Promise<Picture>;
}

/** Reads what the test's output plugins write. */
export async function readVideo(result: TestRender): Promise<VideoFile> {
  const [head = '', ...lines] = (await result.bytes()).toString('utf8').trimEnd().split('\n');
  const said: VideoFile['said'] = JSON.parse(head);
  const raw = lines.map((line) => Buffer.from(line, 'base64'));
  return { said, raw, frame: (index) => decodeFrame(raw[index] ?? Buffer.alloc(0), said) };
}

async function decodeFrame(data: Buffer, { crop, width, height }: VideoFile['said']): Promise<Picture> {
  const cropped = crop ? sharp(data).extract({ left: crop.x, top: crop.y, width: crop.width, height: crop.height }) : sharp(data);
  const picture = await cropped.png().toBuffer();
  return decodePicture(await sharp(picture).resize(width, height, { fit: 'fill', kernel: 'nearest' }).png().toBuffer());
}

/** CSS pixels that the block of `moving` goes in a second. */
const SPEED = 200;

/** A black block of 40 x 40 on white at x = time x SPEED, four times below each other: by animation frames, by the clock in them, by CSS, by a timer. */
export function moving(extra = ''): string {
  return `<!doctype html><body style="margin:0;background:white;overflow:hidden"><style>.b{position:absolute;left:0;width:40px;height:40px;background:black}
@keyframes go{from{transform:translateX(0)}to{transform:translateX(1200px)}}</style>
<div class="b" id="a" style="top:0"></div><div class="b" id="b" style="top:50px"></div><div class="b" id="c" style="top:100px;animation:go 6s linear infinite"></div><div class="b" id="d" style="top:150px"></div>
<script>const move=(e,t)=>{e.style.transform='translateX('+(t/5)%1200+'px)'};
const draw=(t)=>{move(a,t);move(b,performance.now());requestAnimationFrame(draw)};requestAnimationFrame(draw);setInterval(()=>move(d,performance.now()),5)</script>${extra}`;
}

export const dataUrl = (html: string): string => `data:text/html,${encodeURIComponent(html)}`;

/** The times in milliseconds that the four blocks show. */
export function readTimes({ at, width }: Picture, scale = 1): readonly number[] {
  return [20, 70, 120, 170].map((y) => {
    for (let x = 0; x < width; x++) if ((at(x, Math.round(y * scale))[0] ?? 255) < 128) return ((x / scale) * 1000) / SPEED;
    return NaN;
  });
}

/** How far the times are, at most, from a clock that ticks by `stepMs` a frame, whatever it started from. */
export function largestError(times: readonly number[], stepMs: number): number {
  const turn = (1200 * 1000) / SPEED;
  const base = times[0] ?? NaN;
  const errors = times.map((time, index) => {
    const error = (((time - base - index * stepMs) % turn) + turn) % turn;
    return error > turn / 2 ? error - turn : error;
  });
  return (Math.max(...errors) - Math.min(...errors)) / 2;
}
