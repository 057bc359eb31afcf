import { elementsIn, isNamed, nameOf, textOf, findAll } from './blocks/elements.js';

export interface Maths {
  /** The formula's TeX source, if the page contains it: as an annotation, or in `alttext`. */
  readonly tex: string | undefined;
  /** The rendered formula. */
  readonly text: string;
  readonly display: boolean;
}

const TEX = /tex/i;

export function readMaths(math: Element): Maths {
  const annotations = findAll(math).filter((element) => /^ANNOTATION(-XML)?$/.test(nameOf(element)));
  const source = annotations.find((element) => TEX.test(element.getAttribute('encoding') ?? ''));
  const tex = (source === undefined ? (math.getAttribute('alttext') ?? '') : textOf(source)).replace(/\s+/g, ' ').trim();
  const hidden = annotations.map(textOf).join('');
  const text = textOf(math);
  return {
    tex: tex === '' ? undefined : unwrapDisplayStyle(tex),
    text:
      math.getAttribute('data-linear') ??
      (hidden !== '' && text.endsWith(hidden) ? text.slice(0, -hidden.length) : text).replace(/\s+/g, ' ').trim(),
    display:
      math.getAttribute('display') === 'block' ||
      (isNamed(math.parentElement, 'MJX-CONTAINER') && math.parentElement.getAttribute('display') === 'true'),
  };
}

/** MediaWiki wraps each formula in `{\displaystyle x}`. */
function unwrapDisplayStyle(tex: string): string {
  return /^\{\\(?:displaystyle|textstyle) (.*)\}$/.exec(tex)?.[1]?.trim() ?? tex;
}

/**
 * TeX renderers write a formula twice: as semantic MathML, and as boxes that look like it. The boxes are hidden from screen readers, which
 * distinguishes them here. Removes the boxes.
 */
export function dropRenderedMaths(root: Element): void {
  for (const math of findAll(root, 'MATH')) {
    let formula: Element = math;
    // KaTeX: span.katex-mathml > math, span.katex-html beside it. MathJax: mjx-assistive-mml > math, preceded by the rendered formula.
    while (formula.parentElement !== null && formula.parentElement !== root && isOnly(formula)) formula = formula.parentElement;
    for (const other of formula.parentElement === null ? [] : elementsIn(formula.parentElement)) {
      const rendered =
        other !== formula && (other.getAttribute('aria-hidden') === 'true' || isNamed(other, 'MJX-MATH', 'SVG') || isFallback(other));
      const beside = other === formula.nextElementSibling || other === formula.previousElementSibling;
      if (rendered && beside) other.parentNode?.removeChild(other);
    }
  }
}

function isOnly(element: Element): boolean {
  return (
    element.parentElement?.firstElementChild === element &&
    element.nextElementSibling === null &&
    textOf(element.parentElement) === textOf(element)
  );
}

/** MediaWiki's image of the formula. */
function isFallback(element: Element): boolean {
  return isNamed(element, 'IMG') && (element.getAttribute('class') ?? '').includes('mwe-math-fallback');
}
