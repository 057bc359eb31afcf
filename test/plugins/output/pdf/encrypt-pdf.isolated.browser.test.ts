import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createTestKernel } from '@platen/kernel/testing';
import pdf from '@platen/plugin-pdf';
import png from '@platen/plugin-png';
import print from '@platen/plugin-print';
import screenshot from '@platen/plugin-screenshot';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { askAbout } from './inspect-pdf.js';

const host = createTestKernel({ plugins: [print, pdf, screenshot, png] });
const { PATH } = process.env;
const bin = await mkdtemp(join(tmpdir(), 'platen-test-qpdf-'));
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await rm(bin, { recursive: true });
});
afterEach(() => {
  process.env['PATH'] = PATH;
});

const URL_OF_PAGE = `data:text/html,${encodeURIComponent('<!doctype html><html lang=de><title>T</title><h1>one</h1><h2>two</h2>')}`;

async function render(params: object): Promise<Buffer> {
  return (await host.render({ url: URL_OF_PAGE, output_type: 'pdf', ...params })).bytes();
}

/** Puts a program before the host's qpdf. */
async function replaceQpdf(script: string): Promise<void> {
  await writeFile(join(bin, 'qpdf'), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, 'qpdf'), 0o755);
  process.env['PATH'] = `${bin}${delimiter}${PATH ?? ''}`;
}

const remaining = async () => (await readdir(tmpdir())).filter((name) => name.startsWith(`platen-video-${String(process.pid)}`));

describe('pdf_password', () => {
  it('on a host without qpdf is a 501 that names the package, before a page is opened', async () => {
    process.env['PATH'] = bin;
    await expect(render({ pdf_password: 'secret' })).rejects.toMatchObject({
      code: 'feature_unavailable',
      status: 501,
      message: expect.stringContaining('apt-get install qpdf') as string,
    });
    process.env['PATH'] = PATH;
    expect(await askAbout(await render({ pdf_password: 'found later' }), 'pdfinfo', ['-upw', 'found later'])).toContain('AES-256');
  });

  it.each(['secret', '-p', '--', '@file', ' a "b" \\c ', 'Käse \u{1f9c0}', 'two\nlines', 'x'.repeat(32)])(
    '%j opens it, and gives all rights',
    async (password) => {
      const bytes = await render({ pdf_password: password });
      const printed = await askAbout(bytes, 'pdfinfo', ['-upw', password]);
      expect(printed).toMatch(/Encrypted: +yes \(print:yes copy:yes change:yes addNotes:yes algorithm:AES-256\)/);
      await expect(askAbout(bytes, 'pdfinfo', [])).rejects.toThrow();
      expect(bytes.includes('one')).toBe(false);
    },
  );

  it('has up to 127 bytes', async () => {
    const password = `${'ä'.repeat(63)}x`;
    // pdfinfo reads 32 characters of an argument.
    expect(await askAbout(await render({ pdf_password: password }), 'qpdf', [`--password=${password}`, '--check'])).toContain('AESv3');
  });

  it('keeps tags, outline and metadata', async () => {
    const params = { pdf_generate_tagged_pdf: true, pdf_generate_document_outline: true, pdf_title: 'Mine', pdf_author: 'Ann' };
    const bytes = await render({ pdf_password: 'secret', ...params });
    expect(await askAbout(bytes, 'qpdf', ['--password=secret', '--check'])).toContain('No syntax or stream encoding errors');
    const printed = await askAbout(bytes, 'pdfinfo', ['-upw', 'secret']);
    expect(printed).toMatch(/Title: +Mine\nAuthor: +Ann/);
    expect(printed).toMatch(/Tagged: +yes/);
    const catalog = await askAbout(bytes, 'qpdf', ['--password=secret', '--json', '--json-key=outlines']);
    expect(catalog).toContain('"title": "one"');
    expect(await askAbout(bytes, 'pdftotext', ['-upw', 'secret'], ['-'])).toContain('two');
    expect(await askAbout(bytes, 'pdfinfo', ['-upw', 'secret', '-meta'])).toContain('>Mine<');
  });

  it('is in no argument list and no environment', async () => {
    await render({ pdf_password: 'secret' });
    await replaceQpdf(
      `case "$1" in @-) tr '\\0' ' ' < /proc/$$/cmdline > ${bin}/seen; tr '\\0' ' ' < /proc/$$/environ >> ${bin}/seen;; esac; PATH='${PATH ?? ''}' exec qpdf "$@"`,
    );
    await render({ pdf_password: 'hunter2' });
    const seen = await readFile(join(bin, 'seen'), 'utf8');
    expect(seen).toContain('@-');
    expect(seen).not.toContain('hunter2');
    expect(seen).not.toContain(Buffer.from('hunter2').toString('hex'));
  });

  it.each([
    ['fails', 'cat > /dev/null; echo hunter2 >&2; exit 2'],
    ['ends early', 'exit 3'],
    ['crashes', 'kill -SEGV $$'],
  ])('that qpdf cannot set, as it %s, is a 500 that does not repeat it, and leaves nothing', async (_what, script) => {
    await render({ pdf_password: 'secret' });
    await replaceQpdf(script);
    await expect(render({ pdf_password: 'hunter2' })).rejects.toMatchObject({
      code: 'encode_failed',
      message: 'the PDF could not be encrypted',
    });
    expect(await remaining()).toEqual([]);
    process.env['PATH'] = PATH;
    expect((await render({ pdf_password: 'secret' })).length).toBeGreaterThan(1000);
  });

  it('ends with its client', async () => {
    await render({ pdf_password: 'secret' });
    await replaceQpdf(`echo started > ${bin}/started; exec sleep 100`);
    const client = new AbortController();
    const rendering = host.render({ url: URL_OF_PAGE, output_type: 'pdf', pdf_password: 'x' }, { signal: client.signal });
    const isStarted = () => readFile(join(bin, 'started')).then(() => client.abort());
    const [outcome] = await Promise.allSettled([
      rendering,
      expect
        .poll(
          () =>
            isStarted().then(
              () => true,
              () => false,
            ),
          { timeout: 20_000 },
        )
        .toBe(true),
    ]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'client_closed' } });
    expect(await remaining()).toEqual([]);
  });

  it('is ignored by other output types, which need no qpdf', async () => {
    process.env['PATH'] = bin;
    const { output } = await host.render({ url: URL_OF_PAGE, output_type: 'png', pdf_password: 'x' });
    expect(output.contentType).toBe('image/png');
  });

  it.each([
    ['', /"pdf_password"/],
    ['ä'.repeat(64), /at most 127 bytes in UTF-8/],
    [7, /"pdf_password"/],
  ])('%j is refused', (pdf_password, message) => {
    const plan = () => host.kernel.plan(host.kernel.validate({ url: URL_OF_PAGE, output_type: 'pdf', pdf_password }, 'body'));
    expect(plan).toThrow(message);
  });

  it('is accepted in bodies only', () => {
    expect(() => host.kernel.validate({ url: URL_OF_PAGE, pdf_password: 'x' }, 'query')).toThrow(/"pdf_password"/);
  });
});
