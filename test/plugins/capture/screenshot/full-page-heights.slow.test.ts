import { createTestKernel } from '@platen/kernel/testing';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import { afterAll, describe, it } from 'vitest';
import { BLUE, dataUrl, decodePicture, expectColumn, RED, YELLOW } from '../pictures.js';

const host = createTestKernel({ plugins: [pixels, png] });
afterAll(() => host[Symbol.asyncDispose]());

async function render(body: string) {
  const head = '<style>i{display:block;background:blue}u{display:block;height:1000px;background:red}</style>';
  return decodePicture(await (await host.render({ url: dataUrl(body, head), full_page: true, timeout: 90 })).bytes());
}

/** A screen and its content. */
const screen = (script: string) =>
  `<i></i><u></u><script>const screen = document.querySelector('i'), root = document.documentElement; ${script}</script>`;

describe('heights that scripts take from the viewport are those of the browser', () => {
  it.each([
    ['an inline height', 720, 'screen.style.height = innerHeight + "px"'],
    ['an inline minimum', 720, 'screen.style.minHeight = innerHeight + "px"'],
    ['a part of it', 576, 'screen.style.height = innerHeight * .8 + "px"'],
    ['all but a bar', 640, 'screen.style.height = innerHeight - 80 + "px"'],
    ['a padding', 720, 'screen.style.paddingTop = innerHeight + "px"'],
    ['a unit', 576, 'root.style.setProperty("--vh", innerHeight * .01 + "px"); screen.style.height = "calc(var(--vh) * 80)"'],
    ['a property', 720, 'root.style.setProperty("--app", innerHeight + "px"); screen.style.height = "var(--app)"'],
    [
      'a rule',
      720,
      'const sheet = new CSSStyleSheet(); sheet.replaceSync("i{height:" + innerHeight + "px}"); document.adoptedStyleSheets = [sheet]',
    ],
    ['clientHeight', 720, 'screen.style.height = root.clientHeight + "px"'],
  ])('where they read it once: %s', async (_name, height, script) => {
    expectColumn(await render(screen(script)), 600, [height, BLUE], [1000, RED]);
  });

  it.each([
    ['at once', 'addEventListener("resize", fit)'],
    ['after 300 ms', 'let timer; addEventListener("resize", () => { clearTimeout(timer); timer = setTimeout(fit, 300) })'],
    ['after 700 ms', 'let timer; addEventListener("resize", () => { clearTimeout(timer); timer = setTimeout(fit, 700) })'],
  ])('where they read it again when the window is resized, %s', async (_name, script) => {
    const picture = await render(screen(`const fit = () => { screen.style.height = innerHeight + 'px' }; fit(); ${script}`));
    expectColumn(picture, 600, [720, BLUE], [1000, RED]);
  });

  it('of the page as it is scrolled', async () => {
    const row = '<b style="display:block;height:500px"></b>';
    const reveal = `const observer = new IntersectionObserver((all) => { for (const { isIntersecting, target } of all) if (isIntersecting) target.style.background = 'yellow' });
      for (const row of document.querySelectorAll('b')) observer.observe(row)`;
    const picture = await render(`${screen('screen.style.height = innerHeight + "px"')}${row.repeat(4)}<script>${reveal}</script>`);
    expectColumn(picture, 600, [720, BLUE], [1000, RED], [2000, YELLOW]);
  });
});
