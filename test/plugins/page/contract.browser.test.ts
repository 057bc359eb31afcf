import { readFile } from 'node:fs/promises';
import { pluginContract } from '@platen/kernel/testing';
import { describe, it } from 'vitest';
import adblock from '../../../plugins/page/adblock/src/index.js';
import emulate from '../../../plugins/page/emulate/src/index.js';
import robots from '../../../plugins/page/robots/src/index.js';
import target from '../../../plugins/page/target/src/index.js';
import wait from '../../../plugins/page/wait/src/index.js';
import webBotAuth from '../../../plugins/page/web-bot-auth/src/index.js';

const subjects = await Promise.all(
  [target, emulate, wait, robots, webBotAuth, adblock].map(async (plugin) => {
    const path = new URL(`../../../plugins/page/${plugin.name}/package.json`, import.meta.url);
    const always = plugin === robots ? ['beforeOpen', 'beforeNavigate', 'navigate', 'waitFor', 'beforeCapture'] : [];
    return { plugin, manifest: JSON.parse(await readFile(path, 'utf8')) as unknown, always };
  }),
);

describe.each(subjects)('the plugin $plugin.name', (subject) => {
  for (const check of pluginContract(subject)) it(check.name, check.run);
});
