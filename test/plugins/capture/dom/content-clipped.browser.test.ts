import { describe, expect, it } from 'vitest';
import { useContentReader } from './content-probe.js';

const read = useContentReader();
const words = async (body: string): Promise<string> =>
  (await read(body))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
const box = (css: string, content: string) => `<div style="${css}">${content}</div>`;
const CARD = 'overflow:hidden;position:relative;width:300px;height:60px';
const placed = (css: string, content: string) => box(`position:absolute;${css}`, content);
const FIXED = box('position:fixed;top:500px;left:500px', 'x');

describe('what is placed out of a box that clips it is not read', () => {
  it.each([
    ['below', box(CARD, `a${placed('top:100%', 'x')}`)],
    ['moved below', box(CARD, `a${placed('bottom:0;transform:translateY(100%)', 'x')}`)],
    ['beside', box(CARD, placed('left:0', 'a') + placed('left:300px', 'x'))],
    ['of an item in the box', box(CARD, box('position:relative;height:40px', `a${placed('top:60px', 'x')}`))],
    ['above what scrolls', box(`${CARD};overflow:auto`, `a${placed('top:-50px', 'x')}`)],
    ['of what paints nothing outside', box('contain:paint;height:60px', `a${placed('top:90px', 'x')}`)],
    ['of an item that was moved out', box(CARD, `a${placed('top:100%', '<p>x</p>')}`)],
    ...['transform', 'translate', 'scale', 'rotate'].map((name) => [
      `fixed in one with ${name}`,
      box(
        `overflow:hidden;height:50px;${name}:${{ transform: 'translateZ(0)', translate: '1px', scale: '1', rotate: '0deg' }[name] ?? ''}`,
        `a${FIXED}`,
      ),
    ]),
    ['fixed in one with backdrop-filter', box('overflow:hidden;height:50px;backdrop-filter:blur(2px)', `a${FIXED}`)],
    [
      'fixed in one that is moved along a path',
      box('overflow:hidden;height:50px;offset-path:none;transform-style:preserve-3d', `a${FIXED}`),
    ],
    ['fixed in one that will be moved', box('overflow:hidden;height:50px;will-change:translate', `a${FIXED}`)],
  ])('%s', async (_what, body) => {
    expect(await words(body)).toBe('a');
  });

  const slides = (css: string, content: (name: string) => string) =>
    ['a', 'b', 'c'].map((name) => box(`${css};width:400px;position:relative;height:90px`, content(name))).join('');
  const caption = (name: string) => placed('bottom:0', name);
  it.each([
    ['what a box further out places', box('overflow:hidden;height:50px', `a${placed('top:500px', 'b')}c`), 'a b c'],
    ['what a row of a table holds', `<table><tr style="overflow:hidden;position:relative"><td>a${placed('top:90px', 'b')}</table>`, 'a b'],
    ['what scrolls into view', box(`${CARD};overflow:auto`, `a${placed('top:900px', 'b')}`), 'a b'],
    ['what sticks out in part', box(CARD, `a${placed('top:50px', 'b')}`), 'a b'],
    [
      'what is placed in a slide that waits its turn',
      box('overflow:hidden;width:400px', box('display:flex;transform:translateX(-400px)', slides('flex:none', caption))),
      'a b c',
    ],
    [
      'what is placed in a slide of a row that is placed',
      box(`${CARD};width:400px`, placed('left:-400px;width:1200px', slides('float:left', caption))),
      'a b c',
    ],
    [
      'a row that was moved out by itself',
      box(
        `${CARD};width:400px`,
        placed(
          'left:-400px;width:400px;display:flex',
          slides('flex:none', (name) => name),
        ),
      ),
      'a b c',
    ],
    [
      'what runs through it',
      `<style>@keyframes t{from{transform:translateY(200%)}to{transform:translateY(190%)}}</style>${box(CARD, placed('top:0;height:60px;animation:t 1000s', 'a'))}`,
      'a',
    ],
    ['what goes out of a box without a size', box('overflow:clip;height:0;overflow-clip-margin:90px', 'a'), 'a'],
    ['but not so far', box('overflow:clip;height:0;overflow-clip-margin:9px;position:relative', `a${placed('top:30px', 'x')}`), 'a'],
    ['and nothing without a margin', `a${box('overflow:clip;height:0', 'x')}`, 'a'],
  ])('but it is %s', async (_what, body, seen) => {
    expect(await words(body)).toBe(seen);
  });
});

