import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { expect, it } from 'vitest';
import sharp from 'sharp';
import emulate from '../../../../plugins/page/emulate/src/index.js';
import { openSite } from '../../../helpers/site.js';

const picture = definePlugin({
  name: 'picture',
  captures: [{ kind: 'picture' }],
  outputs: [{ type: 'picture', from: 'picture', contentType: 'image/png', extension: 'png' }],
  apply({ hooks }) {
    hooks.capture.for('picture').tapPromise('picture', ({ page }) => page.screenshot({ format: 'png' }));
    hooks.encode
      .for('picture')
      .tapPromise('picture', (body) => Promise.resolve({ contentType: 'image/png', extension: 'png', body: body as Buffer }));
  },
});

it('shows page, frame and cross-site frame through the deficiency', async () => {
  await using site = await openSite({
    '/': () =>
      `<body style="margin:0;background:#f00"><style>iframe{position:absolute;left:0;width:100px;height:100px;border:0}</style>
       <iframe src="/red.html" style="top:100px"></iframe><iframe src="http://other.localhost:${String(site.port)}/red.html" style="top:200px"></iframe>`,
    '/red.html': '<body style="background:#f00">',
  });
  await using host = createTestKernel({ plugins: [emulate, picture] });
  const colours = async (params: object) => {
    const image = sharp(await (await host.render({ url: site.url('/'), output_type: 'picture', ...params })).bytes());
    return Promise.all(
      [50, 150, 250].map(async (top) => {
        const pixel = await image.clone().extract({ left: 50, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
        return [...pixel].join(' ');
      }),
    );
  };
  expect(await colours({})).toEqual(['255 0 0', '255 0 0', '255 0 0']);
  const [page = '', ...frames] = await colours({ emulate_vision_deficiency: 'achromatopsia' });
  expect(new Set(page.split(' ')).size, page).toBe(1);
  expect(frames).toEqual([page, page]);
  const tinted = await colours({ emulate_vision_deficiency: 'protanopia' });
  // Chromium filters a frame of the page's own process once more, which hardly shows. Unfiltered red would be far off.
  for (const colour of tinted) expect(Math.abs(Number(colour.split(' ')[0]) - 109), tinted.join()).toBeLessThan(10);
});
