import { describe, expect, it } from 'vitest';
import { redactText, redactUrl } from '../../../server/src/log/create-log.js';

describe('redactUrl', () => {
  it.each([
    ['https://user:pass@example.com/a?token=s3cret&q=x&q=y#frag', 'https://example.com/a?token=*&q=*'],
    ['https://example.com:8443/', 'https://example.com:8443/'],
    ['data:text/html;base64,SECRET', 'data:text/html,[28 characters]'],
    ['data:,SECRET', 'data:,[12 characters]'],
    ['https://example.com/?s3cret', 'https://example.com/?*'],
    ['no url', '[not a URL]'],
  ])('%s is logged as %s', (url, logged) => {
    expect(redactUrl(url)).toBe(logged);
  });
});

describe('redactText', () => {
  it('redacts every URL of a message', () => {
    expect(redactText('cannot reach "https://u:p@h/x?k=v", nor http://b/?c=d (data:text/plain,SECRET)')).not.toMatch(/u:p|=v|=d|SECRET/);
  });

  it('is linear', () => {
    expect(redactText('a'.repeat(500_000) + '://')).toHaveLength(500_003);
  });
});
