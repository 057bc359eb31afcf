import { pluginContract } from '@platen/kernel/testing';
import anthropic from '@platen/plugin-model-providers/anthropic';
import google from '@platen/plugin-model-providers/google';
import ollama from '@platen/plugin-model-providers/ollama';
import openai from '@platen/plugin-model-providers/openai';
import stdio from '@platen/plugin-model-providers/stdio';
import { describe, it } from 'vitest';
import manifest from '../../../../plugins/model/model-providers/package.json' with { type: 'json' };

describe.each([openai, anthropic, google, ollama, stdio])('the plugin $name', (plugin) => {
  for (const check of pluginContract({ plugin, manifest })) it(check.name, check.run);
});
