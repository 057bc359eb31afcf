import { readFile } from 'node:fs/promises';
import { pluginContract } from '@platen/kernel/testing';
import cache from '@platen/plugin-cache';
import cluster from '@platen/plugin-cluster';
import egress from '@platen/plugin-egress';
import jobs from '@platen/plugin-jobs';
import license from '@platen/plugin-license';
import limits from '@platen/plugin-limits';
import mcp from '@platen/plugin-mcp';
import models from '@platen/plugin-models';
import s3Store from '@platen/plugin-s3-store';
import { describe, it } from 'vitest';

const subjects = await Promise.all(
  [cache, cluster, egress, jobs, license, limits, mcp, models, s3Store].map(async (plugin) => {
    const path = new URL(`../../../plugins/service/${plugin.name}/package.json`, import.meta.url);
    const always = plugin === egress ? ['additionalAssets'] : [];
    return { plugin, manifest: JSON.parse(await readFile(path, 'utf8')) as unknown, always };
  }),
);

describe.each(subjects)('the plugin $plugin.name', (subject) => {
  for (const check of pluginContract(subject)) it(check.name, check.run);
});
