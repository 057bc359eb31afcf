import type { Fragments, InferParams } from '@platen/kernel';
import { FORMS } from './parse-wait-for.js';

export const WAIT_PARAMS = {
  wait_for: {
    type: 'string',
    'x-number': true,
    description: `When the page is ready: ${FORMS}. Seconds count from DOMContentLoaded; the networkidle forms need the load event too.`,
    default: 'load',
    minLength: 1,
    maxLength: 4096,
    examples: ['load', 'immediate', '1.5', 'networkidle0', 'networkidle2:2', 'js:app-ready', 'css:#content'],
    'x-synonyms': {
      delay: true,
      wait: true,
      wait_delay: true,
      wait_until: true,
      wait_for_timeout: true,
      wait_for_selector: true,
      wait_for_event: true,
    },
    'x-search': ['single-page application', 'ready'],
  },
  capture_on_timeout: {
    type: 'boolean',
    description:
      'Capture a page that has not loaded, or does not meet `wait_for`, at the end of `timeout` as it is then, in at most 5 seconds more. `X-Timeout` names the phase.',
    default: false,
    examples: [true],
    'x-extension': true,
    'x-synonyms': { best_attempt: true, error_on_timeout: true, fail_on_timeout: true, ignore_timeout: true },
  },
} as const satisfies Fragments;

export type WaitParams = InferParams<typeof WAIT_PARAMS>;
