import emulate from '@platen/plugin-emulate';
import frames from '@platen/plugin-frames';
import webm from '@platen/plugin-video/webm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { done, type Turn } from '../../../helpers/navigator-script.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { type DecodedVideo, decodeVideo, pixelAt, probeVideo } from '../../output/decode-film.js';
import { openVideoHost, type Recorded, type VideoHost } from './open-video-host.js';

const SIZE = { browser_width: 640, browser_height: 400 } as const;
const YELLOW = [255, 221, 0];
const BLUE = [0, 221, 255];
const RED = [255, 0, 51];
const BLACK = [0, 0, 0];

const at = (left: number, top: number) =>
  `style="position:absolute;left:${String(left)}px;top:${String(top)}px;width:40px;height:20px;text-decoration:none"`;

let site: Site;
let host: VideoHost;
beforeAll(async () => {
  site = await openSite({
    '/': `<body style="background:#fd0"><a href="/next" ${at(500, 300)}>Next</a><button ${at(100, 200)}>Stay</button>`,
    '/next': '<body style="background:#0df"><h1>Next</h1>',
    '/opens': `<body style="background:#fd0"><button ${at(100, 200)} onclick="open('/popup', '_blank', 'width=300,height=300')">Open</button>`,
    '/popup': `<body style="background:#f03"><button ${at(10, 10)}>Close</button>`,
    '/form': '<body style="background:#fff"><label>user <input style="position:absolute;left:100px;top:100px;font:40px monospace"></label>',
    '/watches': `<body style="background:#fff"><button ${at(100, 200)} onclick="this.remove()">Go</button><pre></pre><script>
      const seen = [];
      const note = ({ type }) => { seen.push(type); document.querySelector('pre').textContent = seen.join(' '); };
      for (const type of ['resize', 'blur', 'scroll', 'pagehide']) addEventListener(type, note);
      for (const type of ['visibilitychange', 'fullscreenchange']) document.addEventListener(type, note);
      new MutationObserver((changes) => seen.push(...changes.map(({ target }) => target.nodeName)))
        .observe(document.body, { childList: true, attributes: true });
    </script>`,
  });
  host = openVideoHost({}, [emulate, frames, webm]);
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const clicks =
  (role: string, name: string, why?: string): Turn =>
  ({ ref }) => [{ kind: 'click', ref: ref(role, name), ...(why === undefined ? {} : { why }) }];

async function decode({ video, missing, error }: Recorded): Promise<DecodedVideo> {
  if (video === undefined) throw new Error(JSON.stringify({ missing, error }));
  return decodeVideo(video, 'webm');
}

/** Lossy encoding changes colors a little. */
function isLike(pixel: readonly number[], color: readonly number[]): boolean {
  return pixel.length === 3 && pixel.every((value, index) => Math.abs(value - (color[index] ?? 0)) < 16);
}

const colorsAt = (video: DecodedVideo, place: readonly [number, number], colors: readonly (readonly number[])[]) =>
  video.frames.map((frame) => colors.findIndex((color) => isLike(pixelAt(video, frame, place), color)));

/** The known colors in their order, without repetition: a page is white until it is painted. */
function sequence(list: readonly number[]): readonly number[] {
  const known = list.filter((one) => one >= 0);
  return known.filter((one, index) => one !== known[index - 1]);
}

it('shows the pages of the navigation one after the other', async () => {
  const recorded = await host.record([clicks('link', 'Next'), () => [done()]], { url: site.url('/'), ...SIZE });
  const { video: bytes = Buffer.of(), missing, error, incomplete } = recorded;
  expect({ missing, error, incomplete }).toEqual({ missing: [], error: undefined, incomplete: undefined });
  const { codec_name, width, height, duration, color_space, nb_read_frames } = await probeVideo(bytes, 'webm');
  expect({ codec_name, width, height, color_space }).toEqual({ codec_name: 'vp9', width: 640, height: 400, color_space: 'bt709' });
  // The last frame is shown for a second.
  expect(duration).toBeGreaterThan(1);
  expect(Number(nb_read_frames)).toBeGreaterThanOrEqual(3);
  expect(sequence(colorsAt(await decode(recorded), [300, 150], [YELLOW, BLUE]))).toEqual([0, 1]);
});

it('has the size that was asked for, with the whole page in the middle', async () => {
  const recorded = await host.record([() => [done()]], {
    ...{ url: site.url('/'), ...SIZE, navigator_video_width: 321, navigator_video_height: 400 },
  });
  const video = await decode(recorded);
  expect([video.width, video.height]).toEqual([321, 400]);
  const last = video.frames.at(-1);
  // 321 x 200 pixels of page.
  for (const place of [
    [160, 50],
    [160, 350],
  ] as const)
    expect(pixelAt(video, last, place)).toEqual(BLACK);
  for (const place of [
    [3, 200],
    [160, 110],
    [317, 290],
  ] as const)
    expect(isLike(pixelAt(video, last, place), YELLOW)).toBe(true);
});

it('has the pixels of a screenshot', async () => {
  const video = await decode(await host.record([() => [done()]], { url: site.url('/'), ...SIZE, device_scale_factor: 2 }));
  expect([video.width, video.height]).toEqual([1280, 800]);
});

it('the page does not notice it', async () => {
  const params = { url: site.url('/watches'), ...SIZE, output_type: 'png' };
  const shows = { navigator_video_shows_captions: true, navigator_video_shows_pointer: true };
  const turns = [clicks('button', 'Go'), () => [done()]];
  const [plain, recorded] = [
    await host.record(turns, { ...params, with_navigator_video: false }),
    await host.record(turns, { ...params, ...shows }),
  ];
  expect([plain.video === undefined, recorded.video === undefined]).toEqual([true, false]);
  expect(recorded.body.equals(plain.body)).toBe(true);
});

it('beside a render that is recorded itself', async () => {
  const params = { url: site.url('/'), ...SIZE, output_type: 'webm', video_duration: 0.2 };
  const recorded = await host.record([clicks('link', 'Next'), () => [done()]], params);
  expect([recorded.error, (await probeVideo(recorded.body, 'webm')).width]).toEqual([undefined, 640]);
  expect(sequence(colorsAt(await decode(recorded), [300, 150], [YELLOW, BLUE]))).toEqual([0, 1]);
});

it('follows a page to another site', async () => {
  const elsewhere: Turn = () => [{ kind: 'goto', url: site.url('/next', 'localhost') }];
  const params = { url: site.url('/'), ...SIZE, navigator_allow_url: ['*'] };
  const recorded = await host.record([elsewhere, () => [done()]], params);
  expect(sequence(colorsAt(await decode(recorded), [300, 150], [YELLOW, BLUE]))).toEqual([0, 1]);
});

it('captions are read before the action, in a box at the bottom', async () => {
  const why = 'to see the next page of this site';
  const captions = { navigator_video_shows_captions: true };
  const recorded = await host.record([clicks('link', 'Next', why), () => [done()]], { url: site.url('/'), ...SIZE, ...captions });
  const video = await decode(recorded);
  const { duration } = await probeVideo(recorded.video ?? Buffer.of(), 'webm');
  // 1.2 s and 55 ms for each character, and the last frame.
  expect(duration).toBeGreaterThan(1.2 + 0.055 * why.length + 1);
  const [page, caption] = [colorsAt(video, [300, 150], [YELLOW, BLUE]), video.frames.map((frame) => findBox(video, frame))];
  const box = caption.find((one) => one !== undefined);
  // In the lower sixth, in the middle.
  expect(box?.top).toBeGreaterThan(330);
  expect(box?.bottom).toBeLessThan(400);
  expect(Math.abs((box?.left ?? 0) + (box?.right ?? 0) - 640)).toBeLessThan(8);
  // The page without a caption, with one, the next page with it for as long as it loads, and then without.
  expect(sequence(page.map((color, index) => color * 2 + (caption[index] === undefined ? 0 : 1)))).toEqual(
    expect.arrayContaining([0, 1, 2]),
  );
  expect(caption.at(-1)).toBeUndefined();
});

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Longer than the texts and buttons of the pages, whose frame is dark under the mouse, and shorter than a caption. */
const RUN = 45;

/** The dark part of a yellow or blue frame: the box of a caption. */
function findBox({ width, height }: DecodedVideo, frame: Buffer): Box | undefined {
  const isDark = (pixel: number) => [0, 1, 2].every((channel) => (frame[pixel * 3 + channel] ?? 0) < 110);
  const box = { left: width, top: height, right: 0, bottom: 0 };
  for (let y = 0; y < height; y++) {
    let run = 0;
    for (let x = 0; x < width; x++) {
      run = isDark(y * width + x) ? run + 1 : 0;
      if (run < RUN) continue;
      box.left = Math.min(box.left, x + 1 - run);
      box.right = Math.max(box.right, x + 1);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y + 1);
    }
  }
  return box.right === 0 ? undefined : box;
}

describe('the place of captions', () => {
  it.each([
    ['top', [0, 0, 640, 80]],
    ['center', [0, 150, 640, 250]],
    ['rect(50px 300px 150px 100px)', [100, 50, 300, 150]],
    ['inset(60% 5% 20% 50%)', [320, 240, 608, 320]],
    // Too small for the text, which is clipped.
    ['rect(20px 200px 40px 150px)', [150, 20, 200, 40]],
  ] as const)('%s', async (position, [left, top, right, bottom]) => {
    const params = { ...SIZE, navigator_video_shows_captions: true, navigator_video_captions_position: position };
    const why = 'a caption of several words';
    const video = await decode(await host.record([clicks('button', 'Stay', why), () => [done()]], { url: site.url('/'), ...params }));
    const boxes = video.frames.flatMap((frame) => findBox(video, frame) ?? []);
    expect(boxes).not.toEqual([]);
    for (const box of boxes) {
      // Edges are blurred a little.
      expect(box.left).toBeGreaterThanOrEqual(left - 1);
      expect(box.top).toBeGreaterThanOrEqual(top - 1);
      expect(box.right).toBeLessThanOrEqual(right + 1);
      expect(box.bottom).toBeLessThanOrEqual(bottom + 1);
    }
  });
});

describe('the pointer', () => {
  const record = async (params: object) =>
    decode(
      await host.record([clicks('button', 'Stay'), clicks('button', 'Stay'), () => [done()]], {
        ...{ url: site.url('/'), ...SIZE, navigator_video_shows_pointer: true, ...params },
      }),
    );
  /** Around the middle of the button. */
  const CENTER = [120, 210] as const;

  it('is an arrow whose tip is where the navigator clicked', async () => {
    const video = await record({});
    const last = video.frames.at(-1);
    // It hangs below its tip, to the right. The button has a white part of its own.
    expect(isLike(pixelAt(video, last, [CENTER[0] + 3, CENTER[1] + 8]), [255, 255, 255])).toBe(true);
    const [below, left] = [pixelAt(video, last, [CENTER[0] + 3, CENTER[1] + 14]), pixelAt(video, last, [CENTER[0] - 30, CENTER[1] + 14])];
    expect(isLike(below, YELLOW)).toBe(false);
    expect(isLike(left, YELLOW)).toBe(true);
  });

  it('is a disc on a touch device', async () => {
    const video = await record({ emulate_touch_points: 1 });
    const last = video.frames.at(-1);
    // The disc is translucent, and wider than the button is high.
    for (const offset of [-10, 10]) expect(isLike(pixelAt(video, last, [CENTER[0], CENTER[1] + offset]), YELLOW)).toBe(false);
  });

  it('is where the page is shown smaller, since it is wider than the device', async () => {
    const video = await record({ emulate_mobile: true });
    const [x, y] = CENTER.map((value) => Math.round((value * 640) / 980));
    const isPage = (place: readonly [number, number]) => isLike(pixelAt(video, video.frames.at(-1), place), YELLOW);
    expect([isPage([x ?? 0, (y ?? 0) + 9]), isPage(CENTER)]).toEqual([false, true]);
  });

  it('is not drawn unless it is asked for', async () => {
    const video = await record({ navigator_video_shows_pointer: false });
    expect(isLike(pixelAt(video, video.frames.at(-1), [CENTER[0] + 3, CENTER[1] + 14]), YELLOW)).toBe(true);
  });
});

it('follows a popup, which has another size', async () => {
  const turns = [clicks('button', 'Open'), clicks('button', 'Close'), () => [done()]];
  const video = await decode(await host.record(turns, { url: site.url('/opens'), ...SIZE }));
  expect(sequence(colorsAt(video, [320, 300], [YELLOW, RED]))).toEqual([0, 1]);
});

it('credentials are shown as discs, whatever their characters are', async () => {
  const fill = async (value: string, isCredential: boolean) => {
    const params = isCredential ? { navigator_credential: { user: value } } : {};
    const turn: Turn = ({ ref }) => [{ kind: 'fill', ref: ref('textbox', 'user'), value: isCredential ? 'credential:user' : value }];
    const { error, ...recorded } = await host.record([turn, () => [done()]], { url: site.url('/form'), ...SIZE, ...params });
    if (error !== undefined) throw error;
    const video = await decode({ ...recorded, error });
    return video.frames.map((frame) => readField(video, frame));
  };
  const [wide, narrow, open] = [await fill('WWWWWWWW', true), await fill('iiiiiiii', true), await fill('WWWWWWWW', false)];
  const masked = difference(wide.at(-1), narrow.at(-1));
  // Lossy encoding differs a little.
  expect(difference(wide.at(-1), wide[0])).toBeGreaterThan(4 * masked);
  expect(difference(wide.at(-1), open.at(-1))).toBeGreaterThan(4 * masked);
});

/** Without the caret at the end. */
function readField({ width }: DecodedVideo, frame: Buffer): Buffer {
  return Buffer.concat(
    Array.from({ length: 50 }, (_, row) => frame.subarray(((100 + row) * width + 100) * 3, ((100 + row) * width + 280) * 3)),
  );
}

/** Mean of all channels. */
function difference(one: Buffer = Buffer.of(), other: Buffer = Buffer.of()): number {
  if (one.length !== other.length) throw new Error('the sizes differ');
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length;
}

describe('parameters', () => {
  it.each([
    [{ navigate: null, navigator_type: null }, 'with_navigator_video', '"with_navigator_video" requires "navigate"'],
    [{ navigator_video_captions_position: 'left' }, 'navigator_video_captions_position', /must be top, bottom, center, rect\(TOP RIGHT/],
    [{ navigator_video_captions_position: 'rect(1px 2px 3px)' }, 'navigator_video_captions_position', /must be top, bottom/],
    [
      { navigator_video_captions_position: 'rect(0 100px 10px 100px)', ...SIZE },
      'navigator_video_captions_position',
      '"navigator_video_captions_position" leaves no room for captions in a video of 640 x 400 pixels',
    ],
    [{ navigator_video_width: 0 }, 'navigator_video_width', /between 1 and 8192/],
    [{ navigator_video_height: 9000 }, 'navigator_video_height', /8192/],
  ])('%j', async (params, parameter, detail) => {
    const { error, missing } = await host.record([], { url: site.url('/'), ...params });
    expect(error?.code).toBe('invalid_parameters');
    expect(error?.details.errors).toEqual([{ parameter, detail: expect.stringMatching(detail) as string }]);
    expect(missing).toEqual([]);
  });
});
