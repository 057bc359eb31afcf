import { pluginContract } from '@platen/kernel/testing';
import openai from '@platen/plugin-model-providers/openai';
import models from '@platen/plugin-models';
import navigate from '@platen/plugin-navigate';
import navigatorScripts from '@platen/plugin-navigator-scripts';
import { afterAll, describe, it } from 'vitest';
import manifest from '../../../../plugins/navigator/navigator-scripts/package.json' with { type: 'json' };
import { openModelServer } from '../../../helpers/model-server.js';
import { done } from '../../../helpers/navigator-script.js';

const server = await openModelServer('openai', () => ({ value: { actions: [done('A page.')] } }));
afterAll(() => server[Symbol.asyncDispose]());

describe('navigator-scripts', () => {
  const flags = { 'navigator-type': [server.connection()] };
  for (const check of pluginContract({ plugin: navigatorScripts, manifest, companions: [navigate, models, openai], flags }))
    it(check.name, check.run);
});
