import { createHash } from 'node:crypto';
import { CORE_PARAMS, type Kernel } from '@platen/kernel';
import type { ServerContext } from './server-context.js';
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

/** The colors and panels of the playground. */
const STYLE = `:root{color-scheme:light dark;--bg:light-dark(#f6f7fb,#0d1017);--panel:light-dark(#fff,#151a24);--sunken:light-dark(#f0f2f8,#0f131b);--text:light-dark(#171c2b,#e6e9f2);--soft:light-dark(#545d75,#9ea8bf);--line:light-dark(#dde1ec,#283043);--edge:light-dark(#868fa6,#66718c);--accent:light-dark(#4338ca,#a5b4fc)}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans',sans-serif;overflow-wrap:anywhere}
header{padding:14px 28px;border-bottom:1px solid var(--line);background:var(--panel)}h1{margin:0;font-size:17px}h1 span{color:var(--soft);font-weight:400}h2{margin:28px 0 10px;font-size:18px}
main{max-width:760px;margin:0 auto;padding:20px 14px 60px}
a{color:var(--accent)}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.panel{margin:0 0 12px;padding:12px 16px;border:1px solid var(--line);border-radius:10px;background:var(--panel)}ul.panel{padding-left:34px}.panel p{display:flex;justify-content:space-between;align-items:center;min-height:30px;margin:0 0 8px;font-weight:600}
pre{margin:0;padding:12px 14px;border-radius:8px;background:var(--sunken);font:13px/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace;white-space:pre-wrap}
button{padding:3px 10px;border:1px solid var(--edge);border-radius:8px;background:var(--panel);color:inherit;font:inherit;font-size:13px;cursor:pointer}`;

/** Adds the copy buttons, and applies the colors chosen in the playground. The command remains selected where copying is not allowed. */
const SCRIPT = `for (const pre of document.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.textContent = 'Copy';
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    getSelection().selectAllChildren(pre);
    const done = navigator.clipboard === undefined ? document.execCommand('copy') : await navigator.clipboard.writeText(pre.textContent).then(() => true, () => false);
    button.textContent = done ? 'Copied' : 'Not copied';
  });
  pre.previousElementSibling.append(button);
}
const theme = localStorage.getItem('platen-theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;`;

/** A page on a platen. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect x='4' y='1' width='8' height='9' fill='%23fff' stroke='%23456'/%3E%3Crect y='11' width='16' height='4' rx='1' fill='%23456'/%3E%3C/svg%3E";

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Allows this script only, and no connection. Without a sandbox: the links of an opaque origin would be cross-site requests. */
const POLICY = `default-src 'none'; img-src data:; style-src ${hash(STYLE)}; script-src ${hash(SCRIPT)}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;

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
<header><h1>Platen <span>${kernel.version}</span></h1></header>
<main>
<p>This server renders web pages. Send it a URL, and it responds with an image, a document, text or data.</p>
<h2>Examples</h2>
${listExamples(kernel)
  .map((example) => describeExample(example, origin))
  .join('\n')}
<h2>More</h2>
<ul class="panel">
${[...pages, '<a href="status">status</a>: renders in progress, version'].map((item) => `<li>${item}</li>`).join('\n')}
</ul>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

const PAGES: Readonly<Record<string, string>> = {
  '/playground': 'every parameter in a form',
  '/docs': 'endpoints, parameters and errors',
  '/guide': 'recipes and reference',
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
  return `<div class="panel"><p><a href="${query}">${type}</a></p>\n<pre>curl --fail-with-body '${origin}/${query}' -o page.${extension}</pre></div>`;
}
