import type { Spacing } from './node-reader.js';

/** HTML, and what its surroundings must know about it. */
export interface Written {
  readonly html: string;
  /** Something in it begins a line. */
  readonly block: boolean;
}

/** What an element hands down. */
export interface InheritedState {
  readonly visible: boolean;
  /** Text can be read: it has a size, and stands where it can be seen. */
  readonly legible: boolean;
  /** In a box that is not seen as a whole: each text stands by itself where it can be seen, or not. */
  readonly judged: boolean;
  readonly spacing: Spacing;
  /** Within a `pre` that was written: white space is kept as it is. `last` is the character that was written last. */
  readonly pre: { last: string; due: boolean } | null;
  readonly depth: number;
  readonly math: boolean;
}
