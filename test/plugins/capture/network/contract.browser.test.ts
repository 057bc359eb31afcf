import { readFile } from 'node:fs/promises';
import { pluginContract } from '@platen/kernel/testing';
import { describe, it } from 'vitest';
import networkLog from '../../../../plugins/asset/network-log/src/index.js';
import exchanges from '../../../../plugins/capture/network/src/index.js';
import har from '../../../../plugins/output/har/src/index.js';

const manifest = async (folder: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`../../../../plugins/${folder}/package.json`, import.meta.url), 'utf8'));

describe.each([
  { folder: 'capture/network', plugin: exchanges, companions: [], always: ['beforeNavigate'] },
  { folder: 'output/har', plugin: har, companions: [exchanges] },
  { folder: 'asset/network-log', plugin: networkLog, companions: [] },
])('$folder', async ({ folder, ...subject }) => {
  for (const check of pluginContract({ ...subject, manifest: await manifest(folder) })) it(check.name, check.run);
});
