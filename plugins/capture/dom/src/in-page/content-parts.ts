import type { Listing } from './listing.js';
import type { Spacing } from './node-reader.js';

/** HTML, with the properties that its surroundings need to know. */
export interface Written {
  readonly html: string;
  /** Something in it begins a line. */
  readonly block: boolean;
}

/** State that an element passes down to its content. */
export interface InheritedState {
  readonly visible: boolean;
  /** Text can be read: it has a size and is in a visible place. */
  readonly legible: boolean;
  /** In a box that is not visible as a whole: each text is checked by itself. */
  readonly partial: boolean;
  readonly spacing: Spacing;
  /** Within a listing. */
  readonly pre: Listing | null;
  readonly depth: number;
  readonly math: boolean;
}
