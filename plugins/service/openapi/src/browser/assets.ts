import type { Api } from './api.js';
import { credentialHeaders, readToken } from './credentials.js';
import { formatBytes, make, makeButton } from './dom.js';
import { ROOT } from './load-api.js';
import { isObject, listAt, numberAt, textAt, type Json } from './read-json.js';

/** An additional asset of a render. */
export interface Asset {
  readonly href: string;
  readonly name: string;
  readonly contentType: string;
  readonly bytes?: number | undefined;
}

/** A response and the assets that it links. */
export interface Sent {
  readonly response: Response;
  readonly assets: readonly Asset[];
}

/** The assets that a `Link` header names (RFC 8288). */
export function readLinks(header: string | null): readonly Asset[] {
  const links = [...(header ?? '').matchAll(/<([^>]*)>((?:\s*;\s*[\w-]+="(?:[^"\\]|\\.)*")*)/g)];
  return links.map(([, url = '', rest = '']) => {
    const attributes = new Map(
      [...rest.matchAll(/([\w-]+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [name, value.replace(/\\(.)/g, '$1')]),
    );
    return { href: ownUrl(url), name: attributes.get('title') ?? 'asset', contentType: attributes.get('type') ?? '' };
  });
}

/** The assets of a job. */
export function readJobAssets(job: Json): readonly Asset[] {
  return listAt(job, 'assets')
    .filter(isObject)
    .map((asset) => ({
      href: ownUrl(textAt(asset, 'url')),
      name: textAt(asset, 'name'),
      contentType: textAt(asset, 'content_type'),
      bytes: numberAt(asset, 'bytes'),
    }));
}

/** Of this page's server, also where its public URL is another one. */
export function ownUrl(url: string): string {
  return new URL(`assets${new URL(url, ROOT).search}`, ROOT).href;
}

export async function fetchAsset({ href }: Pick<Asset, 'href'>, signal?: AbortSignal): Promise<Response> {
  return await window.fetch(href, { headers: credentialHeaders(), ...(signal === undefined ? {} : { signal }) });
}

export interface AssetListParts {
  readonly api: Api;
  readonly assets: readonly Asset[];
  /** Of the header `X-Missing-Assets`. */
  readonly missing: string | null;
  /** Shows the asset in place of the output; undefined: the output. */
  show(asset: Asset | undefined): void;
}

/** The assets of a render with links, and the assets that could not be created. */
export function showAssets({ api, assets, missing, show }: AssetListParts): HTMLElement | undefined {
  if (assets.length === 0 && missing === null) return undefined;
  const items = assets.map((asset) =>
    make(
      'li',
      {},
      showLink(asset),
      make('span', { class: 'chip' }, asset.contentType),
      asset.bytes === undefined ? undefined : make('span', { class: 'chip' }, formatBytes(asset.bytes)),
      makeButton('Show', { class: 'small', 'aria-label': `Show ${asset.name}` }, () => {
        show(asset);
      }),
      make('span', { class: 'help wide' }, describe(asset, api)),
    ),
  );
  const output = makeButton('Show the output', { class: 'small' }, () => {
    show(undefined);
  });
  return make(
    'div',
    { class: 'block' },
    make('h2', {}, 'Additional assets'),
    make('ul', { class: 'assets' }, ...items, items.length === 0 ? undefined : make('li', {}, output)),
    missing === null ? undefined : make('p', { class: 'help' }, `Missing: ${missing}`),
  );
}

/** The first sentence about the parameter that enables the asset. */
function describe({ name }: Asset, { fields, outputs }: Api): string {
  const key = `with_${name.replaceAll('-', '_')}`;
  const text = fields.find((field) => field.key === key)?.description;
  if (text !== undefined)
    return (
      text
        .split(/\. /)[0]
        ?.replace(/^Return the /, 'The ')
        .replace(/ as an additional asset\b/, '') ?? ''
    );
  return outputs.some(({ type }) => type === name) ? `The same page as ${name}.` : '';
}

/** A link sends no token: with a token, the page fetches the asset itself. */
function showLink(asset: Asset): HTMLElement {
  const link = make('a', { href: asset.href, target: '_blank', rel: 'noopener' }, asset.name);
  link.addEventListener('click', (event) => {
    if (readToken() === '') return;
    event.preventDefault();
    void download(asset);
  });
  return link;
}

async function download(asset: Asset): Promise<void> {
  const response = await fetchAsset(asset);
  const url = URL.createObjectURL(await response.blob());
  make('a', { href: url, download: asset.name }).click();
  // The download has started by then and does not need the URL any more.
  window.setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}
