import { contextKey } from '@platen/kernel';
import type { TreeCapture } from '@platen/lib-accessibility-tree';

/** The capture that the render's output is made of, for whoever needs the tree beside it; undefined where the output is another. */
export const treeCapture = contextKey<TreeCapture>('accessibility');

declare module '@platen/kernel' {
  interface CaptureKinds {
    accessibility: TreeCapture;
  }
}
