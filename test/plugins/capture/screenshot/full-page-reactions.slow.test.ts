import { createTestKernel } from '@platen/kernel/testing';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import wait from '@platen/plugin-wait';
import { afterAll, describe, expect, it } from 'vitest';
import { BLUE, dataUrl, decodePicture, expectColumn, RED, YELLOW } from '../pictures.js';

const host = createTestKernel({ plugins: [pixels, png, wait] });
afterAll(() => host[Symbol.asyncDispose]());

async function render(body: string, params: Readonly<Record<string, unknown>> = {}) {
  const url = dataUrl(body, '<style>i{display:block;height:100vh;background:blue}b{display:block;height:300px}.in{background:red}</style>');
  return decodePicture(await (await host.render({ url, full_page: true, timeout: 90, ...params })).bytes());
}

const ROWS = '<b></b>'.repeat(10);
const rows = (script: string) => `<i></i>${ROWS}<script>const rows = Array.from(document.querySelectorAll('b'));
  const show = (row) => row.classList.add('in');
  const isIn = (row) => { const { top, bottom } = row.getBoundingClientRect(); return top < innerHeight && bottom > 0 };
  const reveal = () => rows.filter(isIn).forEach(show);
  const observe = (options, seen, left = () => {}) => { const observer = new IntersectionObserver((all) => { for (const { isIntersecting, target } of all) if (isIntersecting) seen(target, observer); else left(target) }, options); rows.forEach((row) => observer.observe(row)) };
  ${script}</script>`;

describe('a full page waits where the page reacts to scrolling', () => {
  it.each([
    ['a throttled listener', 'let timer; addEventListener("scroll", () => { timer ||= setTimeout(() => { timer = 0; reveal() }, 150) })'],
    ['a debounced listener', 'let timer; addEventListener("scroll", () => { clearTimeout(timer); timer = setTimeout(reveal, 150) })'],
    ['a listener of the document', 'document.addEventListener("scroll", () => setTimeout(reveal, 120), true)'],
    [
      'an observer of rows that stay in view',
      'const timers = new Map(); observe({}, (row) => timers.set(row, setTimeout(show, 150, row)), (row) => clearTimeout(timers.get(row)))',
    ],
    ['an observer of a band in the middle', 'observe({ rootMargin: "-25% 0px" }, (row) => setTimeout(show, 100, row))'],
    ['an observer of rows that are in view almost as a whole', 'observe({ threshold: 0.9 }, show)'],
    [
      'a timer',
      'setInterval(() => { if (scrollY > 0) reveal() }, 120); requestAnimationFrame(function at() { document.body.title = scrollY; requestAnimationFrame(at) })',
    ],
  ])('by %s', async (_name, script) => {
    expectColumn(await render(rows(script)), 600, [720, BLUE], [3000, RED]);
  });

  it.each([
    ['a timer', 'setTimeout(show, 900, row)'],
    [
      'an animation by frames',
      'const from = performance.now(); requestAnimationFrame(function step(now) { const part = (now - from) / 1500; if (part < 1) { row.style.width = part * 100 + "%"; requestAnimationFrame(step) } else { row.style.width = ""; show(row) } })',
    ],
  ])('and for its condition once more, at the top: %s', async (_name, script) => {
    const page = rows(`observe({}, (row, observer) => { observer.unobserve(row); ${script} })`);
    expectColumn(await render(page, { wait_for: 2 }), 600, [720, BLUE], [3000, RED]);
  });

  it('and until what follows the scroll position is at rest', async () => {
    const script = `let y = 0; requestAnimationFrame(function follow() { y += (scrollY - y) * .1; title.style.transform = 'translateY(' + y.toFixed(1) + 'px)'; spin.textContent = performance.now(); requestAnimationFrame(follow) })`;
    const page = `<i style="overflow:hidden"><u id="title" style="display:block;height:100px;background:yellow"></u></i><b class="in" style="height:3000px"></b><s id="spin" style="position:absolute;top:0"></s><script>${script}</script>`;
    expectColumn(await render(page), 600, [100, YELLOW], [620, BLUE], [3000, RED]);
  });

  it.each([
    ['a throttled listener', 'let timer; addEventListener("scroll", () => { timer ||= setTimeout(() => { timer = 0; reveal() }, 150) })'],
    ['an observer of rows that stay in view', 'observe({}, (row) => setTimeout(show, 150, row))'],
  ])('also in a viewport that shows all of it: by %s', async (_name, script) => {
    expectColumn(await render(rows(script).replace('<i></i>', '')), 600, [3000, RED]);
  });

  it.each([
    ['an observer', 'observe({}, show, (row) => row.classList.remove("in"))'],
    [
      'a listener',
      'let timer; addEventListener("scroll", () => { timer ||= setTimeout(() => { timer = 0; rows.forEach((row) => row.classList.toggle("in", row.getBoundingClientRect().top < innerHeight)) }, 99) })',
    ],
  ])('and shows what %s hides again out of view', async (_name, script) => {
    const fade = '<style>b{background:red;opacity:0;translate:0 100px;transition:.6s}.in{opacity:1;translate:none}</style>';
    expectColumn(await render(fade + rows(script)), 600, [720, BLUE], [3000, RED]);
  });

  it('but not what it hides in view', async () => {
    const slides = `<b class="in" style="position:absolute;top:0;width:100%;opacity:0"></b><b style="position:absolute;top:0;width:100%;background:yellow"></b>`;
    const page = `<i></i><div style="position:relative;height:300px">${slides}</div><b class="in" style="height:2000px"></b><script>const [one, other] = document.querySelectorAll('b');
      let ended; addEventListener('scroll', () => { if (!ended) { one.style.opacity = 1; other.style.opacity = 0 } if (scrollY > 300) { ended = true; one.style.opacity = 0; other.style.opacity = 1 } })</script>`;
    expectColumn(await render(page), 600, [720, BLUE], [300, YELLOW], [2000, RED]);
  });

  it('but not for changes that it makes anyway', async () => {
    const { width, height } = await render(
      `<i></i>${ROWS}<script>setInterval(() => { document.body.title = performance.now() }, 20)</script>`,
    );
    expect([width, height]).toEqual([1280, 3720]);
  });
});
