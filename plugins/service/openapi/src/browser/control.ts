/** The content of a control: a value, nothing, or the reason why it is not valid. */
export type Reading = { readonly value: unknown } | { readonly issue: string } | undefined;

/** The input of a field. */
export interface Control {
  readonly element: HTMLElement;
  /** The elements that show the error and get the focus. */
  readonly inputs: () => readonly HTMLElement[];
  /** Lists and objects span the form. */
  readonly wide: boolean;
  read(): Reading;
  /** Undefined clears it. */
  write(value: unknown): void;
}
