import { type DeviceProfile, withoutUserinfo } from '@platen/kernel';
import type { ModelAction, Navigation } from '@platen/plugin-navigate/keys';
import type { ActionRecorder, RecordedAction } from './record-actions.js';
import type { Locator, Place, Redact, Script, ScriptStep, Target } from './script.js';

export interface ScriptSource {
  /** The target. */
  readonly url: string;
  readonly task: string;
  readonly profile: DeviceProfile;
  readonly recorder: Readonly<Pick<ActionRecorder, 'end'>> & {
    readonly actions: readonly RecordedAction[];
    readonly opened: readonly string[];
  };
  readonly navigation: Pick<Navigation, 'data' | 'goal' | 'redact' | 'report'>;
}

/** The recorded navigation as steps: the answers of dialogs belong to the action that opened them. */
export function buildScript({ url, task, profile, recorder, navigation }: ScriptSource): Script {
  const { actions, opened, end } = recorder;
  const state = { url: '', documents: 0 };
  const load = { action: { kind: 'goto', url } as const, tab: 't1', targets: new Map(), written: undefined, point: undefined };
  const first = { ...load, before: state, after: state, opened: [...opened], hasClosedTab: false };
  const groups: [RecordedAction, ...RecordedAction[]][] = [[first]];
  for (const one of actions) {
    if (one.action.kind === 'dialog') groups.at(-1)?.push(one);
    // The step after it names its tab.
    else if (one.action.kind !== 'tab' || one.action.close === true) groups.push([one]);
  }
  let front = 't1';
  const steps = groups.map((group) => {
    const step = toStep(group, front, navigation.redact);
    front = step.opens ?? step.tab;
    return step;
  });
  const values = steps.flatMap(({ action }) => ('value' in action ? [action.value] : action.kind === 'select' ? action.values : []));
  const named = (prefix: string) => values.flatMap((value) => (value.startsWith(prefix) ? [value.slice(prefix.length).trim()] : []));
  const data = new Map([...navigation.data].filter(([name]) => named('data:').includes(name)));
  return { task, profile, steps, data, credentials: [...new Set(named('credential:'))], assertion: toAssertion(navigation, end) };
}

/** An action with the answers of its dialogs. */
function toStep(group: readonly [RecordedAction, ...RecordedAction[]], front: string, redact: Redact): ScriptStep {
  const [first] = group;
  const last = group.at(-1) ?? first;
  const tab = first.action.kind === 'tab' ? first.action.tab : first.tab;
  const stays = last.tab === tab && !['goto', 'back', 'tab'].includes(first.action.kind);
  return {
    tab,
    isSwitch: first.action.kind !== 'tab' && tab !== front,
    action: withAbsoluteUrl(first),
    targets: new Map([...first.targets].map(([ref, target]) => [ref, withoutSecrets(target, redact)])),
    written: first.written,
    point: first.point,
    answers: group.flatMap(({ action }) => (action.kind === 'dialog' ? [{ accept: action.accept, ...textOf(action) }] : [])),
    opens: group.flatMap(({ opened }) => opened)[0],
    closes: stays && last.hasClosedTab,
    arrival: stays ? toArrival(first, last, redact) : undefined,
  };
}

function textOf({ text }: Extract<ModelAction, { readonly kind: 'dialog' }>): { readonly text?: string } {
  return text === undefined ? {} : { text };
}

function withAbsoluteUrl({ action, before }: RecordedAction): ModelAction {
  if (action.kind !== 'goto') return action;
  const base = URL.canParse(before.url) ? before.url : undefined;
  return { ...action, url: withoutUserinfo(URL.canParse(action.url, base) ? new URL(action.url, base).href : action.url) };
}

/** Omits locators with a part of a credential; the last one is a path without texts. */
function withoutSecrets(target: Target, redact: Redact): Target {
  const isClean = (locator: Locator) => {
    const texts = Object.values<string | readonly string[]>(locator).flat();
    return texts.every((text) => redact(text) === text);
  };
  const clean = <P extends Place>(place: P): P => ({
    ...place,
    locators: place.locators.filter((one, index) => index === place.locators.length - 1 || isClean(one)),
  });
  return { ...clean(target), frames: target.frames.map(clean) };
}

function toArrival({ before }: RecordedAction, { after }: RecordedAction, redact: Redact): ScriptStep['arrival'] {
  const pattern = urlPattern(after.url, redact);
  // `/products/1` after `/products/2`.
  const isSame = after.url === before.url || after.url === '' || new RegExp(pattern).test(redact(before.url));
  if (!isSame) return { pattern };
  return after.documents === before.documents ? undefined : 'document';
}

function toAssertion({ goal = '', redact, report }: ScriptSource['navigation'], { tab, url }: ActionRecorder['end']): Script['assertion'] {
  if (report?.status !== 'reached') return undefined;
  const [, kind, rest = ''] = /^(url|css):(.*)$/s.exec(goal.trim()) ?? [];
  if (kind === 'url') return { tab, pattern: globPattern(redact(rest.trim())) };
  return kind === 'css' ? { tab, selector: rest.trim() } : { tab, pattern: urlPattern(url === '' ? report.url : url, redact) };
}

/** Delimiters of paths, queries and fragments. */
const DELIMITER = /([/?#&=])/;
const ANY = '[^/?#&]*';
const MASK = '***';

/**
 * Source of a regular expression for a URL. Each part that looks like an id, or has a part of a credential, stands for any text: the next
 * run gets other ones.
 */
export function urlPattern(url: string, redact: Redact): string {
  const shown = redact(url);
  const [, origin = '', rest = shown] = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)([/?#].*)?$/is.exec(shown) ?? [];
  const parts = rest.split(DELIMITER).map((part) => (part.includes(MASK) || isId(part) ? ANY : escapeRegExp(part)));
  return `^${escapeRegExp(origin)}${parts.join('')}$`;
}

/** Source of a regular expression for a goal's pattern: `*` stands for any characters, and a path may be on any host. */
export function globPattern(glob: string): string {
  return `^${glob.startsWith('/') ? '[a-z]+:\\/\\/[^/]+' : ''}${glob.split(/\*+/).map(escapeRegExp).join('.*')}$`;
}

/** UUIDs, hexadecimal numbers, numbers of three digits or more, and long tokens with digits. */
function isId(part: string): boolean {
  if (!/\d/.test(part)) return false;
  return (
    /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(part) ||
    /^\d{3,}$/.test(part) ||
    /^[\da-f]{8,}$/i.test(part) ||
    /^[\w-]{16,}$/.test(part)
  );
}

/** For a regular expression between slashes. */
function escapeRegExp(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&').replace(/\s/g, '\\s');
}
