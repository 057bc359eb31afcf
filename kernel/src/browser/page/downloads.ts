import { constants } from 'node:fs';
import { open, rm, statfs, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PlatenError } from '../../errors.js';
import type { Download, DownloadProgress, Downloads } from './contract.js';
import type { TargetTree } from '../protocol/contract.js';
import type { PrivateFolder } from '../process/private-folder.js';
import { browserDisconnectedError, type BrowserProcess } from '../process/browser-process.js';
import type { ClosableSession } from '../protocol/protocol-session.js';

/** The downloads of one browser context, with their owner's controls. */
export interface OwnedDownloads extends Downloads {
  /** Removes the downloaded files. Called once the browser context and its pending downloads are gone. */
  remove(): Promise<void>;
}

export interface DownloadsOptions {
  readonly process: BrowserProcess;
  readonly browserContextId: string;
  readonly targets: TargetTree;
}

/**
 * Download folder of all contexts of a browser, below its profile. File names are unique (`allowAndName`). There is no folder per context:
 * the browser would recreate it for downloads still in progress when the context closes.
 */
const FOLDER = 'downloads';

/** Lets a browser context accept downloads (Browser.setDownloadBehavior). */
export async function openDownloads({ process, browserContextId, targets }: DownloadsOptions): Promise<OwnedDownloads> {
  const session = await openSession(process);
  const paths = new Set<string>();
  const folder: Folder = {
    path: join(process.folder.path, FOLDER),
    owner: process.folder.owner,
    add: (path) => paths.add(path),
  };
  const onBegin = followDownloads({ session, browserContextId, folder, ownsFrame: trackFrames(targets) });
  await session.send('Browser.setDownloadBehavior', {
    behavior: 'allowAndName',
    browserContextId,
    downloadPath: folder.path,
    eventsEnabled: true,
  });
  return {
    onBegin,
    async remove() {
      session.end(browserDisconnectedError());
      await Promise.all([...paths].map((path) => rm(path, { force: true })));
    },
  };
}

/**
 * A browser session dedicated to the render. A page's session gets no events of popups that a download closes, and a session shared by all
 * contexts would be silenced by the next context.
 */
async function openSession({ root, router, sessions }: BrowserProcess): Promise<ClosableSession> {
  const { sessionId } = await root.send('Target.attachToBrowserTarget');
  const raw = router.connection.session(sessionId);
  if (!raw) throw new PlatenError('browser_unavailable', 'the browser opened no session for downloads', { retryable: true });
  const session = sessions.keep(raw, browserDisconnectedError);
  session.onEnd(() => {
    root.send('Target.detachFromTarget', { sessionId }).catch(() => undefined);
  });
  return session;
}

/** Runs the listener once the frame is known to belong to the targets. Frames of other contexts never do. */
type OwnsFrame = (frameId: string, listener: () => void) => void;

function trackFrames(targets: TargetTree): OwnsFrame {
  const known = new Set<string>();
  const waiting = new Map<string, (() => void)[]>();
  const add = (frameId: string): void => {
    known.add(frameId);
    for (const listener of waiting.get(frameId) ?? []) listener();
    waiting.delete(frameId);
  };
  targets.configure((target) => {
    if (!target.hasDocuments) return [];
    add(target.targetId);
    target.on('Page.frameAttached', ({ frameId }) => {
      add(frameId);
    });
    return [target.send('Page.enable')];
  });
  return (frameId, listener) => {
    if (known.has(frameId)) listener();
    else waiting.set(frameId, [...(waiting.get(frameId) ?? []), listener]);
  };
}

interface Folder extends Pick<PrivateFolder, 'path' | 'owner'> {
  /** Records a file for removal. */
  add(path: string): void;
}

interface Following {
  readonly session: ClosableSession;
  readonly browserContextId: string;
  readonly folder: Folder;
  readonly ownsFrame: OwnsFrame;
}

/** The session gets download events of all contexts; they are distinguished by their frames. */
function followDownloads({ session, browserContextId, folder, ownsFrame }: Following): Downloads['onBegin'] {
  const listeners: ((download: Download) => void)[] = [];
  const coming = new Map<string, (progress: DownloadProgress) => void>();
  session.on('Browser.downloadWillBegin', ({ guid, url, frameId, suggestedFilename: name }) => {
    const { progress, onProgress } = createProgress();
    coming.set(guid, progress);
    const path = join(folder.path, basename(guid));
    const download: Download = {
      ...{ url, name, onProgress },
      async cancel() {
        await session.send('Browser.cancelDownload', { guid, browserContextId }).catch(() => undefined);
      },
      async room() {
        const { bavail, bsize } = await statfs(dirname(folder.path));
        return bavail * bsize;
      },
      open: () => openFile(path, folder),
    };
    ownsFrame(frameId, () => {
      folder.add(path);
      for (const listener of listeners) listener(download);
    });
  });
  session.on('Browser.downloadProgress', ({ guid, state, receivedBytes, totalBytes }) => {
    coming.get(guid)?.({ state, receivedBytes, totalBytes });
  });
  return (listener) => {
    listeners.push(listener);
  };
}

/** Listeners get the current state immediately, then every change. */
function createProgress(): Pick<Download, 'onProgress'> & { progress(now: DownloadProgress): void } {
  const listeners: ((progress: DownloadProgress) => void)[] = [];
  let last: DownloadProgress = { state: 'inProgress', receivedBytes: 0, totalBytes: 0 };
  return {
    onProgress(listener) {
      listeners.push(listener);
      listener(last);
    },
    progress(now) {
      last = now;
      for (const listener of listeners) listener(now);
    },
  };
}

/** The folder belongs to the untrusted browser: neither links in it nor files of other owners are opened. */
async function openFile(path: string, { owner }: Folder): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  const facts = await file.stat();
  if (facts.isFile() && facts.nlink === 1 && (owner === undefined || facts.uid === owner.uid)) return file;
  await file.close();
  throw new PlatenError('internal', 'the download is not a regular file of the browser');
}
