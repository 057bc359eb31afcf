export type BrowserVariant = 'shell' | 'full';

export interface BrowserRequirements {
  readonly variant: BrowserVariant;
  /** A dedicated browser process. */
  readonly exclusive: boolean;
  /** Extra switches. Unless it is exclusive, the browser is shared by all renders with the same ones. */
  readonly switches: readonly string[];
  /** A browser with the render's own scale, if that is above 1: an emulated scale does not cross processes, such as cross-site iframes. */
  readonly scaled?: boolean;
  /** The render's own proxy, a URL with credentials. Passed to those who choose the way of its connections (`addUpstream`). */
  readonly proxy?: string;
  /** Nothing of the render may connect: a plugin answers the requests of its pages, and its own ones (`outboundOf`). */
  readonly offline?: boolean;
}
