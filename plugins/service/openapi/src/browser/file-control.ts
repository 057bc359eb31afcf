import type { Field } from './api.js';
import type { Control } from './control.js';
import { formatBytes, make, makeButton, type Attributes } from './dom.js';

/** Files by path. Content from links and examples is a `data:` URL. */
export type Files = Readonly<Record<string, File | string>>;

/** Whether the value has files that were chosen in the form; such a request is sent as a form. */
export function hasChosenFiles(value: unknown): value is Files {
  return typeof value === 'object' && value !== null && Object.values(value).some((content) => content instanceof File);
}

export function toBlob(content: File | string): Blob {
  if (content instanceof File) return content;
  const [, type = '', base64, data = ''] = /^data:([^,]*?)(;base64)?,([^]*)$/i.exec(content) ?? [];
  return new Blob([base64 === undefined ? decodeURIComponent(data) : Uint8Array.from(atob(data), (char) => char.charCodeAt(0))], { type });
}

/** Chooses files, or the files of a folder by their paths in it. */
export function createFiles(field: Field, attributes: Attributes): Control {
  const entries = new Map<string, File | string>();
  const list = make('ul', { class: 'assets' });
  const show = () => {
    list.replaceChildren(...[...entries].map(([path, content]) => showEntry(path, content)));
  };
  const showEntry = (path: string, content: File | string) =>
    make(
      'li',
      {},
      make('code', {}, path),
      make('span', { class: 'chip' }, formatBytes(toBlob(content).size)),
      makeButton('Remove', { class: 'small', 'aria-label': `Remove ${path} from ${field.key}` }, () => {
        entries.delete(path);
        show();
        files.focus();
        list.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    );
  const takeFrom = (input: HTMLInputElement) => {
    input.addEventListener('input', () => {
      // The name of the folder itself is not a part of the paths.
      for (const file of input.files ?? []) entries.set(file.webkitRelativePath.replace(/^[^/]*\//, '') || file.name, file);
      input.value = '';
      show();
    });
    return input;
  };
  const files = takeFrom(make('input', { ...attributes, type: 'file', multiple: true }));
  const folder = takeFrom(make('input', { type: 'file', webkitdirectory: true, 'aria-label': `Folder for ${field.key}` }));
  return {
    element: make('div', { class: 'rows' }, files, make('span', { class: 'help' }, 'or a folder:'), folder, list),
    inputs: () => [files],
    wide: true,
    read: () => (entries.size === 0 ? undefined : { value: Object.fromEntries(entries) }),
    write(value) {
      entries.clear();
      for (const [path, content] of Object.entries(value ?? {})) entries.set(path, content instanceof File ? content : String(content));
      show();
    },
  };
}

/** A text that can be long: a text area, and a file to read it from. */
export function addTextFile(area: HTMLTextAreaElement, key: string): HTMLElement {
  const input = make('input', { type: 'file', 'aria-label': `File with the text of ${key}` });
  input.addEventListener('change', () => {
    void input.files?.[0]?.text().then((text) => {
      area.value = text;
      input.value = '';
      area.dispatchEvent(new Event('input', { bubbles: true }));
    });
  });
  return make('div', { class: 'rows' }, area, input);
}
