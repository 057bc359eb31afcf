import { BODY_OR_FILE, type Fragments, type InferParams } from '@platen/kernel';

const SELECTOR = 'CSS, text=TEXT (exact), role=ROLE[name="NAME"] or label=TEXT; A >>> B finds B in the shadow tree or frame A';
const TEXT = { type: 'string', minLength: 1 } as const;
const NAMES = { anyOf: [TEXT, { type: 'array', items: TEXT, minItems: 1 }] } as const;

/** Members of a step. Which belong together is known to `parse-steps.ts`. */
const MEMBERS = {
  ...{
    click: TEXT,
    fill: TEXT,
    select: TEXT,
    check: TEXT,
    uncheck: TEXT,
    hover: TEXT,
    press: TEXT,
    type: { type: 'string' },
    scroll: TEXT,
  },
  ...{ drag: TEXT, attach: TEXT, goto: TEXT, to: TEXT, at: TEXT, file: NAMES, text: { type: 'string' } },
  wait: { anyOf: [{ type: 'number', minimum: 0 }, TEXT] },
  value: {
    anyOf: [
      { type: 'string' },
      { type: 'array', items: TEXT, minItems: 1 },
      { type: 'object', properties: { credential: TEXT }, required: ['credential'], additionalProperties: false },
    ],
  },
  back: { type: 'boolean', enum: [true] },
  dialog: { type: 'string', enum: ['accept', 'dismiss'] },
  tab: { type: 'integer', minimum: 1 },
  close: { type: 'boolean' },
  dir: { type: 'string', enum: ['up', 'down', 'left', 'right'] },
  amount: { type: 'number', minimum: 1 },
  button: { type: 'string', enum: ['left', 'middle', 'right'] },
  count: { type: 'integer', minimum: 1, maximum: 3 },
  modifiers: { type: 'array', items: { type: 'string', enum: ['Alt', 'Control', 'Meta', 'Shift'] } },
} as const satisfies Fragments;

export const STEPS_PARAMS = {
  steps: {
    type: 'array',
    items: { type: 'object', properties: MEMBERS },
    maxItems: 100,
    'x-sources': BODY_OR_FILE,
    'x-at-file': true,
    'x-extension': true,
    'x-uncached': true,
    description: `Actions in the page before it is captured, in order, such as {"click": SELECTOR}: click, fill, select, check, uncheck, hover, press, type, scroll, wait, goto, back, drag, attach, dialog, tab. SELECTOR is ${SELECTOR}; its first visible match is waited for.`,
    examples: [
      [
        { fill: 'label=Email', value: 'ada@example.com' },
        { fill: '#password', value: { credential: 'password' } },
        { click: 'text=Sign in' },
      ],
      [{ click: 'role=button[name="Show more"]' }, { wait: '.results' }],
    ],
    'x-synonyms': { actions: true, js_scenario: true, scenario: true, interactions: true, instructions: true },
    'x-search': ['login', 'sign in', 'fill a form', 'password'],
  },
  click_selector: {
    type: 'array',
    items: TEXT,
    maxItems: 100,
    'x-single': true,
    'x-extension': true,
    'x-uncached': true,
    description: `Elements to click before the page is captured, one after the other, after steps: ${SELECTOR}.`,
    examples: [['text=Show more'], ['#menu', 'role=tab[name="Prices"]']],
    'x-synonyms': { click: true, clicks: true, click_element: true },
  },
} as const satisfies Fragments;

export type StepsParams = InferParams<typeof STEPS_PARAMS>;
