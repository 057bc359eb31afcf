import type { DeviceProfile } from '@platen/kernel';
import { ActionError, parseKeys } from '@platen/lib-actor';
import type { ModelAction, Navigation } from '@platen/plugin-navigate/keys';
import type { ActionRecorder, RecordedAction } from './record-actions.js';
import { globPattern, type Redact, urlPattern } from './url-pattern.js';
import type { Arrival, Assertion, DialogAnswer, Locator, Place, Script, ScriptAction, ScriptStep, Target, Value } from './script.js';

export interface ScriptSource {
  /** The target, without user information. */
  readonly url: string;
  readonly task: string;
  readonly profile: DeviceProfile;
  readonly recorder: Pick<ActionRecorder, 'actions' | 'start' | 'end'>;
  readonly navigation: Pick<Navigation, 'data' | 'goal' | 'redact' | 'report'>;
}

/** Share of the viewport that is scrolled by default, as the actor does. */
const SCROLL_SHARE = 0.8;

/** The recorded navigation as steps: the answers of dialogs belong to the action that opened them. */
export function buildScript({ url, task, profile, recorder, navigation }: ScriptSource): Script {
  const steps: ScriptStep[] = [];
  const { start, actions, end } = recorder;
  let front = start.opened.at(-1) ?? 't1';
  for (const group of groupByDialogs(actions)) {
    const { action: recorded } = group.first ?? {};
    // The step after it names its tab.
    if (recorded?.kind === 'tab' && recorded.close !== true) continue;
    const step = toStep(group, { front, profile, navigation });
    if (group.first === undefined) steps.push({ ...step, action: { kind: 'goto', url }, opens: start.opened[0] ?? step.opens });
    else steps.push(step);
    front = step.opens ?? step.tab;
  }
  const values = steps.flatMap(({ action }) => (action.kind === 'fill' ? [action.value] : action.kind === 'select' ? action.values : []));
  const namesFrom = (source: 'credential' | 'data') => [...new Set(values.flatMap((value) => (value.from === source ? [value.name] : [])))];
  return {
    ...{ task, profile, steps, credentials: namesFrom('credential') },
    data: new Map(namesFrom('data').map((name) => [name, navigation.data.get(name) ?? ''])),
    assertion: toAssertion(navigation, end),
  };
}

/** An action with those that answer its dialogs. Without a first action: the page loads. */
interface ActionGroup {
  readonly first: RecordedAction | undefined;
  readonly answers: RecordedAction[];
}

function groupByDialogs(actions: readonly RecordedAction[]): readonly ActionGroup[] {
  const groups: ActionGroup[] = [{ first: undefined, answers: [] }];
  for (const one of actions) {
    if (one.action.kind === 'dialog') groups.at(-1)?.answers.push(one);
    else groups.push({ first: one, answers: [] });
  }
  return groups;
}

interface StepContext {
  readonly front: string;
  readonly profile: DeviceProfile;
  readonly navigation: ScriptSource['navigation'];
}

function toStep({ first, answers }: ActionGroup, { front, profile, navigation }: StepContext): ScriptStep {
  const last = answers.at(-1) ?? first;
  const tab = first?.action.kind === 'tab' ? first.action.tab : (first?.tab ?? 't1');
  const action: ScriptAction = first === undefined ? { kind: 'goto', url: '' } : toAction(first, { profile, navigation });
  return {
    ...{ tab, action, isSwitch: first !== undefined && action.kind !== 'close' && tab !== front },
    why: first?.action.why ?? '',
    answers: answers.flatMap(({ action: answer }) => (answer.kind === 'dialog' ? [toAnswer(answer)] : [])),
    opens: [...(first?.opened ?? []), ...answers.flatMap(({ opened }) => opened)][0],
    closes: first !== undefined && action.kind !== 'close' && last?.hasClosedTab === true && last.tab === tab,
    arrival:
      first === undefined || last === undefined || last.tab !== tab || action.kind === 'goto' || action.kind === 'back'
        ? undefined
        : toArrival(first, last, navigation.redact),
  };
}

function toAnswer({ accept, text }: Extract<ModelAction, { readonly kind: 'dialog' }>): DialogAnswer {
  return { accept, ...(text === undefined ? {} : { text }) };
}

function toArrival({ before }: RecordedAction, { after }: RecordedAction, redact: Redact): Arrival | undefined {
  const pattern = urlPattern(after.url, redact);
  // One product after another one.
  const isSame = after.url === before.url || after.url === '' || new RegExp(pattern).test(redact(before.url));
  if (!isSame) return { to: 'url', pattern };
  return after.documents === before.documents ? undefined : { to: 'document' };
}

