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

  it('takes the nearer of two', () => {
    expect(nearest('video_selecto', KEYS)).toBe('video_selector');
    expect(nearest('png', ['jpg', 'png'])).toBe('png');
  });
});
