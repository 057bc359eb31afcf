import { expect, it } from 'vitest';
import { readCaptionsArea, toBox } from '../../../../plugins/navigator/navigator-video/src/captions-area.js';

const SIZE = { width: 400, height: 200 };

it.each([
  ['rect(10px 300px 50px 20px)', { top: 10, right: 300, bottom: 50, left: 20 }],
  ['rect(0 100% 25% 0)', { top: 0, right: 400, bottom: 50, left: 0 }],
  ['inset(10px 20px 30px 40px)', { top: 10, right: 380, bottom: 170, left: 40 }],
  ['inset( 50%  0 0 12.5% )', { top: 100, right: 400, bottom: 200, left: 50 }],
  // What is outside of the video is not used.
  ['rect(0 900px 900px 0)', { top: 0, right: 400, bottom: 200, left: 0 }],
  ['rect(50px 100px 50px 0)', undefined],
  ['inset(0 60% 0 60%)', undefined],
  ['rect(0 500px 20px 400px)', undefined],
])('%s', (text, box) => {
  const area = readCaptionsArea(text);
  if (typeof area !== 'object') throw new Error('not a rectangle');
  expect(toBox(area, SIZE)).toEqual(box);
});

it.each(['top', 'bottom', 'center'])('%s', (text) => {
  expect(readCaptionsArea(text)).toBe(text);
});

it.each([
  ...['', 'left', 'Top', 'rect()', 'rect(1px 2px 3px)', 'rect(1px 2px 3px 4px 5px)', 'rect(1 2 3 4)', 'rect(-1px 2px 3px 4px)'],
  ...[
    'rect(1em 2px 3px 4px)',
    'rect(1px, 2px, 3px, 4px)',
    'inset(1px)',
    'circle(1px 2px 3px 4px)',
    'rect(1px 2px 3px 4px) ',
    'rect(NaNpx 0 0 0)',
  ],
])('%j has none of the forms', (text) => {
  expect(readCaptionsArea(text)).toBeUndefined();
});
