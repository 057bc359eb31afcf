import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFrontier, type Claim, type Frontier, type FrontierOptions } from '../../../../plugins/lib/frontier/src/index.js';

export interface TemporaryFolder extends AsyncDisposable {
  readonly folder: string;
}

export async function openTemporaryFolder(): Promise<TemporaryFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** A frontier in a folder that is deleted with it. Without a delay, unless one is given. */
export async function openTemporary(options: Partial<FrontierOptions> = {}): Promise<AsyncDisposable & { readonly frontier: Frontier }> {
  const temporary = await openTemporaryFolder();
  const frontier = await openFrontier({ folder: temporary.folder, delayMs: 0, ...options });
  return {
    frontier,
    async [Symbol.asyncDispose]() {
      await frontier[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

/** The claim that there must be. */
export async function claimOne(frontier: Frontier, now = 0): Promise<Claim> {
  const claim = await frontier.claim(now);
  if (typeof claim !== 'object') throw new Error(`nothing to claim: ${String(claim)}`);
  return claim;
}

/** The URLs of all that can be claimed now, in their order. */
export async function claimAll(frontier: Frontier, now = 0): Promise<readonly string[]> {
  const urls: string[] = [];
  for (let claim = await frontier.claim(now); typeof claim === 'object'; claim = await frontier.claim(now)) urls.push(claim.url);
  return urls;
}
