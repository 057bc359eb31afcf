import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../../../plugins/service/openapi/src/browser/examples.js';
import { render, usePlayground } from './open-playground.js';
import { playRender } from './play-render.js';

const played = playRender();
let params: Readonly<Record<string, unknown>> = {};
const playing = usePlayground({
  render: (plan, options) => {
    params = plan.params;
    return played.render(plan, options);
  },
});
const { playground } = playing;

const code = async (page: Page, tab: string) => {
  await page.getByRole('tab', { name: tab, exact: true }).click();
  return (await page.getByRole('region', { name: 'Code', exact: true }).textContent()) ?? '';
};

const find = (page: Page, key: string) => page.getByLabel('Find a parameter').fill(key);

describe('files of a page', () => {
  const index = { name: 'index.html', mimeType: 'text/html', buffer: Buffer.from('<link rel=stylesheet href=a.css>') };
  const files = [index, { name: 'a.css', mimeType: 'text/css', buffer: Buffer.from('p{color:red}') }];

  it('are chosen, removed, and sent as a form that the server reads', async () => {
    const { page } = await playground();
    await find(page, 'upload');
    await page.getByLabel('upload', { exact: true }).setInputFiles([...files, { ...index, name: 'old.html' }]);
    await page.getByRole('button', { name: 'Remove old.html from upload' }).click();
    await page.getByLabel('Page to render').fill('index.html');
    await find(page, 'block_resource_type');
    await page.getByLabel('image', { exact: true }).check();
    await page.getByLabel('font', { exact: true }).check();
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    expect(await render(page), (await page.locator('#result').textContent()) ?? '').toBe('done');
    expect((await sent).headers()['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(params).toMatchObject({
      block_resource_type: ['image', 'font'],
      upload: Object.fromEntries(files.map(({ name, mimeType, buffer }) => [name, `data:${mimeType};base64,${buffer.toString('base64')}`])),
    });
    expect(played.started.at(-1)).toBe('https://upload.invalid/index.html');
    expect(await code(page, 'curl')).toContain(`-F 'upload=@"a.css";filename="a.css"'`);
    expect(await code(page, 'fetch')).toContain('form.append("upload", await openAsBlob("a.css"), "a.css");');
    expect(await code(page, 'Python')).toContain('("upload", ("a.css", open("a.css", "rb")))');
    expect(await code(page, 'Command line')).toContain("platen './index.html' page.png");
    expect(await page.evaluate(() => location.hash)).not.toContain('upload');
  });

  it('fill a text area of HTML', async () => {
    const { page } = await playground();
    await find(page, 'html');
    await page.getByLabel('File with the text of html').setInputFiles(index);
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('textarea[name=html]')?.value.startsWith('<link'));
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    expect(await render(page)).toBe('done');
    expect((await sent).postDataJSON()).toEqual({ output_type: 'png', html: '<link rel=stylesheet href=a.css>' });
  });
});

it('steps are JSON of the body, of a file on the command line, and no code says that a URL takes them', async () => {
  const { page } = await playground('#url=http://a.test/');
  await find(page, 'steps');
  await page.getByLabel('steps', { exact: true }).fill('[{"click": "text=More"}]');
  await page.getByLabel('Send as').selectOption('GET');
  await page.getByText('A URL cannot contain this request: sent as POST').waitFor();
  expect(await code(page, 'URL')).toContain('send it as a JSON body');
  const shell = await code(page, 'Command line');
  expect(shell).toContain('--steps=@steps');
  expect(shell).toContain('# The file steps: [{"click":"text=More"}]');
  expect(await code(page, 'Python')).toContain('"steps": [{"click": "text=More"}]');
});

it('the code for Python is Python, with the values of the request', async () => {
  const { page } = await playground(`#url=http://a.test/&full_page=true&cookie=a%3D"1"&browser_width=800&user_agent=ü%0A'`);
  const text = await code(page, 'Python');
  const print = `import ast,json,sys\ncall = next(n for n in ast.walk(ast.parse(sys.stdin.read())) if isinstance(n, ast.Call) and n.func.attr == "post")\nprint(json.dumps(ast.literal_eval(next(k.value for k in call.keywords if k.arg == "json"))))`;
  expect(JSON.parse(execFileSync('python3', ['-c', print], { input: text, encoding: 'utf8' }))).toEqual({
    url: 'http://a.test/',
    output_type: 'png',
    full_page: true,
    cookie: ['a="1"'],
    browser_width: 800,
    user_agent: "ü\n'",
  });
});

describe('an example', () => {
  it('there are ten, and this server accepts each', () => {
    expect(EXAMPLES).toHaveLength(10);
    const { kernel } = playing.server;
    for (const [title, params] of EXAMPLES) {
      expect(() => kernel.plan(kernel.validate({ url: 'https://example.com/', ...params }, 'body')), title).not.toThrow();
    }
  });

  it('fills the form by a click, for the page that is there, and renders nothing', async () => {
    const { page } = await playground('#url=http://a.test/&emulate_dark_mode=true');
    played.started.length = 0;
    await page.getByText('Examples', { exact: true }).click();
    await page.getByRole('button', { name: 'A4 with page numbers' }).click();
    expect(await page.getByLabel('Page to render').inputValue()).toBe('http://a.test/');
    expect(await page.getByLabel('pdf_format', { exact: true }).inputValue()).toBe('A4');
    expect(await page.getByLabel('emulate_dark_mode', { exact: true }).inputValue()).toBe('');
    expect(played.started).toEqual([]);
  });
});

describe('recent requests', () => {
  it('are remembered in this browser without secrets, fill the form, and are forgotten', async () => {
    const { page } = await playground('#url=http://ada:hunter2@a.test/&browser_width=801&cookie=session%3Dhunter2&output_type=pdf');
    await find(page, 'pdf_password');
    await page.getByLabel('pdf_password', { exact: true }).fill('hunter2');
    await find(page, 'html');
    await page.getByRole('textbox', { name: 'html', exact: true }).fill('hunter2');
    await render(page);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('hunter2');
    await page.goto(`${playing.server.url}/playground`);
    await page.getByText('Recent requests').click();
    await page.getByRole('button', { name: 'pdf · http://ada@a.test/ · browser_width' }).click();
    expect(await page.getByLabel('browser_width', { exact: true }).inputValue()).toBe('801');
    await page.getByRole('button', { name: 'Forget all' }).click();
    expect(await page.getByText('Recent requests').isVisible()).toBe(false);
    expect(await page.evaluate(() => localStorage.getItem('platen-requests'))).toBe('[]');
  });
});
