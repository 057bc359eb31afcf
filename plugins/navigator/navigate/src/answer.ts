import type { JsonSchema } from '@platen/lib-models';
import type { ModelAction } from './keys.js';

/** The kinds of actions, with the members of each. `why` belongs to all. */
const KINDS = {
  click: { required: ['ref'], optional: ['button', 'count', 'modifiers'] },
  hover: { required: ['ref'], optional: [] },
  fill: { required: ['ref', 'value'], optional: ['submit'] },
  type: { required: ['value'], optional: ['ref', 'submit'] },
  select: { required: ['ref', 'values'], optional: [] },
  check: { required: ['ref', 'on'], optional: [] },
  press: { required: ['keys'], optional: ['ref'] },
  scroll: { required: ['dir'], optional: ['ref', 'amount'] },
  drag: { required: ['from', 'to'], optional: [] },
  upload: { required: ['ref', 'files'], optional: [] },
  wait: { required: ['ms'], optional: [] },
  goto: { required: ['url'], optional: [] },
  back: { required: [], optional: [] },
  tab: { required: ['tab'], optional: ['close'] },
  dialog: { required: ['accept'], optional: ['text'] },
  escalate: { required: ['to', 'reason'], optional: [] },
  done: { required: ['answer', 'success'], optional: [] },
  fail: { required: ['reason'], optional: [] },
} as const satisfies Record<ActionKind, { readonly required: readonly Member[]; readonly optional: readonly Member[] }>;

type ActionKind = ModelAction['kind'];

const MEMBERS = {
  ref: { type: 'string', description: 'Ref of an element in the newest snapshot, such as e12.' },
  value: { type: 'string', description: 'Text, credential:NAME, data:NAME, or write:INSTRUCTION if there is a writer.' },
  submit: { type: 'boolean', description: 'Press Enter after it.' },
  values: { type: 'array', items: { type: 'string' }, description: 'Names of the options, or data:NAME.' },
  on: { type: 'boolean' },
  keys: { type: 'string', description: 'A key or a combination: Enter, Escape, ArrowDown, Control+A.' },
  dir: { type: 'string', enum: ['up', 'down', 'left', 'right'] },
  amount: { type: 'number', description: 'Pixels. By default most of the visible part.' },
  from: { type: 'string', description: 'Ref of the element to drag.' },
  to: { type: 'string', description: 'drag: ref of the element to drop on. escalate: name of a navigator.' },
  files: { type: 'array', items: { type: 'string' }, description: 'Names of the given files.' },
  ms: { type: 'number', description: 'Milliseconds, at most 10000.' },
  url: { type: 'string' },
  tab: { type: 'string', description: 'Id of a tab, such as t2.' },
  close: { type: 'boolean' },
  accept: { type: 'boolean' },
  text: { type: 'string', description: 'Answer to a prompt dialog.' },
  button: { type: 'string', enum: ['left', 'middle', 'right'] },
  count: { type: 'integer', minimum: 1, maximum: 3 },
  modifiers: { type: 'array', items: { type: 'string', enum: ['Alt', 'Control', 'Meta', 'Shift'] } },
  answer: { type: 'string', description: 'What the goal asks for, or what was done.' },
  success: { type: 'boolean', description: 'Whether the goal is reached.' },
  reason: { type: 'string' },
} as const;

type Member = keyof typeof MEMBERS;

/** Actions of one answer. More would be chosen without having seen the effect of the first ones. */
export const MAX_ACTIONS = 4;

/** The choices in a step. */
export interface Choices {
  /** Only to end, since it is the last step. */
  readonly endOnly: boolean;
  readonly hasFiles: boolean;
  /** Names of navigators that can be escalated to. */
  readonly navigators: readonly string[];
}

const OPTIONAL: ReadonlySet<ActionKind> = new Set(['upload', 'escalate']);
const ENDS: readonly ActionKind[] = ['done', 'fail'];

/** The same object for the same choices, since schemas are compiled once. */
const schemas = new Map<string, JsonSchema>();

/** JSON Schema of an answer. It is flat, since not every provider takes alternatives; `readActions` checks the members of each kind. */
export function answerSchema({ endOnly, hasFiles, navigators }: Choices): JsonSchema {
  // The keys of the constant.
  const all = Object.keys(KINDS) as ActionKind[];
  const kinds = endOnly
    ? ENDS
    : all.filter((kind) => !OPTIONAL.has(kind) || (kind === 'upload' && hasFiles) || (kind === 'escalate' && navigators.length > 0));
  const key = kinds.join();
  const known = schemas.get(key);
  if (known !== undefined) return known;
  const members = [...new Set(kinds.flatMap((kind) => [...KINDS[kind].required, ...KINDS[kind].optional]))];
  const schema = {
    type: 'object',
    properties: {
      actions: {
        type: 'array',
        minItems: 1,
        maxItems: endOnly ? 1 : MAX_ACTIONS,
        items: {
          type: 'object',
          properties: {
            kind: { type: 'string', enum: kinds },
            why: { type: 'string', description: 'At most 15 words.' },
            ...Object.fromEntries(members.map((member) => [member, MEMBERS[member]])),
          },
          required: ['kind'],
        },
      },
    },
    required: ['actions'],
  };
  schemas.set(key, schema);
  return schema;
}

/** The actions of an answer that fits the schema; a text is the error. */
export function readActions(value: unknown): readonly ModelAction[] | string {
  // By the schema.
  const { actions } = value as { readonly actions: readonly GivenAction[] };
  for (const action of actions.map(withValue)) {
    const missing = KINDS[action.kind].required.find((member) => action[member] === undefined || action[member] === null);
    if (missing !== undefined) return `"${action.kind}" needs "${missing}"`;
  }
  // Their members have the types of the schema, and are complete.
  return actions.map(withValue).map(withBareRefs) as readonly unknown[] as readonly ModelAction[];
}

type GivenAction = { readonly kind: ActionKind } & Readonly<Record<string, unknown>>;

/** Models know the value of `type` as its text. */
function withValue(action: GivenAction): GivenAction {
  const { kind, value, text, ref, submit, why } = action;
  return kind === 'type' && typeof text === 'string' ? { kind, value: text === '' ? value : text, ref, submit, why } : action;
}

/** Models repeat a ref as the snapshot writes it: `[ref=e3]`. */
function withBareRefs(action: GivenAction): GivenAction {
  const names = action.kind === 'escalate' ? [] : ['ref', 'from', 'to'];
  const refs = names.flatMap((name): readonly (readonly [string, string])[] => {
    const [, ref] = /(?:ref=|^\W*(?:ref\W+)?)(e\d+)\b/i.exec(String(action[name])) ?? [];
    return ref === undefined ? [] : [[name, ref.toLowerCase()]];
  });
  return { ...action, ...Object.fromEntries(refs) };
}

/** One line about an action, for the model and for reports. */
export function describeAction(action: ModelAction): string {
  const { kind, why: _, ...members } = action;
  const shown = Object.values(members).filter((value) => value !== undefined && value !== null);
  return [kind, ...shown.map((value) => (typeof value === 'string' && !/^e\d+$/.test(value) ? JSON.stringify(value) : format(value)))].join(
    ' ',
  );
}

function format(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
