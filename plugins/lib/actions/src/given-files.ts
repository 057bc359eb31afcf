import { splitDataUrl } from '@platen/kernel';

/** A file that a page may be given. */
export interface GivenFile {
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly data: Buffer;
}

/** Those of a request. */
export interface GivenFiles {
  readonly navigator_file?: Readonly<Record<string, string>>;
}

const FILE_NAME = /^[^/\\\p{Cc}]{1,255}$/u;

/**
 * Checks `navigator_file` without decoding it.
 * @throws Error whose message names the file
 */
export function checkFiles({ navigator_file: files = {} }: GivenFiles): void {
  for (const [name, url] of Object.entries(files)) parseFile(name, url);
}

/** The files of `navigator_file`, decoded. Throws as `checkFiles`. */
export function readFiles({ navigator_file: files = {} }: GivenFiles): readonly GivenFile[] {
  return Object.entries(files).map(([name, url]) => {
    const { type, base64 } = parseFile(name, url);
    return { name, type: type === '' ? 'application/octet-stream' : type, data: Buffer.from(base64, 'base64') };
  });
}

function parseFile(name: string, url: string): { readonly type: string; readonly base64: string } {
  if (!FILE_NAME.test(name)) throw new Error(`"navigator_file" has an invalid file name: ${JSON.stringify(name.slice(0, 100))}`);
  const parts = splitDataUrl(url);
  if (parts?.isBase64 !== true || !/^[A-Za-z\d+/]*={0,2}$/.test(parts.data.replace(/\s/g, ''))) {
    throw new Error(`"navigator_file" must have base64 data: URLs: that of "${name}" is not one`);
  }
  return { type: parts.type.replace(/;.*/s, ''), base64: parts.data };
}
