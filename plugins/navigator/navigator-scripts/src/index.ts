import { contextKey, definePlugin, type Fragments, readParam, Stage } from '@platen/kernel';
import { navigateParam, navigationKey } from '@platen/plugin-navigate/keys';
import { buildScript } from './build-script.js';
import type { Dialect } from './dialect.js';
import { PLAYWRIGHT } from './playwright.js';
import { PUPPETEER } from './puppeteer.js';
import { ActionRecorder } from './record-actions.js';
import type { Redact, Script } from './script.js';
import { writeScript } from './write-script.js';
import { writeSteps } from './write-steps.js';

const KEYS = ['with_navigator_playwright', 'with_navigator_puppeteer', 'with_navigator_steps'] as const;

const SCRIPT_PARAMS = {
  with_navigator_playwright: {
    type: 'boolean',
    description: "Return a Playwright test that replays the navigator's actions without a model as an additional asset. Requires navigate.",
    default: false,
  },
  with_navigator_puppeteer: {
    type: 'boolean',
    description:
      "Return a Puppeteer script that replays the navigator's actions without a model as an additional asset. Requires navigate.",
    default: false,
  },
  with_navigator_steps: {
    type: 'boolean',
    'x-extension': true,
    description:
      "Return the navigator's actions as a list for the parameter steps, which repeats them without a model, as an additional asset. Requires navigate.",
    default: false,
  },
} as const satisfies Fragments;

interface Form {
  readonly key: (typeof KEYS)[number];
  readonly name: string;
  readonly contentType: string;
  readonly extension: string;
  readonly write: (script: Script, redact: Redact) => string;
}

const FORMS: readonly Form[] = [
  {
    key: 'with_navigator_playwright',
    name: 'navigator-playwright',
    contentType: 'text/x-typescript; charset=utf-8',
    extension: 'spec.ts',
    write: inDialect(PLAYWRIGHT),
  },
  {
    key: 'with_navigator_puppeteer',
    name: 'navigator-puppeteer',
    contentType: 'text/javascript; charset=utf-8',
    extension: 'mjs',
    write: inDialect(PUPPETEER),
  },
  {
    key: 'with_navigator_steps',
    name: 'navigator-steps',
    contentType: 'application/json',
    extension: 'steps.json',
    write: writeSteps,
  },
];

function inDialect(dialect: Dialect): Form['write'] {
  return (script, redact) => writeScript(script, dialect, redact);
}

const recorderKey = contextKey<ActionRecorder>('navigator scripts');
const SCOPE = { name: 'navigator-scripts', for: { asset: KEYS } } as const;

/** Scripts and steps that repeat a navigation without a model. */
export default definePlugin({
  name: 'navigator-scripts',
  requires: ['navigate'],
  assets: FORMS.map(({ key, name }) => ({ key, name })),
  params: SCRIPT_PARAMS,
  planFor: { asset: KEYS },
  plan({ params, refuse }) {
    if (readParam(params, navigateParam) !== undefined) return;
    for (const { key } of FORMS) if (params[key] === true) refuse(key, `"${key}" requires "navigate"`);
  },
  apply({ hooks }) {
    hooks.beforeNavigate.tap(SCOPE, (context) => {
      const navigation = context.get(navigationKey);
      if (navigation === undefined) return;
      const recorder = new ActionRecorder(context.signal);
      context.set(recorderKey, recorder);
      navigation.observers.push(recorder);
    });
    // After a failed navigation too: the actions until then. It sends nothing to the page.
    hooks.additionalAssets.tapPromise({ ...SCOPE, stage: Stage.early }, async (context, assets) => {
      const [navigation, recorder] = [context.get(navigationKey), context.get(recorderKey)];
      if (navigation === undefined || recorder === undefined) return;
      const script = buildScript({
        url: context.plan.url,
        task: readParam(context.params, navigateParam) ?? '',
        profile: context.page.profile,
        recorder,
        navigation,
      });
      for (const { key, name, contentType, extension, write } of FORMS) {
        if (context.params[key] !== true) continue;
        await assets.add({ name, contentType, extension, body: Buffer.from(write(script, navigation.redact)) });
      }
    });
  },
});
