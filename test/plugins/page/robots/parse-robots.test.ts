import { describe, expect, it } from 'vitest';
import { parseRobots } from '../../../../plugins/page/robots/src/parse-robots.js';

/** Whether the URL may be visited by `Platen`. */
function allows(robots: string, path: string, product = 'Platen'): boolean {
  return parseRobots(robots, product).ruleFor(new URL(path, 'http://site.test'))?.kind !== 'disallow';
}

const lines = (...all: readonly string[]) => all.join('\n');

describe('RFC 9309, 2.1 and 2.2.1: groups and user agents', () => {
  it.each([
    ['no rules at all', '', '/x', true],
    ['a rule for everyone', lines('User-agent: *', 'Disallow: /'), '/x', false],
    ['a rule for the product token', lines('User-agent: Platen', 'Disallow: /x'), '/x/y', false],
    ['the token in any case', lines('user-AGENT: pLATEN', 'DISallow: /x'), '/x', false],
    ['a version behind the token', lines('User-agent: Platen/2.1', 'Disallow: /'), '/', false],
    ['words behind the token', lines('User-agent: Platen is meant', 'Disallow: /'), '/', false],
    ['another token that begins alike', lines('User-agent: Platen-News', 'Disallow: /'), '/', true],
    ['a token that is part of another', lines('User-agent: Plate', 'Disallow: /'), '/', true],
    ['an empty token', lines('User-agent:', 'Disallow: /'), '/', true],
    ['an own group alone counts', lines('User-agent: *', 'Disallow: /', 'User-agent: Platen', 'Disallow: /no'), '/yes', true],
    ['an own group without rules counts', lines('User-agent: *', 'Disallow: /', '', 'User-agent: platen', 'Disallow:'), '/yes', true],
    ['own group first, everyone after it', lines('User-agent: Platen', 'Allow: /a', 'User-agent: *', 'Disallow: /'), '/b', true],
    [
      'groups of one token are merged, first',
      lines('User-agent: Platen', 'Disallow: /a', 'User-agent: b', 'Disallow: /b', 'User-agent: Platen', 'Disallow: /c'),
      '/a',
      false,
    ],
    [
      'groups of one token are merged, last',
      lines('User-agent: Platen', 'Disallow: /a', 'User-agent: b', 'Disallow: /b', 'User-agent: Platen', 'Disallow: /c'),
      '/c',
      false,
    ],
    [
      'groups of one token are merged, no other',
      lines('User-agent: Platen', 'Disallow: /a', 'User-agent: b', 'Disallow: /b', 'User-agent: Platen', 'Disallow: /c'),
      '/b',
      true,
    ],
    ['several tokens of one group', lines('User-agent: a', 'User-agent: Platen', 'User-agent: b', 'Disallow: /x'), '/x', false],
    ['blank lines do not end a group', lines('User-agent: Platen', '', '', 'Disallow: /x'), '/x', false],
    ['rules before any group', lines('Disallow: /x', 'User-agent: a', 'Disallow: /y'), '/x', true],
    [
      'other records do not end a list of tokens',
      lines('User-agent: Platen', 'Sitemap: http://site.test/map', 'User-agent: b', 'Disallow: /x'),
      '/x',
      false,
    ],
    ['everyone with words behind it', lines('User-agent: * (all of you)', 'Disallow: /'), '/', false],
  ])('%s', (_name, robots, path, allowed) => {
    expect(allows(robots, path)).toBe(allowed);
  });
});

