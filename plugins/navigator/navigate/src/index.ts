import {
  type BaseRenderContext,
  contextKey,
  definePlugin,
  outboundThrough,
  PlatenError,
  type PluginApi,
  readParam,
  type RenderContext,
  Stage,
  withTimeout,
} from '@platen/kernel';
import {
  checkFiles,
  createCredentials,
  createUrlScope,
  type Credentials,
  readFiles,
  type StartupCredential,
  type UrlScope,
} from '@platen/lib-actions';
import { createActor } from '@platen/lib-actor';
import type { Model } from '@platen/lib-models';
import { createRedaction, redactionKey } from '@platen/lib-redaction';
import { createRefTable } from '@platen/lib-view';
import { noScreenshotLabelsParam } from '@platen/plugin-llm/keys';
import { waitForParam } from '@platen/plugin-wait/keys';
import { enforceScope, type ScopeGuard } from './enforce-scope.js';
import { readGoal } from './goal.js';
import { firstActionsKey, type Navigation, navigationKey, type NavigationReport } from './keys.js';
import { chooseNavigators, type Navigators, openStartupNavigators } from './navigators.js';
import { NAVIGATE_FLAGS, NAVIGATE_PARAMS, NAVIGATION_ONLY, type NavigateFlags, type NavigateParams } from './params.js';
import { readData } from './read-inputs.js';
import { runNavigation } from './run-navigation.js';
import { readStartupCredentials } from './startup-credentials.js';

type Api = Pick<PluginApi<NavigateParams, readonly [], NavigateFlags>, 'outbound' | 'log' | 'options'>;
type Context = RenderContext<NavigateParams>;

/** The parts of a navigation that exist before its page. */
interface Setup {
  readonly navigators: Navigators;
  readonly scope: UrlScope;
  readonly credentials: Credentials;
  readonly navigation: Navigation;
}

const setupKey = contextKey<Setup>('navigate: setup');
const guardKey = contextKey<ScopeGuard>('navigate: scope');
const SCOPE = { name: 'navigate', for: { param: 'navigate' } } as const;

export default definePlugin({
  name: 'navigate',
  requires: ['models'],
  captures: [{ kind: 'goal', spansDocuments: true }],
  outputs: [
    {
      type: 'goal',
      from: 'goal',
      contentType: 'text/plain; charset=utf-8',
      extension: 'txt',
      endings: ['goal.txt'],
      defaultFor: 'navigate',
    },
  ],
  params: NAVIGATE_PARAMS,
  flags: NAVIGATE_FLAGS,
  planFor: { output: 'goal', param: ['navigate', ...NAVIGATION_ONLY] },
  plan({ params, output, refuse, untimed, disableRetry, browser }) {
    if (params.navigate === undefined) {
      if (output.type === 'goal') refuse('output_type', 'the output type "goal" requires "navigate"');
      for (const key of NAVIGATION_ONLY) if (params[key] !== undefined) refuse(key, `"${key}" requires "navigate"`);
    }
    untimed();
    // A form may have been sent.
    disableRetry();
    // Screenshots for the model.
    browser.scaled = true;
    refusing('navigator_goal', refuse, () => readGoal(params.navigator_goal));
    refusing('navigator_file', refuse, () => {
      checkFiles(params);
    });
    if (params.navigator_type?.some((connection) => /^\s*stdio:/i.test(connection)) === true) {
      refuse('navigator_type', '"navigator_type" may not use the protocol "stdio": only the operator names programs, at startup');
    }
  },
  apply(api) {
    const { hooks } = api;
    const startup: Startup = { navigators: [], credentials: [] };
    hooks.beforeOpen.tapPromise(SCOPE, (context) => prepareNavigation(api, startup, context));
    hooks.beforeNavigate.tap({ ...SCOPE, stage: Stage.early }, (context) => {
      const setup = context.get(setupKey);
      // No navigator operates the further tabs of a walk.
      if (setup === undefined || context.tabIndex > 0) return;
      context.set(navigationKey, setup.navigation);
      context.set(guardKey, enforceScope(context, setup.scope));
    });
    hooks.navigate.tapPromise(SCOPE, async (context) => {
      if (context.visit !== undefined) return undefined;
      await navigate(context, api);
      return { by: 'navigate' };
    });
    // The page has settled: only an explicit condition is waited for.
    hooks.waitFor.tap({ ...SCOPE, stage: Stage.last }, ({ params, visit }) =>
      visit === undefined && readParam(params, waitForParam) === undefined ? { condition: 'the navigator' } : undefined,
    );
    hooks.capture.for('goal').tap('navigate', (context) => context.get(navigationKey)?.report);
    hooks.encode.for('goal').tap('navigate', ({ answer }) => ({
      body: Buffer.from(answer),
    }));
    return startup;
  },
  async prepare(api, startup) {
    startup.navigators = openStartupNavigators(api);
    startup.credentials = await readStartupCredentials(api);
  },
});

