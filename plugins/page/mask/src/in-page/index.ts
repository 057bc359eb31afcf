import { FlatTree } from '@platen/lib-page-functions';

interface Paint {
  readonly selectors: readonly string[];
  readonly color: string;
}

/** In the isolated world of a document. */
interface World {
  platenMask?: Mask;
}

/** Paints a box over each match of the selectors. Again: replaces the boxes. */
export function paintBoxes(paint: Paint): void {
  // No other script writes there.
  const world = globalThis as World;
  world.platenMask?.remove();
  world.platenMask = new Mask(paint);
}

const XHTML = 'http://www.w3.org/1999/xhtml';

/** In the top layer: no element is above the boxes, and none clips them. No style of the page reaches them. */
class Mask {
  readonly #host = create({ position: 'absolute', inset: '0 auto auto 0', overflow: 'visible' });
  readonly #boxes: readonly { readonly element: Element; readonly box: HTMLElement }[];
  readonly #place = () => {
    for (const { element, box } of this.#boxes) {
      const { left, top, width, height } = element.getBoundingClientRect();
      const place = { left: left + scrollX, top: top + scrollY, width, height };
      for (const [name, length] of Object.entries(place)) box.style.setProperty(name, `${String(length)}px`, 'important');
    }
  };

  constructor({ selectors, color }: Paint) {
    const root = this.#host.attachShadow({ mode: 'closed' });
    const trees = new FlatTree().trees<Document | ShadowRoot>(document);
    const all = trees.flatMap((tree) => selectors.flatMap((selector) => Array.from(tree.querySelectorAll(selector))));
    this.#boxes = Array.from(new Set(all), (element) => ({
      element,
      box: root.appendChild(create({ position: 'absolute', display: 'block', background: color })),
    }));
    if (this.#boxes.length === 0) return;
    document.documentElement.append(this.#host);
    this.#host.popover = 'manual';
    this.#host.showPopover();
    this.#place();
    // Tall pages are scrolled, or made larger, to be captured.
    addEventListener('scroll', this.#place, true);
    addEventListener('resize', this.#place);
  }

  remove(): void {
    this.#host.remove();
    removeEventListener('scroll', this.#place, true);
    removeEventListener('resize', this.#place);
  }
}

function create(style: Readonly<Record<string, string>>): HTMLElement {
  const element = document.createElementNS(XHTML, 'div');
  for (const [name, value] of Object.entries({ all: 'initial', display: 'block', ...style })) {
    element.style.setProperty(name, value, 'important');
  }
  return element;
}
