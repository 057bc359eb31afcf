import type { Page, TargetSession } from '@platen/kernel';

/**
 * Writes what the browser's snapshot leaves out into the attributes and elements that it keeps: adopted style sheets and those of shadow trees, the candidates
 * that were chosen for responsive images, typed values. The page looks as before.
 */
export async function settleState(page: Page): Promise<void> {
  const sessions = [page, ...page.targets.all.filter(({ kind, primary }) => kind === 'iframe' && !primary)];
  await Promise.all(sessions.map((session) => settleFrames(session).catch(() => undefined)));
}

/** All frames of a session's process, each in Platen's own world there. One that is gone meanwhile has nothing to keep. */
async function settleFrames(session: Pick<TargetSession, 'send'>): Promise<void> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const settleFrame = async (frameId: string): Promise<void> => {
    const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: 'platen' });
    for (const part of [settleInFrame, keepSheetsInFrame]) {
      await session.send('Runtime.callFunctionOn', { functionDeclaration: part.toString(), executionContextId });
    }
  };
  await Promise.all(listFrames(frameTree).map((frameId) => settleFrame(frameId).catch(() => undefined)));
}

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[];
}

function listFrames({ frame, childFrames = [] }: FrameTree): readonly string[] {
  return [frame.id, ...childFrames.flatMap(listFrames)];
}

/** Runs in the frame: closes over nothing. */
function settleInFrame(): void {
  const setAttribute = (element: Element, name: string, value: string | null): void => {
    if (element.getAttribute(name) === value) return;
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  };
  const settleImage = (image: HTMLImageElement): void => {
    if (image.currentSrc === '' || image.currentSrc === image.src) return;
    // The file has one picture and not its density: the size that it has here.
    if (!image.hasAttribute('width') && !image.hasAttribute('height') && image.width > 0) {
      setAttribute(image, 'width', String(image.width));
      setAttribute(image, 'height', String(image.height));
    }
    setAttribute(image, 'src', image.currentSrc);
  };
  /** Passwords stay what they are: nobody's. */
  const unkept = ['password', 'file', 'hidden', 'submit', 'reset', 'button', 'image'];
  const settleInput = (input: HTMLInputElement): void => {
    if (input.type === 'checkbox' || input.type === 'radio') setAttribute(input, 'checked', input.checked ? '' : null);
    else if (!unkept.includes(input.type) && input.value !== input.defaultValue) setAttribute(input, 'value', input.value);
  };
  const settle = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot !== null) settle(element.shadowRoot);
      if (element instanceof HTMLImageElement) settleImage(element);
      else if (element instanceof HTMLInputElement) settleInput(element);
      else if (element instanceof HTMLOptionElement) setAttribute(element, 'selected', element.selected ? '' : null);
      else if (element instanceof HTMLTextAreaElement && element.value !== element.defaultValue) element.defaultValue = element.value;
    }
  };
  settle(document);
}

/** Runs in the frame: closes over nothing. */
function keepSheetsInFrame(): void {
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
  /** The snapshot leaves out every style element, and puts the document's own, but no shadow tree's, back as a file. */
  const keepSheets = (root: Document | ShadowRoot): void => {
    if (root instanceof ShadowRoot) {
      for (const style of root.querySelectorAll('style')) if (isUsed(style.sheet)) style.after(linkTo(style.sheet));
    }
    const parent = root instanceof Document ? root.documentElement : root;
    parent.append(...root.adoptedStyleSheets.filter(isUsed).map(linkTo));
  };
  const keepAll = (root: Document | ShadowRoot): void => {
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot !== null) keepAll(shadowRoot);
    keepSheets(root);
  };
  keepAll(document);
}
