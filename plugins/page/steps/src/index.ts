import { contextKey, definePlugin, invalidParameter, paramKey, readParam, type RenderContext, Stage, untilAborted } from '@platen/kernel';
import { checkFiles, createCredentials, readFiles } from '@platen/lib-actions';
import { createActor } from '@platen/lib-actor';
import { findInvalidSelector } from '@platen/lib-page-functions';
import { createRedaction, redactionKey } from '@platen/lib-redaction';
import { createRefTable } from '@platen/lib-view';
import { credentialOriginParam, credentialParam, fileParam, firstActionsKey, navigateParam } from '@platen/plugin-navigate/keys';
import { listCss, parseSteps, type Step } from './parse-steps.js';
import { STEPS_PARAMS, type StepsParams } from './params.js';
import { runSteps } from './run-steps.js';

type Context = RenderContext<StepsParams>;

/** Of the plugin `sitemap`, where that is enabled. */
const sitemapParam = paramKey<{ readonly crawl_url_is_sitemap?: string }, 'crawl_url_is_sitemap'>('crawl_url_is_sitemap');
const takenKey = contextKey<true>('steps: taken');
/** Milliseconds of one step; less where less is left of the timeout. */
const STEP_MS = 30_000;
const SCOPE = { name: 'steps', for: { param: ['steps', 'click_selector'] } } as const;

/** Acts in the page before it is captured, by steps of the request. */
export default definePlugin({
  name: 'steps',
  params: STEPS_PARAMS,
  planFor: SCOPE.for,
  plan({ params, captureKind, refuse, disableRetry }) {
    if (captureKind === 'walk' && readParam(params, sitemapParam) !== undefined)
      refuse(
        params.steps === undefined ? 'click_selector' : 'steps',
        'steps and clicks need a page as the target: they cannot be combined with "crawl_url_is_sitemap"',
      );
    disableRetry('script');
    checkNames(params, parseSteps(params, refuse), refuse);
  },
  apply({ hooks }) {
    hooks.beforeOpen.tap(SCOPE, (context) => {
      // A navigator has set that of its own credentials.
      if (context.get(redactionKey) !== undefined) return;
      const redaction = createRedaction(Object.values(readParam(context.params, credentialParam) ?? {}));
      if (redaction !== undefined) context.set(redactionKey, redaction);
    });
    hooks.beforeNavigate.tapPromise(SCOPE, async (context) => {
      // No steps are taken in the further tabs of a walk.
      if (context.tabIndex > 0) return;
      const steps = readSteps(context.params);
      await checkSelectors(context, steps);
      if (readParam(context.params, navigateParam) !== undefined) context.set(firstActionsKey, (parts) => runSteps(steps, parts));
    });
    hooks.interact.tapPromise(SCOPE, async (context) => {
      if (context.visit === undefined && readParam(context.params, navigateParam) === undefined) await takeSteps(context);
    });
    // The condition of the request was that of the page before.
    hooks.waitFor.tapPromise({ ...SCOPE, stage: Stage.early }, async (context) => {
      if (context.get(takenKey) !== true) return undefined;
      await waitForLoad(context);
      return { condition: 'the steps' };
    });
  },
});

function readSteps(params: StepsParams): readonly Step[] {
  return parseSteps(params, (parameter, detail) => {
    throw invalidParameter(parameter, detail);
  });
}

/** Of credentials and files. An operator may have credentials for a navigator. */
function checkNames(params: StepsParams, steps: readonly Step[], refuse: (parameter: string, detail: string) => never): void {
  const credentials = Object.keys(readParam(params, credentialParam) ?? {});
  const files = readGivenFiles(params);
  const hasNavigator = readParam(params, navigateParam) !== undefined;
  for (const { place, options } of steps) {
    const { value, file = [] } = options;
    const credential = typeof value === 'object' && 'credential' in value ? value.credential : undefined;
    if (credential !== undefined && !hasNavigator && !credentials.includes(credential))
      refuse('steps', `"${place}" needs the credential "${credential}" in "navigator_credential"; there are: ${listOf(credentials)}`);
    const missing = [file].flat().find((name) => !Object.hasOwn(files.navigator_file, name));
    if (missing !== undefined)
      refuse(
        'steps',
        `"${place}" needs the file "${missing}" in "navigator_file"; there are: ${listOf(Object.keys(files.navigator_file))}`,
      );
  }
  try {
    checkFiles(files);
  } catch (error) {
    refuse('navigator_file', error instanceof Error ? error.message : String(error));
  }
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

function readGivenFiles(params: StepsParams) {
  return { navigator_file: readParam(params, fileParam) ?? {} };
}

/** By the browser, before the page is loaded. */
async function checkSelectors({ page }: Context, steps: readonly Step[]): Promise<void> {
  const all = listCss(steps);
  if (all.length === 0) return;
  const wrong =
    all[
      await page.evaluate(
        findInvalidSelector,
        all.map(({ css }) => css),
      )
    ];
  if (wrong !== undefined)
    throw invalidParameter(wrong.place.replace(/\[.*/, ''), `"${wrong.place}" does not have a valid CSS selector: ${wrong.css}`);
}

async function takeSteps(context: Context): Promise<void> {
  const { params, plan } = context;
  const steps = readSteps(params);
  if (steps.length === 0) return;
  const given = {
    navigator_credential: readParam(params, credentialParam) ?? {},
    navigator_credential_origin: readParam(params, credentialOriginParam) ?? {},
  };
  const redact = context.get(redactionKey)?.text ?? ((text: string) => text);
  const refs = createRefTable();
  const actor = createActor(context.page, { refs });
  try {
    context.set(takenKey, true);
    context.navigated();
    await actor.settle(context.signal);
    await runSteps(steps, {
      ...{ context, actor, refs, limits: { stepMs: STEP_MS } },
      navigation: { observers: [], data: new Map(), redact },
      // The request itself names where to go.
      scope: { allows: () => true },
      guard: { takeRefused: () => [] },
      credentials: createCredentials(plan.url, given, []),
      files: readFiles(readGivenFiles(params)),
    });
    if (actor.page !== context.page) context.show(actor.page);
  } finally {
    actor.close();
  }
  await waitForLoad(context);
}

async function waitForLoad({ page, signal, setWaitReason }: Context): Promise<void> {
  setWaitReason('load');
  await untilAborted(page.lifecycle.reached('load'), AbortSignal.any([signal, page.lifecycle.failed]));
}
