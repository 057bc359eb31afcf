export * from './action.js';
import type { Page } from '@platen/kernel';
import type { RefTable } from '@platen/lib-view';
import type { Actor } from './action.js';
export function createActor(_page: Page, _options: { refs: RefTable }): Actor {
  throw new Error('not yet');
}
