import { stat } from 'node:fs/promises';

/** Tells one state of a file from the next, as an update leaves it, without reading all of it; empty where there is none. */
export async function fileIdentity(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? '' : `${String(found.size)} ${String(found.mtimeMs)}`;
}

interface Binary {
  readonly path: string;
  /** What `fileIdentity` said as the browser was started. */
  readonly identity: string;
}

/** What the files were of which browsers run: one may be replaced while they do, and counts once a browser is started of it. */
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

  /** By path: of the browsers that run, or of the last one that did. */
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
