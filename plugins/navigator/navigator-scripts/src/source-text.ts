import type { Script } from './script.js';
import type { Redact } from './url-pattern.js';

/** Writes texts that others have chosen as source text. No credential is in the result. */
export interface SourceText {
  /** A string literal. */
  quote(text: string): string;
  /** A comment line. */
  comment(text: string): string;
  /** An expression for a value as the navigator gave it. */
  value(value: string, written?: string): string;
}

export function createSourceText(redact: Redact, data: Script['data']): SourceText {
  // The text is redacted, not the source: a credential may be a word of the program.
  const quote = (text: string) => {
    const literal = JSON.stringify(redact(text));
    // Selectors with quotes are easier to read so.
    return literal.includes("'") ? literal : `'${literal.slice(1, -1).replaceAll('\\"', '"')}'`;
  };
  return {
    quote,
    comment(text) {
      const line = redact(text).replace(/[\s\p{Cc}]+/gu, ' ');
      return `// ${line.trim().slice(0, 200)}`;
    },
    value(value, written = '') {
      const [, from, rest = ''] = /^(credential|data|write):(.*)$/s.exec(value) ?? [];
      if (from === 'credential') return `credentials[${JSON.stringify(rest.trim())}]`;
      if (from === 'data' && data.has(rest.trim())) return `data[${JSON.stringify(rest.trim())}]`;
      return quote(from === 'write' ? written : value);
    },
  };
}

/** The constants that steps refer to. */
export function writeConstants({ credentials, data }: Pick<Script, 'credentials' | 'data'>, { quote }: SourceText): readonly string[] {
  const names = credentials.map((name) => [JSON.stringify(name), `CRED_${name.toUpperCase().replace(/[^A-Z\d]/g, '_')}`] as const);
  const checked = [
    ...['', '/** From environment variables. */', 'const credentials = {'],
    ...names.map(([name, variable]) => `  ${name}: process.env.${variable} ?? '',`),
    ...['};', `for (const name of [${names.map(([, variable]) => `'${variable}'`).join(', ')}]) {`],
    ...['  if (!process.env[name]) throw new Error(`Set the environment variable ${name}.`);', '}'],
  ];
  const values = [...data].map(([name, value]) => `  ${JSON.stringify(name)}: ${quote(value)},`);
  return [...(names.length === 0 ? [] : checked), ...(values.length === 0 ? [] : ['', 'const data = {', ...values, '};'])];
}

/** A script of a browser tool finds elements in open shadow trees only. None if it needs no others. */
export function openClosedRoots({ steps }: Pick<Script, 'steps'>, method: string): readonly string[] {
  const places = steps.flatMap(({ targets }) => [...targets.values()].flatMap((target) => [target, ...target.frames]));
  if (places.every(({ shadow }) => shadow !== 'closed')) return [];
  return [
    '// Elements in closed shadow trees can be found only if these are opened.',
    `await ${method}(() => {`,
    '  const { attachShadow } = Element.prototype;',
    '  Element.prototype.attachShadow = function (options) {',
    "    return attachShadow.call(this, { ...options, mode: 'open' });",
    '  };',
    '});',
  ];
}

/** Only those that differ from the browser's own. Both tools have the same names for them. */
export function screenSettings({ deviceScaleFactor, mobile, touchPoints }: Script['profile']): readonly string[] {
  return [
    ...(deviceScaleFactor === 1 ? [] : [`deviceScaleFactor: ${String(deviceScaleFactor)}`]),
    ...(mobile ? ['isMobile: true'] : []),
    ...(touchPoints > 0 ? ['hasTouch: true'] : []),
  ];
}

export function attributeSelector(name: string, value: string): string {
  return `[${name}="${value.replace(/["\\]/g, '\\$&')}"]`;
}

/** Type annotations of the helpers, for TypeScript. */
export interface HelperTypes {
  readonly page: string;
  readonly answers: string;
  readonly result: string;
  readonly dialog: string;
  readonly requests: string;
}

/** The helper that steps with dialogs call. Pages, dialogs and requests have the same methods in both tools. */
export function dialogHelper(types: HelperTypes): string {
  return `
/** Answers the next dialogs of a page, which block it until then. */
function answerDialogs(page${types.page}, answers${types.answers}) {
  return new Promise${types.result}((resolve, reject) => {
    const answer = (dialog${types.dialog}) => {
      const { accept, text } = answers.shift() ?? { accept: false };
      const isLast = answers.length === 0;
      if (isLast) page.off('dialog', answer);
      (accept ? dialog.accept(text) : dialog.dismiss()).then(() => isLast && resolve(), reject);
    };
    page.on('dialog', answer);
  });
}`;
}

/** The helper that waits for the effects of a step: without it, the next one could cancel them. */
export function requestHelper({ page, requests }: HelperTypes): string {
  return `
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
}`;
}
