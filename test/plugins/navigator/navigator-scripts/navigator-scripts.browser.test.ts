import navigatorScripts from '@platen/plugin-navigator-scripts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openModelServer } from '../../../helpers/model-server.js';
import { done, navigatorScript } from '../../../helpers/navigator-script.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { type NavigatorHost, openNavigatorHost } from '../navigate/open-host.js';
import { recordScripts } from './run-scripts.js';

const SECRET = 'tiger "lily" 7';

let site: Site;
let host: NavigatorHost;
beforeAll(async () => {
  site = await openSite({
    '/': `<title>Start</title><form action=/hello><label>Name <input name=name></label><button>Greet</button></form>
      <button>Twice</button><button>Twice</button><button data-testid=only>Twice</button>
      <x-a></x-a><script>document.querySelector('x-a').attachShadow({ mode: 'closed' }).innerHTML = '<button>Once</button><button data-testid=shut>Shut</button>'</script><button>Once</button>`,
    '/hello': (request) => {
      const name = new URL(request.url ?? '', 'http://site').searchParams.get('name') ?? '';
      return `<title>${name}</title><p>Hello</p><a href="/" title="${name.replaceAll('"', '&quot;')}">Hello ${name}</a>`;
    },
  });
  host = openNavigatorHost({}, [navigatorScripts]);
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe('requests', () => {
  it.each(['with_navigator_playwright', 'with_navigator_puppeteer'])('%s requires "navigate"', async (key) => {
    await expect(host.render({ url: site.url('/'), output_type: 'png', [key]: true })).rejects.toMatchObject({
      code: 'invalid_parameters',
      details: { errors: [{ parameter: key, detail: expect.stringContaining('requires "navigate"') }] },
    });
  });
});

describe('what is recorded', () => {
  it('a navigation that failed: what was done, without failed actions and without an assertion', async () => {
    const { playwright, puppeteer, error } = await recordScripts(
      host,
      [
        ({ ref }) => [{ kind: 'fill', ref: ref('textbox', 'Name'), value: 'Ada' }],
        () => [{ kind: 'click', ref: 'e999' }],
        () => [{ kind: 'fail', reason: 'no idea' }],
      ],
      { url: site.url('/') },
    );
    expect(error).toContain('goal_not_reached');
    for (const source of [playwright, puppeteer]) {
      expect(source).toContain(`.fill('Ada')`);
      expect(source).not.toContain('.click(');
      expect(source).toContain('without having reached its goal');
    }
  });

  it('locators are unique in the document, closed shadow trees included', async () => {
    const { playwright, error } = await recordScripts(
      host,
      [
        ({ page }) => {
          const refs = [...page.matchAll(/button "(?:Twice|Once|Shut)" \[ref=(e\d+)\]/g)].map(([, ref]) => ref);
          return refs.slice(0, 4).map((ref) => ({ kind: 'hover', ref }));
        },
        ({ page }) => [...page.matchAll(/button "(?:Once|Shut)" \[ref=(e\d+)\]/g)].slice(1).map(([, ref]) => ({ kind: 'hover', ref })),
        () => [done()],
      ],
      { url: site.url('/') },
    );
    expect(error).toBeUndefined();
    const lines = playwright.split('\n').filter((line) => line.includes('.hover()'));
    expect(lines.map((line) => line.trim().replace(/^await page\.|\.hover\(\);$/g, ''))).toEqual([
      "locator('body:nth-of-type(1) > button:nth-of-type(1)')",
      "locator('body:nth-of-type(1) > button:nth-of-type(2)')",
      "getByTestId('only')",
      "locator('x-a:nth-of-type(1)').locator('button:nth-of-type(1)')",
      "getByTestId('shut')",
      "locator('button:nth-of-type(4)')",
    ]);
    expect(playwright).toContain('attachShadow');
  });

  it('a credential that the page shows is in no script', async () => {
    const turns = [
      ({ ref }: { ref: (role: string, name?: string) => string }) => [
        { kind: 'fill', ref: ref('textbox', 'Name'), value: 'credential:name', submit: true },
      ],
      ({ page }: { page: string }) => [
        { kind: 'click', ref: /link "Hello [^\n]*" \[ref=(e\d+)\]/.exec(page)?.[1] ?? page, why: `a link, ${SECRET}` },
      ],
      () => [done(SECRET)],
    ];
    const { playwright, puppeteer, error } = await recordScripts(host, turns, {
      url: site.url('/'),
      navigate: `Greet ${SECRET}`,
      navigator_credential: { name: SECRET },
    });
    expect(error).toBeUndefined();
    for (const source of [playwright, puppeteer]) {
      expect(source).toContain('.fill(credentials["name"])');
      expect(source).toMatch(/\/hello\\\?name=\[\^/);
      expect(source).not.toMatch(/tiger|lily|7[^\d]*"lily|dGlnZXI/);
      // By its path: each other locator has the value.
      expect(source).toContain('a:nth-of-type(1)');
    }
  });

  it('a text of a writer is a literal', async () => {
    const { script } = navigatorScript([
      ({ ref }) => [{ kind: 'fill', ref: ref('textbox', 'Name'), value: 'write:a name' }],
      () => [done()],
    ]);
    await using acting = await openModelServer('openai', script);
    await using writing = await openModelServer('openai', [{ text: 'Grace' }]);
    const navigator_type = [acting.connection(), writing.connection({ options: '&name=w&writer=true' })];
    const { playwright } = await recordScripts(host, [], { url: site.url('/'), navigator_type });
    expect(playwright).toContain(`.fill('Grace')`);
  });
});
