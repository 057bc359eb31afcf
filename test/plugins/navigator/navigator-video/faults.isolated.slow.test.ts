import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePlugin, Stage } from '@platen/kernel';
import { createFfmpegSource } from '@platen/lib-ffmpeg-host';
import { navigationKey } from '@platen/plugin-navigate/keys';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { descendants } from '../../../helpers/descendants.js';
import { done, type Turn } from '../../../helpers/navigator-script.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { until } from '../../../helpers/until.js';
import { probeVideo } from '../../output/decode-film.js';
import { openVideoHost } from './open-video-host.js';

const SIZE = { browser_width: 640, browser_height: 400 } as const;
/** There are 4 s for the video of a failed navigation, and other tests keep the machine busy. */
const SMALL = { ...SIZE, navigator_video_width: 160, navigator_video_height: 100 } as const;
const CAPTIONS = { navigator_video_shows_captions: true } as const;

let site: Site;
beforeAll(async () => {
  site = await openSite({ '/': '<h1>Page</h1><button>Press</button>' });
});
afterAll(() => site[Symbol.asyncDispose]());

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  const names = await readdir(tmpdir());
  expect(names.filter((name) => name.startsWith('platen-video-') || name.startsWith('platen-spool-'))).toEqual([]);
  expect(encoders()).toEqual([]);
});

/** Command lines of the encoders that this process has started, the false ones too. */
const encoders = () =>
  descendants(process.pid).flatMap(({ args }) => (args.split('\0').some((arg) => arg === 'ivf' || arg === '4711') ? [args] : []));

/** An ffmpeg that does this when it is given frames, or asked for its filters, and else is the real one. */
async function falseFfmpeg({
  frames = '',
  filters = '',
}: {
  readonly frames?: string;
  readonly filters?: string;
}): Promise<Readonly<Record<string, unknown>>> {
  const { path: real } = await createFfmpegSource()();
  const path = join(folder, 'ffmpeg');
  await writeFile(path, `#!/bin/sh\ncase "$*" in\n*ivf*) ${frames};;\n*filter=*) ${filters};;\nesac\nexec ${real} "$@"\n`);
  await chmod(path, 0o755);
  return { 'ffmpeg-path': path };
}

const press: Turn = ({ ref }) => [{ kind: 'click', ref: ref('button', 'Press') }];
const giveUp: Turn = () => [{ kind: 'fail', reason: 'no way' }];
const finish: Turn = () => [done()];

it('a navigation that has failed has a video', async () => {
  await using host = openVideoHost();
  const { error, video, missing } = await host.record([press, giveUp], { url: site.url('/'), ...SMALL });
  expect([error?.code, missing]).toEqual(['goal_not_reached', []]);
  const { duration, width } = await probeVideo(video ?? Buffer.of(), 'webm');
  expect(width).toBe(160);
  // The last frame is shown for a second.
  expect(duration).toBeGreaterThan(1);
});

it('a page that has crashed has a video until then', async () => {
  const crash = definePlugin({
    name: 'crash',
    apply({ hooks }) {
      hooks.beforeNavigate.tap({ name: 'crash', stage: Stage.late }, (context) => {
        context.get(navigationKey)?.observers.push({
          async after({ actor }) {
            await actor.page.send('Page.crash').catch(() => undefined);
          },
        });
      });
    },
  });
  await using host = openVideoHost({}, [crash]);
  const { error, video, missing } = await host.record([press, finish], { url: site.url('/'), ...SMALL });
  expect([error?.code, missing]).toEqual(['page_crashed', []]);
  expect((await probeVideo(video ?? Buffer.of(), 'webm')).duration).toBeGreaterThan(1);
});

it.each([
  ['fails', 'exit 1'],
  ['is killed', 'kill -9 $$'],
  ['writes nothing', 'cat > /dev/null; exit 0'],
])('an encoder that %s leaves the render as it is', async (_name, frames) => {
  await using host = openVideoHost(await falseFfmpeg({ frames }));
  const { error, video, missing } = await host.record([finish], { url: site.url('/'), ...SIZE });
  expect([error, video]).toEqual([undefined, undefined]);
  expect(missing).toEqual([{ name: 'navigator-video', reason: expect.stringMatching(/^the webm could not be encoded/) as string }]);
});

it('after a failure the client does not wait for an encoder that hangs', async () => {
  await using host = openVideoHost(await falseFfmpeg({ frames: 'exec sleep 4711' }));
  const { error, missing } = await host.record([giveUp], { url: site.url('/'), ...SIZE });
  expect(error?.code).toBe('goal_not_reached');
  expect(missing).toEqual([{ name: 'navigator-video', reason: expect.any(String) as string }]);
});

it('a client that leaves takes its encoder along', async () => {
  const began = join(folder, 'began');
  await using host = openVideoHost(await falseFfmpeg({ frames: `touch ${began}; exec sleep 4711` }));
  const leaving = new AbortController();
  const recording = host.record([finish], { url: site.url('/'), ...SIZE }, leaving.signal);
  await until(() => existsSync(began));
  leaving.abort();
  const { error, video, missing } = await recording;
  expect([error?.code, video, missing]).toEqual(['client_closed', undefined, []]);
  await until(() => encoders().length === 0);
});

it('a client that leaves while its navigator acts leaves nothing', async () => {
  await using host = openVideoHost();
  const leaving = new AbortController();
  const leave: Turn = () => {
    leaving.abort();
    return [done()];
  };
  const { error, video } = await host.record([press, leave], { url: site.url('/'), ...SIZE, ...CAPTIONS }, leaving.signal);
  expect([error?.code, video]).toEqual(['client_closed', undefined]);
});

it('captions and pointer need libass, the video itself does not', async () => {
  await using host = openVideoHost(await falseFfmpeg({ filters: 'echo "Unknown filter \'ass\'."; exit 0' }));
  const page = { url: site.url('/'), ...SIZE };
  for (const wish of [CAPTIONS, { navigator_video_shows_pointer: true }]) {
    const { error } = await host.record([finish], { ...page, ...wish });
    expect(error).toMatchObject({ code: 'feature_unavailable', message: expect.stringMatching(/ffmpeg with libass/) as string });
  }
  const { error, video } = await host.record([finish], page);
  expect([error, video === undefined]).toEqual([undefined, false]);
});
