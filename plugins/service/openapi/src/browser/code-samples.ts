import type { Api } from './api.js';
import { ROOT } from './load-api.js';
import type { Json } from './read-json.js';
import { toQuery, type Method } from './send-render.js';

/** The request, as sent by other clients. */
export interface Sample {
  readonly params: Json;
  readonly method: Method;
  readonly api: Api;
}

/** In single quotes, as any POSIX shell reads it. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fileOf({ params, api: { outputs } }: Sample): string {
  const type = params['output_type'] ?? 'png';
  return `page.${outputs.find((output) => output.type === type)?.extension ?? 'bin'}`;
}

/** Samples never contain the secret itself. */
function credentialsOf({ asks }: Api): string {
  if (asks.has('token')) return ' \\\n  -H "Authorization: Bearer $PLATEN_TOKEN"';
  return asks.has('basic') ? ' \\\n  -u "$PLATEN_USER"' : '';
}

export function toCurl(sample: Sample): string {
  const { params, method, api } = sample;
  const query = method === 'GET' ? toQuery(params) : undefined;
  const end = `${credentialsOf(api)} \\\n  -o ${fileOf(sample)}`;
  if (query === undefined) {
    return `curl --fail-with-body ${quote(ROOT.href)} \\\n  -H 'content-type: application/json' \\\n  -d ${quote(JSON.stringify(params, null, 2))}${end}`;
  }
  const pairs = [...query].map(([key, value]) => ` \\\n  --data-urlencode ${quote(`${key}=${value}`)}`);
  return `curl --fail-with-body -G ${quote(ROOT.href)}${pairs.join('')}${end}`;
}

export function toFetch({ params, method, api }: Sample): string {
  const secret = api.asks.has('token')
    ? 'Bearer ${process.env.PLATEN_TOKEN}'
    : "Basic ${Buffer.from(process.env.PLATEN_USER).toString('base64')}";
  const header = api.asks.has('token') || api.asks.has('basic') ? [`authorization: \`${secret}\``] : [];
  const query = method === 'GET' ? toQuery(params) : undefined;
  const check =
    'if (!response.ok) throw new Error((await response.json()).detail);\nconst bytes = new Uint8Array(await response.arrayBuffer());';
  if (query === undefined) {
    const headers = ["'content-type': 'application/json'", ...header].join(', ');
    return `const response = await fetch(${JSON.stringify(ROOT.href)}, {\n  method: 'POST',\n  headers: { ${headers} },\n  body: JSON.stringify(${indent(JSON.stringify(params, null, 2))}),\n});\n${check}`;
  }
  const pairs = JSON.stringify([...query], null, 2);
  const options = header.length === 0 ? '' : `, { headers: { ${header.join(', ')} } }`;
  return `const query = new URLSearchParams(${pairs});\nconst response = await fetch(\`${ROOT.href}?\${query}\`${options});\n${check}`;
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

/** The request as one URL, with the signing command if the server accepts signatures. */
export function toUrl({ params, api }: Sample): string {
  const query = toQuery(params);
  if (query === undefined) return 'A URL cannot contain an object: send this request as a JSON body.';
  const url = new URL(`?${query.toString()}`, ROOT).href;
  if (!api.asks.has('signature')) return url;
  return `${url}\n\n# Signed for one hour; the secret is read from PLATEN_SERVER_SIGNED_URL:\nplaten sign ${quote(url)} --expires-in 3600`;
}
