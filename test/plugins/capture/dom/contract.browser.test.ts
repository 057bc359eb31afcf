import { readFile } from 'node:fs/promises';
import { pluginContract } from '@platen/kernel/testing';
import { describe, it } from 'vitest';
import dom from '../../../../plugins/capture/dom/src/index.js';
import html from '../../../../plugins/output/html/src/index.js';
import txt from '../../../../plugins/output/txt/src/index.js';

const subjects = await Promise.all(
  [
    { plugin: dom, folder: 'capture/dom', companions: [] },
    { plugin: html, folder: 'output/html', companions: [dom] },
    { plugin: txt, folder: 'output/txt', companions: [dom] },
  ].map(async ({ folder, ...subject }) => {
    const path = new URL(`../../../../plugins/${folder}/package.json`, import.meta.url);
    return { ...subject, manifest: JSON.parse(await readFile(path, 'utf8')) as unknown };
  }),
);

describe.each(subjects)('the plugin $plugin.name', (subject) => {
  for (const check of pluginContract(subject)) it(check.name, check.run);
});
