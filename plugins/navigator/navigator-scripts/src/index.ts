import { contextKey, definePlugin, type Fragments, type RenderContext, Stage } from '@platen/kernel';
import { navigationKey } from '@platen/plugin-navigate/keys';
import { buildScript } from './build-script.js';
import { ActionRecorder } from './record-actions.js';
import type { Script } from './script.js';
import type { Redact } from './url-pattern.js';
import { writePlaywright } from './write-playwright.js';
import { writePuppeteer } from './write-puppeteer.js';

const PLAYWRIGHT = 'with_navigator_playwright';
const PUPPETEER = 'with_navigator_puppeteer';

const SCRIPT_PARAMS = {
  [PLAYWRIGHT]: {
    type: 'boolean',
    description: "Return a Playwright test that replays the navigator's actions without a model as an additional asset. Requires navigate.",
    default: false,
  },
  [PUPPETEER]: {
    type: 'boolean',
    description:
      "Return a Puppeteer script that replays the navigator's actions without a model as an additional asset. Requires navigate.",
    default: false,
  },
} as const satisfies Fragments;

interface Form {
  readonly key: typeof PLAYWRIGHT | typeof PUPPETEER;
  readonly name: string;
  readonly contentType: string;
  readonly extension: string;
  readonly write: (script: Script, redact: Redact) => string;
}

const FORMS: readonly Form[] = [
  {
    key: PLAYWRIGHT,
    name: 'navigator-playwright',
    contentType: 'text/x-typescript; charset=utf-8',
    extension: 'spec.ts',
    write: writePlaywright,
  },
  { key: PUPPETEER, name: 'navigator-puppeteer', contentType: 'text/javascript; charset=utf-8', extension: 'mjs', write: writePuppeteer },
];

const recorderKey = contextKey<ActionRecorder>('navigator scripts');
const SCOPE = { name: 'navigator-scripts', for: { asset: [PLAYWRIGHT, PUPPETEER] } } as const;

/** Scripts that replay a navigation in a fresh browser. */
export default definePlugin({
  name: 'navigator-scripts',
  requires: ['navigate'],
  assets: FORMS.map(({ key, name }) => ({ key, name })),
  params: SCRIPT_PARAMS,
  planFor: { asset: [PLAYWRIGHT, PUPPETEER] },
  plan({ params, refuse }) {
    if (Reflect.get(params, 'navigate') !== undefined) return;
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
    // After a failed navigation, too: what was done until then. It asks nothing of the page.
    hooks.additionalAssets.tapPromise({ ...SCOPE, stage: Stage.early }, async (context, assets) => {
      const [navigation, recorder] = [context.get(navigationKey), context.get(recorderKey)];
      if (navigation === undefined || recorder === undefined) return;
      const script = buildScript({
        url: context.plan.url,
        task: taskOf(context),
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

/** The parameter of the required plugin. */
function taskOf({ params }: Pick<RenderContext<object>, 'params'>): string {
  const task: unknown = Reflect.get(params, 'navigate');
  return typeof task === 'string' ? task : '';
}
