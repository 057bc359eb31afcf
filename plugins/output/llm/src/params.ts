import type { Fragments, InferParams } from '@platen/kernel';

const SHAPE = '<protocol>://[<API_KEY>@][<host>][/<base-path>]?model=<NAME>[&<options>]';

/** The interface specification, "Language-model output". */
export const LLM_PARAMS = {
  llm_format_prompt: {
    type: 'string',
    description:
      'Instructions for the language model of llm_text and llm_json, which is sent the accessibility tree and a screenshot of the page.',
    examples: ['Summarize the page in two sentences.'],
    'x-synonyms': { prompt: true, llm_prompt: true },
    'x-search': ['summary', 'question', 'AI'],
  },
  llm_format_expects: {
    description:
      'Valid answers. For llm_text: the strings that the answer may be, as a list or one comma-delimited string. For llm_json: a JSON Schema of the answer.',
    examples: ['yes,no', { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }],
    'x-synonyms': { llm_schema: true, json_schema: true },
  },
  llm_format_model: {
    type: 'string',
    description: `Language model of llm_text and llm_json instead of the server's own: ${SHAPE}. Programs (stdio) are not accepted.`,
    examples: ['openai://API_KEY@?model=gpt-5-mini', 'ollama://127.0.0.1:11434?model=gemma3'],
    'x-synonyms': { model: true, llm_model: true },
  },
  llm_no_screenshot_labels: {
    type: 'boolean',
    description: 'Do not label the elements in the screenshot for the language model with their refs in the accessibility tree.',
    default: false,
  },
} as const satisfies Fragments;

export type LlmParams = InferParams<typeof LLM_PARAMS>;

export const LLM_FLAGS = {
  'llm-format-model': {
    type: 'string',
    minLength: 1,
    description: `Language model of the output types llm_text and llm_json, unless a request names one: ${SHAPE}, or @FILE with it.`,
    examples: ['openai://API_KEY@?model=gpt-5-mini', 'stdio:///usr/local/bin/answer?model=local'],
    'x-secret': true,
    'x-expects': SHAPE,
  },
} as const satisfies Fragments;

export type LlmFlags = typeof LLM_FLAGS;
