import type { Modifier } from '@platen/lib-actor';
import type { Script, Target } from './script.js';
import type { SourceText } from './source-text.js';

export interface ClickOptions {
  readonly button?: string;
  readonly count?: number;
  readonly modifiers?: readonly Modifier[];
}

/** The parts of a script that surround its statements. */
export interface Program {
  readonly script: Script;
  readonly text: SourceText;
  /** Declarations that the statements refer to. */
  readonly constants: readonly string[];
  readonly body: readonly string[];
  /** Names of the functions that the body calls. */
  readonly calls: ReadonlySet<string>;
}

/** The source text for one browser tool. Expressions are of promises; elements are expressions, too. */
export interface Dialect {
  /** The program around the statements, without its functions. */
  readonly program: (program: Program) => readonly string[];
  /** Statements before the first step. */
  readonly setup: readonly string[];
  /** The method that runs a function in each document before its scripts. */
  readonly initScript: string;
  /** Functions at the end of the script, by name. */
  readonly functions: Readonly<Record<string, string>>;
  readonly locate: (target: Target, page: string, text: SourceText) => string;
  /** An option of an ARIA list. */
  readonly option: (list: Target, page: string, { value, text }: { readonly value: string; readonly text: SourceText }) => string;
  readonly click: (element: string, page: string, options: ClickOptions) => string;
  /** Key by key. */
  readonly type: (element: string, value: string) => string;
  readonly check: (element: string, state: 'true' | 'false') => string;
  readonly select: (element: string, values: string) => string;
  readonly drag: (from: string, to: string, page: string) => string;
  readonly upload: (element: string, files: string) => string;
  /** To the input of the file chooser that the element opens. */
  readonly choose: (element: string, files: string, page: string) => string;
  readonly focus: (element: string) => string;
  readonly press: (page: string, modifiers: readonly Modifier[], key: string) => string;
  readonly wheel: (page: string, right: number, down: number) => string;
  readonly wait: (page: string, ms: number) => string;
  readonly popup: (page: string) => string;
  readonly load: (page: string) => string;
  readonly closed: (page: string) => string;
  readonly arrive: (page: string, pattern: string) => string;
  /** Statements that fail unless the goal is reached. */
  readonly expectUrl: (page: string, pattern: string) => readonly string[];
  readonly expectSelector: (page: string, selector: string) => readonly string[];
}

/** Settings of the screen that differ from the browser's own. Both tools have the same names for them. */
export function screenSettings({
  deviceScaleFactor,
  mobile,
  touchPoints,
}: Script['profile']): Readonly<Record<string, string | undefined>> {
  return {
    deviceScaleFactor: deviceScaleFactor === 1 ? undefined : String(deviceScaleFactor),
    isMobile: mobile ? 'true' : undefined,
    hasTouch: touchPoints > 0 ? 'true' : undefined,
  };
}

/** Type annotations, for TypeScript. */
interface FunctionTypes {
  readonly page: string;
  readonly answers: string;
  readonly result: string;
  readonly dialog: string;
  readonly requests: string;
}

/** Functions for both tools, whose pages, dialogs and requests have the same methods. */
export function sharedFunctions({ page, answers, result, dialog, requests }: FunctionTypes): Dialect['functions'] {
  return {
    answerDialogs: `
/** Answers the next dialogs of a page, which block it until then. */
function answerDialogs(page${page}, answers${answers}) {
  return new Promise${result}((resolve, reject) => {
    const answer = (dialog${dialog}) => {
      const { accept, text } = answers.shift() ?? { accept: false };
      const isLast = answers.length === 0;
      if (isLast) page.off('dialog', answer);
      (accept ? dialog.accept(text) : dialog.dismiss()).then(() => isLast && resolve(), reject);
    };
    page.on('dialog', answer);
  });
}`,
    // Without waiting for the effects of a step, the next one could cancel them.
    rest: `
function watchRequests(page${page}) {
  const open = new Set${requests}();
  inFlight.set(page, open);
  page.on('request', (request) => !/^(?:image|media|eventsource|ping)$/.test(request.resourceType()) && open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
}

/** Waits until the page has had no requests in flight for 200 ms; at most 5 s. */
async function rest(page${page}) {
  for (let quiet = 0, waited = 0; quiet < 200 && waited < 5_000; waited += 50) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    quiet = inFlight.get(page)?.size ? 0 : quiet + 50;
  }
}`,
  };
}
