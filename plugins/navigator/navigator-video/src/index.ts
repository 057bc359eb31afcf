import {
  type AssetCollector,
  type BaseRenderContext,
  contextKey,
  definePlugin,
  findTool,
  PlatenError,
  readParam,
  type RenderContext,
  Stage,
  type ToolDeclaration,
} from '@platen/kernel';
import { openFormat } from '@platen/lib-ffmpeg';
import { navigateParam, navigationKey } from '@platen/plugin-navigate/keys';
import { encodeSession, formatWith } from './encode-session.js';
import { checkPosition, sizeOf, VIDEO, VIDEO_PARAMS, type VideoParams } from './params.js';
import { SessionRecorder } from './record-session.js';
import { readCaptionsArea } from './captions-area.js';
import { type ComposedVideo, composeVideo } from './compose-video.js';
import { MAX_MINUTES } from './record-screen.js';

const recorderKey = contextKey<SessionRecorder>('navigator-video');
const SCOPE = { name: 'navigator-video', for: { asset: VIDEO } } as const;

/** Draws captions and pointer. */
const LIBASS: ToolDeclaration = {
  id: 'ffmpeg_libass',
  candidates: [{ name: 'ffmpeg with libass', command: ['ffmpeg', '-hide_banner', '-h', 'filter=ass'], prints: '^Filter ass' }],
  fix: 'apt-get install ffmpeg',
};

/** The navigation as a video, beside the render. */
export default definePlugin({
  name: 'navigator-video',
  requires: ['navigate', 'ffmpeg'],
  assets: [{ key: VIDEO, name: 'navigator-video' }],
  params: VIDEO_PARAMS,
  tools: [LIBASS],
  planFor: { asset: VIDEO, param: 'navigator_video_captions_position' },
  plan({ params, refuse }) {
    if (params[VIDEO] === true && readParam(params, navigateParam) === undefined) refuse(VIDEO, `"${VIDEO}" requires "navigate"`);
  },
  validatePlan: checkPosition,
  apply({ hooks }) {
    hooks.beforeOpen.tapPromise(SCOPE, requireTools);
    hooks.beforeNavigate.tapPromise(SCOPE, async (context) => {
      const navigation = context.get(navigationKey);
      // No navigator operates the further tabs of a walk.
      if (navigation === undefined || context.tabIndex > 0) return;
      context.set(recorderKey, await SessionRecorder.start(context, navigation, sizeOf(context.params, context.plan.profile)));
    });
    hooks.beforeCapture.tap({ ...SCOPE, stage: Stage.first }, (context) => context.get(recorderKey)?.stop());
    hooks.additionalAssets.tapPromise({ ...SCOPE, stage: Stage.early }, async (context, assets) => {
      const recorder = context.get(recorderKey);
      if (recorder !== undefined) await addVideo(context, recorder, assets);
    });
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

/** Encoding has these limits after a failed navigation, whose error the client is waiting for: together with them it ends in time. */
const AFTER_FAILURE = { maxFrames: 200, timeoutMs: 4_000 } as const;

/** Ends the recording. The video is encoded when the page is closed. */
async function addVideo(context: RenderContext<VideoParams>, recorder: SessionRecorder, assets: AssetCollector): Promise<void> {
  recorder.stop();
  const { params, plan, log } = context;
  const { maxFrames, timeoutMs } = assets.isAfterFailure() ? AFTER_FAILURE : { maxFrames: Infinity, timeoutMs: undefined };
  const size = sizeOf(params, plan.profile);
  const showsCaptions = params.navigator_video_shows_captions === true;
  const showsPointer = params.navigator_video_shows_pointer === true;
  const video = composeVideo(recorder, { size, showsCaptions, showsPointer, maxFrames });
  if (video === undefined) throw new PlatenError('encode_failed', 'no frame of the navigation was recorded');
  const incomplete = describeIncomplete(recorder, video);
  await assets.add({
    name: 'navigator-video',
    contentType: 'video/webm',
    extension: 'webm',
    ...(incomplete === '' ? {} : { incomplete }),
    body() {
      const area = readCaptionsArea(params.navigator_video_captions_position ?? 'bottom') ?? 'bottom';
      // The render's own time may be up after a failure.
      const signal = timeoutMs === undefined ? context.signal : AbortSignal.timeout(timeoutMs);
      const isTouch = plan.profile.touchPoints > 0;
      return encodeSession(video, { size, area, isTouch }, { get: (key) => context.get(key), log, signal });
    },
  });
}

function describeIncomplete({ isTruncated }: SessionRecorder, { isCut }: ComposedVideo): string {
  const end = isTruncated ? [`its end: a recording has at most ${String(MAX_MINUTES)} minutes and 512 MiB`] : [];
  const beginning = isCut ? ['its beginning: the navigation has failed, and the client waits for the error'] : [];
  return [...beginning, ...end].map((part) => `the video lacks ${part}`).join('; ');
}
