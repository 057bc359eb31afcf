import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openCheckedFile, runChecker } from '../../../helpers/checkers.js';
import { type RunningServer, startServer } from '../../../helpers/run-cli.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { packed, record } from '../../lib/archive/archive-files.js';
import { type McpClient, type Result, useMcp } from './open-mcp.js';

const { connect, spawn } = useMcp();

const ARTICLE = `<!doctype html><title>News</title><nav>Home Sports Weather</nav><article><h1>The bridge</h1>${'<p>The new bridge over the river was opened today, after three years of work by many people, and the town celebrated until late in the night.'.repeat(12)}</article><aside>Subscribe now</aside>`;
const LIST =
  '<title>List</title><ul><li class="item"><a href="/a">One</a><b>1,299.50</b><li class="item"><a href="/b">Two</a><b>7</b></ul>';
const FORM = `<title>Form</title><input id="name" aria-label="Name"><button onclick="document.querySelector('p').textContent = 'Hello ' + document.querySelector('input').value">Greet</button><p></p>`;

let site: Site;
let server: RunningServer;

beforeAll(async () => {
  site = await openSite({
    '/': '<title>Start</title><h1>Start</h1><p class="ad">Buy</p><p class="note">Note</p>',
    '/article': ARTICLE,
    '/list': LIST,
    '/form': FORM,
    '/pictures': '<title>Pictures</title><p>Text</p><img src="/seen.png"><script src="/track.js"></script>',
    '/never': '<title>Never</title><p>Here</p><img src="/hangs.png">',
    '/hangs.png': () => undefined,
  });
  server = await startServer(['--server-enable-mcp']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

let asked = 0;
afterEach(() => {
  asked = site.requests.length;
});

/** The page's text between the marks. */
const textOf = ({ content }: Result) => /<(untrusted-[0-9a-f]{16})>\n(.*)\n<\/\1>$/s.exec(content[1].text)?.[2];

const readOutput = async (client: McpClient, { facts }: Result) => {
  const { contents } = await client.read(facts.resource.uri);
  return Buffer.from(contents[0].blob, 'base64');
};

/** The color at the top left. */
const colorOf = async ({ content }: Result) => {
  const { data } = await sharp(Buffer.from(content[1].data, 'base64')).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return [...data.subarray(0, 3)];
};

interface Row {
  readonly of: string;
  readonly args: () => Readonly<Record<string, unknown>>;
  /** Checks the result. */
  readonly check: (result: Result, client: McpClient) => Promise<void> | void;
}

const CSS = 'data:text/css,body{background:rgb(10,200,30)}';
const ARCHIVE = packed(record({ url: 'https://gone.test/', body: '<title>Gone</title><p>Archived<script src=/none.js></script>' }));
const LARGE = `<p>Large</p><!--${'x'.repeat(9 * 1024 * 1024)}-->`;

const ROWS: readonly Row[] = [
  {
    of: 'html with the files of upload, without a URL',
    args: () => ({ html: '<link rel="stylesheet" href="look/a.css"><h1>Hi</h1>', upload: { 'look/a.css': CSS }, output_type: 'png' }),
    check: async (result) => {
      expect(result.facts.url).toBe('https://upload.invalid/');
      expect(await colorOf(result)).toEqual([10, 200, 30]);
    },
  },
  {
    of: 'html of 9 MiB',
    args: () => ({ html: LARGE, output_type: 'txt' }),
    check: (result) => {
      expect(textOf(result)).toBe('Large\n');
    },
  },
  {
    of: 'a PDF with margin and header',
    args: () => ({
      url: site.url('/list'),
      output_type: 'pdf',
      pdf_margin: '2cm',
      pdf_header: '<b>Head of <span class="title"></span></b>',
      pdf_format: 'A4',
    }),
    check: async (result, client) => {
      await using file = await openCheckedFile(await readOutput(client, result), 'pdf');
      expect((await runChecker('pdftotext', [file.path, '-'])).toString()).toContain('Head of List');
      const boxes = (await runChecker('pdftotext', ['-bbox', file.path, '-'])).toString();
      expect(boxes).toContain('<page width="595');
      const left = [...boxes.matchAll(/xMin="([\d.]+)"/g)].map(([, x]) => Number(x));
      expect(left.length).toBeGreaterThan(0);
      expect(Math.min(...left)).toBeGreaterThanOrEqual(56);
    },
  },
  {
    of: 'steps',
    args: () => ({
      url: site.url('/form'),
      output_type: 'txt',
      steps: [{ fill: 'label=Name', value: 'Ada' }, { click: 'role=button[name="Greet"]' }],
    }),
    check: (result) => {
      expect(textOf(result)).toContain('Hello Ada');
    },
  },
  {
    of: 'data by selectors',
    args: () => ({
      url: site.url('/list'),
      extract: {
        items: { selector: '.item', all: true, fields: { link: { selector: 'a', type: 'url' }, price: { selector: 'b', type: 'number' } } },
      },
    }),
    check: (result) => {
      const items = [
        { link: site.url('/a'), price: 1299.5 },
        { link: site.url('/b'), price: 7 },
      ];
      expect(JSON.parse(textOf(result) ?? '')).toEqual({ extract: { items } });
    },
  },
  {
    of: 'the article alone',
    args: () => ({ url: site.url('/article'), output_type: 'markdown', main_content: true }),
    check: (result) => {
      expect(textOf(result)).toContain('The new bridge');
      expect(textOf(result)).not.toMatch(/Sports|Subscribe/);
      expect(result.facts.warnings).toEqual([]);
    },
  },
  {
    of: 'further outputs of the same load',
    args: () => ({ url: site.url('/list'), output_type: 'txt', with_output: ['pdf', 'markdown', 'png'] }),
    check: async ({ facts, content }, client) => {
      expect((facts.assets as Result[]).map(({ name, content_type: type }) => [name, String(type).split(';')[0]])).toEqual([
        ['pdf', 'application/pdf'],
        ['markdown', 'text/markdown'],
        ['png', 'image/png'],
      ]);
      expect((content as Result[]).filter(({ type }) => type === 'resource_link')).toHaveLength(3);
      expect((await client.read(facts.assets[1].uri)).contents[0].text).toContain('1,299.50');
      expect(site.requests.slice(asked).filter(({ url }) => url === '/list')).toHaveLength(1);
    },
  },
  {
    of: 'css, and hidden and removed elements',
    args: () => ({
      url: site.url('/'),
      output_type: 'png',
      css: 'body{margin:0;background:rgb(0,0,255)} h1{margin:0;background:rgb(255,0,0);height:9px}',
      hide_selector: ['h1'],
      remove_selector: ['.ad'],
      with_output: ['txt'],
    }),
    check: async (result, client) => {
      expect(await colorOf(result)).toEqual([0, 0, 255]);
      const text = (await client.read(result.facts.assets[0].uri)).contents[0].text;
      expect(text).toContain('Note');
      expect(text).not.toMatch(/Buy|Start/);
    },
  },
  {
    of: 'blocked resources and URLs',
    args: () => ({ url: site.url('/pictures'), output_type: 'txt', block_resource_type: ['image'], block_url: ['*/track.js'] }),
    check: (result) => {
      expect(textOf(result)).toContain('Text');
      expect(site.requests.slice(asked).map(({ url }) => url)).toEqual(['/pictures']);
    },
  },
  {
    of: 'a page out of an archive, with what that lacks, and out of the archive of that render',
    args: () => ({
      url: 'https://gone.test/',
      output_type: 'txt',
      replay: `data:application/gzip;base64,${ARCHIVE.toString('base64')}`,
      with_replay_report: true,
      with_warc: true,
    }),
    check: async (result, client) => {
      expect(textOf(result)).toBe('Archived\n');
      const assets: readonly { readonly name: string; readonly uri: string }[] = result.facts.assets;
      const uriOf = (wanted: string) => assets.find(({ name }) => name === wanted)?.uri ?? '';
      const report = JSON.parse((await client.read(uriOf('replay_report'))).contents[0].text);
      expect(report).toMatchObject({ hits: 1, misses: 1 });
      const replay = uriOf('warc').replace('platen://asset/', 'asset:');
      const again = await client.call('render', { url: 'https://gone.test/', output_type: 'txt', replay });
      expect(textOf(again)).toBe('Archived\n');
    },
  },
  {
    of: 'a page captured at its timeout',
    args: () => ({ url: site.url('/never'), output_type: 'txt', timeout: 6, capture_on_timeout: true }),
    check: (result) => {
      expect(textOf(result)).toContain('Here');
      expect(result.facts.warnings).toEqual([expect.stringContaining('the timeout ended the phase "wait"')]);
    },
  },
];

describe.each(['stdio', 'HTTP'])('over %s, render returns', (transport) => {
  it.each(ROWS)('$of', async ({ args, check }) => {
    const client: McpClient = transport === 'HTTP' ? await connect('v2', server.url) : await spawn('v2');
    const result = await client.call('render', args());
    expect(result.isError, JSON.stringify(result.facts)).toBeUndefined();
    await check(result, client);
  });
});
