import { createHash } from 'node:crypto';
import { CORE_PARAMS, type Kernel } from '@platen/kernel';
import type { ServerContext } from '../service/request-state.js';
import { type FlagPath, nameFlags } from './flag-paths.js';

export interface WelcomeParts {
  readonly kernel: Pick<Kernel, 'plugins' | 'version'>;
  readonly flagPaths: readonly FlagPath[];
}

/** JSON first: a client that accepts anything is a program (RFC 9110, 12.5.1). */
const OFFERED = ['application/problem+json', 'application/json', 'text/html'];

/** Whether a browser opens the server's address: `GET /` without parameters that prefers HTML. Both responses vary by `Accept`. */
export function wantsWelcome(ctx: ServerContext): boolean {
  if (ctx.querystring !== '') return false;
  ctx.vary('Accept');
  return ctx.get('Accept') !== '' && ctx.accepts(OFFERED) === 'text/html';
}

/** Responds with a page that describes the server and shows example requests. */
export function sendWelcome(ctx: ServerContext, parts: WelcomeParts): void {
  ctx.status = 200;
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Security-Policy', POLICY);
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = describe(parts, originOf(ctx));
}

const STYLE =
  ':root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:52rem;margin:3rem auto;padding:0 1rem}pre{overflow-x:auto;padding:.75rem;border:1px solid #8886;border-radius:.4rem}';

/** A page on a platen. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect x='4' y='1' width='8' height='9' fill='%23fff' stroke='%23456'/%3E%3Crect y='11' width='16' height='4' rx='1' fill='%23456'/%3E%3C/svg%3E";

/** Allows no script and no connection. The page keeps the server's origin: otherwise its links would be cross-site requests. */
const POLICY = `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'; sandbox allow-same-origin`;

/** The origin by which the browser reached the server; an invalid `Host` is not repeated. */
function originOf({ host }: ServerContext): string {
  return /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(host) ? `http://${host}` : 'http://127.0.0.1:3000';
}

function describe({ kernel, flagPaths }: WelcomeParts, origin: string): string {
  const pages = Object.keys(PAGES).flatMap((path) => flagPaths.filter((page) => page.path === path).map(describePage));
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Platen</title><link rel="icon" href="${ICON}"><style>${STYLE}</style></head>
<body>
<main>
<h1>Platen ${kernel.version}</h1>
<p>This server renders web pages. Send it a URL, and it responds with an image, a document, text or data.</p>
<h2>Examples</h2>
${listExamples(kernel)
  .map((example) => describeExample(example, origin))
  .join('\n')}
<h2>More</h2>
<ul>
${[...pages, '<a href="status">status</a>: renders in progress, version'].map((item) => `<li>${item}</li>`).join('\n')}
</ul>
</main>
</body>
</html>
`;
}

const PAGES: Readonly<Record<string, string>> = {
  '/playground': 'every parameter in a form',
  '/docs': 'endpoints, parameters and errors',
  '/openapi.json': 'the OpenAPI document',
};

function describePage(page: FlagPath): string {
  const name = page.path.slice(1);
  const text = PAGES[page.path] ?? '';
  return page.isEnabled
    ? `<a href="${name}">${name}</a>: ${text}`
    : `${name}: ${text}. Start the server with <code>${nameFlags(page)}</code>.`;
}

interface Example {
  readonly type: string;
  readonly extension: string;
}

/** The default output type and two readable examples, or others that are available. */
function listExamples({ plugins }: WelcomeParts['kernel']): readonly Example[] {
  const outputs = plugins.flatMap(({ definition }) => definition.outputs ?? []);
  const first = [CORE_PARAMS.output_type.default, 'pdf', 'markdown'].flatMap(
    (type) => outputs.find((output) => output.type === type) ?? [],
  );
  return [...new Set([...first, ...outputs])].slice(0, 3);
}

function describeExample({ type, extension }: Example, origin: string): string {
  const query = `?url=https://example.com/&amp;output_type=${type}`;
  return `<p><a href="${query}">${type}</a></p>\n<pre tabindex="0" role="region" aria-label="Command for ${type}">curl --fail-with-body '${origin}/${query}' -o page.${extension}</pre>`;
}