describe('drawings', () => {
  const drawing = (css: string, content: string) => `<svg width=400 height=200 style="${css}">${content}</svg>`;
  it.each([
    [
      'within drawings',
      `<style>svg{display:block}</style>${drawing('', `<svg x=9 y=9 width=300 height=90><text y=40>a</text></svg>`)}`,
      'a',
    ],
    ['in groups', drawing('', '<g style="display:block;overflow:hidden"><text y=40>a</text></g>'), 'a'],
    [
      'in a box that is judged in parts',
      box(
        'overflow:hidden',
        placed('top:9px', drawing('display:block', '<svg style="overflow:hidden;display:block"><text y=40>a</text></svg>')),
      ),
      'a',
    ],
    ['HTML in them', drawing('', '<foreignObject width=99 height=99><p>a</p></foreignObject>'), 'a'],
    ['not beside their window', drawing('', '<text y=40>a</text><text y=400>x</text><svg><text x=900 y=9>x</text></svg>'), 'a'],
    [
      'of a hidden part, what is visible',
      drawing('', '<g visibility=hidden><text y=40>x<tspan visibility=visible>a</tspan></text></g>'),
      'a',
    ],
    [
      'not what is hidden in a text',
      drawing('', '<text y=40>a<tspan display=none>x</tspan><tspan visibility=hidden>x</tspan><title>x</title></text>'),
      'a',
    ],
    [
      'what a choice does not take',
      drawing('', '<switch><text y=40 systemLanguage=xx>x</text><g><text y=40>a</text></g><text y=40>x</text></switch>'),
      'a',
    ],
    ['where it waits out of sight', box('height:5000px', '') + box('content-visibility:auto', drawing('', '<text y=40>a</text>')), 'a'],
    ['but where that lets it out', drawing('overflow:visible', '<text y=40>a</text><text y=400>b</text>'), 'a b'],
    ['in a frame', `<iframe srcdoc='${drawing('', '<text y=40>a</text><text y=400>x</text>')}'></iframe>`, 'a'],
  ])('words %s', async (_what, body, seen) => {
    expect(await words(body)).toBe(seen);
  });
});

describe('what comes in from the left is read', () => {
  const below = '<div style="height:3000px"></div>';
  it.each([
    [
      'by an animation',
      '<style>@keyframes s{from{transform:translateX(-200vw)}}</style><div style="animation:s 1000s 1000s both"><p>a</div>',
      'a',
    ],
    [
      'by an animation of its place',
      '<style>@keyframes s{from{left:-200vw}}</style><p style="position:relative;animation:s 1000s 1000s both">a',
      'a',
    ],
    ['when it is scrolled to', `${below}<div style="transform:translateX(-200vw);transition:transform 1s"><h2>a</h2><p>b</div>`, 'a b'],
    ['but no drawer', `${below}<p>a</p><nav style="position:absolute;left:-300px;width:200px;transition:all 1s">x</nav>`, 'a'],
    [
      'nor words for screen readers in what fades',
      `${below}<p style="transition:all 1s">a<i style="position:absolute;left:-9999px">x</i>`,
      'a',
    ],
    ['nor what stays there', `${below}<p>a</p><div style="transform:translateX(-200vw)">x</div>`, 'a'],
  ])('%s', async (_what, body, seen) => {
    expect(await words(body)).toBe(seen);
  });
});

describe('text without a colour is not read', () => {
  it.each([
    ['transparent', '<p style="color:transparent">x<b style="color:red">a</b></p>', 'a'],
    ['of any colour', '<p style="color:rgb(255 0 0 / 0)">x</p>a', 'a'],
    ['black', '<p style="color:rgb(0,0,0)">a', 'a'],
    ['hardly transparent', '<p style="color:rgb(0 0 0 / 1%)">a', 'a'],
    ['with a shadow', '<p style="color:transparent;text-shadow:0 0 1px red">a', 'a'],
    ['with an outline', '<p style="color:transparent;-webkit-text-stroke:1px red">a', 'a'],
    [
      'cut out of a background',
      '<div style="background:linear-gradient(red,blue);background-clip:text"><b style="color:transparent">a</b></div>',
      'a',
    ],
    ['beneath its copy', '<style>p{color:transparent}p::before{content:attr(title);color:red}</style><p title=a>a', 'a'],
    ['with a first letter', '<style>p{color:transparent}p::first-letter{color:red}</style><p>a', 'a'],
    ['that comes', '<style>@keyframes c{to{color:red}}</style><p style="color:transparent;animation:c 1000s 1000s">a', 'a'],
    ['filled', '<p style="color:transparent;-webkit-text-fill-color:red">a', 'a'],
  ])('%s', async (_what, body, seen) => {
    expect(await words(body)).toBe(seen);
  });
});

