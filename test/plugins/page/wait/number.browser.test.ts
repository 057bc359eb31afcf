import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { coerceQuery, coerceText } from '@platen/schema';
import { describe, expect, it } from 'vitest';
import wait from '../../../../plugins/page/wait/src/index.js';

const probe = definePlugin({
  name: 'probe',
  captures: [{ kind: 'probe' }],
  outputs: [{ type: 'probe', from: 'probe', contentType: 'text/plain', extension: 'txt' }],
  apply({ hooks }) {
    hooks.capture.for('probe').tap('probe', () => '');
    hooks.encode.for('probe').tap('probe', () => ({ contentType: 'text/plain', extension: 'txt', body: Buffer.from('') }));
  },
});
const { kernel } = createTestKernel({ plugins: [wait, probe] });

describe('a JSON number of seconds', () => {
  const planOf = (wait_for: unknown) => kernel.plan(kernel.validate({ url: 'http://a.test/', output_type: 'probe', wait_for }, 'body'));

  it.each([
    [1, '1'],
    [0.5, '0.5'],
    [0, '0'],
  ])('%j is the same request as its text', (number, text) => {
    expect(planOf(number)).toEqual(planOf(text));
  });

  it.each([-1, 86_401, 1e21, 1e-7])('%j is refused as its text is', (number) => {
    expect(() => planOf(number)).toThrow('"wait_for" must be a number of seconds from 0 to 86400, in digits, such as "1.5"');
  });

  it.each([true, {}])('%j is no number', (value) => {
    expect(() => planOf(value)).toThrow('"wait_for" must be');
  });

  it('is published, and a query and a command line keep the text', () => {
    const { schema } = kernel;
    expect(schema.document.properties['wait_for']).toMatchObject({ type: ['string', 'number', 'null'] });
    expect(coerceQuery([['wait_for', '1']], schema)).toEqual({ wait_for: '1' });
    expect(coerceText('1', schema.keys.get('wait_for')?.fragment ?? {})).toBe('1');
  });
});
