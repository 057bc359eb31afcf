import { contextKey } from '@platen/kernel';
import type { TreeCapture } from '@platen/lib-accessibility-tree';

/**
 * The capture that the render's output is made of, for plugins that need the tree in addition; undefined if the output uses another
 * capture.
 */
export const treeCapture = contextKey<TreeCapture>('accessibility');

declare module '@platen/kernel' {
  interface CaptureKinds {
    accessibility: TreeCapture;
  }
}
