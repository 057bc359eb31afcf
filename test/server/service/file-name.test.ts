import { describe, expect, it } from 'vitest';
import { keepFileName, nameFile, sanitizeFileName } from '../../../server/src/service/file-name.js';

describe('nameFile', () => {
  it.each([
    ['https://example.com/', 'example.com.png'],
    ['https://example.com/docs/start.html?key=secret#part', 'example.com-docs-start.png'],
    ['https://example.com/a.xhtml', 'example.com-a.png'],
    ['https://example.com/INDEX.HTM', 'example.com-INDEX.png'],
    ['https://example.com/v1.2/html', 'example.com-v1.2-html.png'],
    ['https://page.html/', 'page.html.png'],
    ['http://user:password@127.0.0.1:8080/a%20b', '127.0.0.1-a-b.png'],
    ['https://xn--bcher-kva.example/%C3%BC', 'bücher.example-ü.png'],
    ['http://a/../../etc/passwd', 'a-etc-passwd.png'],
    ['http://a/%2e%2e%2f%2e%2e%2fetc%2fpasswd', 'a-etc-passwd.png'],
    ['http://a/%0d%0aX-Evil:%201', 'a-X-Evil-1.png'],
    ['http://a/%E2%80%AEgnp.exe', 'a-gnp.exe.png'],
    ['http://a/%ff', 'a-ff.png'],
    ['http://con/', 'page-con.png'],
    ['http://a/shot.png', 'a-shot.png'],
    ['http://a/shot.PNG', 'a-shot.png'],
    ['http://a/xpng', 'a-xpng.png'],
    ['http://png/', 'png.png'],
    ['data:text/html,<h1>x</h1>', 'page.png'],
    ['not a URL', 'page.png'],
  ])('%s is %s', (url, name) => {
    expect(nameFile(url, 'png')).toBe(name);
  });

  it('is bounded', () => {
    expect(nameFile(`http://a/${'x'.repeat(5000)}`, 'png').length).toBe(64);
  });
});

describe('I8: sanitizeFileName', () => {
  it.each([
    ['../../x', 'x'],
    ['..', ''],
    ['.bashrc', 'bashrc'],
    ['a\u0000b\\c', 'a-b-c'],
    ['report "final".pdf', 'report-final-.pdf'],
    ['NUL.txt', 'page-NUL.txt'],
  ])('%s becomes %s', (name, expected) => {
    expect(sanitizeFileName(name)).toBe(expected);
  });
});

describe('I8: keepFileName', () => {
  it.each([
    ['Annual report 2026 (final).pdf', 'Annual report 2026 (final).pdf'],
    ['Preise €.csv', 'Preise €.csv'],
    ['../../etc/passwd', 'etc_passwd'],
    ['C:\\Windows\\x.exe', 'C_Windows_x.exe'],
    ['a\r\nX-Evil: yes.txt', 'a X-Evil_ yes.txt'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['x\u0000\u0007y.txt', 'xy.txt'],
    ['say "hi".txt', 'say _hi_.txt'],
    ['.htaccess', 'htaccess'],
    ['name. . ', 'name'],
    ['NUL.txt', 'file-NUL.txt'],
    ['..', ''],
  ])('%j becomes %j', (name, expected) => {
    expect(keepFileName(name)).toBe(expected);
  });

  it('is bounded in bytes, and keeps its ending', () => {
    const name = keepFileName(`${'漢'.repeat(500)}.tar.gz`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
    expect(name).toMatch(/^漢+\.gz$/);
  });
});
