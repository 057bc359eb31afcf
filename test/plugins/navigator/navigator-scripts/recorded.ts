import type { DeviceProfile } from '@platen/kernel';
import { createRedaction } from '@platen/lib-redaction';
import { buildScript } from '../../../../plugins/navigator/navigator-scripts/src/build-script.js';
import { PLAYWRIGHT } from '../../../../plugins/navigator/navigator-scripts/src/playwright.js';
import { PUPPETEER } from '../../../../plugins/navigator/navigator-scripts/src/puppeteer.js';
import type { RecordedAction } from '../../../../plugins/navigator/navigator-scripts/src/record-actions.js';
import type { Locator, Target } from '../../../../plugins/navigator/navigator-scripts/src/script.js';
import { writeScript } from '../../../../plugins/navigator/navigator-scripts/src/write-script.js';
import { writeSteps } from '../../../../plugins/navigator/navigator-scripts/src/write-steps.js';

export type Action = RecordedAction['action'];

export const BUTTON: Locator = { by: 'role', role: 'button', name: 'Go' };
const FACTS = { isNativeSelect: false, isFileInput: false, isOpen: false };
const PROFILE: DeviceProfile = {
  ...{ width: 800, height: 600, deviceScaleFactor: 1, mobile: false, touchPoints: 0, userAgent: undefined, platform: undefined },
  ...{ hintsPlatform: undefined, hintsMobile: undefined, acceptLanguage: undefined, languageHeader: undefined },
};

export function target(place: Partial<Target> = {}): Target {
  return { locators: [BUTTON], shadow: 'none', frames: [], facts: FACTS, ...place };
}

export function record(action: Action, more: Partial<RecordedAction> = {}): RecordedAction {
  const state = { url: 'http://site/', documents: 0 };
  const targets = new Map([
    ['e1', target()],
    ['e2', target({ locators: [{ by: 'attribute', name: 'data-testid', value: 'drop' }] })],
  ]);
  return {
    action,
    tab: 't1',
    targets,
    written: undefined,
    point: undefined,
    before: state,
    after: state,
    opened: [],
    hasClosedTab: false,
    ...more,
  };
}

interface Options {
  readonly secrets?: readonly string[];
  readonly data?: Readonly<Record<string, string>>;
  readonly goal?: string;
  readonly status?: 'reached' | 'failed';
  readonly end?: { readonly tab: string; readonly url: string };
  readonly task?: string;
  readonly url?: string;
  readonly profile?: Partial<DeviceProfile>;
}

function build(actions: readonly RecordedAction[], options: Options) {
  const {
    secrets = [],
    data = {},
    goal,
    status = 'reached',
    end = { tab: 't1', url: 'http://site/end' },
    task = 'Go',
    url = 'http://site/',
  } = options;
  const redact = createRedaction(secrets)?.text ?? ((text: string) => text);
  const report = { status, answer: '', steps: 1, url: end.url, history: [] };
  const navigation = { data: new Map(Object.entries(data)), goal, redact, report };
  const profile = { ...PROFILE, ...options.profile };
  return { script: buildScript({ url, task, profile, recorder: { actions, opened: [], end }, navigation }), redact };
}

export function write(actions: readonly RecordedAction[], options: Options = {}) {
  const { script, redact } = build(actions, options);
  return { playwright: writeScript(script, PLAYWRIGHT, redact), puppeteer: writeScript(script, PUPPETEER, redact) };
}

/** The list for `steps`. */
export function writeList(actions: readonly RecordedAction[], options: Options = {}): unknown {
  const { script, redact } = build(actions, options);
  return JSON.parse(writeSteps(script, redact));
}

export const state = (url: string, documents = 0) => ({ url, documents });

export const CLICK: Action = { kind: 'click', ref: 'e1' };
