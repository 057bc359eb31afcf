import { describe, expect, it } from 'vitest';
import { useContentReader } from './content-probe.js';

const read = useContentReader();

describe('the content keeps', () => {
  it('mathematics once, where it is written for the eye as well', async () => {
    const body =
      '<span class=katex><span class=katex-mathml><math><mi>x</mi></math></span><span class=katex-html aria-hidden=true>x</span></span>';
    expect(await read(body)).toBe('<math data-linear="x"><mi>x</mi></math>');
  });

  it.each([
    ['fractions', '<mfrac><mn>1</mn><mn>2</mn></mfrac>', '1/2'],
    ['of more than one word', '<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mrow><mn>2</mn><mi>c</mi></mrow></mfrac>', '(a+b)/(2c)'],
    ['powers', '<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msup><mi>e</mi><mrow><mo>-</mo><mi>x</mi></mrow></msup>', 'x^2+e^(-x)'],
    ['indices', '<msub><mi>x</mi><mi>i</mi></msub><msubsup><mi>y</mi><mn>1</mn><mn>2</mn></msubsup>', 'x_iy_1^2'],
    ['roots', '<msqrt><mn>2</mn></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>', '√(2)root(x, 3)'],
    ['sums', '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>', '∑_(i=1)^ni'],
    ['functions', '<mi>sin</mi><mo>\u2061</mo><mi>x</mi><mi>ln</mi><mi>y</mi>', 'sin x ln y'],
    [
      'matrices',
      '<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable>',
      '[a, b; c, d]',
    ],
    ['accents', '<mover><mi>v</mi><mo>→</mo></mover>', 'v\u20d7'],
  ])('mathematics as one line besides: %s', async (_what, math, linear) => {
    expect(await read(`<math>${math}</math>`)).toContain(`data-linear="${linear}"`);
  });

  const TEX = (tex: string, display = '') =>
    `<math${display} data-linear="${tex}"><annotation encoding="application/x-tex">${tex}</annotation></math>`;
  const MATHJAX_SVG =
    '<svg width="9" height="9"><g data-mml-node="math" data-latex="x_2"><g data-mml-node="mi" data-latex="x"><path d="M0 0L9 0L9 9Z"></path></g></g></svg>';
  it.each([
    [
      'MathJax 2',
      '<p>a <span class="MathJax_Preview">x2</span><span class="MathJax"><nobr>x2</nobr><span class="MJX_Assistive_MathML"><math><mi>x</mi></math></span></span><script type="math/tex">x_2</script> b</p>',
      `<p>a ${TEX('x_2')} b</p>`,
    ],
    [
      'MathJax 2, displayed',
      '<div class="MathJax_Display"><span class="MathJax">y</span></div><script type="math/tex; mode=display">y</script>',
      `<div>${TEX('y', ' display="block"')}</div>`,
    ],
    [
      'MathJax 3',
      '<p>a <mjx-container class="MathJax" jax="CHTML" style="position:relative"><mjx-math aria-hidden="true"><mjx-mi><mjx-c></mjx-c></mjx-mi></mjx-math><mjx-assistive-mml unselectable="on" display="inline" style="position:absolute;display:block;clip:rect(1px,1px,1px,1px);overflow:hidden"><math><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container> b</p>',
      '<p>a <math data-linear="x^2"><msup><mi>x</mi><mn>2</mn></msup></math> b</p>',
    ],
    [
      'MathJax 3, displayed',
      '<mjx-container jax="SVG" display="true" style="display:block"><svg width="9" height="9" aria-hidden="true"><g data-mml-node="math"><path d="M0 0L9 0L9 9Z"></path></g></svg><mjx-assistive-mml display="block" style="position:absolute;clip:rect(1px,1px,1px,1px)"><math display="block"><mi>x</mi></math></mjx-assistive-mml></mjx-container>',
      '<div><math display="block" data-linear="x"><mi>x</mi></math></div>',
    ],
    [
      'MathJax 4 in several drawings',
      `<p>a <mjx-container jax="SVG">${MATHJAX_SVG}<mjx-break> </mjx-break>${MATHJAX_SVG}<mjx-speech aria-label="x"></mjx-speech></mjx-container> b</p>`,
      `<p>a ${TEX('x_2')} b</p>`,
    ],
    [
      'MathJax 4, displayed',
      '<mjx-container jax="CHTML" display="true" style="display:block"><mjx-math data-latex="y"><mjx-mi data-latex="y"><mjx-c>𝑦</mjx-c></mjx-mi></mjx-math></mjx-container>',
      `<div>${TEX('y', ' display="block"')}</div>`,
    ],
    [
      'Wikipedia',
      '<p><span class="mwe-math-element"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display:none"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">{\\displaystyle x}</annotation></semantics></math></span><img src="data:," class="mwe-math-fallback-image-inline" alt="{\\displaystyle x}"></span></p>',
      '<p><math data-linear="x"><semantics><mi>x</mi><annotation encoding="application/x-tex">{\\displaystyle x}</annotation></semantics></math></p>',
    ],
    [
      'Wikipedia without MathML',
      '<p><span class="mwe-math-element"><img src="data:," class="mwe-math-fallback-image-inline" alt="{\\displaystyle x}"></span></p>',
      `<p>${TEX('x')}</p>`,
    ],
  ])('mathematics once, as its source: %s', async (_what, body, html) => {
    expect(await read(body)).toBe(html);
  });
});

describe('what is read in the place of its image', () => {
  const box = (css: string, content: string) => `<div style="${css}">${content}</div>`;
  const placed = (css: string, content: string) => box(`position:absolute;${css}`, content);
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

  it('neither where they are invisible', async () => {
    const away = placed('left:-9999px', `<p>${KATEX}</p><p>${tick('opacity:0')}</p><p><math>${TEX}</math></p>`);
    const html = await read(app(`<p>a</p>${away}`));
    expect(html.replaceAll(/<[^>]*>/g, '').trim()).toBe('a');
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
