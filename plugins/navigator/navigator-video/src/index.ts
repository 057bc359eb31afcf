import {
  type AssetCollector,
  type BaseRenderContext,
  contextKey,
  definePlugin,
  findTool,
  PlatenError,
  type RenderContext,
  Stage,
  type ToolDeclaration,
} from '@platen/kernel';
import { openFormat } from '@platen/lib-ffmpeg';
import { navigationKey } from '@platen/plugin-navigate/keys';
import { readCaptionsArea } from './captions-area.js';
import { encodeSession, formatWith } from './encode-session.js';
import { checkPosition, sizeOf, VIDEO, VIDEO_PARAMS, type VideoParams } from './params.js';
import { MAX_MINUTES } from './record-screen.js';
import { SessionRecorder } from './record-session.js';

type Context = RenderContext<VideoParams>;

const recordingKey = contextKey<SessionRecorder>('navigator-video');
const SCOPE = { name: 'navigator-video', for: { asset: VIDEO } } as const;

/** Draws captions and pointer. */
const LIBASS: ToolDeclaration = {
  id: 'ffmpeg_libass',
  candidates: [{ name: 'ffmpeg with libass', command: ['ffmpeg', '-hide_banner', '-h', 'filter=ass'], prints: '^Filter ass' }],
  fix: 'apt-get install ffmpeg',
};

/** Encoding has these limits after a failed navigation, whose error the client is waiting for: together with them it ends in time. */
const AFTER_FAILURE = { maxFrames: 200, timeoutMs: 4_000 } as const;

/** The navigation as a video, beside the render. */
export default definePlugin({
  name: 'navigator-video',
  requires: ['navigate', 'ffmpeg'],
  assets: [{ key: VIDEO, name: 'navigator-video' }],
  params: VIDEO_PARAMS,
  tools: [LIBASS],
  planFor: { asset: VIDEO, param: 'navigator_video_captions_position' },
  plan({ params, refuse }) {
    if (params[VIDEO] === true && Reflect.get(params, 'navigate') === undefined) refuse(VIDEO, `"${VIDEO}" requires "navigate"`);
  },
  validatePlan: checkPosition,
  apply({ hooks }) {
    hooks.beforeOpen.tapPromise(SCOPE, requireTools);
    hooks.beforeNavigate.tapPromise(SCOPE, async (context) => {
      const navigation = context.get(navigationKey);
      // Further tabs of a walk are not led.
      if (navigation === undefined || context.tabIndex > 0) return;
      context.set(recordingKey, await SessionRecorder.start(context, navigation, sizeOf(context.params, context.plan.profile)));
    });
    hooks.beforeCapture.tap({ ...SCOPE, stage: Stage.first }, (context) => context.get(recordingKey)?.stop());
    hooks.additionalAssets.tapPromise({ ...SCOPE, stage: Stage.early }, addVideo);
  },
});

async function requireTools(context: BaseRenderContext<VideoParams>): Promise<void> {
  const { params, plan } = context;
  const { ffmpeg } = await openFormat(formatWith(sizeOf(params, plan.profile)), context);
  if (params.navigator_video_shows_captions !== true && params.navigator_video_shows_pointer !== true) return;
  if ((await findTool(LIBASS, import.meta.url, { ffmpeg: ffmpeg.path })) !== undefined) return;
  const detail = `captions and pointer need an ffmpeg with libass, which the installed one (${ffmpeg.version}) lacks`;
  throw new PlatenError('feature_unavailable', `${detail}: install another on the server ("${LIBASS.fix}")`);
}

async function addVideo(context: Context, assets: AssetCollector): Promise<void> {
  const recording = context.get(recordingKey);
  if (recording === undefined) return;
  recording.stop();
  await assets.add({
    ...{ name: 'navigator-video', contentType: 'video/webm', extension: 'webm' },
    ...(recording.isTruncated
      ? { incomplete: `the video ends before the navigation: at most ${String(MAX_MINUTES)} minutes and 512 MiB` }
      : {}),
    body() {
      const { params, plan } = context;
      const { maxFrames, timeoutMs } = assets.isAfterFailure() ? AFTER_FAILURE : { maxFrames: Infinity, timeoutMs: undefined };
      const options = {
        ...{ size: sizeOf(params, plan.profile), maxFrames, isTouch: plan.profile.touchPoints > 0 },
        area: readCaptionsArea(params.navigator_video_captions_position ?? 'bottom') ?? 'bottom',
        showsCaptions: params.navigator_video_shows_captions === true,
        showsPointer: params.navigator_video_shows_pointer === true,
      };
      // The render's own time may be up after a failure.
      const signal = timeoutMs === undefined ? context.signal : AbortSignal.timeout(timeoutMs);
      return encodeSession(recording, options, { get: (key) => context.get(key), log: context.log, signal });
    },
  });
}
