import { createTestKernel } from '@platen/kernel/testing';
import links from '@platen/plugin-links';
import models from '@platen/plugin-models';
import navigate from '@platen/plugin-navigate';
import network from '@platen/plugin-network';
import robots from '@platen/plugin-robots';
import sitemap from '@platen/plugin-sitemap';
import stepsPlugin from '@platen/plugin-steps';
import walk from '@platen/plugin-walk';
import warc from '@platen/plugin-warc';
import { describe, expect, it } from 'vitest';
import { describeStep, listCss, parseSteps } from '../../../../plugins/page/steps/src/parse-steps.js';
import type { StepsParams } from '../../../../plugins/page/steps/src/params.js';
import { parseSelector } from '../../../../plugins/page/steps/src/selector.js';

const PLUGINS = [network, robots, walk, links, sitemap, warc, models, navigate, stepsPlugin];

const parse = (params: StepsParams) =>
  parseSteps(params, (parameter, detail) => {
    throw new Error(`${parameter}: ${detail}`);
  });

describe('a step that is not valid is named, with what is valid', () => {
  it.each<readonly [Readonly<Record<string, unknown>>, string]>([
    [
      {},
      '"steps[1]" needs one of: click, fill, select, check, uncheck, hover, press, type, scroll, wait, goto, back, drag, attach, dialog, tab',
    ],
    [{ click: 'a', hover: 'b' }, '"steps[1]" has "click" and "hover": a step is one of them'],
    [{ fill: '#a' }, '"steps[1]" needs "value" beside "fill"'],
    [{ drag: '#a' }, '"steps[1]" needs "to" beside "drag"'],
    [{ attach: '#a' }, '"steps[1]" needs "file" beside "attach"'],
    [{ click: '#a', value: 'x' }, '"steps[1]" has "value", which does not belong to "click"'],
    [{ click: 'role=' }, '"steps[1]" must have a role as in role=button[name="Sign in"]'],
    [{ click: 'role=button[title="x"]' }, '"steps[1]" must have a role as in role=button[name="Sign in"]'],
    [{ click: 'role=dialog >>> #a' }, '"steps[1]" has a role that is not the last part of its selector'],
    [{ click: 'text= ' }, '"steps[1]" needs a text after "text="'],
    [{ click: '#a >>> ' }, '"steps[1]" has an empty selector'],
    [{ press: 'Nothing' }, '"steps[1]" has a key that does not exist'],
  ])('%j', (step, message) => {
    expect(() => parse({ steps: [{ wait: 1 }, step] })).toThrow(`steps: ${message}`);
  });
});

it('names click_selector for its own', () => {
  expect(() => parse({ click_selector: ['#a', 'label='] })).toThrow('click_selector: "click_selector[1]" needs a text after "label="');
});

it.each([
  ['#a .b', [{ by: 'css', text: '#a .b' }]],
  ['text= Sign   in ', [{ by: 'text', text: 'Sign in' }]],
  ['label=A >>> B', [{ by: 'label', text: 'A >>> B' }]],
  ['role=Button', [{ by: 'role', role: 'button' }]],
  [`role=link[name="a \\"b\\""]`, [{ by: 'role', role: 'link', name: 'a "b"' }]],
  [`role=link[ name = 'a' ]`, [{ by: 'role', role: 'link', name: 'a' }]],
  [
    'iframe >>> x-a >>> text=b',
    [
      { by: 'css', text: 'iframe' },
      { by: 'css', text: 'x-a' },
      { by: 'text', text: 'b' },
    ],
  ],
])('the selector %s', (text, parts) => {
  expect(parseSelector(text)).toEqual(parts);
});

it('steps come before clicks; waits are for seconds, addresses or elements', () => {
  const steps = parse({
    steps: [
      { wait: 2 },
      { wait: '*://a.test/*' },
      { wait: '.b' },
      { scroll: 'bottom' },
      { drag: '.c', to: 'text=d' },
      { press: 'a', at: '.e' },
    ],
    click_selector: ['.f'],
  });
  expect(steps.map(({ target }) => target !== undefined)).toEqual([false, false, true, false, true, false, true]);
  expect(listCss(steps).map(({ place, css }) => `${place} ${css}`)).toEqual([
    'steps[2] .b',
    'steps[4] .c',
    'steps[5] .e',
    'click_selector[0] .f',
  ]);
});

it('what is typed or filled in is not repeated by errors', () => {
  const steps = parse({ steps: [{ type: 'secret' }, { fill: '#a', value: 'secret' }] });
  const redact = (text: string) => text.replace('pin', '***');
  expect(steps.map((step) => describeStep(step, redact))).toEqual(['steps[0] (type)', 'steps[1] (fill #a)']);
  // A credential is removed before the line is cut in it.
  const [long] = parse({ steps: [{ goto: `http://a.test/${'a'.repeat(104)}pin` }] });
  expect(long && describeStep(long, redact)).toBe(`steps[0] (goto http://a.test/${'a'.repeat(104)}**…)`);
});

it.each([{ steps: [{ click: '#a' }] }, { click_selector: ['#a'] }])('a list of URLs is no page to act in: %j', (given) => {
  const { kernel } = createTestKernel({ plugins: PLUGINS });
  const plan = (params: Readonly<Record<string, unknown>>) =>
    kernel.plan(kernel.validate({ url: 'http://a.test/', ...params, ...given }, 'body'));
  expect(() => plan({ output_type: 'warc', crawl_url_is_sitemap: 'xml' })).toThrow('cannot be combined with "crawl_url_is_sitemap"');
  expect(plan({ output_type: 'warc', crawl_links: true }).params).toMatchObject(given);
});
