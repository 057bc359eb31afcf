import { buffer } from 'node:stream/consumers';
import { type CollectedAssets, isPlatenError, type Plugin, type PlatenError } from '@platen/kernel';
import ffmpeg from '@platen/plugin-ffmpeg';
import navigatorVideo from '@platen/plugin-navigator-video';
import { openModelServer } from '../../../helpers/model-server.js';
import { navigatorScript, type Turn } from '../../../helpers/navigator-script.js';
import { openNavigatorHost } from '../navigate/open-host.js';

export interface VideoHost extends AsyncDisposable {
  /** Renders with a navigator that takes these turns, and returns the video. */
  record(turns: readonly Turn[], params: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Recorded>;
  readonly logged: readonly string[];
}

export interface Recorded {
  /** Undefined: it is missing. */
  readonly video: Buffer | undefined;
  readonly incomplete: string | undefined;
  readonly missing: CollectedAssets['missing'];
  /** The render's output; empty if it has failed. */
  readonly body: Buffer;
  /** Of the render. */
  readonly error: PlatenError | undefined;
}

export function openVideoHost(flags: Readonly<Record<string, unknown>> = {}, more: readonly Plugin[] = []): VideoHost {
  const host = openNavigatorHost(flags, [ffmpeg, navigatorVideo, ...more]);
  return {
    logged: host.logged,
    async record(turns, params, signal) {
      await using server = await openModelServer('openai', navigatorScript(turns).script);
      const navigator_type = [server.connection({ key: 'sk-test-key', options: '' })];
      const raw = { navigate: 'Reach the goal.', navigator_type, with_navigator_video: true, ...params };
      try {
        const { assets, bytes } = await host.render(raw, signal === undefined ? {} : { signal });
        return { ...(await readVideo(assets)), body: await bytes(), error: undefined };
      } catch (error) {
        if (!isPlatenError(error)) throw error;
        return { ...(await readVideo(error.assets)), body: Buffer.of(), error };
      }
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

async function readVideo(assets: CollectedAssets = { kept: [], missing: [] }): Promise<Omit<Recorded, 'error' | 'body'>> {
  const asset = assets.kept.find(({ name }) => name === 'navigator-video');
  const video = asset === undefined ? undefined : await buffer(asset.open());
  return { video, incomplete: asset?.incomplete, missing: assets.missing };
}
