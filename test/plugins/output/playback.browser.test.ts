import { findBrowsers } from '@platen/kernel';
import puppeteer, { type Page } from 'puppeteer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeApng } from '../../../plugins/output/apng/src/index.js';
import { encodeAvif } from '../../../plugins/output/image/src/avif.js';
import { encodeGif } from '../../../plugins/output/gif/src/index.js';
import { encodeMkv } from '../../../plugins/output/video/src/mkv.js';
import { encodeMp4 } from '../../../plugins/output/video/src/mp4.js';
import { encodeWebm } from '../../../plugins/output/video/src/webm.js';
import { encodeWebp } from '../../../plugins/output/image/src/webp.js';
import { openSite, type Site } from '../../helpers/site.js';
import { bytesOf, makeVideo, openContext } from './videos.js';

const WIDTH = 640;
const VIDEO = { format: 'jpeg', framerate: 20, frameCount: 39, sourceWidth: WIDTH } as const;
const IMAGE = { format: 'png', framerate: 12, frameCount: 15 } as const;
const encoders = { mp4: encodeMp4, mkv: encodeMkv, webm: encodeWebm, gif: encodeGif, apng: encodeApng, avif: encodeAvif, webp: encodeWebp };

const CONTENT_TYPES = {
  ...{ mp4: 'video/mp4', mkv: 'video/matroska', webm: 'video/webm' },
  ...{ gif: 'image/gif', apng: 'image/apng', avif: 'image/avif', webp: 'image/webp' },
} as const;

const videos = ['mp4', 'mkv', 'webm'] as const;
const images = ['gif', 'apng', 'avif', 'webp'] as const;

let site: Site;
let page: Page;
let close = () => Promise.resolve();

beforeAll(async () => {
  const routes = await Promise.all(
    [...videos, ...images].map(async (type) => {
      const film = await makeVideo(type === 'mp4' || type === 'mkv' || type === 'webm' ? VIDEO : IMAGE);
      const output = await encoders[type](film, openContext().context);
      return [`/${type}`, { headers: { 'content-type': CONTENT_TYPES[type] }, body: await bytesOf(output) }] as const;
    }),
  );
  site = await openSite({ '/': '<!doctype html>', ...Object.fromEntries(routes) });
  const { full } = await findBrowsers();
  if (full === undefined) throw new Error('a full Chromium or Chrome is needed: apt-get install chromium');
  // Its pages are these; as root there is no sandbox to be had for a browser that is started so.
  const browser = await puppeteer.launch({ executablePath: full.path, args: ['--no-sandbox', '--mute-audio'] });
  close = () => browser.close();
  page = await browser.newPage();
  await page.goto(site.url('/'));
});
afterAll(async () => {
  await close();
  await site[Symbol.asyncDispose]();
});

/** Runs in the page: plays a video as a whole that is loaded as a whole, and jumps in it. */
async function playVideo(type: string) {
  const video = document.createElement('video');
  const next = (event: string) =>
    new Promise((resolve, reject) => {
      video.addEventListener(event, resolve, { once: true });
      video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true });
    });
  video.muted = true;
  document.body.append(video);
  video.src = URL.createObjectURL(await (await fetch(`/${type}`)).blob());
  await next('loadedmetadata');
  const { duration, videoWidth, videoHeight } = video;
  const jump = async (time: number) => {
    // The frame is there when it was presented, which may be after the seek is over.
    const presented = new Promise((resolve) => video.requestVideoFrameCallback(resolve));
    video.currentTime = time;
    await Promise.all([next('seeked'), presented]);
    const canvas = new OffscreenCanvas(videoWidth, 1);
    const context = canvas.getContext('2d');
    context?.drawImage(video, 0, -videoHeight * 0.75);
    const row = context?.getImageData(0, 0, videoWidth, 1).data ?? [];
    return Math.round(Array.from(row).findIndex((value, index) => index % 4 === 0 && value > 128) / 4 / 16);
  };
  const seen = [await jump(1.475), await jump(0.225), await jump(0)];
  await Promise.all([next('ended'), video.play()]);
  return { duration, videoWidth, videoHeight, seen, end: video.currentTime };
}

it.each(videos)('%s plays to its end, and shows the right frame where it is jumped to', async (type) => {
  const { duration, end, ...rest } = await page.evaluate(playVideo, type);
  expect(rest).toEqual({ videoWidth: WIDTH, videoHeight: 128, seen: [29, 4, 0] });
  expect(Math.abs(duration - 39 / 20)).toBeLessThan(0.002);
  expect(Math.abs(end - duration)).toBeLessThan(0.05);
});

/** Runs in the page. */
async function readImage(type: string) {
  const response = await fetch(`/${type}`);
  const decoder = new ImageDecoder({ data: await response.arrayBuffer(), type: response.headers.get('content-type') ?? '' });
  await decoder.tracks.ready;
  const { frameCount = 0, repetitionCount, animated } = decoder.tracks.selectedTrack ?? {};
  let end = 0;
  for (let frameIndex = 0; frameIndex < frameCount; frameIndex += 1) {
    const { image } = await decoder.decode({ frameIndex });
    end = image.timestamp + (image.duration ?? 0);
    image.close();
  }
  return { frameCount, animated, forever: repetitionCount === Infinity, end: end / 1e6 };
}

it.each(images)('%s is shown for ever, frame by frame', async (type) => {
  const { end, ...rest } = await page.evaluate(readImage, type);
  expect(rest).toEqual({ frameCount: 15, animated: true, forever: true });
  expect(Math.abs(end - 15 / 12)).toBeLessThan(0.0051);
});