describe('RFC 9309, 2.2: lines', () => {
  it.each([
    ['carriage returns', 'User-agent: *\rDisallow: /x\r', '/x', false],
    ['both line ends', 'User-agent: *\r\nDisallow: /x\r\n', '/x', false],
    ['a byte order mark', '\uFEFFUser-agent: *\nDisallow: /x', '/x', false],
    ['blanks and tabs', '\t User-agent \t:  * \n  Disallow\t: /x\t ', '/x', false],
    ['a comment behind a rule', 'User-agent: * # all\nDisallow: /x# not y', '/x', false],
    ['a comment is no rule', '#User-agent: *\n#Disallow: /', '/x', true],
    ['lines without a colon', 'User-agent *\nDisallow /\n', '/x', true],
    ['words that nobody knows', 'User-agent: *\nforbid: /x\nDisallow: /y', '/x', true],
    ['an HTML page', '<!doctype html><p>User-agent: *</p>\n<p>Disallow: /</p>', '/x', true],
    ['no line end at the end', 'User-agent: *\nDisallow: /x', '/x', false],
    ['NUL and bytes that are no text', 'User-agent: *\n\0\uFFFD\nDisallow: /x', '/x', false],
  ])('%s', (_name, robots, path, allowed) => {
    expect(allows(robots, path)).toBe(allowed);
  });
});

describe('RFC 9309, 2.2.2: the longest match decides, allow where both are as long', () => {
  it.each([
    ['a longer allow', ['Disallow: /shop', 'Allow: /shop/open'], '/shop/open/1', true],
    ['a longer allow, whatever the order', ['Allow: /shop/open', 'Disallow: /shop'], '/shop/open/1', true],
    ['a longer disallow', ['Allow: /shop', 'Disallow: /shop/staff'], '/shop/staff', false],
    ['as long', ['Disallow: /same', 'Allow: /same'], '/same', true],
    ['as long, whatever the order', ['Allow: /same', 'Disallow: /same'], '/same', true],
    ['a wildcard counts as a character', ['Allow: /a', 'Disallow: /*.htm'], '/a.htm', false],
    ['an empty disallow forbids nothing', ['Disallow:'], '/x', true],
    ['an empty allow permits nothing', ['Allow:', 'Disallow: /x'], '/x', false],
    ['paths know small from capital letters', ['Disallow: /X'], '/x', true],
    ['a prefix of a word', ['Disallow: /fish'], '/fishheads/yummy.html?id=anything', false],
    ['a folder is not the file of its name', ['Disallow: /fish/'], '/fish', true],
    ['a folder and what it holds', ['Disallow: /fish/'], '/fish/salmon.htm', false],
    ['a pattern without a slash in front matches nothing', ['Disallow: fish'], '/fish', true],
    ['the file itself is always allowed', ['Disallow: /'], '/robots.txt', true],
    ['the query is part of it', ['Disallow: /find?q='], '/find?q=1', false],
    ['a query with nothing in it is one', ['Disallow: /*?'], '/find?', false],
    ['no query is none', ['Disallow: /*?'], '/find', true],
    ['a quote is one encoded', ["Disallow: /it's?q='"], '/it%27s?q=%27', false],
    ['a quote is one bare', ['Disallow: /it%27s?q=%27'], "/it's?q='", false],
    ['the fragment is not', ['Disallow: /x#y'], '/x', false],
    ['the example of 5.2', ['Allow: /example/page/', 'Disallow: /example/page/disallowed.gif'], '/example/page/disallowed.gif', false],
  ])('%s', (_name, rules, path, allowed) => {
    expect(allows(lines('User-agent: *', ...rules), path)).toBe(allowed);
  });
});

describe('RFC 9309, 2.2.2: octets are compared in one spelling', () => {
  it.each([
    ['a query in the clear', '/foo/bar?baz=quz', '/foo/bar?baz=quz'],
    ['a URL within a query', '/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar'],
    ['letters beyond ASCII', '/foo/bar/ツ', '/foo/bar/%E3%83%84'],
    ['encoded letters beyond ASCII', '/foo/bar/%e3%83%84', '/foo/bar/ツ'],
    ['encoded letters of ASCII', '/foo/bar/%62%61%7A', '/foo/bar/baz'],
    ['the same in the URL', '/foo/bar/baz', '/foo/bar/%62%61%7a'],
    ['a space', '/a b', '/a%20b'],
  ])('%s', (_name, pattern, path) => {
    expect(allows(lines('User-agent: *', `Disallow: ${pattern}`), path)).toBe(false);
    expect(allows(lines('User-agent: *', `Disallow: ${pattern}`), '/other')).toBe(true);
  });

  it('an encoded slash is no slash', () => {
    expect(allows(lines('User-agent: *', 'Disallow: /a%2Fb'), '/a/b')).toBe(true);
    expect(allows(lines('User-agent: *', 'Disallow: /a%2Fb'), '/a%2fb')).toBe(false);
  });
});