function toAction(recorded: RecordedAction, { profile, navigation }: Omit<StepContext, 'front'>): ScriptAction {
  const { action, before, written, point } = recorded;
  const targets = new Map([...recorded.targets].map(([ref, target]) => [ref, withoutSecrets(target, navigation.redact)]));
  const ref = 'ref' in action ? action.ref : undefined;
  const at = ref === undefined ? undefined : targets.get(ref);
  switch (action.kind) {
    case 'goto':
      return { kind: 'goto', url: withoutUser(action.url, before.url) };
    case 'back':
      return { kind: 'back' };
    case 'wait':
      return { kind: 'wait', ms: action.ms };
    case 'tab':
      return { kind: 'close' };
    case 'press':
      return at === undefined && ref !== undefined ? missing(action) : toPress(action, at);
    case 'scroll': {
      const size = action.dir === 'up' || action.dir === 'down' ? profile.height : profile.width;
      const by = action.amount ?? Math.round(size * SCROLL_SHARE);
      return { kind: 'scroll', at, point: point ?? [profile.width / 2, profile.height / 2], dir: action.dir, by };
    }
    case 'drag': {
      const [from, to] = [targets.get(action.from), targets.get(action.to)];
      return from === undefined || to === undefined ? missing(action) : { kind: 'drag', at: from, to };
    }
    default:
      return at === undefined ? missing(action) : onElement(action, at, (text) => toValue(text, { written, data: navigation.data }));
  }
}

/** Locators whose texts have a part of a credential are left out; the last one is a path without texts. */
function withoutSecrets({ frames, place, facts }: Target, redact: Redact): Target {
  const isClean = (locator: Locator) =>
    Object.values<string | readonly string[]>(locator)
      .flat()
      .every((text) => redact(text) === text);
  const clean = ({ locators, shadow }: Place): Place => ({
    locators: locators.filter((one, index) => index === locators.length - 1 || isClean(one)),
    shadow,
  });
  return { frames: frames.map(clean), place: clean(place), facts };
}

function onElement(action: ModelAction, at: Target, valueOf: (text: string) => Value): ScriptAction {
  switch (action.kind) {
    case 'click': {
      const { button, count, modifiers } = action;
      return {
        kind: 'click',
        at,
        ...(button === undefined ? {} : { button }),
        ...(count === undefined ? {} : { count }),
        ...(modifiers === undefined ? {} : { modifiers }),
      };
    }
    case 'hover':
      return { kind: 'hover', at };
    case 'fill':
      return { kind: 'fill', at, value: valueOf(action.value), submit: action.submit === true };
    case 'select':
      return { kind: 'select', at, values: action.values.map(valueOf) };
    case 'check':
      return { kind: 'check', at, on: action.on };
    case 'upload':
      return { kind: 'upload', at, files: action.files };
    default:
      return missing(action);
  }
}

function missing({ kind }: ModelAction): ScriptAction {
  return { kind: 'missing', what: kind };
}

function toPress({ keys, ...action }: Extract<ModelAction, { readonly kind: 'press' }>, at: Target | undefined): ScriptAction {
  try {
    const { modifiers, key } = parseKeys(keys);
    return { kind: 'press', at, modifiers, key: key.key };
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    return missing({ keys, ...action });
  }
}

/** The prefixes are those of the navigator's answers. */
function toValue(text: string, { written, data }: { readonly written: string | undefined; readonly data: Navigation['data'] }): Value {
  const [, from, rest = ''] = /^(credential|data|write):(.*)$/s.exec(text) ?? [];
  const name = rest.trim();
  if (from === 'credential') return { from, name };
  if (from === 'data' && data.has(name)) return { from, name };
  return { from: 'text', text: from === 'write' ? (written ?? '') : text };
}

function withoutUser(text: string, base: string): string {
  if (!URL.canParse(text, base === '' ? undefined : base)) return text;
  const url = new URL(text, base === '' ? undefined : base);
  [url.username, url.password] = ['', ''];
  return url.href;
}

function toAssertion(
  { goal, redact, report }: ScriptSource['navigation'],
  { tab, url }: ActionRecorder['end'],
): (Assertion & { readonly tab: string }) | undefined {
  if (report?.status !== 'reached') return undefined;
  const [, kind, rest = ''] = /^(url|css):(.*)$/s.exec(goal?.trim() ?? '') ?? [];
  if (kind === 'url') return { by: 'url', pattern: globPattern(redact(rest.trim())), tab };
  if (kind === 'css') return { by: 'css', selector: rest.trim(), tab };
  return { by: 'url', pattern: urlPattern(url === '' ? report.url : url, redact), tab };
}
