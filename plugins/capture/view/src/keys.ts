import { contextKey } from '@platen/kernel';
import type { ViewCapture, ViewOptions } from '@platen/lib-view';

/** How the page is captured: set before the capture by the plugin of the output. Without it, with a screenshot. */
export const viewOptions = contextKey<ViewOptions>('view options');

declare module '@platen/kernel' {
  interface CaptureKinds {
    view: ViewCapture;
  }
}