describe('RFC 9309, 2.2.3: special characters', () => {
  it.each([
    ['anything between', '/*/private', '/a/b/private/c', false],
    ['nothing between', '/a*b', '/ab', false],
    ['a star at the end changes nothing', '/fish*', '/fishes', false],
    ['an end that must be the end', '/*.php$', '/x.php', false],
    ['an end that is not the end', '/*.php$', '/x.php?y', true],
    ['an end that comes twice', '/*.php$', '/x.php/x.php', false],
    ['the whole path', '/only$', '/only', false],
    ['more than the whole path', '/only$', '/only/', true],
    ['the root alone', '/$', '/', false],
    ['the root alone, and below', '/$', '/a', true],
    ['parts do not overlap', '/ab*bc$', '/abc', true],
    ['a dollar in the middle is itself', '/a$b', '/a$b', false],
    ['an encoded star', '/path/file-with-a-%2A.html', '/path/file-with-a-*.html', false],
    ['an encoded star is no wildcard', '/path/%2A.html', '/path/b.html', true],
    ['an encoded dollar', '/path/foo-%24', '/path/foo-$', false],
    ['an encoded dollar is no end', '/path/foo-%24', '/path/foo-', true],
    ['stars in a row', '/a**b', '/a-b', false],
  ])('%s', (_name, pattern, path, allowed) => {
    expect(allows(lines('User-agent: *', `Disallow: ${pattern}`), path)).toBe(allowed);
  });

  it('many stars are compared in one pass', () => {
    const robots = lines('User-agent: *', `Disallow: /${'*a'.repeat(5000)}b`);
    expect(allows(robots, `/${'a'.repeat(50_000)}`)).toBe(true);
  });
});

describe('what else a robots.txt says', () => {
  it('names the line that decides, as it is written', () => {
    const rules = parseRobots(lines('# hello', 'User-agent: *', 'Disallow:  /a # no', 'Allow: /a/b'), 'Platen');
    expect(rules.ruleFor(new URL('http://site.test/a'))).toEqual({ kind: 'disallow', line: 3, text: 'Disallow:  /a' });
    expect(rules.ruleFor(new URL('http://site.test/a/b'))).toEqual({ kind: 'allow', line: 4, text: 'Allow: /a/b' });
    expect(rules.ruleFor(new URL('http://site.test/c'))).toBeUndefined();
  });

  it('has the delay of the group that counts, and every sitemap', () => {
    const robots = lines(
      'Sitemap: https://site.test/a.xml',
      'User-agent: *',
      'Crawl-delay: 10',
      'Disallow: /x',
      'User-agent: b',
      'Crawl-delay: 3',
      'sitemap:/b.xml',
    );
    expect(parseRobots(robots, 'Platen')).toMatchObject({ crawlDelay: 10, sitemaps: ['https://site.test/a.xml', '/b.xml'] });
    expect(parseRobots(robots, 'b').crawlDelay).toBe(3);
  });

  it.each([
    ['1.5', 1.5],
    ['0', 0],
    ['-1', undefined],
    ['soon', undefined],
    ['', undefined],
    ['1e3', undefined],
  ])('a delay of "%s" is %s', (value, delay) => {
    expect(parseRobots(lines('User-agent: *', `Crawl-delay: ${value}`), 'Platen').crawlDelay).toBe(delay);
  });
});
