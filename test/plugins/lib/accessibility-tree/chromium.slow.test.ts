import { findBrowsers } from '@platen/kernel';
import puppeteer, { type Browser, type SerializedAXNode } from 'puppeteer';
import { afterAll, beforeAll, describe as suite, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { PAGES } from './pages.js';
import { describe, flatten, openReader, type TreeReader } from './trees.js';

let site: Site;
let reader: TreeReader;
let browser: Browser;

beforeAll(async () => {
  site = await openSite(Object.fromEntries(Object.entries(PAGES).map(([path, body]) => [path, () => whole(path, body)])));
  reader = openReader();
  const { shell } = await findBrowsers();
  browser = await puppeteer.launch({
    ...(shell === undefined ? {} : { executablePath: shell.path }),
    headless: 'shell',
    args: ['--no-sandbox', '--site-per-process'],
  });
});

afterAll(async () => {
  await browser.close();
  await reader[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

function whole(path: string, body: string): string {
  return `<!doctype html><html lang=en><title>${path}</title>${body.replaceAll('PORT', String(site.port))}`;
}

/** What both views may say in their own way: wrappers without a meaning, text that a name repeats, and what was added. */
const SKIPPED = new Set([
  ...['generic', 'none', 'StaticText', 'InlineTextBox', 'LineBreak', 'ListMarker', 'MenuListPopup', 'RootWebArea'],
  ...['IframePresentational'],
]);

/** A container that is a live region, or busy, is none of them. */
function isSkipped(role: string, states: Readonly<Record<string, unknown>>): boolean {
  return SKIPPED.has(role) && states.live === undefined && states.busy === undefined;
}

interface Seen {
  readonly role: string;
  readonly name: string;
  readonly depth: number;
  readonly states: Readonly<Record<string, unknown>>;
}

const STATES = [
  ...['checked', 'disabled', 'expanded', 'level', 'modal', 'multiselectable', 'pressed', 'readonly', 'required', 'selected', 'live'],
  ...['atomic', 'busy', 'valuemin', 'valuemax', 'value', 'roledescription'],
] as const;

function fromPuppeteer(node: SerializedAXNode, depth = 0): readonly Seen[] {
  const states = pick(node as unknown as Record<string, unknown>);
  const own = isSkipped(node.role, states) ? [] : [{ role: node.role, name: (node.name ?? '').trim(), depth, states }];
  return [...own, ...(node.children ?? []).flatMap((child) => fromPuppeteer(child, depth + own.length))];
}

/** Without what is in the tree only because it can be clicked. */
function fromPlaten(node: ReturnType<typeof flatten>[number], depth = 0): readonly Seen[] {
  if (node.role === 'link' && node.cursor !== undefined) return [];
  const states = pick({ ...node.state, value: node.value });
  const own = isSkipped(node.role, states) ? [] : [{ role: node.role, name: node.name.trim(), depth, states }];
  return [...own, ...node.children.flatMap((child) => fromPlaten(child, depth + own.length))];
}

/** False and absent are the same: puppeteer leaves out what is false, and so is a live region that is off. Of `busy` the browser says 1. */
function pick(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    STATES.flatMap((name) => {
      const value = name === 'busy' ? Boolean(members[name]) : members[name];
      return value === undefined || value === false || (name === 'live' && value === 'off') ? [] : [[name, value]];
    }),
  );
}

/** Puppeteer omits what is in a frame of another process until it has heard of that frame: for some time after the page has loaded. */
async function readOracle(path: string): Promise<SerializedAXNode> {
  const page = await browser.newPage();
  try {
    await page.goto(site.url(path));
    for (;;) {
      const oracle = await page.accessibility.snapshot({ interestingOnly: false, includeIframes: true });
      if (oracle !== null && !hasEmptyFrame(oracle)) return oracle;
    }
  } finally {
    await page.close();
  }
}

function hasEmptyFrame({ role, children = [] }: SerializedAXNode): boolean {
  return (role === 'Iframe' && children.length === 0) || children.some(hasEmptyFrame);
}

suite("the browser's own accessibility view", () => {
  it.each(Object.keys(PAGES))('of %s: the same roles, names and states, nested and ordered in the same way', async (path) => {
    const oracle = await readOracle(path);
    const { tree } = await reader.read({ url: site.url(path) });
    const expected = fromPuppeteer(oracle);
    expect(expected.length).toBeGreaterThan(2);
    expect(fromPlaten(tree.root)).toEqual(expected);
  });

  it.each(Object.keys(PAGES))('of %s: all of its text is somewhere in the tree', async (path) => {
    const oracle = await readOracle(path);
    const { tree } = await reader.read({ url: site.url(path) });
    const said = flatten(tree.root)
      .map(({ name }) => compact(name))
      .join('\n');
    for (const text of textsOf(oracle)) expect(said).toContain(compact(text));
  });
});

function textsOf(node: SerializedAXNode): readonly string[] {
  return [...(node.role === 'StaticText' && node.name !== undefined ? [node.name] : []), ...(node.children ?? []).flatMap(textsOf)];
}

function compact(text: string): string {
  return text.replace(/\s+/g, '');
}

suite('a name', () => {
  it('comes from aria-labelledby, label, alt, title or content, as the browser computes it', async () => {
    const { tree } = await reader.read({ url: site.url('/names') });
    expect(describe(flatten(tree.root))).toEqual(
      expect.arrayContaining([
        ...['textbox "First and last"', 'textbox "By label"', 'textbox "Wrapped"', 'image "By alt"', 'button "By title"'],
        ...['button "By content"', 'button "By aria-label"', 'link "Picture in link"', 'textbox "By placeholder"'],
      ]),
    );
  });

  it.each([
    ['Arabic', 'مرحبا بالعالم'],
    ['Chinese', '你好，世界'],
    ['Hebrew', 'שָׁלוֹם עולם'],
    ['Thai', 'สวัสดีชาวโลก'],
    ['emoji', '👩‍👩‍👧‍👦 🏳️‍🌈'],
    ['combining marks', 'e\u0301 n\u0303 \u1112\u1161\u11ab'],
  ])('in %s is unharmed', async (_, text) => {
    const nodes = await reader.readBody(`<button>${text}</button><p>${text}`);
    expect(describe(nodes)).toEqual(expect.arrayContaining([`button "${text}"`, `StaticText "${text}"`]));
  });
});
