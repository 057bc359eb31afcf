import { expect, it } from 'vitest';
import { render, usePlayground } from './open-playground.js';
import { playRender } from './play-render.js';

const playing = usePlayground({ render: playRender().render });
const { playground } = playing;

it('runs nothing that a target has sent, at / or by a URL of its own', async () => {
  const { page } = await playground('#url=http://a.test/&output_type=html');
  const blocked = await page.evaluate(
    (url) =>
      new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
          resolve(effectiveDirective);
        });
        const script = document.createElement('script');
        script.src = url;
        script.addEventListener('load', () => {
          resolve('loaded');
        });
        document.head.append(script);
      }),
    `${playing.server.url}/?url=http://a.test/&output_type=download`,
  );
  expect(blocked).toBe('script-src-elem');
  await page.evaluate(() => {
    const create = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob: Blob) => {
      document.title = blob.type;
      return create(blob);
    };
  });
  expect(await render(page)).toBe('done');
  expect(await page.title()).toBe('application/octet-stream');
});
