import { PlatenError, silentLogger, type Page } from '@platen/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { retryLive, isLiveRetry, PageHung, planHangTimeout } from '../../../../plugins/capture/frames/src/live-fallback.js';
import { withHangTimeout } from '../../../../plugins/capture/frames/src/hang-timeout.js';
import { openSite } from '../../../helpers/site.js';
import { createVideoKernel, moving, readVideo } from './videos.js';

const host = createVideoKernel();
afterAll(() => host[Symbol.asyncDispose]());

async function film(params: Readonly<Record<string, unknown>>) {
  const result = await host.render({ output_type: 'test-whole', ...params });
  return { ...(await readVideo(result)), headers: result.headers };
}

const LIVE = { 'X-Capture-Method': 'live', 'X-Capture-Fallback': 'page-hung' };
const BLUE = "document.body.style.background='blue'";
const isBlue = ([red = 255, , blue = 0]: readonly number[]) => blue > 200 && red < 60;

/** Once the film has begun. */
const soon = (script: string) => moving(`<script>setTimeout(()=>{${script}},1500)</script>`);

describe('a page that does not bear that its clock stands still is filmed once more, live', { timeout: 120_000 }, () => {
  it('a script that waits for time to pass: it gets its time, and is not ended', async () => {
    await using site = await openSite({ '/': soon(`const end=performance.now()+200;while(performance.now()<end);${BLUE}`) });
    const shot = await film({ url: site.url('/'), video_duration: 3, video_framerate: 10, timeout: 90 });
    expect(shot.headers).toMatchObject(LIVE);
    expect(shot.said).toMatchObject({ method: 'live', frameCount: 30 });
    expect(shot.raw).toHaveLength(30);
    expect(isBlue((await shot.frame(29)).at(600, 600))).toBe(true);
  });

  it('a script that never ends: the film shows the page stand still', async () => {
    await using site = await openSite({ '/': moving('<script>setTimeout(()=>{while(true);},4000)</script>') });
    const shot = await film({ url: site.url('/'), video_duration: 6, video_framerate: 5, timeout: 90 });
    expect(shot.headers).toMatchObject(LIVE);
    expect(shot.raw).toHaveLength(30);
    expect(shot.raw[29]?.equals(shot.raw[28] ?? Buffer.alloc(0))).toBe(true);
    expect(shot.raw[29]?.equals(shot.raw[0] ?? Buffer.alloc(0))).toBe(false);
  });

  it('a page that neither works nor draws, as one that waits for an answer: within the render\u2019s time', async () => {
    let asked = 0;
    await using site = await openSite({
      '/': soon(`const x=new XMLHttpRequest();x.open('GET','/answer',false);x.send();${BLUE}`),
      // The first one gets no answer, ever.
      '/answer': () => (asked++ === 0 ? undefined : 'here'),
    });
    const shot = await film({ url: site.url('/'), video_duration: 3, video_framerate: 10, timeout: 30 });
    expect(shot.headers).toMatchObject(LIVE);
    expect(shot.raw).toHaveLength(30);
    expect(isBlue((await shot.frame(29)).at(600, 600))).toBe(true);
    expect(asked).toBe(2);
  });
});

describe('the patience with a page that does nothing', () => {
  const plan = (retryable: boolean) => ({ retryable }) as never;
  const patience = (seconds: number, { duration = 5, retryable = true } = {}) => {
    const now = performance.now();
    return planHangTimeout({ plan: plan(retryable), deadlineAt: now + seconds * 1000 }, { video: { duration }, opened: now - 1000 })();
  };

  it('leaves the time for a live film from the start', () => {
    // 1 s to load, 5 s to open, 5 s of film, and a tenth: 12.1 s of the 35 s are kept.
    expect(patience(35)).toBeCloseTo((35_000 - 12_100) / 2, -2);
    expect(patience(35, { duration: 20 })).toBe(5_000);
  });

  it('is a minute at most, and five seconds at least', () => {
    expect(patience(Infinity)).toBe(60_000);
    expect(patience(18)).toBe(5_000);
  });

  it('is none where a live film would come too late, or the page must not be loaded twice', () => {
    expect(patience(16)).toBeUndefined();
    expect(patience(Infinity, { retryable: false })).toBeUndefined();
  });

  it('ends with the page given up, by real time', async () => {
    const send = () => Promise.resolve({ metrics: [] });
    // The one method that is used.
    const page = { send } as unknown as Pick<Page, 'send'>;
    await expect(withHangTimeout({ page, hangTimeoutMs: () => 1 }, new Promise(() => undefined))).rejects.toThrow(PageHung);
  });
});

describe('the end of a deterministic take', () => {
  const end = (error: unknown, retryable = true) => {
    const plan = { retryable, params: {} };
    // The kernel tries again by another plan, of the same request.
    return { ended: retryLive({ plan: plan as never, log: silentLogger }, error), again: isLiveRetry({ ...plan }) };
  };

  it.each([new PageHung('a script does not yield'), new Error('Another frame is pending')])('%s: the kernel is to try again', (error) => {
    expect(end(error)).toMatchObject({ ended: { code: 'browser_lost', cause: error }, again: true });
  });

  it('passes on what is no hang, and every error of a page that must not be loaded twice', () => {
    const error = new PageHung('a script does not yield');
    expect(end(error, false)).toEqual({ ended: error, again: false });
    const crashed = new PlatenError('page_crashed', 'the page crashed');
    expect(end(crashed)).toEqual({ ended: crashed, again: false });
  });
});
