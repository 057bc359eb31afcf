import { describe, expect, it } from 'vitest';
import { readMaxBytes } from '../../../../plugins/output/download/src/index.js';
import { typeOfDownload } from '../../../../plugins/output/download/src/media-type.js';

const types = new Map([
  ['http://a.test/file', 'text/csv; charset=utf-8'],
  ['http://a.test/split', 'text/csv\r\nX-Evil: yes'],
  ['http://a.test/odd', 'csv'],
  ['http://a.test/two', 'application/pdf;, text/html'],
  ['http://a.test/list', 'application/pdf, text/html'],
  ['http://a.test/lines', 'application/pdf\ntext/html'],
  ['http://a.test/quoted', 'Text/CSV; Header="pre\\sent"; bad; header=absent'],
]);

describe('typeOfDownload', () => {
  it.each([
    ['http://a.test/file', 'x.bin', 'text/csv;charset=utf-8'],
    ['http://a.test/file#part', 'x.bin', 'text/csv;charset=utf-8'],
    ['http://a.test/split', 'x.csv', 'application/octet-stream'],
    ['http://a.test/odd', 'x.zip', 'application/octet-stream'],
    ['http://a.test/two', 'x.pdf', 'application/pdf'],
    ['http://a.test/list', 'x.pdf', 'application/octet-stream'],
    ['http://a.test/lines', 'x.pdf', 'application/octet-stream'],
    ['http://a.test/quoted', 'x', 'text/csv;header=present'],
    ['http://a.test/unknown', 'x', 'application/octet-stream'],
    ['blob:http://a.test/1', 'x.json', 'application/json'],
    ['data:text/x-own;base64,AA', 'x', 'text/x-own'],
    ['data:;charset=utf-8,a', 'x', 'text/plain;charset=utf-8'],
    ['data:application/pdf;, text/html', 'x', 'application/pdf'],
    ['data:,a', 'x.pdf', 'application/pdf'],
  ])('of %s, named %s, is %s', (url, name, type) => {
    expect(typeOfDownload({ url, name }, types)).toBe(type);
  });
});

describe('readMaxBytes', () => {
  it('is what an output asks for, within what can be', () => {
    expect(readMaxBytes()).toBe(2 ** 31 - 1);
    expect(readMaxBytes({ maxBytes: 10 })).toBe(10);
  });

  it.each([0, -1, 2 ** 31, '10', null])('refuses %j', (maxBytes) => {
    expect(() => readMaxBytes({ maxBytes })).toThrow('captureOptions.maxBytes');
  });
});
