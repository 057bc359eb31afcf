import { describe, expect, it } from 'vitest';
import { applySearchDomains, parseHosts, parseSearch } from '../../../kernel/src/egress/hosts-files.js';

describe('parseHosts', () => {
  it('reads names, aliases and remarks, each address once', () => {
    const hosts = parseHosts('127.0.0.1 a B # c\n\n#1.2.3.4 d\n::1\ta\r\n127.0.0.1 a\nno.address e\n');
    expect([...hosts]).toEqual([
      [
        'a',
        [
          { address: '127.0.0.1', family: 4 },
          { address: '::1', family: 6 },
        ],
      ],
      ['b', [{ address: '127.0.0.1', family: 4 }]],
    ]);
  });
});

describe('a name that is completed', () => {
  it.each([
    ['', 'a', ['a']],
    ['search x.test y.test.\n', 'a', ['a.x.test', 'a.y.test', 'a']],
    ['search x.test\n', 'a.b', ['a.b', 'a.b.x.test']],
    ['search x.test\noptions timeout:1 ndots:5\n', 'a.b', ['a.b.x.test', 'a.b']],
    ['search x.test\n', 'a.', ['a.']],
    ['search x.test\ndomain y.test # the last one holds\n', 'a', ['a.y.test', 'a']],
  ])('by %j: %s', (text, host, names) => {
    expect(applySearchDomains(host, parseSearch(text))).toEqual(names);
  });
});
