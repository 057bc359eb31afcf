import { findOnly } from './find-only.js';

export function findFileInput(element: Element): Element | null {
  return findOnly(element, (one) => one instanceof HTMLInputElement && one.type === 'file');
}

export interface SentFile {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
}

/** Returns why the input does not take them. */
export function setFiles(input: Element, files: readonly SentFile[]): string | undefined {
  if (!(input instanceof HTMLInputElement)) return 'does not take files';
  if (input.matches(':disabled')) return 'is disabled';
  if (files.length > 1 && !input.multiple) return 'takes only one file';
  const transfer = new DataTransfer();
  for (const { name, type, base64 } of files) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    transfer.items.add(new File([bytes], name, { type }));
  }
  input.files = transfer.files;
  input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  input.dispatchEvent(new Event('change', { bubbles: true }));
  return undefined;
}
