// Films, from the page to the file: time to first byte, how long the browser is busy, and frames that a live film repeats.
// `npm run bench:films [-- rounds]`; `encode.mjs` has the encoders' share beside ffmpeg's own.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { loadavg } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { clearInterval, setInterval } from 'node:timers';
import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import apng from '@platen/plugin-apng';
import avif from '@platen/plugin-image/avif';
import ffmpeg from '@platen/plugin-ffmpeg';
import frames from '@platen/plugin-frames';
import gif from '@platen/plugin-gif';
import mkv from '@platen/plugin-video/mkv';
import mp4 from '@platen/plugin-video/mp4';
import pixels from '@platen/plugin-screenshot';
import webm from '@platen/plugin-video/webm';
import webp from '@platen/plugin-image/webp';
import { median } from './measure.mjs';

const rounds = Number(process.argv[2] ?? 3);
const SECONDS = 2;
/** How often the pool is asked whether the browser is still in use. */
const LOOK_MS = 2;

const MOVING = `<!doctype html><body style="margin:0;background:#f4f1ea"><h1>A film</h1><div id="b" style="width:40px;height:40px;background:#000"></div>
<script>const draw=(t)=>{b.style.transform='translateX('+(t/5)%1200+'px)';requestAnimationFrame(draw)};requestAnimationFrame(draw)</script>`;

/** Gives away what each frame is, and how it was captured. */
const counting = definePlugin({
  name: 'bench-count',
  requires: ['frames'],
  outputs: [
    {
      type: 'bench-count',
      from: 'frames',
      contentType: 'application/json',
      extension: 'json',
      captureOptions: { recording: 'video', frameFormat: 'jpeg' },
    },
  ],
  apply({ hooks }) {
    hooks.encode.for('bench-count').tapPromise('bench-count', async ({ frames: pictures, method }) => {
      let repeated = 0;
      let last;
      for await (const picture of pictures) {
        if (last?.equals(picture)) repeated += 1;
        last = picture;
      }
      return { contentType: 'application/json', extension: 'json', body: Buffer.from(JSON.stringify({ method, repeated })) };
    });
  },
});

const video = await readFile(new URL('../fixtures/frames/block.webm', import.meta.url));
const site = createServer(({ url }, response) => {
  if (url === '/video') response.writeHead(200, { 'content-type': 'video/webm' }).end(video);
  else {
    const plays = url === '/plays' ? '<video src="/video" autoplay muted loop></video>' : '';
    response.writeHead(200, { 'content-type': 'text/html' }).end(MOVING + plays);
  }
});
await once(site.listen(0, '127.0.0.1'), 'listening');
const address = (path) => `http://127.0.0.1:${site.address().port}${path}`;

const host = createTestKernel({ plugins: [pixels, frames, ffmpeg, gif, apng, webp, avif, webm, mkv, mp4, counting] });
try {
  const load = loadavg()[0];
  const formats = [];
  for (const type of ['gif', 'apng', 'webp', 'avif']) {
    formats.push([type, 5, { image_duration: SECONDS, image_framerate: 5 }]);
  }
  for (const type of ['webm', 'mkv', 'mp4']) {
    for (const rate of [25, 60]) formats.push([type, rate, { video_duration: SECONDS, video_framerate: rate }]);
  }
  await film('mp4', { video_duration: 1 });
  const runs = new Map(formats.map((format) => [format, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const format of formats) runs.get(format).push(await film(format[0], format[2]));
  }
  console.log(`films of ${SECONDS} s at 1280 x 720, deterministic; median of ${rounds}; load average ${load.toFixed(1)}`);
  console.table(formats.map((format) => row(format, runs.get(format))));
  console.log(`live films of ${SECONDS} s on whose page a video plays: frames that repeat the one before, of all, in each round`);
  for (const rate of [25, 60]) console.log(`${rate} fps: ${(await repeats(rate)).join(', ')} of ${rate * SECONDS}`);
  console.log(`load average at the end ${loadavg()[0].toFixed(1)}`);
} finally {
  await host[Symbol.asyncDispose]();
  site.close();
  site.closeAllConnections();
}

/** One film: milliseconds from the request, bytes. The kernel says when the browser is free again. */
async function film(output_type, params) {
  const started = performance.now();
  let free = Number.NaN;
  const watch = setInterval(() => {
    const { busy } = host.kernel.status();
    if (busy > 0) free = Number.NaN;
    else if (Number.isNaN(free)) free = performance.now() - started;
  }, LOOK_MS);
  const { output } = await host.render({ url: address('/'), output_type, timeout: 120, ...params });
  const firstByte = performance.now() - started;
  const body = Buffer.isBuffer(output.body) ? output.body : await buffer(output.body);
  const total = performance.now() - started;
  clearInterval(watch);
  return { firstByte, total, slot: Number.isNaN(free) ? total : free, bytes: body.length };
}

function row([format, rate], measured) {
  const of = (key) => Math.round(median(measured.map((run) => run[key])));
  return {
    format,
    fps: rate,
    'first byte ms': of('firstByte'),
    'total ms': of('total'),
    'browser busy ms': of('slot'),
    'busy / total': (of('slot') / of('total')).toFixed(2),
    KB: Math.round(of('bytes') / 1000),
  };
}

async function repeats(rate) {
  const counts = [];
  for (let round = 0; round < rounds; round += 1) {
    const params = { output_type: 'bench-count', video_duration: SECONDS, video_framerate: rate };
    const { bytes } = await host.render({ url: address('/plays'), ...params });
    const { method, repeated } = JSON.parse((await bytes()).toString());
    counts.push(method === 'live' ? repeated : `${repeated} (${method})`);
  }
  return counts;
}