describe('text that is put out of its box is not read', () => {
  const LOGO = 'display:block;width:100px;overflow:hidden;white-space:nowrap';
  it.each([
    ['by its whole width', `a<a href=/ style="${LOGO};text-indent:100%">x</a>`, 'a'],
    ['a part of it', `a<a href=/ style="${LOGO};text-indent:101%"><span>x</span></a>`, 'a'],
    ['far to the right', `a<a href=/ style="${LOGO};text-indent:9999px">x</a>`, 'a'],
    ['but on its second line', '<p style="overflow:hidden;width:200px;text-indent:100%">a b', 'a b'],
    ['but where it is let out', '<p style="width:200px;white-space:nowrap;text-indent:100%">a', 'a'],
    [
      'in a column that is shut',
      '<table><col><col style="visibility:collapse"><tr><td>a<td>x<td>b<tr><td>c<td><p>x</p><td>d</table>',
      'a b c d',
    ],
    ['but in one of no width', '<table><col><tr><td style="padding:0"><div style="width:0">a</div></table>', 'a'],
  ])('%s', async (_what, body, seen) => {
    expect(await words(body)).toBe(seen);
  });
});

describe('pieces of a line clip nothing', () => {
  const RUBY = '<p>a <ruby>b<rt>c</rt></ruby></p>';
  it.each([
    ['ruby that cuts its overflow', `<style>*{overflow:hidden}</style>${RUBY}`],
    ['by its display', `<style>*{overflow:hidden}</style><p>a <b style="display:ruby">b<i style="display:ruby-text">c</i></b></p>`],
    ['contained', `<style>*{contain:paint}</style>${RUBY}`],
    ['beside its line', `<style>ruby{position:relative;overflow:hidden}</style>${RUBY}`],
    ['what is placed in it', `<style>ruby{position:relative;overflow:hidden}</style>${RUBY.replace('>c', `>${placed('top:40px', 'c')}`)}`],
  ])('%s', async (_what, body) => {
    expect(await words(body)).toBe('a b c');
  });
});

describe('what is read in the place of its picture', () => {
  const TEX = '<semantics><mi>f</mi><annotation encoding="application/x-tex">\\phi</annotation></semantics>';
  const clip = 'position:absolute;clip:rect(1px,1px,1px,1px);width:1px;height:1px;overflow:hidden';
  const KATEX = `<span class=katex><span class=katex-mathml style="${clip}"><math>${TEX}</math></span><span class=katex-html aria-hidden=true>f</span></span>`;
  const tick = (css: string) => `<label><input type=checkbox checked style="position:absolute;${css}"><i>b</i></label>`;
  const app = (content: string) => box('overflow:hidden', placed('inset:0', content));

  it('formulas with their notation', async () => {
    expect(await read(app(`<p>a ${KATEX}`))).toContain('<annotation encoding="application/x-tex">\\phi</annotation>');
    expect(await read(app(`<p>a <math>${TEX}</math>`))).toContain('\\phi');
    expect(await read(app('<p><span class=MathJax>f</span><script type="math/tex">\\phi</script>'))).toContain('\\phi');
  });

  it.each(['opacity:0', 'left:-9999px', 'clip:rect(0 0 0 0)', 'opacity:0;left:-9999px'])('boxes with their ticks: %s', async (css) => {
    expect(await read(app(`<p>a ${tick(css)}`))).toMatch(/<input type="checkbox" checked/);
  });

  it('neither where nobody sees them', async () => {
    const away = placed('left:-9999px', `<p>${KATEX}</p><p>${tick('opacity:0')}</p><p><math>${TEX}</math></p>`);
    expect(await words(app(`<p>a</p>${away}`))).toBe('a');
    expect(
      await read(
        box(
          'overflow:hidden;height:0;position:relative',
          `<i style="position:fixed;top:9px">a</i><p>${KATEX}${tick('opacity:0')}</p><p><math>${TEX}</math></p>`,
        ),
      ),
    ).not.toMatch(/math|input/);
  });
});
