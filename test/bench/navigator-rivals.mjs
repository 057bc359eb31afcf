// A click and the snapshot after it, as MCP servers for agents answer it. Each is a process, with the headless shell that Platen uses.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';

const require = createRequire(import.meta.url);
const packageFolder = (name) => dirname(require.resolve(`${name}/package.json`));

/** How each server is started, and how it names an element of its snapshot. */
const RIVALS = {
  'Playwright MCP': {
    program: join(packageFolder('@playwright/mcp'), 'cli.js'),
    args: (shell) => ['--headless', '--isolated', '--no-sandbox', '--browser', 'chromium', '--executable-path', shell],
    open: (url) => ['browser_navigate', { url }],
    look: ['browser_snapshot', {}],
    find: (text, name) => new RegExp(`button "${name}"[^\\n]*\\[ref=(\\w+)\\]`, 'g'),
    click: (target) => ['browser_click', { element: 'button', target }],
  },
  'chrome-devtools-mcp': {
    program: join(packageFolder('chrome-devtools-mcp'), 'build/src/bin/chrome-devtools-mcp.js'),
    args: (shell) => [
      '--headless',
      '--isolated',
      '--executablePath',
      shell,
      '--chromeArg=--no-sandbox',
      '--no-page-id-routing',
      '--no-usage-statistics',
    ],
    open: (url) => ['navigate_page', { url }],
    look: ['take_snapshot', {}],
    find: (text, name) => new RegExp(`uid=(\\w+) button "${name}"`, 'g'),
    click: (uid) => ['click', { uid, includeSnapshot: true }],
  },
};

export const RIVAL_NAMES = Object.keys(RIVALS);

/** A server with the page loaded, and `click(at)`, which clicks the button of that place and resolves with the text of the answer. */
export async function openRival(name, { shell, url, button }) {
  const rival = RIVALS[name];
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const cwd = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  const args = [rival.program, ...rival.args(shell)];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd, stderr: 'ignore' }));
  const call = async ([tool, input]) => {
    const { content, isError } = await client.callTool({ name: tool, arguments: input });
    const text = content.map((part) => part.text ?? '').join('\n');
    if (isError === true) throw new Error(`${name}: ${text}`);
    // Playwright MCP writes the snapshot after an action to a file.
    const [, file] = /\[Snapshot\]\(([^)]+)\)/.exec(text) ?? [];
    return file === undefined ? text : await readFile(join(cwd, file), 'utf8');
  };
  await call(rival.open(url));
  let text = await call(rival.look);
  return {
    async click(at) {
      const refs = [...text.matchAll(rival.find(text, button))].map(([, ref]) => ref);
      if (refs.length === 0) throw new Error(`${name}: no ${button} in ${text.slice(0, 500)}`);
      text = await call(rival.click(refs[at % refs.length]));
      return text;
    },
    async close() {
      await client.close();
      await rm(cwd, { recursive: true, force: true });
    },
  };
}
