/**
 * A page as Markdown knows it: blocks that contain either blocks or a line of text, never both. The readers in `read/` build it once; the
 * writers in `write/` turn it into text.
 */
export type Block = Paragraph | Heading | CodeBlock | Quotation | List | Table | { readonly kind: 'break' };

export interface Paragraph {
  readonly kind: 'paragraph';
  readonly content: readonly Inline[];
  /** A `p` of the page, which is separated by blank lines. Any other text may be part of a tight list. */
  readonly spaced: boolean;
}

export interface Heading {
  readonly kind: 'heading';
  readonly level: number;
  readonly content: readonly Inline[];
}

export interface CodeBlock {
  readonly kind: 'code block';
  readonly text: string;
  readonly language: string;
}

export interface Quotation {
  readonly kind: 'quotation';
  readonly blocks: readonly Block[];
}

export interface List {
  readonly kind: 'list';
  /** Undefined: bullets. */
  readonly numbers: Numbers | undefined;
  /** Blank lines separate the items. */
  readonly loose: boolean;
  readonly items: readonly (readonly Block[])[];
}

export interface Numbers {
  readonly start: number;
  readonly step: number;
}

export function numberOf({ start, step }: Numbers, at: number): number {
  return start + step * at;
}

export interface Table {
  readonly kind: 'table';
  /** One for each column. */
  readonly alignments: readonly Alignment[];
  readonly header: readonly (readonly Inline[])[];
  readonly rows: readonly (readonly TableCell[])[];
}

export type Alignment = 'left' | 'center' | 'right' | 'none';

export interface TableCell {
  readonly content: readonly Inline[];
  /** Empty cells after it. */
  readonly empty: number;
}

export type Emphasis = 'em' | 'strong' | 'del';

export type Inline =
  | { readonly kind: 'text' | 'code'; readonly value: string }
  /** Markdown that is written unchanged. */
  | { readonly kind: 'raw'; readonly value: string }
  /** A URL that is its own link text. */
  | { readonly kind: 'autolink'; readonly value: string }
  /** TeX, including its dollars. */
  | { readonly kind: 'maths'; readonly value: string }
  | { readonly kind: 'check box'; readonly checked: boolean }
  | { readonly kind: 'break' }
  | { readonly kind: Emphasis; readonly children: readonly Inline[] }
  | ({ readonly kind: 'link'; readonly children: readonly Inline[] } & Target)
  | ({ readonly kind: 'image'; readonly alt: string } & Target);

/** The destination of a link or an image. */
export interface Target {
  readonly address: string;
  readonly title: string;
}

/** An inline with other inlines in it. */
export type Wrapper = Extract<Inline, { readonly children: readonly Inline[] }>;

export function isWrapper(inline: Inline): inline is Wrapper {
  return 'children' in inline;
}

export function text(value: string): Inline {
  return { kind: 'text', value };
}

/** A no-break space is not visible. */
export function isVisible(inline: Inline): boolean {
  if (isWrapper(inline)) return inline.children.some(isVisible);
  return inline.kind === 'text' ? /\S/.test(inline.value) : inline.kind !== 'break';
}

/** Whether one of the inlines, or one in them, is of these kinds. */
export function contains(inlines: readonly Inline[], ...kinds: readonly Inline['kind'][]): boolean {
  return inlines.some((inline) => kinds.includes(inline.kind) || (isWrapper(inline) && contains(inline.children, ...kinds)));
}

/** The words without their marks; images count as `imageText` says. */
export function wordsOf(inlines: readonly Inline[], imageText: (alt: string) => string = () => ''): string {
  return inlines
    .map((inline) => {
      if (isWrapper(inline)) return wordsOf(inline.children, imageText);
      if (inline.kind === 'image') return imageText(inline.alt);
      if (inline.kind === 'break') return ' ';
      return 'value' in inline && inline.kind !== 'raw' ? inline.value : '';
    })
    .join('');
}

/** The content with all inlines of this kind replaced by their content. An autolink is a link, too. */
export function unwrap(inlines: readonly Inline[], kind: Wrapper['kind']): readonly Inline[] {
  return inlines.flatMap((inline) => {
    if (!isWrapper(inline)) return [kind === 'link' && inline.kind === 'autolink' ? text(inline.value) : inline];
    const children = unwrap(inline.children, kind);
    return inline.kind === kind ? children : [{ ...inline, children }];
  });
}

/** Bold text in a line that is bold anyway (a heading, a header cell), and bold around all of its content, has no effect. */
export function withoutBold(content: readonly Inline[]): readonly Inline[] {
  const [only, ...others] = content.filter(isVisible);
  return only?.kind === 'strong' && others.length === 0 ? unwrap([only], 'strong') : content;
}

/** The blocks with every paragraph and heading replaced, also those in lists and quotations. */
export function mapLines(blocks: readonly Block[], change: (line: Paragraph | Heading) => Block): readonly Block[] {
  return blocks.map((block) => {
    switch (block.kind) {
      case 'paragraph':
      case 'heading':
        return change(block);
      case 'quotation':
        return { ...block, blocks: mapLines(block.blocks, change) };
      case 'list':
        return { ...block, items: block.items.map((item) => mapLines(item, change)) };
      default:
        return block;
    }
  });
}

/** Every paragraph and heading, also those in lists and quotations. */
export function linesOf(blocks: readonly Block[]): readonly (Paragraph | Heading)[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'paragraph' || block.kind === 'heading') return [block];
    if (block.kind === 'quotation') return linesOf(block.blocks);
    return block.kind === 'list' ? block.items.flatMap(linesOf) : [];
  });
}
