import {
  type BaseRenderContext,
  contextKey,
  definePlugin,
  findTool,
  PlatenError,
  readParam,
  Stage,
  type ToolDeclaration,
} from '@platen/kernel';
import { openFormat } from '@platen/lib-ffmpeg';
import { navigateParam, navigationKey } from '@platen/plugin-navigate/keys';
import { addVideo } from './add-video.js';
import { formatWith } from './encode-session.js';
import { checkPosition, sizeOf, VIDEO, VIDEO_PARAMS, type VideoParams } from './params.js';
import { SessionRecorder } from './record-session.js';

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
