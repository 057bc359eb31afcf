import { beforeTarget, BODY_ONLY, contextKey, definePlugin, type Fragments, InterceptStage, Stage } from '@platen/kernel';
import { exemptFromRobots } from '@platen/plugin-robots/keys';
import { checkSupplied, completeUrl, UPLOAD_HOST, UPLOAD_ORIGIN } from './supplied-urls.js';
import type { Supply } from './supply.js';

const SOURCES = [...BODY_ONLY, 'flags'] as const;

const PARAMS = {
  html: {
    type: 'string',
    'x-extension': true,
    'x-large': true,
    'x-at-file': true,
    'x-sources': SOURCES,
    'x-code': true,
    description: `HTML document to show at "url", which is not loaded: its base URL, origin, cookies and storage are those of "url". Default of "url": ${UPLOAD_ORIGIN}/.`,
    examples: ['<h1>Hello</h1>'],
    'x-synonyms': {
      content: true,
      source: true,
      markup: true,
      html_content: true,
      raw_html: true,
      html_base_url: 'give the base URL of "html" as "url"',
    },
    'x-search': ['template', 'invoice', 'own HTML', 'HTML to PDF'],
  },
  upload: {
    type: 'object',
    additionalProperties: { type: 'string', pattern: '^data:[^,]*,', 'x-expects': 'a data: URL' },
    'x-extension': true,
    'x-large': true,
    'x-sources': SOURCES,
    'x-code': true,
    'x-expects': 'an object of data: URLs by relative path',
    description: `Files that the page loads from ${UPLOAD_ORIGIN}/, as data: URLs by relative path; they never leave the server. "url" may be a path among them. Default of "url": index.html.`,
    examples: [
      { 'index.html': 'data:text/html,<link rel="stylesheet" href="css/style.css">', 'css/style.css': 'data:text/css,h1{color:red}' },
    ],
    'x-synonyms': { files: true, assets: true, attachments: true },
  },
} as const satisfies Fragments;

const supplyKey = contextKey<Supply>('upload: supplied documents');
const SCOPE = { param: ['html', 'upload'] } as const;

/** Renders HTML and files that the request contains. */
export default definePlugin({
  name: 'upload',
  params: PARAMS,
  planFor: SCOPE,
  complete: completeUrl,
  plan({ params, url, refuse }) {
    checkSupplied({ ...params, url }, refuse);
  },
  apply({ hooks, outbound }) {
    // WebSockets and preconnections are not intercepted: not even the name leaves the server.
    outbound.addHostFilter((name) => (name === UPLOAD_HOST ? 'only files of "upload" are there' : undefined));
    hooks.beforeOpen.tapPromise({ name: 'upload', stage: Stage.first, for: SCOPE }, async (context) => {
      // The visits of a walk share the documents of their render.
      if (context.get(supplyKey) !== undefined) return;
      const { createSupply } = await import('./supply.js');
      const supply = createSupply({ ...context.params, url: context.plan.url, readLocalFile: context.readLocalFile });
      context.set(supplyKey, supply);
      context.set(exemptFromRobots, supply.has);
      context.set(beforeTarget, supply.load);
    });
    hooks.beforeNavigate.tap({ name: 'upload', stage: Stage.first, for: SCOPE }, ({ intercept, get }) => {
      const supply = get(supplyKey);
      if (supply !== undefined) intercept.use({ name: 'upload', stage: InterceptStage.supply, request: supply.answer });
    });
  },
});
