import { describe, expect, it } from 'vitest';
import { findDefinitionFault } from '../../schema/src/definition.js';

const output = { type: 'png', from: 'screenshot', contentType: 'image/png', extension: 'png' };

describe('findDefinitionFault', () => {
  it('takes a definition with every field', () => {
    const run = () => Promise.resolve(0);
    const verbs = { plan: run, validatePlan: run, apply: run, prepare: run, serve: run };
    const definition = {
      ...{ name: 'whole', tier: 'pro', requires: ['a'], params: {}, flags: {}, rules: [{ 'x-message': 'no', 'x-parameters': [] }] },
      captures: [
        {
          kind: 'screenshot',
          streaming: true,
          pausesVirtualTime: true,
          spansDocuments: true,
          acceptsDownloads: true,
          recordsLoading: true,
        },
      ],
      outputs: [output, { ...output, from: ['a', 'b'], endings: [], defaultFor: 'z', noGzipKey: 'x', aliases: ['y'], captureOptions: {} }],
      assets: [{ key: 'with_har', name: 'har' }],
      planFor: { asset: 'with_har' },
      tools: [{ id: 'tool', candidates: [{ name: 'tool', package: 'tool' }], fix: 'npm i tool', from: import.meta.url }],
      commands: [{ name: 'inspect', usage: '', description: 'Inspects.', help: 'More.', run }],
      ...verbs,
    };
    expect(findDefinitionFault(definition)).toBeUndefined();
  });

  it.each([
    [{ preprae: () => undefined }, 'unknown field "preprae": did you mean "prepare"?'],
    [{ wholly_other: 1 }, 'unknown field "wholly_other"'],
    [{ plan: {} }, '"plan" must be a function'],
    [{ planFor: 'har' }, '"planFor" must be an object'],
    [{ outputs: output }, '"outputs" must be a list'],
    [{ outputs: [output, { ...output, contentType: undefined }] }, '"outputs[1].contentType" must be a media type, such as "image/png"'],
    [
      { outputs: [{ ...output, contentType: 'image/x\r\nX-Evil: 1' }] },
      '"outputs[0].contentType" must be a media type, such as "image/png"',
    ],
    [
      { outputs: [{ ...output, extension: '../x' }] },
      '"outputs[0].extension" must be a file extension without a leading dot, such as "png"',
    ],
    [{ outputs: [{ ...output, contenttype: 'image/png' }] }, 'unknown field "outputs[0].contenttype": did you mean "contentType"?'],
    [{ outputs: [{ ...output, from: [] }] }, '"outputs[0].from" must be a capture kind or a list of capture kinds'],
    [{ captures: ['screenshot'] }, '"captures[0]" must be an object'],
    [{ captures: [{ kind: 'screenshot', streaming: 'yes' }] }, '"captures[0].streaming" must be true'],
    [{ commands: [{ name: 'a', usage: '', description: 'A.' }] }, '"commands[0].run" must be a function'],
    [{ requires: 'screenshot' }, '"requires" must be a list of strings'],
    [{ tier: 'gold' }, '"tier" must be "free", "pro" or "enterprise"'],
    [{ params: [] }, '"params" must be an object'],
    [{ name: 7 }, '"name" must be a string'],
  ])('names the field: %j', (fields, fault) => {
    expect(findDefinitionFault({ name: 'odd', ...fields })).toBe(fault);
  });
});
