import { withFlatTree } from '@platen/lib-page-functions';

interface Changes {
  /** In the order of creation. */
  readonly takeBack: (() => void)[];
  /** Null removes the attribute. */
  readonly setAttribute: (element: Element, name: string, value: string | null) => void;
  /** Whatever happens to its attributes, the property keeps its current value. */
  readonly keep: <T extends Element, K extends keyof T>(element: T, name: K) => void;
  readonly putLink: (link: HTMLLinkElement, place: (link: HTMLLinkElement) => void) => void;
}

declare global {
  /** The changes in a frame and how to revert them: stored in Platen's isolated world, which the page cannot see. */
  var platenChanges: Changes;
}

/** Runs in the page, like all functions here; must not capture outer variables. */
export function openChangesInFrame(): void {
  const takeBack: (() => void)[] = [];
  const write = (element: Element, name: string, value: string | null): void => {
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  };
  globalThis.platenChanges = {
    takeBack,
    setAttribute(element, name, value) {
      const before = element.getAttribute(name);
      if (before === value) return;
      write(element, name, value);
      takeBack.push(() => {
        write(element, name, before);
      });
    },
    keep(element, name) {
      const before = element[name];
      takeBack.push(() => {
        if (element[name] !== before) element[name] = before;
      });
    },
    putLink(link, place) {
      place(link);
      takeBack.push(() => {
        link.remove();
      });
    },
  };
}

export function takeBackInFrame(): void {
  const { takeBack } = globalThis.platenChanges;
  for (const change of takeBack.splice(0).reverse()) change();
}

export const settleInFrame = withFlatTree((tree): void => {
  const { takeBack, setAttribute, keep } = globalThis.platenChanges;
  const settleImage = (image: HTMLImageElement): void => {
    if (image.currentSrc === '' || image.currentSrc === image.src) return;
    // The file has one image without its density: writes the image's current size.
    if (!image.hasAttribute('width') && !image.hasAttribute('height') && image.width > 0) {
      const { width, height } = image;
      setAttribute(image, 'width', String(width));
      setAttribute(image, 'height', String(height));
    }
    const { currentSrc, parentElement } = image;
    // Whenever it chooses again, the browser prefers a larger candidate that another image has loaded.
    for (const source of parentElement instanceof HTMLPictureElement ? parentElement.querySelectorAll('source') : [])
      setAttribute(source, 'srcset', null);
    setAttribute(image, 'srcset', null);
    setAttribute(image, 'src', currentSrc);
  };
  /** Passwords are never written. */
  const excluded = ['password', 'file', 'hidden', 'submit', 'reset', 'button', 'image'];
  const settleInput = (input: HTMLInputElement): void => {
    if (input.type === 'checkbox' || input.type === 'radio') {
      keep(input, 'checked');
      setAttribute(input, 'checked', input.checked ? '' : null);
    } else if (!excluded.includes(input.type) && input.value !== input.defaultValue) setAttribute(input, 'value', input.value);
  };
  const settleOptions = ({ options }: HTMLSelectElement): void => {
    for (const option of options) keep(option, 'selected');
    for (const option of options) setAttribute(option, 'selected', option.selected ? '' : null);
  };
  const settleArea = (area: HTMLTextAreaElement): void => {
    const { defaultValue } = area;
    if (area.value === defaultValue) return;
    area.defaultValue = area.value;
    takeBack.push(() => {
      area.defaultValue = defaultValue;
    });
  };
  for (const element of tree.elements(document)) {
    if (element instanceof HTMLImageElement) settleImage(element);
    else if (element instanceof HTMLInputElement) settleInput(element);
    else if (element instanceof HTMLSelectElement) settleOptions(element);
    else if (element instanceof HTMLTextAreaElement) settleArea(element);
  }
});

export const keepSheetsInFrame = withFlatTree((tree): void => {
  const { putLink } = globalThis.platenChanges;
  const linkTo = (sheet: CSSStyleSheet): HTMLLinkElement => {
    const absolute = (text: string): string =>
      text.replaceAll(/url\("((?:[^"\\]|\\.)*)"\)/g, (whole, url: string) =>
        URL.canParse(url, document.baseURI) ? `url("${new URL(url, document.baseURI).href}")` : whole,
      );
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    if (sheet.media.mediaText !== '') link.media = sheet.media.mediaText;
    link.href = `data:text/css;charset=utf-8,${encodeURIComponent(Array.from(sheet.cssRules, ({ cssText }) => absolute(cssText)).join('\n'))}`;
    return link;
  };
  const isUsed = (sheet: CSSStyleSheet | null): sheet is CSSStyleSheet => sheet !== null && !sheet.disabled && sheet.cssRules.length > 0;
  /** The snapshot omits every style element and restores those of the document as files, but not those of shadow trees. */
  const keepSheets = (root: Document | ShadowRoot): void => {
    if (root instanceof ShadowRoot) {
      for (const style of root.querySelectorAll('style')) {
        if (isUsed(style.sheet))
          putLink(linkTo(style.sheet), (link) => {
            style.after(link);
          });
      }
    }
    const parent = root instanceof Document ? root.documentElement : root;
    for (const sheet of root.adoptedStyleSheets.filter(isUsed))
      putLink(linkTo(sheet), (link) => {
        parent.append(link);
      });
  };
  tree.trees(document).forEach(keepSheets);
});
