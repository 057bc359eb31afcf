import { stat } from 'node:fs/promises';

/** Identifies a version of a file without reading all of it, to detect updates. Empty if the file does not exist. */
export async function fileIdentity(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? '' : `${String(found.size)} ${String(found.mtimeMs)}`;
}

interface Binary {
  readonly path: string;
  /** `fileIdentity` when the browser was started. */
  readonly identity: string;
}

/**
 * Versions of the executables of running browsers. A file may be replaced meanwhile; the new version counts once a browser is started from
 * it.
 */
export class RunningExecutables {
  readonly #running = new Map<object, Binary>();
  readonly #last = new Map<string, string>();

  add(instance: object, binary: Binary): void {
    this.#running.set(instance, binary);
    this.#last.set(binary.path, binary.identity);
  }

  delete(instance: object): void {
    this.#running.delete(instance);
  }

  /** By path: executables of the running browsers, or of the last browser. */
  read(): ReadonlyMap<string, string> {
    const running = [...this.#running.values()];
    return new Map(
      [...this.#last].map(([path, last]) => {
        const now = new Set(running.filter((binary) => binary.path === path).map(({ identity }) => identity));
        return [path, now.size === 0 ? last : [...now].sort().join(', ')] as const;
      }),
    );
  }
}
