import { definePlugin, type RenderPlan } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { asLoaded } from '../../../server/test-server.js';
import { GENERATIONS, useMcp } from './open-mcp.js';

const { serve, connect } = useMcp();

const ALL = ['screenshot', 'read_page', 'pdf', 'extract', 'navigate', 'crawl', 'render', 'get_asset'];
const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

describe.each(GENERATIONS)('the list of tools, for a client of %s', (generation) => {
  it('has all tools in 14.5 KiB, with schemas from the plugins', async () => {
    const server = await serve();
    const tools = await (await connect(generation, server.url)).tools();
    expect(namesOf(tools)).toEqual(ALL);
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(14.5 * 1024);
    for (const { description } of tools) expect(description).toMatch(/^[A-Z].*\.$/);
    const acting = tools.filter(({ annotations }) => annotations.readOnlyHint !== true);
    expect(namesOf(acting)).toEqual(['navigate', 'render']);
    const crawl = tools.find(({ name }) => name === 'crawl');
    expect(Object.keys(crawl.inputSchema.properties)).toEqual(expect.arrayContaining(['crawl_content', 'main_content', 'extract']));
    const [screenshot] = tools;
    const { fragment } = server.kernel.schema.keys.get('full_page') ?? {};
    expect(fragment?.description).toContain(screenshot.inputSchema.properties.full_page.description);
    expect(screenshot.inputSchema).toMatchObject({ required: ['url'], properties: { format: { enum: ['png', 'jpeg', 'webp'] } } });
  });

  it('adds a key to the tools that its fragment names', async () => {
    const extra = definePlugin({
      name: 'extra',
      params: { main_part: { type: 'boolean', 'x-tools': ['read_page'], description: 'Part.' } },
    });
    const server = await serve({ more: [asLoaded(extra)] });
    const tools = await (await connect(generation, server.url)).tools();
    const having = tools.filter(({ inputSchema }) => Object.hasOwn(inputSchema.properties, 'main_part'));
    expect(namesOf(having)).toEqual(['read_page']);
  });

  it('has only the tools of enabled plugins', async () => {
    const kept = ['mcp', 'png', 'txt', 'screenshot', 'dom', 'page', 'target'];
    const server = await serve({ enabled: (name) => kept.includes(name) });
    const tools = await (await connect(generation, server.url)).tools();
    expect(namesOf(tools)).toEqual(['screenshot', 'read_page', 'render', 'get_asset']);
    expect(Object.keys(tools[1].inputSchema.properties)).toEqual(['url', 'timeout', 'main_content', 'max_tokens']);
  });
});

it.each([
  ['with a plugin that fills it in', () => true, []],
  ['without one', (name: string) => name !== 'upload', ['url']],
])('requires the URL of render %s: %o', async (_, enabled, required) => {
  const server = await serve({ enabled });
  const render = (await (await connect('v2', server.url)).tools()).find(({ name }) => name === 'render');
  expect(render.inputSchema.required).toEqual(required);
});

it('names the missing URL of a render that has no document either', async () => {
  const client = await connect('v2', (await serve()).url);
  const { isError, facts } = await client.call('render', { output_type: 'txt' });
  expect([isError, facts.errors[0].parameter]).toEqual([true, 'url']);
});

it('names every key of render by group, and has their schemas as a resource', async () => {
  const server = await serve();
  const client = await connect('v2', server.url);
  const render = (await client.tools()).find(({ name }) => name === 'render');
  for (const key of server.kernel.schema.keys.keys()) expect(render.inputSchema.description).toContain(key);
  const { contents } = await client.read('platen://schema/request');
  expect(JSON.parse(contents[0].text)).toEqual(JSON.parse(JSON.stringify(server.kernel.schema.document)));
});

