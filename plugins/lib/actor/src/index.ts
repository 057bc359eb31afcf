export * from './action.js';
import type { Page } from '@platen/kernel';
import type { RefTable } from '@platen/lib-view';
import type { Actor } from './action.js';
export declare function createActor(page: Page, options: { refs: RefTable }): Actor;