/** An error of the reader is a 400. */
function refusing(parameter: string, refuse: (parameter: string, detail: string) => never, read: () => unknown): void {
  try {
    read();
  } catch (error) {
    refuse(parameter, error instanceof Error ? error.message : String(error));
  }
}

/** The values of the operator's flags; read by `prepare`. */
interface Startup {
  navigators: readonly Model[];
  credentials: readonly StartupCredential[];
}

async function prepareNavigation(api: Api, startup: Startup, context: BaseRenderContext<NavigateParams>): Promise<void> {
  // A walk asks for each of its pages.
  if (context.get(setupKey) !== undefined) return;
  const { params, plan, signal } = context;
  const navigators = chooseNavigators(api, params, startup.navigators);
  // Code of the request could read the values that are filled in.
  const operators = plan.bringsCode ? [] : startup.credentials;
  const credentials = createCredentials(plan.url, params, operators);
  const data = await readData(params, { outbound: outboundThrough(plan.browser.proxy, api.outbound), signal });
  const scope = createUrlScope(plan.url, params.navigator_initial_scope ?? 'origin', params.navigator_allow_url ?? []);
  const goal = params.navigator_goal;
  const redaction = createRedaction(credentials.values);
  const redact = redaction?.text ?? ((text: string) => text);
  const navigation = { observers: [], redact, data, goal, report: undefined };
  // For the recorders of all tabs.
  if (redaction !== undefined) context.set(redactionKey, redaction);
  context.set(setupKey, { navigators, scope, credentials, navigation });
}

async function navigate(context: Context, { options }: Pick<Api, 'options'>): Promise<void> {
  const [setup, guard] = [context.get(setupKey), context.get(guardKey)];
  if (setup === undefined || guard === undefined) throw new PlatenError('internal', 'the navigation was not prepared');
  const { navigation } = setup;
  const refs = createRefTable();
  const actor = createActor(context.page, { refs });
  try {
    await openStart(context, guard);
    await actor.settle(context.signal);
    const parts = { ...setup, context, actor, refs, guard, ...readRun(context.params, options) };
    await context.get(firstActionsKey)?.(parts);
    const report = await runNavigation(parts);
    navigation.report = report;
    context.setResponseHeader('X-Navigator-Steps', String(report.steps));
    if (actor.page !== context.page) context.show(actor.page);
    if (report.status !== 'reached') throw notReached(report);
  } finally {
    actor.close();
  }
}

/** The request's settings. */
function readRun(params: NavigateParams, { 'navigator-escalation-max': escalationMax = 1 }: Api['options']) {
  const { navigate: task = '' } = params;
  return {
    task,
    goal: readGoal(params.navigator_goal),
    files: readFiles(params),
    hasLabels: readParam(params, noScreenshotLabelsParam) !== true,
    limits: {
      maxSteps: params.navigator_max_steps ?? 10,
      stall: params.navigator_stall_escalation ?? 10,
      stepMs: stepMs(params),
      escalationMax: params.navigator_escalation_max ?? escalationMax,
    },
  };
}

/** Loads the target, within the time of a step. A redirect out of the scope is refused. A dialog may stop the page before it is parsed. */
async function openStart(context: Context, guard: ScopeGuard): Promise<void> {
  const limitMs = stepMs(context.params);
  const { page } = context;
  let stop = (): void => undefined;
  const asked = new Promise<true>((resolve) => {
    stop = page.onDialog(() => {
      resolve(true);
    });
  });
  try {
    const opened = context.open().then(() => true as const);
    if ((await withTimeout(Promise.race([opened, asked]), limitMs)) === undefined) throw tooSlow(limitMs);
    await withTimeout(Promise.race([page.lifecycle.reached('DOMContentLoaded'), asked]), limitMs);
  } catch (error) {
    const [url] = guard.takeRefused();
    if (url === undefined) throw error;
    const detail = `the target redirects to ${url}, which is outside of the navigator's scope; "navigator_allow_url" extends it`;
    throw new PlatenError('target_blocked', detail, { cause: error, target: { url } });
  } finally {
    stop();
  }
}

function tooSlow(limitMs: number): PlatenError {
  const detail = `the target did not respond within ${String(limitMs / 1000)} s (navigator_step_timeout)`;
  return new PlatenError('render_timeout', detail, { phase: 'navigate', unmet: 'the target to respond' });
}

function stepMs({ navigator_step_timeout: seconds = 30 }: NavigateParams): number {
  return seconds * 1000;
}

function notReached(report: NavigationReport): PlatenError {
  const { status, answer, steps } = report;
  const why = status === 'failed' ? `the navigator gave up: ${answer}` : answer;
  return new PlatenError('goal_not_reached', `the goal was not reached after ${String(steps)} ${steps === 1 ? 'step' : 'steps'}: ${why}`, {
    report: { ...report },
  });
}
