/** Copied text, and the origin that it may be pasted into. */
export interface Copied {
  readonly text: string;
  readonly origin: string;
}

/** State between these functions, in our isolated world. */
interface ClipboardWorld {
  platenCopied?: string | undefined;
  platenKey?: Event | undefined;
  platenListeners?: readonly (readonly [type: string, listener: (event: Event) => void, capture: boolean])[];
}

/** Listens from now on for what the element's document copies, and for whether it prevents keys. */
export function watchClipboard(): void {
  // The world is our own: nothing else has these members.
  const world = globalThis as typeof globalThis & ClipboardWorld;
  world.platenCopied = undefined;
  world.platenKey = undefined;
  const noteSelected = (event: Event) => {
    const [field] = event.composedPath();
    const isSecret = field instanceof HTMLInputElement && field.type === 'password';
    const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    // Fields for e-mail addresses and numbers do not tell where their selection is.
    const [start, end] = isField ? [field.selectionStart, field.selectionEnd] : [null, null];
    const inField = isField && start !== null && end !== null ? field.value.slice(start, end) : undefined;
    world.platenCopied = isSecret ? undefined : (inField ?? String(getSelection()));
  };
  // The page's own listener may have given another text.
  const noteGiven = (event: Event) => {
    if (event.defaultPrevented && event instanceof ClipboardEvent) world.platenCopied = event.clipboardData?.getData('text/plain');
  };
  const noteKey = (event: Event) => {
    world.platenKey = event;
  };
  world.platenListeners ??= [
    ...['copy', 'cut'].flatMap((type) => [[type, noteSelected, true] as const, [type, noteGiven, false] as const]),
    ['keydown', noteKey, true],
  ];
  for (const [type, listener, capture] of world.platenListeners) addEventListener(type, listener, capture);
}

/** What the document has copied since. */
export function readCopied(): Copied | undefined {
  // See above.
  const { platenCopied: text } = globalThis as typeof globalThis & ClipboardWorld;
  return text ? { text, origin: self.origin } : undefined;
}

/** Pastes as the browser does: the event first, then the text, unless the page prevents the key or the event. */
export function pasteCopied(element: Element, { text, origin }: Copied): void {
  const { platenKey } = globalThis as typeof globalThis & ClipboardWorld;
  // A document without an origin of its own shares with none.
  if (platenKey?.defaultPrevented === true || origin !== self.origin || origin === 'null') return;
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true });
  if (!element.dispatchEvent(event)) return;
  // oxlint-disable-next-line typescript/no-deprecated -- as in `setSecret`
  element.ownerDocument.execCommand('insertText', false, text);
}
