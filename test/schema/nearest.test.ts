import { nearest } from '@platen/schema';
import { describe, expect, it } from 'vitest';

const KEYS = ['url', 'full_page', 'browser_width', 'browser_height', 'image_selector', 'video_selector'];

describe('nearest', () => {
  it.each([
    ['fullpage', 'full_page'],
    ['fullPage', 'full_page'],
    ['full-page', 'full_page'],
    ['FULL_PAGE', 'full_page'],
    ['ful_page', 'full_page'],
    ['browser_widht', 'browser_width'],
    ['uri', 'url'],
    ['image_selectr', 'image_selector'],
  ])('takes "%s" for "%s"', (word, meant) => {
    expect(nearest(word, KEYS)).toBe(meant);
  });

  it.each(['', 'x', 'to', 'width', 'selector', 'page_full', 'u'.repeat(100_000)])('takes "%.20s" for nothing', (word) => {
    expect(nearest(word, KEYS)).toBeUndefined();
  });

  it('takes what leaves a word out for the only name that has it', () => {
    const flags = [
      'server-bind-port',
      'server-prometheus-bind-port',
      'server-bind-address',
      'server-basic-auth',
      'server-token-auth',
      'server',
    ];
    expect(nearest('server-port', flags)).toBe('server-bind-port');
    expect(nearest('bind_address', flags)).toBe('server-bind-address');
    expect(nearest('server-auth', flags)).toBeUndefined();
    expect(nearest('port-server', flags)).toBeUndefined();
    expect(nearest('port', flags)).toBeUndefined();
  });

  it('takes the nearer of two', () => {
    expect(nearest('video_selecto', KEYS)).toBe('video_selector');
    expect(nearest('png', ['jpg', 'png'])).toBe('png');
  });
});

it('two letters in the wrong order are one slip', () => {
  expect(nearest('pgn', ['png', 'pdf'])).toBe('png');
  expect(nearest('pgm', ['png', 'pdf'])).toBeUndefined();
});
