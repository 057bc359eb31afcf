import {
  addSourceUrl,
  contextKey,
  definePlugin,
  enableNetwork,
  InterceptStage,
  offlineOutbound,
  replayedArchive,
  type RenderContext,
  Stage,
  withoutUserinfo,
} from '@platen/kernel';
import { exemptFromRobots } from '@platen/plugin-robots/keys';
import { answerRequest, openArchived } from './answer.js';
import { readMoment } from './moment.js';
import { openReplay } from './open-replay.js';
import { REPLAY_PARAMS } from './params.js';
import type { Replay } from './replay.js';
import { shiftClock } from './shift-clock.js';

const replayKey = contextKey<Replay>('replay');
const SCOPE = { param: 'replay' } as const;

const FLAGS = {
  'replay-max-bytes': {
    type: 'integer',
    minimum: 1,
    default: 1024 ** 3,
    description: 'Largest archive of `replay`, in bytes.',
    examples: [1024 ** 3],
  },
} as const;

/** Renders out of an archive: every request is answered by it, and nothing is connected to. */
export default definePlugin({
  name: 'replay',
  // A crawl requests its pages while the output is read.
  assets: [{ key: 'with_replay_report', name: 'replay_report', ofOutput: true }],
  params: REPLAY_PARAMS,
  flags: FLAGS,
  planFor: { param: Object.keys(REPLAY_PARAMS) },
  plan({ params, browser, refuse }) {
    for (const key of ['replay_at', 'replay_clock', 'replay_match', 'with_replay_report'] as const)
      if (params.replay === undefined && params[key] !== undefined && params[key] !== false) refuse(key, `"${key}" needs "replay"`);
    if (params.replay_at !== undefined && readMoment(params.replay_at) === undefined)
      refuse('replay_at', '"replay_at" must be an existing moment, as 14 digits in UTC or as in RFC 3339: 2024-05-01T12:00:00+02:00');
    if (params.replay !== undefined) browser.offline = true;
  },
  apply({ hooks, outbound, options }) {
    // After those that supply a document: it need not be in the archive.
    hooks.beforeOpen.tapPromise({ name: 'replay', stage: Stage.early, for: SCOPE }, async (context) => {
      const { replay: source } = context.params;
      if (source === undefined) return;
      // The visits of a walk share the archive of their render.
      let replay = context.get(replayKey);
      if (replay === undefined) {
        const maxBytes = options['replay-max-bytes'] ?? FLAGS['replay-max-bytes'].default;
        const opened = (replay = await openReplay({ ...context, params: { ...context.params, replay: source } }, { outbound, maxBytes }));
        context.set(replayKey, opened);
        context.set(replayedArchive, { sha256: opened.archive.sha256 });
        context.set(offlineOutbound, (url) => openArchived(url, opened));
      }
      const { url } = context.plan;
      if (context.get(exemptFromRobots)?.(new URL(url)) === true) return;
      await replay.assertHas(url).catch((error: unknown) => {
        // A page of a crawl, whose browser does not request it.
        replay.noteMissing({ method: 'GET', url: withoutUserinfo(url) });
        throw error;
      });
    });
    hooks.beforeNavigate.tap({ name: 'replay', stage: Stage.first, for: SCOPE }, (context) => {
      const replay = context.get(replayKey);
      if (replay === undefined) return;
      context.intercept.use({ name: 'replay', stage: InterceptStage.archive, request: (request) => answerRequest(request, replay) });
      noteSockets(context, replay);
      const moment = context.params.replay_clock === 'capture' ? readMoment(replay.at ?? '') : undefined;
      if (moment === undefined) return;
      const source = addSourceUrl(`(${shiftClock.toString()})(${String(moment - Date.now())});`);
      context.page.targets.configure((target) => (target.kind === 'worklet' ? [] : target.inject(source)));
    });
    hooks.additionalAssets.tapPromise({ name: 'replay', for: SCOPE }, async (context, assets) => {
      const replay = context.get(replayKey);
      if (replay === undefined) return;
      context.setResponseHeader('X-Replay', replay.summary);
      if (context.params.with_replay_report !== true) return;
      const body = () => {
        context.setResponseHeader('X-Replay', replay.summary);
        return Buffer.from(`${JSON.stringify(replay.report, undefined, 2)}\n`);
      };
      await assets.add({ name: 'replay_report', contentType: 'application/json', extension: 'replay.json', body });
    });
  },
});

/** Interception does not see them. The egress refuses their connections. */
function noteSockets({ page }: RenderContext, replay: Replay): void {
  page.targets.configure((target) => {
    if (target.kind === 'worklet') return [];
    const note = ({ url }: { readonly url: string }) => {
      replay.noteMissing({ method: 'GET', url });
    };
    target.on('Network.webSocketCreated', note);
    target.on('Network.webTransportCreated', note);
    return [enableNetwork(target)];
  });
}
