// The documentation site: `npm run docs` builds it of the Markdown pages of this repository. Local search; a dead link fails the build.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { defineConfig } from 'vitepress';

const ROOT = join(import.meta.dirname, '../../..');
/** Served at /guide/ with `--server-enable-docs`. */
const OUT = join(ROOT, 'plugins/service/openapi/guide');

/** Pages for those who change Platen itself, and what is built. */
const EXCLUDED = ['test/**', 'bundle/**', '**/dist/**', 'CONTRIBUTING.md', 'plugins/lib/**', 'plugins/service/openapi/guide/**'];

/** The path of a page in the site. */
function place(path) {
  return path
    .replace(/^README\.md$/, 'about.md')
    .replace(/^server\/docs\//, '')
    .replace(/(^|\/)README\.md$/, '$1index.md');
}

/** Sources of pages by their path in the site. */
const sources = new Map();

/** The anchors of GitHub, so that the same links work in both. */
function slugify(text) {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** Links between pages lead to their places in the site. Those to other files, such as sources, become text; a missing file fails the build. */
function placeLinks(markdown) {
  const render = markdown.renderer.rules.link_open;
  markdown.renderer.rules.link_open = (...parts) => {
    const [tokens, index, options, env, self] = parts;
    const token = tokens[index];
    const [, path, hash = ''] = /^(?![a-z]+:|#|\/)([^#]+)(#.*)?/i.exec(token.attrGet('href') ?? '') ?? [];
    if (path !== undefined) {
      const name = join(dirname(sources.get(env.relativePath) ?? env.relativePath), decodeURI(path));
      if (!existsSync(join(ROOT, name))) throw new Error(`there is no file ${name}`);
      if (sources.get(place(name)) !== name) {
        token.attrs = [];
        return self.renderToken(tokens, index, options);
      }
      token.attrSet('href', `/${place(name)}${hash}`);
    }
    return render(...parts);
  };
  // Vite takes a path without a dot for a package.
  const writeHtml = (tokens, index) => tokens[index].content.replaceAll(/(<img\s[^>]*?src=")(?![a-z]+:|[./])/gi, '$1./');
  Object.assign(markdown.renderer.rules, { html_inline: writeHtml, html_block: writeHtml });
}

/** The sections of the index, each with the pages that it links to. */
function readSidebar() {
  const [, ...sections] = readFileSync(join(ROOT, 'server/docs/README.md'), 'utf8').split(/^## /m);
  return sections.map((section) => ({
    text: /^.+/.exec(section)[0],
    items: [...section.matchAll(/\[([^\]]+)\]\((?!\.\.)([^)]+)\.md\)/g)].map(([, text, path]) => ({
      text: `${text[0].toUpperCase()}${text.slice(1)}`,
      link: `/${path}`,
    })),
  }));
}

/** The Markdown of a page in the site: links lead to the pages there. Those to other files and pictures become text. */
function placeMarkdown(at, source) {
  const placeIn = (text) =>
    text.replaceAll(/(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)/g, (...found) => {
      const [, picture, label, path, hash = ''] = found;
      if (picture !== '') return `(Picture: ${label}.)`;
      const name = join(dirname(source), decodeURI(path));
      return sources.get(place(name)) === name ? `[${label}](${relative(dirname(at), place(name))}${hash})` : label;
    });
  // Not in code.
  const parts = readFileSync(join(ROOT, source), 'utf8').split(/(^```[^]*?^```)/m);
  return parts.map((part, index) => (index % 2 === 0 ? placeIn(part) : part)).join('');
}

/** For agents: the Markdown of each page, and a list of them (https://llmstxt.org). */
function writeForAgents() {
  const pages = [...sources].map(([place, source]) => {
    mkdirSync(dirname(join(OUT, place)), { recursive: true });
    writeFileSync(join(OUT, place), placeMarkdown(place, source));
    return { place, title: /^# (.+)$/m.exec(readFileSync(join(ROOT, source), 'utf8'))?.[1] ?? place };
  });
  const lines = pages.sort((a, b) => a.place.localeCompare(b.place)).map(({ place, title }) => `- [${title}](/guide/${place})`);
  const head =
    '# Platen\n\n> Renders web pages: a URL in, an image, PDF, video, text, data or archive out. Over HTTP, from the command line, as tools (MCP).\n';
  writeFileSync(join(OUT, 'llms.txt'), `${head}\n## Pages\n\n${lines.join('\n')}\n`);
}

/** A search for words that a parameter is searched as finds it before the pages that mention them. */
const SEARCH = {
  _render: (text, env, markdown) => markdown.render(text, env).replaceAll(/<li>Searched as: .*?<\/li>/g, (words) => words.repeat(10)),
  miniSearch: { searchOptions: { boost: { title: 2, text: 2, titles: 1 }, bm25: { k: 5, b: 0.7, d: 0.5 } } },
};

export default defineConfig({
  title: 'Platen',
  description: 'Renders web pages.',
  base: '/guide/',
  srcDir: ROOT,
  srcExclude: EXCLUDED,
  outDir: OUT,
  cacheDir: join(ROOT, 'node_modules/.cache/vitepress'),
  rewrites: (path) => {
    sources.set(place(path), path);
    return place(path);
  },
  // Programs of the site in files: its policy allows no inline script but the one that chooses light or dark.
  metaChunk: true,
  // That would be an inline style, too.
  appearance: { disableTransition: false },
  markdown: { attrs: { disable: true }, anchor: { slugify }, config: placeLinks },
  buildEnd: writeForAgents,
  themeConfig: {
    search: { provider: 'local', options: SEARCH },
    outline: [2, 3],
    nav: [
      { text: 'First request', link: '/api/first-request' },
      { text: 'Recipes', link: '/recipes' },
      { text: 'Parameters', link: '/reference/parameters' },
    ],
    sidebar: [{ text: 'Recipes', link: '/recipes' }, ...readSidebar()],
  },
});
