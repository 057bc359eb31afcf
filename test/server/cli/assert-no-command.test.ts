import { describe, expect, it } from 'vitest';
import { assertNoCommand } from '../../../server/src/cli/main.js';

const KNOWN = { added: ['sign'], unknown: undefined };

describe('a lone word', () => {
  it.each([
    ['frobnicate', '`platen --help` lists them. A host of that name is http://frobnicate/'],
    ['web-1', '`platen --help` lists them. A host of that name is http://web-1/'],
    ['docter', 'did you mean `platen doctor`? A host of that name is http://docter/'],
    ['sing', 'did you mean `platen sign`? A host of that name is http://sing/'],
  ])('%s is no command', (word, hint) => {
    expect(() => assertNoCommand(word, KNOWN)).toThrow(expect.objectContaining({ message: `there is no command "${word}" here`, hint }));
  });

  it.each([undefined, 'localhost', 'a.test', 'a.test:80/', 'web:3000', 'http://web/', 'web/page'])('%s may be a URL', (word) => {
    expect(() => assertNoCommand(word, KNOWN)).not.toThrow();
  });
});
