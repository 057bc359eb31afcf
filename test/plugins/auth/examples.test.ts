import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../../server/test-server.js';
import { openGuarded, SECRET } from './auth-server.js';

const run = promisify(execFile);
const PAGE = await readFile(new URL('../../../server/docs/api/signed-links.md', import.meta.url), 'utf8');
const SECTION = PAGE.slice(PAGE.indexOf('## Sign it yourself'));

/** Language of the code block -> how it is run, and what must be there for it. */
const LANGUAGES = [
  { fence: 'sh', file: 'sign.sh', command: ['bash'], needs: [['openssl', 'version'] as const, ['curl', '--version'] as const] },
  { fence: 'python', file: 'sign.py', command: ['python3'], needs: [['python3', '--version'] as const] },
  { fence: 'js', file: 'sign.cjs', command: [process.execPath], needs: [] },
  { fence: 'go', file: 'sign.go', command: ['go', 'run'], needs: [['go', 'version'] as const] },
];
const runs = ([program, question]: readonly [string, string]) => spawnSync(program, [question]).status === 0;

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await openGuarded(['signed']);
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe('the documented signers', () => {
  it('are four', () => {
    expect([...SECTION.matchAll(/^```(\w+)$/gm)].map(([, fence]) => fence)).toEqual(LANGUAGES.map(({ fence }) => fence));
  });

  for (const { fence, file, command, needs } of LANGUAGES) {
    it.skipIf(!needs.every(runs))(`in ${fence} print a URL that is let in, and that holds for nothing else`, async () => {
      const code = new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(SECTION)?.[1] ?? '';
      await writeFile(join(folder, file), code.replaceAll('http://127.0.0.1:3000', server.url));
      const [program = '', ...args] = command;
      const env = { ...process.env, PLATEN_SECRET: SECRET };
      const { stdout } = await run(program, [...args, file], { cwd: folder, env });
      const url = stdout.trim();
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?expires=\d+&full_page=true&url=\S+&signature=[0-9a-f]{64}$/);
      expect((await fetch(url)).status).toBe(200);
      expect(server.records.at(-1)?.plan?.url).toBe('https://example.com/~ann/?q=a+b%20c');
      expect((await fetch(url.replace('full_page=true', 'full_page=false'))).status).toBe(403);
    });
  }
});
