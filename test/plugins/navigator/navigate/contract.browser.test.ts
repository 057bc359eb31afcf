import { pluginContract } from '@platen/kernel/testing';
import openai from '@platen/plugin-model-providers/openai';
import models from '@platen/plugin-models';
import navigate from '@platen/plugin-navigate';
import { afterAll, describe, it } from 'vitest';
import manifest from '../../../../plugins/navigator/navigate/package.json' with { type: 'json' };
import { openModelServer } from '../../../helpers/model-server.js';
import { done } from '../../../helpers/navigator-script.js';

const server = await openModelServer('openai', () => ({ value: { actions: [done('A page.')] } }));
afterAll(() => server[Symbol.asyncDispose]());

describe('navigate', () => {
  const flags = { 'navigator-type': [server.connection()] };
  for (const check of pluginContract({ plugin: navigate, manifest, companions: [models, openai], flags })) it(check.name, check.run);
});
