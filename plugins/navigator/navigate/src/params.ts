import { BODY_ONLY, type Fragments, type InferParams } from '@platen/kernel';

const SHAPE = '<protocol>://[<API_KEY>@][<host>][/<base-path>]?model=<NAME>[&<options>]';

/** The interface specification, "Navigator". */
export const NAVIGATE_PARAMS = {
  navigate: {
    type: 'string',
    minLength: 1,
    'x-uncached': true,
    description: 'Goal of a navigator: a language model that operates the page before it is rendered. Default output type: goal.',
    examples: ['Search for "rain jacket" and open the first result.'],
    'x-synonyms': { task: true, goal: true, instruction: true },
    'x-search': ['agent', 'AI'],
  },
  navigator_goal: {
    type: 'string',
    minLength: 1,
    description:
      'When the goal is reached: url:PATTERN (* matches any characters), css:SELECTOR (an element exists), or a question to which a model says yes.',
    examples: ['url:*/thanks*', 'css:.order-number', 'Does the page confirm the order?'],
    'x-synonyms': { success_condition: true },
  },
  navigator_type: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    minItems: 1,
    maxItems: 8,
    'x-single': true,
    description: `Language models that navigate instead of the server's own: ${SHAPE}, or a provider's name. The first acts, the others can be escalated to (options name, when, writer, escalate).`,
    examples: [['anthropic://API_KEY@?model=claude-sonnet-4-5', 'openai://API_KEY@?model=gpt-5&name=expert&when=the+page+is+confusing']],
    'x-synonyms': { navigator_model: true, agent_model: true },
  },
  navigator_initial_scope: {
    type: 'string',
    enum: ['origin', 'domain', 'path'],
    default: 'origin',
    description:
      "Where the navigator may go: the URL's origin, its registrable domain with all subdomains and ports, or its folder. Extended by navigator_allow_url.",
  },
  navigator_allow_url: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description:
      'Further URLs where the navigator may go, as globs: a host is all of its pages over https, a path belongs to the host of the URL, * before the first / stays within the host, ["*"] allows any URL.',
    examples: [['shop.example.com', '/help/*', 'https://*.example.org/docs/*']],
    'x-synonyms': { allowed_domains: true },
  },
  navigator_credential: {
    type: 'object',
    additionalProperties: { type: 'string' },
    'x-sources': BODY_ONLY,
    'x-uncached': true,
    description: 'Credentials by name. The navigator fills them in by name; their values are not sent to the model.',
    examples: [{ username: 'ada', password: 'secret' }],
    'x-synonyms': { credentials: true, sensitive_data: true },
    'x-search': ['login', 'sign in'],
  },
  navigator_credential_origin: {
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string', minLength: 1 } },
    'x-sources': BODY_ONLY,
    description: 'URL globs where a credential may be filled in, by its name or a pattern (*_google). Default: the site of the URL.',
    examples: [{ '*_google': ['https://accounts.google.com/*'] }],
  },
  navigator_data: {
    type: 'object',
    additionalProperties: { type: 'string' },
    'x-sources': BODY_ONLY,
    description:
      'Values by name that the navigator sees and can fill in. Not secret: they are sent to the model. Applied over navigator_data_json.',
    examples: [{ 'address.city': 'Paris' }],
  },
  navigator_data_json: {
    type: 'array',
    items: { anyOf: [{ type: 'object' }, { type: 'string', pattern: '^https?://' }] },
    'x-sources': BODY_ONLY,
    'x-expects': 'a list of objects and http(s) URLs of JSON objects',
    description:
      'Objects, or http(s) URLs of such, with values like those of navigator_data. Each is applied over the ones before; nested names are joined with dots, null removes a name.',
    examples: [[{ address: { city: 'Paris' } }, 'https://example.com/customer.json']],
  },
  navigator_file: {
    type: 'object',
    additionalProperties: { type: 'string', pattern: '^data:' },
    'x-sources': BODY_ONLY,
    'x-large': true,
    'x-expects': 'an object of base64 data: URLs by file name',
    description: 'Files that the navigator may attach to file inputs, as base64 data: URLs by file name.',
    examples: [{ 'cv.pdf': 'data:application/pdf;base64,JVBERi0xLjQK' }],
  },
  navigator_max_steps: {
    type: 'integer',
    format: 'uint32',
    minimum: 1,
    default: 10,
    description: 'Maximum number of steps. A step is one answer of a navigator.',
    'x-synonyms': { max_steps: true },
  },
  navigator_stall_escalation: {
    type: 'integer',
    format: 'uint32',
    default: 10,
    description:
      'Steps with an unchanged URL after which the next navigator is asked, or the navigation ends if they repeat one action; 0 means no limit.',
  },
  navigator_step_timeout: {
    type: 'integer',
    format: 'uint32',
    minimum: 1,
    default: 30,
    description: "Seconds for a model's answer, and for each action.",
  },
  navigator_escalation_max: {
    type: 'integer',
    format: 'uint32',
    minimum: 1,
    default: 1,
    description: 'Maximum number of actions of a navigator that was escalated to, before the first one continues.',
  },
} as const satisfies Fragments;

/** Parameters that ask for a navigation: alone they would do nothing, such as a goal that is never checked. */
export const NAVIGATION_ONLY = [
  'navigator_goal',
  'navigator_type',
  'navigator_allow_url',
] as const satisfies readonly (keyof typeof NAVIGATE_PARAMS)[];

export type NavigateParams = InferParams<typeof NAVIGATE_PARAMS>;

const NAMED = 'NAME=VALUE';

export const NAVIGATE_FLAGS = {
  'navigator-type': {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description: `Language model that navigates, unless a request names one: ${SHAPE}, or @FILE with it. Given several times, the others can be escalated to.`,
    examples: [['openai://API_KEY@?model=gpt-5-mini']],
    'x-secret': true,
    'x-expects': SHAPE,
  },
  'navigator-credential': {
    type: 'array',
    items: { type: 'string', pattern: '^[^=]+=.' },
    description: 'A credential for all navigations, as NAME=@FILE. It needs --navigator-credential-origin.',
    examples: [['password=@/run/secrets/password']],
    'x-secret': true,
    'x-expects': `${NAMED} or NAME=@FILE`,
  },
  'navigator-credential-origin': {
    type: 'array',
    items: { type: 'string', pattern: '^[^=]+=.' },
    description: 'Where a credential of --navigator-credential may be filled in, as NAME=GLOB. Requests cannot change it.',
    examples: [['password=https://login.example.com/*']],
    'x-expects': 'NAME=GLOB',
  },
  'navigator-escalation-max': {
    type: 'integer',
    format: 'uint32',
    minimum: 1,
    default: 1,
    description: 'navigator_escalation_max of requests that do not set it.',
  },
} as const satisfies Fragments;

export type NavigateFlags = typeof NAVIGATE_FLAGS;
