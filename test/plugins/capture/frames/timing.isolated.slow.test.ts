import { readFile } from 'node:fs/promises';
import { definePlugin, findBrowsers } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { createVideoKernel, dataUrl, largestError, moving, PLUGINS, readVideo, readTimes } from './videos.js';

const host = createVideoKernel();
afterAll(() => host[Symbol.asyncDispose]());

async function film(params: Readonly<Record<string, unknown>>) {
  const result = await host.render(params);
  return { ...(await readVideo(result)), headers: result.headers };
}

async function times({ raw, frame }: Awaited<ReturnType<typeof film>>, scale = 1) {
  const all: (readonly number[])[] = [];
  for (const index of raw.keys()) all.push(readTimes(await frame(index), scale));
  return [0, 1, 2, 3].map((clock) => all.map((row) => row[clock] ?? NaN));
}

/** A pixel of the moving block is 5 ms: no reading is finer. */
const PIXEL_MS = 5;

describe('a deterministic film', () => {
  it.each([
    ['test-video', { video_duration: 2 }, 50, 40],
    ['test-video', { video_duration: 1, video_framerate: 60 }, 60, 1000 / 60],
    ['test-video', { video_duration: 1.5, video_framerate: 1 }, 2, 1000],
    ['test-animation', { image_duration: 2 }, 10, 200],
    ['test-either', { image_duration: 1, image_framerate: 30 }, 30, 1000 / 30],
  ] as const)('%s %j shows every frame at its own moment, whichever clock the page goes by', async (output_type, params, count, stepMs) => {
    const shot = await film({ url: dataUrl(moving()), output_type, ...params });
    expect(shot.said).toMatchObject({
      method: 'deterministic',
      frameCount: count,
      framerate: Math.round(1000 / stepMs),
      width: 1280,
      height: 720,
    });
    expect(shot.headers['X-Capture-Method']).toBe('deterministic');
    expect(shot.raw).toHaveLength(count);
    for (const clock of await times(shot)) expect(largestError(clock, stepMs)).toBeLessThanOrEqual(PIXEL_MS);
  });

  it('is as exact where a frame takes longer to draw than to show', { timeout: 240_000 }, async () => {
    const heavy =
      '<script>const spin=()=>{const b=document.body.cloneNode(true);for(let i=0;i<2e5;i++)b.dataset.x=i;requestAnimationFrame(spin)};spin()</script>';
    const shot = await film({
      url: dataUrl(moving(heavy)),
      output_type: 'test-video',
      video_duration: 0.5,
      video_framerate: 60,
      view_scale: 2,
      // However busy the machine is: a film is never less exact, only later.
      timeout: 0,
    });
    expect(shot.said).toMatchObject({ width: 2560, height: 1440, frameCount: 30 });
    expect(shot.headers).not.toHaveProperty('X-Capture-Frames-Dropped');
    for (const clock of await times(shot, 2)) expect(largestError(clock, 1000 / 60)).toBeLessThanOrEqual(PIXEL_MS);
  });

  it('lets a page count about 60 animation frames a second, at any rate', async () => {
    const counting = `<body style="margin:0"><div id="bar" style="width:0;height:100px;background:black"></div><script>let n=0;const f=()=>{bar.style.width=(++n%1000)+'px';requestAnimationFrame(f)};f()</script>`;
    const shot = await film({ url: dataUrl(counting), output_type: 'test-animation', image_duration: 2, image_framerate: 2 });
    const widths: number[] = [];
    for (const index of shot.raw.keys()) {
      const { at, width } = await shot.frame(index);
      widths.push(Array.from({ length: width }, (_, x) => x).filter((x) => (at(x, 50)[0] ?? 255) < 128).length);
    }
    for (const index of [1, 2, 3]) expect((widths[index] ?? 0) - (widths[index - 1] ?? 0)).toBe(30);
  });

  it('goes on through a navigation', async () => {
    await using site = await openSite({
      '/leaves': moving('<script>setTimeout(()=>location.href="/arrives",400)</script>'),
      '/arrives': '<body style="margin:0;background:blue">',
    });
    const left = await film({ url: site.url('/leaves'), output_type: 'test-animation', image_duration: 3 });
    expect(left.raw).toHaveLength(15);
    expect((await left.frame(14)).at(600, 600)).toEqual([0, 0, 255, 255]);
  });

  it('ends a script that waits for its own clock, where the page must not be loaded twice', async () => {
    const once = definePlugin({
      name: 'test-once',
      plan: (draft) => {
        draft.disableRetry();
      },
    });
    await using other = createTestKernel({ plugins: [...PLUGINS, once] });
    await using site = await openSite({
      '/': moving('<script>setTimeout(()=>{const end=performance.now()+200;while(performance.now()<end);},200)</script>'),
    });
    const params = { url: site.url('/'), output_type: 'test-animation', image_duration: 1, timeout: 0 };
    const { said, raw } = await readVideo(await other.render(params));
    expect(said.method).toBe('deterministic');
    expect(raw).toHaveLength(5);
    expect(site.requests.map(({ url }) => url)).toEqual(['/']);
  });
});

describe('a live film', () => {
  it('is made where something plays, which keeps to real time', async () => {
    let playing: () => void = () => undefined;
    const plays = new Promise<void>((resolve) => {
      playing = resolve;
    });
    const video = await readFile(new URL('../../../fixtures/frames/block.webm', import.meta.url));
    await using site = await openSite({
      // The page is loaded when its video plays.
      '/': moving(
        '<video src="/video" autoplay muted loop onplaying="fetch(\'/plays\')" style="position:absolute;left:0;top:300px"></video><img src="/gate">',
      ),
      '/video': { headers: { 'content-type': 'video/webm' }, body: video },
      '/plays': () => {
        playing();
        return 'thanks';
      },
      '/gate': () => plays.then(() => 'no picture'),
    });
    const shot = await film({ url: site.url('/'), output_type: 'test-video', video_duration: 2 });
    expect(shot.said).toMatchObject({ method: 'live', frameCount: 50, width: 1280, height: 720 });
    expect(shot.headers['X-Capture-Method']).toBe('live');
    expect(shot.raw).toHaveLength(50);
    // The machine may be busy: a film in real time is right on the whole.
    for (const clock of await times(shot)) expect(largestError(clock, 40)).toBeLessThan(1000);
    // The video's own block goes 32 pixels a second: 64 in the film, unless the machine is very busy.
    const [first, last] = [await shot.frame(0), await shot.frame(49)].map(({ at }) => darkest(at));
    expect(last).toBeGreaterThan((first ?? NaN) + 20);
  });
});

describe('a browser that draws by itself', () => {
  it('is filmed live, the same number of frames whether or not the page changes, in device pixels', async () => {
    const { full } = await findBrowsers({});
    if (full === undefined) throw new Error('this test needs full Chromium');
    await using other = createTestKernel({ plugins: PLUGINS, flags: { 'browser-path': full.path } });
    for (const url of [dataUrl(moving()), dataUrl('<body style="background:red">')]) {
      const { said, raw } = await readVideo(
        await other.render({ url, output_type: 'test-animation', image_duration: 1, image_framerate: 10, view_scale: 2 }),
      );
      expect(said).toMatchObject({ method: 'live', frameCount: 10, width: 2560, height: 1440 });
      expect(raw).toHaveLength(10);
    }
  });
});

/** Where the black block of the video stands. */
function darkest(at: (x: number, y: number) => readonly number[]): number {
  return Array.from({ length: 320 }, (_, x) => x).find((x) => (at(x, 316)[0] ?? 255) < 100) ?? NaN;
}
