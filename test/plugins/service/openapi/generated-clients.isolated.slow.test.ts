import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../../helpers/run-cli.js';

const run = promisify(execFile);

/** As their users install them: outside of this repository, with the compiler and the HTTP client that they ask for. */
const PACKAGES = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', '@hey-api/openapi-ts@0.94.0', 'orval@7.13.0', 'axios@1.13.2'];
const COMPILER = 'typescript@5.9.3';

/** Renders Markdown by a body with two keys only, a picture by a query with one, and a wrong request; prints the text, the size and the error's code. */
const CLIENTS = [
  {
    name: 'openapi-typescript with openapi-fetch',
    generate: ['openapi-typescript', 'openapi.json', '--output', 'openapi-fetch/schema.ts'],
    program: `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';
const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });
const { data } = await client.POST('/', { body: { url: 'data:text/html,<h1>Hi', output_type: 'markdown' }, parseAs: 'text' });
const { data: png } = await client.GET('/', { params: { query: { url: 'data:text/html,x' } }, parseAs: 'arrayBuffer' });
const { error } = await client.POST('/', { body: { url: 'ftp://a.test/' } });
const code: string | undefined = error?.code;
console.log(JSON.stringify([data, (png?.byteLength ?? 0) > 100, code]));
`,
  },
  {
    name: '@hey-api/openapi-ts',
    generate: ['openapi-ts', '--input', 'openapi.json', '--output', 'hey-api/client'],
    program: `
import { renderByBody, renderByQuery } from './client/index.js';
import { client } from './client/client.gen.js';
client.setConfig({ baseUrl: (process.argv[2] ?? '') as '/' });
const { data } = await renderByBody({ body: { url: 'data:text/html,<h1>Hi', output_type: 'markdown' } });
const { data: png } = await renderByQuery({ query: { url: 'data:text/html,x' } });
const { error } = await renderByBody({ body: { url: 'ftp://a.test/' } });
const code: string | undefined = error?.code;
console.log(JSON.stringify([data, png instanceof Blob && png.size > 100, code]));
`,
  },
  {
    name: 'orval',
    generate: ['orval', '--input', 'openapi.json', '--output', 'orval/client.ts'],
    program: `
import axios, { isAxiosError } from 'axios';
import { renderByBody, renderByQuery } from './client.js';
axios.defaults.baseURL = process.argv[2];
const { data } = await renderByBody({ url: 'data:text/html,<h1>Hi', output_type: 'markdown' });
const { data: png } = await renderByQuery({ url: 'data:text/html,x' }, { responseType: 'arraybuffer' });
const error: unknown = await renderByBody({ url: 'ftp://a.test/' }).catch((thrown: unknown) => thrown);
const code: unknown = isAxiosError<{ code: string }>(error) ? error.response?.data.code : error;
console.log(JSON.stringify([data, Buffer.from(png as ArrayBuffer).length > 100, code]));
`,
  },
];

let folder: string;
let server: RunningServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  server = await startServer(['--server-enable-schema', '--server-enable-mcp', '--server-enable-jobs', join(folder, 'jobs')]);
  await writeFile(join(folder, 'openapi.json'), await (await fetch(`${server.url}/openapi.json`)).text());
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...quiet, ...PACKAGES, COMPILER], { cwd: folder });
}, 900_000);
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe('a client that is generated from the document, with defaults, compiles and renders:', () => {
  it.each(CLIENTS)('$name', { timeout: 600_000 }, async ({ generate: [command = '', ...args], program }) => {
    const place = join(folder, args.at(-1)?.split('/')[0] ?? '');
    await mkdir(place, { recursive: true });
    await run(join(folder, 'node_modules/.bin', command), args, { cwd: folder });
    const source = join(place, 'program.ts');
    await writeFile(source, program);
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', '--skipLibCheck'];
    const types = ['--types', 'node', '--typeRoots', new URL('../../../../node_modules/@types', import.meta.url).pathname];
    await run(join(folder, 'node_modules/.bin/tsc'), [...options, ...types, source], { cwd: folder });
    const bundled = join(place, 'program.mjs');
    await build({ entryPoints: [source], outfile: bundled, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
    const { stdout } = await run(process.execPath, [bundled, server.url], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual(['# Hi\n', true, 'invalid_parameters']);
  });

  it('openapi-python-client, if the Python package index has it', { timeout: 600_000 }, async ({ skip }) => {
    const python = join(folder, 'python/bin/python');
    try {
      await run('python3', ['-m', 'venv', join(folder, 'python')]);
      await run(python, ['-m', 'pip', 'install', '--quiet', 'openapi-python-client==0.26.2']);
    } catch (error) {
      const reason = `NOT TESTED: openapi-python-client cannot be installed here: ${String(error).split('\n').at(-2) ?? ''}`;
      console.warn(reason);
      skip(reason);
    }
    const client = join(folder, 'python-client');
    await run(python, ['-m', 'openapi_python_client', 'generate', '--path', 'openapi.json', '--output-path', client], { cwd: folder });
    const { stdout } = await run(python, ['-c', 'import platen_client; print(platen_client.Client.__name__)'], { cwd: client });
    expect(stdout).toBe('Client\n');
  });
});
