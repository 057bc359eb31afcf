import { describe, expect, it } from 'vitest';
import { createCredentials, readFiles } from '@platen/lib-actions';
import { readGoal } from '../../../../plugins/navigator/navigate/src/goal.js';
import { readData } from '../../../../plugins/navigator/navigate/src/read-inputs.js';

const ELEMENT = {
  ...{ role: 'textbox', name: 'User', tag: 'input', inputType: 'text', box: { x: 0, y: 0, width: 1, height: 1 } },
  origin: 'https://a.test',
  frameUrls: ['https://a.test/login'],
};

describe('credentials', () => {
  const params = {
    navigator_credential: { username: 'ada', password: 'secret', pw_google: 'other' },
    navigator_credential_origin: { '*_google': ['https://accounts.test/*'], pw_google: ['https://more.test/*'] },
  };
  const credentials = createCredentials('https://a.test/', params, [{ name: 'db', value: 'operator', origins: ['https://db.test/*'] }]);
  const password = { ...ELEMENT, inputType: 'password' };

  it('may be filled in on their sites', () => {
    expect(credentials.namesFor('https://a.test/')).toEqual(['username', 'password']);
    expect(credentials.namesFor('https://accounts.test/x')).toEqual(['pw_google']);
    expect(credentials.namesFor('https://more.test/')).toEqual(['pw_google']);
    expect(credentials.namesFor('https://db.test/')).toEqual(['db']);
  });

  it('are resolved where element, frames and form are in scope', () => {
    expect(credentials.resolve('username', ELEMENT)).toBe('ada');
    expect(credentials.resolve('password', password)).toBe('secret');
    expect(credentials.resolve('password', { ...ELEMENT, autocomplete: 'section-a one-time-code' })).toBe('secret');
    expect(credentials.resolve('username', { ...ELEMENT, formAction: 'https://www.a.test/x' })).toBe('ada');
    expect(credentials.resolve('username', { ...ELEMENT, frameUrls: ['about:srcdoc', 'https://a.test/'] })).toBe('ada');
  });

  it.each([
    ['nobody', ELEMENT, 'there is no credential "nobody"'],
    ['username', { ...ELEMENT, frameUrls: ['https://evil.test/'] }, 'may not be filled in on this site'],
    ['username', { ...ELEMENT, frameUrls: ['https://a.test/', 'https://evil.test/'] }, 'or in a frame'],
    ['username', { ...ELEMENT, frameUrls: ['https://evil.test/', 'https://a.test/'] }, 'or in a frame'],
    ['username', { ...ELEMENT, formAction: 'https://evil.test/' }, 'the form would send it to another site'],
    ['password', ELEMENT, 'belongs into a password field'],
    ['username', { ...ELEMENT, inputType: 'checkbox' }, 'belongs into a text field'],
    ['username', { ...ELEMENT, tag: 'div' }, 'belongs into a text field'],
    ['username', { ...ELEMENT, origin: 'null' }, 'may not be filled in in this frame'],
    ['pw_google', password, 'may not be filled in on this site'],
    ['db', password, 'may not be filled in on this site'],
  ])('%s is refused: %#', (name, element, reason) => {
    expect(() => credentials.resolve(name, element)).toThrow(reason);
    expect(() => credentials.resolve(name, element)).not.toThrow(/ada|secret|operator/);
  });

  it("a request cannot widen the origins of the operator's", () => {
    const wide = createCredentials('https://evil.test/', { navigator_credential_origin: { '*': ['*'] } }, [
      { name: 'db', value: 'operator', origins: ['https://db.test/*'] },
    ]);
    expect(wide.namesFor('https://evil.test/')).toEqual([]);
  });
});

describe('data', () => {
  const bodies: Record<string, { status: number; body: string }> = {
    'https://data.test/a.json': { status: 200, body: '{"address":{"city":"Rome","zip":1},"list":["x"]}' },
    'https://data.test/bad': { status: 200, body: '{' },
    'https://data.test/list': { status: 200, body: '[1]' },
    'https://data.test/gone': { status: 404, body: '' },
  };
  const outbound = {
    fetch: (url: string) => Promise.resolve({ url, headers: {}, ...bodies[url], body: Buffer.from(bodies[url]?.body ?? '') } as never),
  };
  const read = (params: Parameters<typeof readData>[0]) => readData(params, { outbound, signal: new AbortController().signal });

  it('is applied in order, nested names with dots, null removes', async () => {
    const items = [
      { address: { city: 'Paris', street: 'x' }, keep: true },
      'https://data.test/a.json',
      { address: { street: null }, keep: null },
    ];
    const data = await read({ navigator_data_json: items, navigator_data: { 'address.city': 'Oslo' } });
    expect(Object.fromEntries(data)).toEqual({ 'address.city': 'Oslo', 'address.zip': '1', 'list.0': 'x' });
  });

  it('a value in the place of an object replaces what is below it', async () => {
    expect(Object.fromEntries(await read({ navigator_data_json: [{ a: { b: '1' } }, { a: '2' }] }))).toEqual({ a: '2' });
  });

  it('names with dots and nested names are the same, and an object replaces a value', async () => {
    const items = [{ 'a.b': '1', 'a.c': '2', d: '3' }, { a: { b: '4' }, d: { e: '5' } }, { 'a.c': null }];
    expect(Object.fromEntries(await read({ navigator_data_json: items }))).toEqual({ 'a.b': '4', 'd.e': '5' });
  });

  it.each([
    ['a name', { ['x'.repeat(1_001)]: 1 }],
    ['a nested name', { ['x'.repeat(500)]: { ['x'.repeat(500)]: 1 } }],
  ])('%s of more than 1000 characters is refused', async (_name, item) => {
    await expect(read({ navigator_data_json: [item] })).rejects.toThrow('"navigator_data_json[0]" has a name of more than 1000 characters');
  });

  it.each([
    ['https://data.test/bad', 'is not JSON'],
    ['https://data.test/list', 'is not a JSON object'],
    ['https://data.test/gone', 'was answered with status 404'],
  ])('%s: %s', async (url, detail) => {
    await expect(read({ navigator_data_json: [{}, url] })).rejects.toMatchObject({
      code: 'invalid_parameters',
      message: `"navigator_data_json[1]" ${detail}`,
    });
  });
});

describe('files', () => {
  it('are read from base64 data URLs', () => {
    const [file] = readFiles({ navigator_file: { 'a b.txt': 'data:text/plain;charset=utf-8;base64,aGk=' } });
    expect(file).toMatchObject({ name: 'a b.txt', type: 'text/plain', data: Buffer.from('hi') });
  });

  it.each([
    [{ 'a/b': 'data:;base64,aGk=' }, 'invalid file name'],
    [{ a: 'data:text/plain,hi' }, 'must have base64 data: URLs'],
    [{ a: 'data:;base64,???' }, 'must have base64 data: URLs'],
  ])('%j is refused', (files, message) => {
    expect(() => readFiles({ navigator_file: files })).toThrow(message);
  });
});

describe('goal', () => {
  it.each([
    [undefined, { by: 'navigator' }],
    ['url:*/thanks*', { by: 'url', pattern: '*/thanks*' }],
    [' css: .done > a ', { by: 'css', selector: '.done > a' }],
    ['Is it ordered?', { by: 'question', question: 'Is it ordered?' }],
  ])('%j', (text, goal) => {
    expect(readGoal(text)).toEqual(goal);
  });

  it('needs something after its kind', () => {
    expect(() => readGoal('url:')).toThrow('"navigator_goal" needs a pattern after "url:"');
  });
});