it('has tools that name each missing argument which their schema requires', async () => {
  const server = await serve();
  const client = await connect('v2', server.url);
  const model = 'openai://127.0.0.1:1/v1?model=x';
  const values: Readonly<Record<string, unknown>> = {
    url: 'http://a.test/',
    navigate: 'buy',
    llm_format_model: model,
    navigator_type: model,
  };
  for (const { name, inputSchema } of await client.tools()) {
    for (const missing of inputSchema.required as readonly string[]) {
      const others = (inputSchema.required as readonly string[]).filter((key) => key !== missing);
      const { isError, facts } = await client.call(name, Object.fromEntries(others.map((key) => [key, values[key]])));
      expect([name, isError, facts.errors[0].parameter]).toEqual([name, true, missing]);
      expect(facts.message).toContain(`"${missing}"`);
    }
  }
});

describe('tools that need a language model', () => {
  const MODEL = 'openai://127.0.0.1:1/v1?model=x';
  it.each([
    [{}, ['url'], ['url', 'navigate', 'navigator_type']],
    [{ 'llm-format-model': MODEL }, ['url'], ['url', 'navigate']],
    [{ 'navigator-type': [MODEL] }, ['url'], ['url', 'navigate']],
  ])('require one in their arguments unless a flag configures it: %j', async (flags, extract, navigate) => {
    const server = await serve({ flags });
    const tools = await (await connect('v2', server.url)).tools();
    const required = (tool: string) => tools.find(({ name }) => name === tool).inputSchema.required;
    expect([required('extract'), required('navigate')]).toEqual([extract, navigate]);
  });
});

describe('extract', () => {
  const serveNoting = async (more: Parameters<typeof serve>[0] = {}) => {
    const plans: RenderPlan[] = [];
    const server = await serve({
      ...more,
      render: (plan) => {
        plans.push(plan);
        const output = { contentType: 'application/json', extension: 'json', body: Buffer.from('{"extract":{"a":1}}') };
        return Promise.resolve({ output, assets: { kept: [], missing: [] }, headers: {}, timings: {} });
      },
    });
    return { client: await connect('v2', server.url), plans };
  };

  it.each([[{ extract: { title: 'h1' } }], [{ extract_metadata: true }], [{ extract_links: true }]])(
    'needs no model with %j',
    async (args) => {
      const { client, plans } = await serveNoting();
      const { structuredContent } = await client.call('extract', { url: 'http://a.test/', ...args });
      expect(plans).toMatchObject([{ output: { type: 'json' }, params: args }]);
      expect(structuredContent).toMatchObject({ data: { extract: { a: 1 } } });
    },
  );

  it('asks the model without them', async () => {
    const { client, plans } = await serveNoting();
    const { facts } = await client.call('extract', { url: 'http://a.test/', extract_links: false });
    expect(facts.errors[0].parameter).toBe('llm_format_model');
    await client.call('extract', { url: 'http://a.test/', llm_format_model: 'openai://127.0.0.1:1/v1?model=x' });
    expect(plans).toMatchObject([{ output: { type: 'llm_json' } }]);
  });

  it('is there without the models, too', async () => {
    const { client } = await serveNoting({ enabled: (name) => ['mcp', 'png', 'screenshot', 'extract'].includes(name) });
    const { facts } = await client.call('extract', { url: 'http://a.test/' });
    expect(facts.message).toBe('extract requires one of: extract, extract_metadata, extract_links');
  });
});

it('read_page returns GitHub Flavored Markdown', async () => {
  const plans: RenderPlan[] = [];
  const body = Buffer.from('x');
  const server = await serve({
    render: (plan) => {
      plans.push(plan);
      return Promise.resolve({
        output: { contentType: 'text/markdown', extension: 'md', body },
        assets: { kept: [], missing: [] },
        headers: {},
        timings: {},
      });
    },
  });
  const client = await connect('v2', server.url);
  await client.call('read_page', { url: 'http://a.test/', format: 'gfm' });
  expect(plans).toMatchObject([{ output: { type: 'markdown' }, params: { markdown_format: 'gfm' } }]);
});
