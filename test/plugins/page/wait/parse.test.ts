import { expect, it } from 'vitest';
import { describeFault, parseWaitFor } from '../../../../plugins/page/wait/src/parse-wait-for.js';

it.each([
  ['0', { kind: 'time', seconds: 0 }],
  ['2', { kind: 'time', seconds: 2 }],
  ['1.5', { kind: 'time', seconds: 1.5 }],
  ['.5', { kind: 'time', seconds: 0.5 }],
  [' load ', { kind: 'load' }],
  ['immediate', { kind: 'immediate' }],
  ['networkidle0', { kind: 'networkidle', connections: 0, quietSeconds: 0.5 }],
  ['networkidle2:3', { kind: 'networkidle', connections: 2, quietSeconds: 3 }],
  ['networkidle0:0.25', { kind: 'networkidle', connections: 0, quietSeconds: 0.25 }],
  ['js:app:ready', { kind: 'event', name: 'app:ready' }],
  ['css:#a > b:not(.c)', { kind: 'selector', selector: '#a > b:not(.c)' }],
])('%j is a condition', (text, expected) => {
  expect(parseWaitFor(text)).toEqual(expected);
});

it.each([
  ...['', 'Load', '-1', '1e3', '0x10', 'NaN', 'Infinity', '1,5', '86401', 'networkidle', 'networkidle1', 'networkidle0:'],
  ...['networkidle0:x', 'networkidle0:-1', 'js:', 'css: ', 'domcontentloaded', 'xpath://a'],
])('%j is none', (text) => {
  expect(parseWaitFor(text)).toBeUndefined();
});

it.each([
  ['99999999999999', 'must be a number of seconds from 0 to 86400,'],
  ['1e2', 'must be a number of seconds from 0 to 86400, in digits,'],
  ['-1', 'must be a number of seconds from 0 to 86400,'],
  ['networkidle0:-1', 'must have a number of seconds from 0 to 86400 after the colon'],
  ['networkidle2:', 'must have a number of seconds from 0 to 86400 after the colon'],
  ['js:', 'must name an event after "js:"'],
  ['css: ', 'must have a CSS selector after "css:"'],
  ['soon', 'must be a number of seconds from 0 to 86400, "immediate", "load"'],
])('%j is told what it should have been', (text, told) => {
  expect(describeFault(text)).toContain(`"wait_for" ${told}`);
});
