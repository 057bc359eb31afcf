import { fitsQuery, type Api } from './api.js';
import { ROOT } from './load-api.js';
import { isObject, showValue, type Json } from './read-json.js';
import { toFormFields, toQuery, type Method } from './send-render.js';

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
  const end = `${credentialsOf(api)} \\\n  -o ${fileOf(sample)}`;
  const fields = toFormFields(params);
  if (fields !== undefined) {
    const parts = fields.map(({ key, value, content }) =>
      content === undefined ? `--form-string ${quote(`${key}=${value}`)}` : `-F ${quote(`${key}=@"${value}";filename="${value}"`)}`,
    );
    return `curl --fail-with-body ${[quote(ROOT.href), ...parts].join(' \\\n  ')}${end}`;
  }
  const query = method === 'GET' ? toQuery(params) : undefined;
  if (query === undefined) {
    return `curl --fail-with-body ${quote(ROOT.href)} \\\n  -H 'content-type: application/json' \\\n  -d ${quote(JSON.stringify(params, null, 2))}${end}`;
  }
  const pairs = [...query].map(([key, value]) => ` \\\n  --data-urlencode ${quote(`${key}=${value}`)}`);
  return `curl --fail-with-body -G ${quote(ROOT.href)}${pairs.join('')}${end}`;
}

/** Node. */
export function toFetch({ params, method, api }: Sample): string {
  const secret = api.asks.has('token')
    ? 'Bearer ${process.env.PLATEN_TOKEN}'
    : "Basic ${Buffer.from(process.env.PLATEN_USER).toString('base64')}";
  const header = api.asks.has('token') || api.asks.has('basic') ? [`authorization: \`${secret}\``] : [];
  const check =
    'if (!response.ok) throw new Error((await response.json()).detail);\nconst bytes = new Uint8Array(await response.arrayBuffer());';
  const options = header.length === 0 ? '' : `headers: { ${header.join(', ')} }`;
  const fields = toFormFields(params);
  if (fields !== undefined) {
    const parts = fields.map(({ key, value, content }) => {
      const [name, text] = [JSON.stringify(key), JSON.stringify(value)];
      return content === undefined ? `form.append(${name}, ${text});` : `form.append(${name}, await openAsBlob(${text}), ${text});`;
    });
    const init = ["method: 'POST'", 'body: form', options].filter((part) => part !== '').join(', ');
    return `import { openAsBlob } from 'node:fs';\n\nconst form = new FormData();\n${parts.join('\n')}\nconst response = await fetch(${JSON.stringify(ROOT.href)}, { ${init} });\n${check}`;
  }
  const query = method === 'GET' ? toQuery(params) : undefined;
  if (query === undefined) {
    const headers = ["'content-type': 'application/json'", ...header].join(', ');
    return `const response = await fetch(${JSON.stringify(ROOT.href)}, {\n  method: 'POST',\n  headers: { ${headers} },\n  body: JSON.stringify(${indent(JSON.stringify(params, null, 2))}),\n});\n${check}`;
  }
  const pairs = JSON.stringify([...query], null, 2);
  return `const query = new URLSearchParams(${pairs});\nconst response = await fetch(\`${ROOT.href}?\${query}\`${options && `, { ${options} }`});\n${check}`;
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

/** The literals of JSON are others in Python; its strings are not. */
function toPythonValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toPythonValue).join(', ')}]`;
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([key, item]) => `${JSON.stringify(key)}: ${toPythonValue(item)}`)
      .join(', ')}}`;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : JSON.stringify(value);
}

export function toPython(sample: Sample): string {
  const { params, api } = sample;
  const text = (value: unknown) => JSON.stringify(value);
  const list = (items: readonly string[]) => `[${items.map((item) => `\n        ${item},`).join('')}\n    ]`;
  const fields = toFormFields(params);
  const content =
    fields === undefined
      ? [
          `json={${Object.entries(params)
            .map(([key, value]) => `\n        ${text(key)}: ${toPythonValue(value)},`)
            .join('')}\n    }`,
        ]
      : [
          `data=${list(fields.flatMap(({ key, value, content: file }) => (file === undefined ? `(${text(key)}, ${text(value)})` : [])))}`,
          `files=${list(fields.flatMap(({ key, value, content: file }) => (file === undefined ? [] : `(${text(key)}, (${text(value)}, open(${text(value)}, "rb")))`)))}`,
        ];
  const credentials = api.asks.has('token')
    ? ['headers={"Authorization": f"Bearer {os.environ[\'PLATEN_TOKEN\']}"}']
    : api.asks.has('basic')
      ? ['auth=tuple(os.environ["PLATEN_USER"].encode().split(b":", 1))']
      : [];
  const call = [text(ROOT.href), ...content, ...credentials].map((line) => `    ${line},\n`).join('');
  return `import os\nimport requests\n\nresponse = requests.post(\n${call})\nif not response.ok:\n    raise SystemExit(response.json()["detail"])\nwith open(${text(fileOf(sample))}, "wb") as file:\n    file.write(response.content)`;
}

/** The same render without a server. */
export function toCommandLine(sample: Sample): string {
  const { params, api } = sample;
  const refused = api.fields.filter(({ key, onCommandLine }) => key in params && !onCommandLine).map(({ key }) => key);
  if (refused.length > 0) return `The command line does not accept ${refused.join(', ')}: send this request to a server.`;
  const { url = 'https://upload.invalid/', ...others } = params;
  const paths = (toFormFields(params) ?? []).flatMap(({ value, content }) => (content === undefined ? [] : [value]));
  // The command line reads the files of a page from its folder.
  const page = paths.find((path) => path === url) ?? paths.find((path) => /(?:^|\/)index\.html$/.test(path)) ?? paths[0];
  const files = api.fields.filter(({ key, isFile }) => isFile && key in params);
  const flags = Object.entries(others)
    .filter(([key]) => page === undefined || key !== 'upload')
    .flatMap(([key, value]) => {
      const flag = `--${key.replaceAll('_', '-')}`;
      return files.some((field) => field.key === key) ? [`${flag}=@${key}`] : [value].flat().map((item) => `${flag}=${showValue(item)}`);
    });
  const notes = files.map(
    ({ key, isSecret }) => `\n\n# The file ${key}${isSecret ? ' has the value.' : `: ${JSON.stringify(params[key])}`}`,
  );
  const target = quote(page === undefined ? showValue(url) : `./${page}`);
  return `platen ${target} ${fileOf(sample)}${flags.map((flag) => ` \\\n  ${quote(flag)}`).join('')}${notes.join('')}`;
}

/** The request as one URL, with the signing command if the server accepts signatures. */
export function toUrl({ params, api }: Sample): string {
  const query = toQuery(params);
  if (query === undefined || !fitsQuery(params, api)) return 'A URL cannot contain this request: send it as a JSON body.';
  const url = new URL(`?${query.toString()}`, ROOT).href;
  if (!api.asks.has('signature')) return url;
  return `${url}\n\n# Signed for one hour; the secret is read from PLATEN_SERVER_SIGNED_URL:\nplaten sign ${quote(url)} --expires-in 3600`;
}
