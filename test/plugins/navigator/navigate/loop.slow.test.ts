import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openModelServer } from '../../../helpers/model-server.js';
import { done, navigatorScript, type Turn } from '../../../helpers/navigator-script.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { type NavigatorHost, openNavigatorHost } from './open-host.js';

let site: Site;
let host: NavigatorHost;
beforeAll(async () => {
  site = await openSite({
    '/': '<title>Start</title><a href="/next">Next</a><button onclick="document.title += `!`">Again</button><p class="here">x</p>',
    '/next': '<title>Next</title><h1>Thanks</h1><a href="/">Back</a>',
    '/tall': '<title>Tall</title><div style="height:3000px"></div><a href="/next">Next</a>',
    '/slow': '<a href="/never">Slow</a><a href="/next">Next</a>',
    '/never': () => undefined,
    '/missing': { status: 404, body: '<h1>Not here</h1>' },
  });
  host = openNavigatorHost();
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const next: Turn = ({ ref }) => [{ kind: 'click', ref: ref('link', 'Next') }];
const again: Turn = ({ ref }) => [{ kind: 'click', ref: ref('button', 'Again') }];
const idle: Turn = () => [{ kind: 'wait', ms: 1 }];
const claim: Turn = () => [done()];

describe('goals', () => {
  it.each([
    ['url:*/next', [next]],
    ['url:/ne*t', [next]],
    ['css:h1', [next]],
    ['url:*/', []],
  ])('%s ends the navigation by itself', async (navigator_goal, turns) => {
    const { body, error } = await host.navigate(turns, { url: site.url('/'), navigator_goal });
    expect([error, body]).toEqual([undefined, expect.stringContaining('The goal is reached at http')]);
  });

  it('a claim that is not true is not accepted, three times at most', async () => {
    const { error, shown } = await host.navigate([claim, claim, claim], { url: site.url('/'), navigator_goal: 'css:.none' });
    expect(error).toMatchObject({ code: 'goal_not_reached', details: { report: { status: 'failed', steps: 3 } } });
    expect(shown[1]?.prompt).toContain('Note: the goal is not reached: its condition is not met');
  });

  it('a question is put to the model in a conversation of its own', async () => {
    const asked: string[] = [];
    const verdicts = [
      { reached: false, reason: 'No order number.' },
      { reached: true, reason: 'Thanks.' },
    ];
    const { script } = navigatorScript([claim, next, claim]);
    let turn = 0;
    const server = await openModelServer('openai', (seen) => {
      const text = seen.messages.flatMap(({ texts }) => texts).join('\n');
      if (!text.includes('Question: Is it done?')) return typeof script === 'function' ? script(seen, turn++) : { text: '' };
      asked.push(text);
      return { value: verdicts[asked.length - 1] };
    });
    const params = { navigate: 'Order it.', navigator_type: [server.connection()], navigator_goal: 'Is it done?' };
    const result = await host.render({ url: site.url('/'), ...params });
    await server[Symbol.asyncDispose]();
    expect((await result.bytes()).toString()).toBe('done');
    expect(asked).toHaveLength(2);
    expect(asked.join()).not.toContain('Order it.');
    expect(result.headers).toMatchObject({ 'X-LLM-Calls': '5' });
  });

  it('a selector that is not valid is an error that names it', async () => {
    const { error } = await host.navigate([], { url: site.url('/'), navigator_goal: 'css:<<' });
    expect(error).toMatchObject({ code: 'selector_not_found' });
  });
});

describe('the end', () => {
  it.each([
    ['fail', [() => [{ kind: 'fail', reason: 'There is no shop.' }]], 'failed', /the navigator gave up: There is no shop\./],
    ['done without success', [() => [{ ...done('Sold out.'), success: false }]], 'failed', /Sold out\./],
  ] as const)('%s is 422 with a report', async (_name, turns, status, message) => {
    const { error } = await host.navigate(turns, { url: site.url('/') });
    expect(error).toMatchObject({
      code: 'goal_not_reached',
      message: expect.stringMatching(message),
      details: { report: { status, steps: 1 } },
    });
  });

  it('the last step can only end the navigation', async () => {
    const { error, shown } = await host.navigate([idle, claim], { url: site.url('/'), navigator_max_steps: 2 });
    expect(error).toBeUndefined();
    expect(JSON.stringify(shown[0]?.schema)).toContain('"click"');
    expect(JSON.stringify(shown[1]?.schema)).toContain('"enum":["done","fail"]');
  });

  it('unless an action may reach a goal that the page shows', async () => {
    const { error } = await host.navigate([next], { url: site.url('/'), navigator_max_steps: 1, navigator_goal: 'url:*/next' });
    expect(error).toBeUndefined();
  });

  it('steps are limited', async () => {
    const { error } = await host.navigate([idle, idle], { url: site.url('/'), navigator_max_steps: 2, navigator_goal: 'url:*/next' });
    expect(error).toMatchObject({
      details: { report: { status: 'max_steps', steps: 2, history: ['1. wait 1 -> ok', '2. wait 1 -> ok'] } },
    });
  });

  it('repeating one action on a page ends the navigation', async () => {
    const params = { url: site.url('/'), navigator_stall_escalation: 2 };
    const { error } = await host.navigate([again, again, again], params);
    expect(error).toMatchObject({ details: { report: { status: 'stalled', steps: 2 } } });
  });

  it.each([
    ['different actions do not', { navigator_stall_escalation: 2 }, [again, idle, again, idle, claim]],
    ['0 means no limit', { navigator_stall_escalation: 0 }, [again, again, again, again, claim]],
  ])('%s', async (_name, params, turns) => {
    expect((await host.navigate(turns, { url: site.url('/'), ...params })).error).toBeUndefined();
  });
});

describe('answers', () => {
  it('of several actions, those after a change of the page are not carried out', async () => {
    const both: Turn = (shown) => [...next(shown), ...again(shown)];
    const { shown } = await host.navigate([both, claim], { url: site.url('/') });
    expect(shown[1]?.prompt).not.toContain('"Again"');
    expect(shown[1]?.page).toContain('heading "Thanks"');
  });

  it.each<readonly [string, Turn, RegExp]>([
    ['an unknown ref', () => [{ kind: 'click', ref: 'e99' }], /1\. click e99 -> failed: .*e99/],
    ['a missing member', () => [{ kind: 'click' }], /your last answer was not valid: "click" needs "ref"/],
    [
      'unknown data',
      ({ ref }) => [{ kind: 'fill', ref: ref('button', 'Again'), value: 'data:x' }],
      /there is no data "x"; there are: none/,
    ],
    ['a writer that is not there', ({ ref }) => [{ kind: 'fill', ref: ref('button', 'Again'), value: 'write:x' }], /there is no writer/],
    ['a navigator that is not there', () => [{ kind: 'tab', tab: 't9' }], /1\. tab "t9" -> failed/],
  ])('%s is reported to the model, which goes on', async (_name, turn, note) => {
    const { shown, error } = await host.navigate([turn, claim], { url: site.url('/') });
    expect(error).toBeUndefined();
    expect(shown[1]?.prompt).toMatch(note);
  });

  it('three in a row that are not valid end the render', async () => {
    const bad: Turn = () => [{ kind: 'press' }];
    const { error } = await host.navigate([bad, bad, bad], { url: site.url('/') });
    expect(error).toMatchObject({ code: 'llm_output_invalid', message: expect.stringContaining('"press" needs "keys"') });
  });

  it('what is below the viewport is reached by its ref', async () => {
    const { error } = await host.navigate([next], { url: site.url('/tall'), navigator_goal: 'url:*/next' });
    expect(error).toBeUndefined();
  });
});

describe('several navigators', () => {
  async function run(scripts: Readonly<Record<string, readonly Turn[]>>, params: Readonly<Record<string, unknown>>, options = '') {
    const opened = await Promise.all(
      Object.entries(scripts).map(async ([name, turns]) => {
        const { script, shown } = navigatorScript(turns);
        const server = await openModelServer('openai', script);
        return { shown, server, connection: server.connection({ options: `&name=${name}${options}` }) };
      }),
    );
    try {
      const navigator_type = opened.map(({ connection }) => connection);
      const result = await host.render({ url: site.url('/'), navigate: 'Go.', navigator_type, ...params });
      return { body: (await result.bytes()).toString(), headers: result.headers, shown: opened.map(({ shown }) => shown) };
    } finally {
      for (const { server } of opened) await server[Symbol.asyncDispose]();
    }
  }

  it('one asks another one for a turn', async () => {
    const ask: Turn = () => [{ kind: 'escalate', to: 'expert', reason: 'Which link?' }];
    const { body, headers, shown } = await run({ first: [ask, claim], expert: [again] }, {}, '&when=it+is+hard');
    expect(body).toBe('done');
    expect(shown[0]?.[0]?.prompt).toContain('- expert: when it is hard');
    expect(shown[1]?.[0]?.prompt).toContain('Note: you were asked for help: Which link?');
    expect(shown[0]?.[1]?.prompt).toContain('1. escalate to expert -> ok\n2. click');
    expect(headers['X-LLM-Model']).toBe('first, expert');
  });

  it.each<readonly [string, Readonly<Record<string, readonly Turn[]>>, number, number, readonly number[]]>([
    ['a stall hands over', { first: [idle, idle, claim], expert: [again] }, 2, 1, [3, 1]],
    ['a shorter stall does not extend a turn', { first: [idle, claim], b: [idle, again], c: [] }, 1, 2, [2, 2, 0]],
  ])('%s', async (_name, scripts, navigator_stall_escalation, navigator_escalation_max, counts) => {
    const { shown } = await run(scripts, { navigator_stall_escalation, navigator_escalation_max });
    expect(shown.map(({ length }) => length)).toEqual(counts);
  });

  it('one that fails is replaced', async () => {
    const bad: Turn = () => [{ kind: 'press' }];
    const { body, shown } = await run({ first: [bad, bad, bad], second: [next, claim] }, {});
    expect(body).toBe('done');
    expect(shown[1]?.[0]?.prompt).not.toContain('- first');
  });

  it('a formatter with escalate=true joins them', async () => {
    const ask: Turn = () => [{ kind: 'escalate', to: 'formatter', reason: 'x' }];
    const helper = navigatorScript([again]);
    const server = await openModelServer('openai', helper.script);
    const options = '&name=formatter&escalate=true';
    await run({ first: [ask, claim] }, { llm_format_model: server.connection({ options }) });
    expect(helper.shown).toHaveLength(1);
    await server[Symbol.asyncDispose]();
  });

  it("the operator's navigators and their number of actions are used if a request names none", async () => {
    const ask: Turn = () => [{ kind: 'escalate', to: 'expert', reason: 'x' }];
    const scripts = [navigatorScript([ask, claim]), navigatorScript([again, again])] as const;
    const [first, expert] = [await openModelServer('openai', scripts[0].script), await openModelServer('openai', scripts[1].script)];
    const connections = [first.connection(), expert.connection({ options: '&name=expert' })];
    await using operated = openNavigatorHost({ 'navigator-type': connections, 'navigator-escalation-max': 2 });
    const render = (params: Readonly<Record<string, unknown>>) => operated.render({ url: site.url('/'), navigate: 'x', ...params });
    expect((await (await render({})).bytes()).toString()).toBe('done');
    expect(scripts.map(({ shown }) => shown.length)).toEqual([2, 2]);
    for (const server of [first, expert]) await server[Symbol.asyncDispose]();
  });

  it('a writer writes what the others ask for', async () => {
    const first = navigatorScript([
      ({ ref }) => [{ kind: 'fill', ref: ref('textbox', 'Text'), value: 'write:a greeting' }],
      ({ ref, page }) => (ref('textbox', 'Text'), [done(/value="([^"]*)"/.exec(page)?.[1])]),
    ]);
    const [acting, writing] = [await openModelServer('openai', first.script), await openModelServer('openai', [{ text: 'Good morning' }])];
    const url = `data:text/html,<label>Text <input></label>`;
    const navigator_type = [acting.connection(), writing.connection({ options: '&name=w&writer=true' })];
    const result = await host.render({ url, navigate: 'Greet.', navigator_type });
    expect((await result.bytes()).toString()).toBe('Good morning');
    expect(writing.seen[0]?.messages[0]?.texts.join('\n')).toMatch(/Goal: Greet\.[^]*Instruction: a greeting$/);
    for (const server of [acting, writing]) await server[Symbol.asyncDispose]();
  });
});

describe('the output', () => {
  it('of another type shows the last page, which is not loaded again', async () => {
    const { script } = navigatorScript([again, claim]);
    const server = await openModelServer('openai', script);
    const params = { navigate: 'x', navigator_type: [server.connection()], output_type: 'html', full_page: true };
    const before = site.requests.filter(({ url }) => url === '/tall').length;
    const result = await host.render({ url: site.url('/'), ...params });
    expect((await result.bytes()).toString()).toContain('<title>Start!</title>');
    expect(site.requests.filter(({ url }) => url === '/tall')).toHaveLength(before);
    await server[Symbol.asyncDispose]();
  });

  it('a popup is rendered if the navigator is in it', async () => {
    const url = `data:text/html,<a href="${site.url('/next')}" target="_blank">Open</a>`;
    const { script } = navigatorScript([({ ref }) => [{ kind: 'click', ref: ref('link', 'Open') }], claim]);
    const server = await openModelServer('openai', script);
    const result = await host.render({ url, navigate: 'x', navigator_type: [server.connection()], output_type: 'html' });
    expect((await result.bytes()).toString()).toContain('<h1>Thanks</h1>');
    await server[Symbol.asyncDispose]();
  });

  it('a target that fails is its error, and no model is asked', async () => {
    const { error, shown } = await host.navigate([], { url: site.url('/missing') });
    expect([error?.code, shown.length]).toEqual(['target_status', 0]);
  });
});

const NO_NAVIGATION = { output_type: 'html', navigate: undefined, navigator_type: undefined };
const ALONE = { navigator_goal: 'css:h1', navigator_type: ['openai'], navigator_allow_url: ['*'] };

it('a page that waits for a response longer than a step takes is stopped, and can be used again', async () => {
  const slow: Turn = ({ ref }) => [{ kind: 'click', ref: ref('link', 'Slow') }];
  const options = { url: site.url('/slow'), navigator_step_timeout: 3, navigator_goal: 'url:*/next' };
  const { error, shown } = await host.navigate([slow, idle, next], options);
  expect(error).toBeUndefined();
  expect(shown[1]?.page).toContain('The page does not respond.');
  expect(shown[2]?.page).toContain('link "Next"');
});

describe('requests', () => {
  it.each([
    [{ output_type: 'goal', navigate: undefined, navigator_type: undefined }, 'output_type', /requires "navigate"/],
    [{ navigator_goal: 'url:' }, 'navigator_goal', /needs a pattern/],
    [{ navigator_type: ['stdio:///bin/x?model=y'] }, 'navigator_type', /only the operator names programs/],
    [{ navigator_type: ['nobody://x?model=y'] }, 'navigator_type', /unknown protocol/],
    [{ navigator_type: undefined }, 'navigator_type', /"navigate" requires "navigator_type"/],
    [{ navigator_file: { x: 'data:,x' } }, 'navigator_file', /must have base64/],
    [{ navigator_max_steps: 0 }, 'navigator_max_steps', /1/],
    [{ navigator_initial_scope: 'site' }, 'navigator_initial_scope', /origin, domain/],
  ])('%j is a 400', async (params, parameter, detail) => {
    const { error } = await host.navigate([], { url: site.url('/'), ...params });
    expect(error).toMatchObject({
      code: 'invalid_parameters',
      details: { errors: [{ parameter, detail: expect.stringMatching(detail) }] },
    });
  });

  it.each(Object.entries(ALONE))('%s requires "navigate"', async (key, value) => {
    const { error } = await host.navigate([], { url: site.url('/'), ...NO_NAVIGATION, [key]: value });
    expect(error?.details).toMatchObject({ errors: [{ parameter: key, detail: `"${key}" requires "navigate"` }] });
  });
});
