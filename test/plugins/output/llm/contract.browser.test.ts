import { pluginContract } from '@platen/kernel/testing';
import llm from '@platen/plugin-llm';
import openai from '@platen/plugin-model-providers/openai';
import models from '@platen/plugin-models';
import view from '@platen/plugin-view';
import { afterAll, describe, it } from 'vitest';
import manifest from '../../../../plugins/output/llm/package.json' with { type: 'json' };
import { openModelServer } from '../../../helpers/model-server.js';

const server = await openModelServer('openai', ({ schema }) => (schema === undefined ? { text: 'A page.' } : { value: {} }));
afterAll(() => server[Symbol.asyncDispose]());

describe('llm', () => {
  const flags = { 'llm-format-model': server.connection() };
  for (const check of pluginContract({ plugin: llm, manifest, companions: [view, models, openai], flags })) it(check.name, check.run);
});
