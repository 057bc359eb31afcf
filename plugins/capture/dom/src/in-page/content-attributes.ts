import type { NodeReader } from './node-reader.js';

/** The attributes of an element that matter to a reader or a converter. */
export class ContentAttributes {
  readonly #reader: NodeReader;
  readonly #language: ContentLanguage;
  readonly #meaningful = new Set(
    'colspan rowspan scope start reversed value datetime cite dir lang open display alttext encoding title'.split(' '),
  );
  readonly #targets: ReadonlySet<string>;

  constructor(reader: NodeReader, language: ContentLanguage) {
    this.#reader = reader;
    this.#language = language;
    const links = reader.findAll('a[href*="#"]');
    this.#targets = new Set(links.map((link) => this.#fragmentOf(reader.attribute(link, 'href') ?? '')));
  }

  #fragmentOf(href: string): string {
    try {
      return decodeURIComponent(href.slice(href.indexOf('#') + 1));
    } catch {
      return '';
    }
  }

  /** Whether a link of the document leads to the id. Any other id is omitted. */
  isTarget(id: string): boolean {
    return this.#targets.has(id);
  }

  escape(text: string): string {
    if (!/[&<>]/.test(text)) return text;
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  }

  quote(value: string): string {
    return this.escape(value).replaceAll('"', '&quot;');
  }

  write(element: Element, name: string): string {
    const classes = this.#language.classesOf(element, name);
    let written = classes === '' ? '' : ` class="${this.quote(classes)}"`;
    for (const key of this.#reader.attributeNames(element)) {
      const value = this.#reader.attribute(element, key) ?? '';
      if (key === 'aria-colspan' || key === 'aria-rowspan') written += ` ${key.slice(5)}="${this.quote(value)}"`;
      else if (this.#meaningful.has(key)) written += ` ${key}="${this.quote(value)}"`;
      else if (key === 'href' && name === 'a') written += this.#href(element, value);
    }
    return written;
  }

  /** An item whose number is shown, with or without punctuation after it. */
  isNumbered(element: Element, name: string): boolean {
    const list = name === 'li' ? element.parentElement : null;
    return list !== null && this.#reader.name(list) === 'ol' && this.#reader.numerals(element) !== '';
  }

  /** Of a numbered list, or of an item with its own numbering: letters or roman numerals, whether an attribute or a style sets them. */
  numerals(element: Element, name: string): string {
    const list = name === 'li' ? element.parentElement : null;
    if (name !== 'ol' && (list === null || this.#reader.name(list) !== 'ol')) return '';
    const own = this.#reader.numerals(element);
    const usual = list === null ? '1' : this.#reader.numerals(list);
    return own === '' || own === (usual === '' ? '1' : usual) ? '' : ` type="${own}"`;
  }

  /** Text alignment of a cell. */
  alignment(element: Element): string {
    const side = this.#reader.align(element).replace('-webkit-', '');
    const asked = this.#reader.attribute(element, 'align') ?? (['center', 'right', 'left', 'end'].includes(side) ? side : '');
    return asked === '' ? '' : ` align="${this.quote(asked.toLowerCase())}"`;
  }

  /** Whether it has a destination; a script URL is not a destination. */
  isLink(element: Element): boolean {
    const value = this.#reader.attribute(element, 'href');
    return value !== null && this.#href(element, value) !== '';
  }

  #href(element: Element, value: string): string {
    const address = this.#reader.resolve(element, value.trim());
    return address === null || /^(javascript|vbscript):/i.test(address) ? '' : ` href="${this.quote(address)}"`;
  }
}

/** Detects the language of a listing, by any of the ways in which pages declare it. */
export class ContentLanguage {
  readonly #reader: NodeReader;
  /** Classes of highlighters that name no language. */
  readonly #other =
    /^(sourceCode|numberSource|numberLines|lineAnchors|hljs|highlight(er-rouge)?|chroma|codehilite|prettyprint(ed)?|linenums|code|literal-block|notranslate|line-numbers|no-highlight|syntaxhighlighter|shiki|astro-code)$/i;
  /** Words that name a language by themselves, without a prefix. */
  readonly #names = new Set(
    `ada apache applescript arduino asm assembly awk bash basic bat batch c c# c++ cc clojure cmake cobol coffee coffeescript cpp cs csharp css cuda d dart
    delphi diff django docker dockerfile elisp elixir elm erb erlang f# fish fortran fsharp glsl go golang gradle graphql groovy haskell hcl hs html http ini java
    javascript jinja js json json5 jsonc jsx julia kotlin kt latex less lisp lua make makefile markdown matlab md mermaid mysql nginx nim nix node objc
    objective-c objectivec ocaml pascal perl pgsql php plsql postgresql powershell prolog properties proto protobuf ps1 puppet py python python3 r racket rb
    reasonml rs rst ruby rust sass scala scheme scss sh shell shell-session solidity sql svelte swift tcl terraform tex toml ts tsx typescript v vb vbnet verilog vhdl vim
    vue wasm wat xml xquery yaml yml zig zsh`.split(/\s+/),
  );

  constructor(reader: NodeReader) {
    this.#reader = reader;
  }

  /**
   * The classes to write: the page's own if they follow the proposal of the HTML standard, else a class that does. Empty: no language is
   * named.
   */
  classesOf(element: Element, name: string): string {
    if (!['pre', 'code', 'div', 'samp', 'figure'].includes(name)) return '';
    const words = (this.#reader.attribute(element, 'class') ?? '').split(/\s+/).filter((word) => word !== '');
    const languageClasses = words.filter((word) => /^(language|lang|highlight-source|highlight-text)-./i.test(word));
    if (languageClasses.length > 0) return languageClasses.join(' ');
    const named = this.#named(element, name, words);
    return named === '' ? '' : `language-${named}`;
  }

  #named(element: Element, name: string, words: readonly string[]): string {
    const data = ['data-lang', 'data-language']
      .map((key) => this.#reader.attribute(element, key)?.trim() ?? '')
      .find((value) => value !== '');
    if (data !== undefined) return this.#safe(data);
    const brush = /(?:^|\s)brush:\s*([^\s;]+)/i.exec(words.join(' '))?.[1];
    if (brush !== undefined) return this.#safe(brush);
    // Sphinx names its own choice `default`.
    const sphinx = words.map((word) => /^highlight-(.+)$/i.exec(word)?.[1] ?? '').find((value) => value !== '' && value !== 'default');
    if (sphinx !== undefined) return this.#safe(sphinx);
    const highlighted = words.some((word) => /^(sourceCode|hljs|prettyprint|highlight|chroma|shiki)$/i.test(word));
    const rest = words.filter((word) => !this.#other.test(word));
    const known = rest.find((word) => this.#names.has(word.toLowerCase()));
    if (known !== undefined && (highlighted || (rest.length === 1 && (name === 'pre' || name === 'code')))) return known;
    const lang = this.#reader.attribute(element, 'lang')?.trim().toLowerCase() ?? '';
    return (name === 'pre' || name === 'code') && this.#isNoTongue(lang) ? lang : '';
  }

  /** A code that is also a human language's code does not identify a listing's language. */
  #isNoTongue(lang: string): boolean {
    return this.#names.has(lang) && lang !== 'cs' && lang !== 'ts';
  }

  /** Several words are not a language name. */
  #safe(value: string): string {
    return /\s/.test(value) ? '' : value;
  }
}
