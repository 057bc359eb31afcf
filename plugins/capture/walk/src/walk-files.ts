import type { PageWorker, RenderContext } from '@platen/kernel';
import type { Claim, Frontier } from '@platen/lib-frontier';
import { describeFile, type FileFetcher, type FilePlace, openFile } from './fetch-file.js';
import type { FetchedFile } from './keys.js';
import type { ClosablePage } from './visit-page.js';

export interface WalkFilesOptions extends Pick<FileFetcher, 'outbound' | 'limit' | 'timeoutMs' | 'seed'> {
  readonly frontier: Pick<Frontier, 'archive' | 'isArchived'>;
  /** Of the target, after redirects. */
  readonly referrer: string;
  readonly check: PageWorker['check'];
  isArchived(url: string): Promise<boolean>;
  /** Resolves with the checkpoint once the archive has it. */
  hand(file: ClosablePage): Promise<string | undefined>;
}

/** A file and whose request it is. */
export interface FileRequest extends Omit<FilePlace, 'startedAt'>, Partial<Pick<Claim, 'isFile'>>, Pick<FileFetcher, 'signal'> {
  readonly context: RenderContext;
}

/** The files of a walk: each is fetched without a tab, and archived unless an earlier process did so. */
export class WalkFiles {
  readonly #options: WalkFilesOptions;

  constructor(options: WalkFilesOptions) {
    this.#options = options;
  }

  /** Resolves when it is in the archive; it is open until it is disposed of. */
  async add(request: FileRequest): Promise<FetchedFile> {
    const startedAt = new Date();
    const file = await this.#open(request);
    try {
      await this.#archive(file, { ...request, startedAt });
      return file;
    } catch (error) {
      await file[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Unless an earlier process did. */
  async archive(request: FileRequest): Promise<void> {
    if (await this.#options.frontier.isArchived(request.url)) return;
    const file = await this.add(request);
    await file[Symbol.asyncDispose]();
  }

  /** Resolves with the reason if it failed. */
  async visit(request: FileRequest): Promise<string | undefined> {
    const { url, context, signal } = request;
    try {
      await using file = await this.add({ ...request, isPage: request.isFile !== true });
      return file.status < 400 ? undefined : `its server responded with status ${String(file.status)}`;
    } catch (error) {
      signal.throwIfAborted();
      context.log.info({ url, err: error }, 'a file of the walk was not fetched');
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** The part that was read is archived when the file is disposed of. */
  async open(request: FileRequest): Promise<FetchedFile> {
    const startedAt = new Date();
    const file = await this.#open(request);
    const close = async () => {
      try {
        await this.#archive(file, { ...request, startedAt });
      } finally {
        await file[Symbol.asyncDispose]();
      }
    };
    return { ...file, [Symbol.asyncDispose]: close };
  }

  #open({ url, context, signal }: FileRequest): Promise<FetchedFile> {
    const { referrer, check, ...options } = this.#options;
    return openFile(url, { ...options, context, signal, check: (next) => check(next, { referrer }) });
  }

  async #archive(file: FetchedFile, place: FilePlace): Promise<void> {
    const { isArchived, hand, frontier } = this.#options;
    await file.finish();
    if (!(await isArchived(place.url))) await frontier.archive([place.url], await hand(describeFile(file, place)));
  }
}
