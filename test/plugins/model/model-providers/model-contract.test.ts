import { modelContract, scriptProvider } from '@platen/lib-models/testing';
import anthropic from '@platen/plugin-model-providers/anthropic';
import google from '@platen/plugin-model-providers/google';
import ollama from '@platen/plugin-model-providers/ollama';
import openai from '@platen/plugin-model-providers/openai';
import stdio from '@platen/plugin-model-providers/stdio';
import { describe, it } from 'vitest';
import { DIALECTS } from '../../../helpers/model-dialects.js';
import { provideByStdio } from '../../../helpers/stdio-provider.js';

const subjects = [
  { plugin: openai, provide: scriptProvider('openai', DIALECTS.openai) },
  { plugin: anthropic, provide: scriptProvider('anthropic', DIALECTS.anthropic) },
  { plugin: google, provide: scriptProvider('google', DIALECTS.google) },
  { plugin: ollama, provide: scriptProvider('ollama', DIALECTS.ollama) },
  { plugin: stdio, provide: provideByStdio, isLocal: true },
];

describe.each(subjects)('the models of $plugin.name', (subject) => {
  for (const check of modelContract(subject)) it(check.name, check.run);
});
