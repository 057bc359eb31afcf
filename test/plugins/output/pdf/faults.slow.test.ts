import { once } from 'node:events';
import { Readable } from 'node:stream';
import { definePlugin, type Page } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import pdf from '@platen/plugin-pdf';
import print from '@platen/plugin-print';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { inspectPdf } from './inspect-pdf.js';

/** Shows what comes after the printing: which medium the page is in then, and accidents. */
const seen: (boolean | string)[] = [];
const witness = definePlugin({
  name: 'test-witness',
  params: {
    accident: { type: 'string', description: 'What happens to the page.', enum: ['crash', 'no printer', 'odd printer'] },
  },
  apply({ hooks }) {
    hooks.beforeNavigate.tapPromise('test-witness', ({ page, params }) => {
      if (params.accident === 'no printer') replacePrinter(page, () => Promise.reject(new Error('Printing failed')));
      if (params.accident === 'odd printer') replacePrinter(page, () => Promise.resolve({ data: '' }));
      return Promise.resolve();
    });
    hooks.additionalAssets.tapPromise('test-witness', async ({ page, params }) => {
      if (params.accident === 'crash') await page.send('Page.crash').catch(() => undefined);
      else {
        seen.push(await page.evaluate(() => matchMedia('print').matches));
        const rules = () =>
          [...document.styleSheets, ...document.adoptedStyleSheets].flatMap((sheet) =>
            Array.from(sheet.cssRules, ({ cssText }) => cssText),
          );
        seen.push(...(await page.evaluate(rules)));
      }
    });
  },
});

function replacePrinter(page: Page, printer: () => Promise<unknown>): void {
  const { send } = page;
  Object.assign(page, { send: (...call: Parameters<Page['send']>) => (call[0] === 'Page.printToPDF' ? printer() : send(...call)) });
}

const host = createTestKernel({ plugins: [print, pdf, witness] });
afterAll(() => host[Symbol.asyncDispose]());

const dataUrl = (body: string) => `data:text/html,${encodeURIComponent(`<!doctype html>${body}`)}`;
/** Some megabytes on paper: more than is read ahead. */
const LARGE = dataUrl(
  `<canvas id=c></canvas><script>
    const random = () => crypto.getRandomValues(new Uint8ClampedArray(65536));
    c.width = c.height = 1024;
    const pixels = new Uint8ClampedArray(4 * 1024 * 1024);
    for (let at = 0; at < pixels.length; at += 65536) pixels.set(random(), at);
    c.getContext('2d').putImageData(new ImageData(pixels, 1024), 0, 0);
  </script>`,
);

async function begin(params: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Readable> {
  const { output } = await host.render({ url: LARGE, output_type: 'pdf', ...params }, signal === undefined ? {} : { signal });
  if (!(output.body instanceof Readable)) throw new Error('the PDF does not stream');
  return output.body;
}

const everythingIsGivenBack = () =>
  vi.waitFor(() => expect(host.kernel.status()).toMatchObject({ busy: 0, inFlight: 0 }), { timeout: 20_000 });

describe('a PDF on its way', () => {
  it('keeps its page until it is read, and no longer', async () => {
    const body = await begin({});
    if (body.readableLength === 0) await once(body, 'readable');
    expect(host.kernel.status()).toMatchObject({ busy: 1 });
    let bytes = 0;
    for await (const chunk of body) bytes += Buffer.from(chunk).length;
    expect(bytes).toBeGreaterThan(2 ** 21);
    await everythingIsGivenBack();
  });

  it('comes in pieces', async () => {
    const body = await begin({});
    const sizes: number[] = [];
    for await (const chunk of body) sizes.push(Buffer.from(chunk).length);
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2 ** 20);
  });

  it('stops when the client leaves', async () => {
    const client = new AbortController();
    const body = await begin({}, client.signal);
    if (body.readableLength === 0) await once(body, 'readable');
    const failed = once(body, 'error');
    client.abort();
    expect(await failed).toMatchObject([{ code: 'client_closed' }]);
    await everythingIsGivenBack();
  });

  it('stops when its reader gives up', async () => {
    const body = await begin({});
    body.destroy();
    await everythingIsGivenBack();
  });

  it('says that the page crashed', async () => {
    const body = await begin({ accident: 'crash' });
    body.resume();
    expect(await once(body, 'error')).toMatchObject([{ code: 'page_crashed' }]);
    await everythingIsGivenBack();
  });
});

