import { make, makeButton } from './dom.js';
import { showJson } from './json-tree.js';
import { isObject, listAt, numberAt, objectAt, textAt, type Json } from './read-json.js';
import { createTabs } from './tabs.js';

/** Elements of the tree: larger ones would block the page. */
const MAX_NODES = 10_000;

export interface AxtreeParts {
  /** The object URL of a screenshot of the same page load. */
  readonly screenshot: () => Promise<string | undefined>;
  /** Renders again, with a screenshot. Undefined if this server cannot. */
  readonly addScreenshot: (() => void) | undefined;
}

interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The accessibility tree beside the screenshot, and as JSON. Undefined if the value is not such a tree. */
export function showAxtree(root: unknown, parts: AxtreeParts): HTMLElement | undefined {
  if (!isObject(root) || textAt(root, 'role') === '' || !isObject(root['bounds'])) return undefined;
  return createTabs('Accessibility tree', [
    ['Tree', () => showTree(root, parts)],
    ['JSON', () => showJson(root)],
  ]).element;
}

function showTree(root: Json, { screenshot, addScreenshot }: AxtreeParts): HTMLElement {
  const places = new Map<Element, Bounds>();
  const frame = make('i', { class: 'frame', hidden: true });
  const page = boundsOf(root);
  const select = (element: Element | undefined) => {
    for (const other of tree.querySelectorAll('.chosen')) other.classList.remove('chosen');
    element?.classList.add('chosen');
    const bounds = element === undefined ? undefined : places.get(element);
    frame.hidden = bounds === undefined;
    if (bounds !== undefined) placeFrame(frame, bounds, page);
  };
  const tree = make('div', { class: 'tree', tabindex: 0, role: 'region', 'aria-label': 'Tree' }, showNode(root, places));
  for (const event of ['pointerover', 'focusin']) {
    tree.addEventListener(event, ({ target }) => {
      select(target instanceof Element ? (target.closest('.node') ?? undefined) : undefined);
    });
  }
  const beside = make('div', { class: 'beside' }, tree);
  void screenshot().then((url) => {
    if (url !== undefined) beside.append(showScreenshot(url, { frame, page, places, select }));
    else if (addScreenshot !== undefined) beside.prepend(makeButton('Show it beside the screenshot', {}, addScreenshot));
  });
  return beside;
}

interface ScreenshotParts {
  readonly frame: HTMLElement;
  readonly page: Bounds;
  readonly places: ReadonlyMap<Element, Bounds>;
  readonly select: (element: Element | undefined) => void;
}

/** The screenshot is as wide as the page. */
function showScreenshot(url: string, { frame, page, places, select }: ScreenshotParts): HTMLElement {
  const image = make('img', { src: url, alt: 'The rendered page' });
  const screenshot = make('div', { class: 'screenshot' }, image, frame);
  image.addEventListener('load', () => {
    frame.dataset['ratio'] = String(image.naturalHeight / image.naturalWidth);
  });
  screenshot.addEventListener('pointermove', ({ clientX, clientY }) => {
    const { left, top, width } = image.getBoundingClientRect();
    const [x, y] = [((clientX - left) / width) * page.width, ((clientY - top) / width) * page.width];
    // The smallest node of those under the pointer.
    const under = [...places].filter(([, at]) => x >= at.x && y >= at.y && x < at.x + at.width && y < at.y + at.height);
    const [least] = under.sort(([, a], [, b]) => a.width * a.height - b.width * b.height);
    select(least?.[0]);
    least?.[0].scrollIntoView({ block: 'nearest' });
  });
  return make('div', { class: 'listing', tabindex: 0, role: 'region', 'aria-label': 'Screenshot' }, screenshot);
}

/** In percent of the screenshot, so that it holds at any size of the window. */
function placeFrame(frame: HTMLElement, { x, y, width, height }: Bounds, page: Bounds): void {
  const pageHeight = page.width * Number(frame.dataset['ratio'] ?? 1);
  const sides = { left: x / page.width, top: y / pageHeight, width: width / page.width, height: height / pageHeight };
  for (const [side, part] of Object.entries(sides)) frame.style.setProperty(side, `${String(part * 100)}%`);
}

function boundsOf(node: Json): Bounds {
  const bounds = objectAt(node, 'bounds');
  const read = (name: string) => numberAt(bounds, name) ?? 0;
  return { x: read('x'), y: read('y'), width: read('width'), height: read('height') };
}

function showNode(node: Json, places: Map<Element, Bounds>): HTMLElement {
  const text = [make('span', { class: 'key' }, textAt(node, 'role')), ` ${textAt(node, 'name').slice(0, 120)}`];
  const children = places.size < MAX_NODES ? listAt(node, 'children').filter(isObject) : [];
  const line =
    children.length === 0 ? make('button', { type: 'button', class: 'node' }, ...text) : make('summary', { class: 'node' }, ...text);
  if ('bounds' in node) places.set(line, boundsOf(node));
  if (children.length === 0) return line;
  return make('details', { open: true }, line, make('div', {}, ...children.map((child) => showNode(child, places))));
}
