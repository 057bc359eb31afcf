import { checkFlags, createFlagValidator, SchemaError } from '@platen/schema';
import { describe, expect, it } from 'vitest';
import { issuesOf } from './request-schema.js';

describe('createFlagValidator', () => {
  const validate = createFlagValidator({
    'server-bind-port': { type: 'integer', minimum: 0, maximum: 65_535, default: 3000 },
    server: { type: 'boolean' },
  });

  it('checks startup flags as it checks parameters, and injects no default', () => {
    expect(validate({ server: true })).toEqual({ server: true });
    expect(issuesOf(() => validate({ 'server-bind-port': 70_000 }))).toEqual([
      { parameter: 'server-bind-port', detail: '"server-bind-port" must be between 0 and 65535' },
    ]);
    expect(issuesOf(() => validate({ 'server-bindport': 1 }))[0]?.detail).toBe(
      'unknown flag "server-bindport": did you mean "server-bind-port"?',
    );
  });

  it('lets examples be spelled as on the command line', () => {
    const listed = createFlagValidator({ plugins: { type: 'array', items: { type: 'string' }, examples: ['png,pdf'] } });
    expect(listed({ plugins: ['png'] })).toEqual({ plugins: ['png'] });
  });

  it('names who declared a flag wrongly', () => {
    const wrong = { 'bad-flag': { type: 'integer', pattern: 'x' } } as const;
    expect(() => checkFlags(wrong, 'third-party')).toThrow(SchemaError);
    expect(() => checkFlags(wrong, 'third-party')).toThrow(/^"third-party" declares "bad-flag" wrongly: /);
  });
});