describe('printing', () => {
  const handler = (event: string, script: string) => dataUrl(`<p>hello<script>addEventListener('${event}',()=>{${script}})</script>`);

  it('that hangs in a script of the page is ended by the deadline', async () => {
    const rendering = host.render({ url: handler('beforeprint', 'for(;;);'), output_type: 'pdf', timeout: 2 });
    await expect(rendering).rejects.toMatchObject({
      code: 'render_timeout',
      details: { phase: 'capture', unmet: 'the page to be printed' },
    });
    await everythingIsGivenBack();
  });

  it.each([
    ['a dialog', 'beforeprint', 'alert(1)'],
    ['one more print', 'beforeprint', 'print()'],
    ['prints without end', 'load', 'setInterval(print, 1);print()'],
    ['a window', 'beforeprint', 'open("about:blank")'],
    ['an error', 'beforeprint', 'throw 1'],
  ])('is not kept up by %s', async (_what, event, script) => {
    const { bytes } = await host.render({ url: handler(event, script), output_type: 'pdf' });
    expect((await inspectPdf(await bytes())).text).toContain('hello');
  });

  it('shows what scripts do before it', async () => {
    const { bytes } = await host.render({ url: handler('beforeprint', 'document.body.append(" world")'), output_type: 'pdf' });
    expect((await inspectPdf(await bytes())).text).toMatch(/hello\s+world/);
  });

  it.each([
    [{ pdf_height: 0.01 }, /more than 20000 pages: request a larger "pdf_height", or a smaller "pdf_scale"/],
    [{ pdf_height: 0.01, pdf_width: 5, pdf_landscape: true }, /request a larger "pdf_width" and "pdf_height"/],
  ])('of more sheets than anybody takes is refused before it begins: %j', async (params, message) => {
    const url = dataUrl('<div style="height:60000px">tall</div>');
    const rendering = host.render({ url, output_type: 'pdf', ...params });
    await expect(rendering).rejects.toMatchObject({
      code: 'capture_too_large',
      status: 422,
      message: expect.stringMatching(message) as string,
    });
    await everythingIsGivenBack();
  });

  const scaled = [0.1, 2].flatMap((pdf_scale) => [{ pdf_scale }, { pdf_scale, pdf_landscape: true }]);
  const given = [[0.001], [undefined, 0.001], [0.001, 0.001]].map(([pdf_width, pdf_height]) => ({ pdf_width, pdf_height }));
  it.each(scaled.flatMap((how) => given.map((sides) => ({ ...sides, ...how }))))(
    'on the least sheets that may be asked for ends no browser: %j',
    async (params) => {
      const printed = await host.render({ url: dataUrl('<p>hello'), output_type: 'pdf', ...params }).then(
        async ({ bytes }) => (await inspectPdf(await bytes())).info['Pages'],
        (error: unknown) => error,
      );
      if (typeof printed !== 'string') expect(printed).toMatchObject({ code: 'capture_too_large', status: 422 });
      expect(host.kernel.status().restarts).toBe(0);
    },
  );

  it.each([
    ['pdf_width', { pdf_width: 1e-8 }],
    ['pdf_width', { pdf_width: 0.000_999, pdf_scale: 2 }],
    ['pdf_height', { pdf_width: 0.5, pdf_height: 1e-9, pdf_prefer_css_page_size: true }],
    ['pdf_width', { pdf_width: 1e-300, pdf_height: 1e-9, pdf_landscape: true }],
  ])('on sheets that end the browser is refused before it is asked, for %s: %j', (parameter, params) => {
    const plan = () => host.kernel.plan(host.kernel.validate({ url: dataUrl('x'), output_type: 'pdf', ...params }, 'body'));
    const detail = `"${parameter}" must be at least 0.001 inches: the browser supports no smaller pages`;
    expect(plan).toThrow(expect.objectContaining({ status: 400, details: { errors: [{ parameter, detail }] } }));
  });

  it('of small sheets, and of a tall page on usual ones, is done', async () => {
    const small = await host.render({ url: dataUrl('<div style="height:900px">tall</div>'), output_type: 'pdf', pdf_height: 0.05 });
    expect(Number((await inspectPdf(await small.bytes())).info['Pages'])).toBeGreaterThan(100);
    const tall = await host.render({ url: dataUrl('<div style="height:60000px">tall</div>'), output_type: 'pdf' });
    expect(Number((await inspectPdf(await tall.bytes())).info['Pages'])).toBeGreaterThan(50);
  });

  it.each([
    // What Chromium says of a document that is too long for it, and of nothing else that is known.
    ['no printer', /too long.*"pdf_scale"/, 'Printing failed'],
    ['odd printer', /returned no PDF/, undefined],
  ])('that fails is a 500 of its own: %s', async (accident, message, cause) => {
    const rendering = host.render({ url: dataUrl('x'), output_type: 'pdf', accident });
    const why = cause === undefined ? {} : { cause: expect.objectContaining({ message: cause }) as unknown };
    await expect(rendering).rejects.toMatchObject({
      code: 'print_failed',
      status: 500,
      message: expect.stringMatching(message) as unknown,
      ...why,
    });
    await everythingIsGivenBack();
  });

  it('leaves the page in its own medium, with its own style sheets, for what is collected beside the PDF', async () => {
    seen.length = 0;
    const { bytes } = await host.render({ url: dataUrl('<style>@page { size: landscape !important; }</style>x'), output_type: 'pdf' });
    await bytes();
    expect(seen).toEqual([false, '@page { size: landscape !important; }']);
  });
});
