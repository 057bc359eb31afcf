import type { PrintParams } from './params.js';

/** Document information of a PDF (ISO 32000-1, 14.3.3). */
export interface Metadata {
  readonly title?: string;
  readonly author?: string;
  readonly subject?: string;
  readonly keywords?: string;
}

/** Undefined: the browser's own metadata is right. */
export function planMetadata(params: PrintParams, pageTitle: string): Metadata | undefined {
  const { pdf_title, pdf_author: author, pdf_subject: subject, pdf_keywords: keywords } = params;
  if ([pdf_title, author, subject, keywords].every((text) => text === undefined)) return undefined;
  const title = pdf_title ?? (pageTitle === '' ? undefined : pageTitle);
  return {
    ...(title === undefined ? {} : { title }),
    ...(author === undefined ? {} : { author }),
    ...(subject === undefined ? {} : { subject }),
    ...(keywords === undefined ? {} : { keywords }),
  };
}

const KEYS = { title: '/Title', author: '/Author', subject: '/Subject', keywords: '/Keywords' } as const;

/** `before`: the entries so far, of which the others stay. */
export function writeInfo(metadata: Metadata, before: string): string {
  const others = before.replace(/\s*\/(?:Title|Author|Subject|Keywords)\s*(?:\((?:[^()\\]|\\.)*\)|<[^>]*>)/gs, '');
  const own = Object.entries(KEYS).flatMap(([name, key]) => {
    // `Object.entries` forgets which keys the table has.
    const text = metadata[name as keyof typeof KEYS];
    return text === undefined ? [] : [`${key} ${writeText(text)}`];
  });
  return [...own, others.trim()].join('\n');
}

/** In UTF-16 with a byte order mark, as hexadecimal digits (7.9.2.2). */
function writeText(text: string): string {
  return `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`;
}

/** An XMP packet (ISO 16684-1) with the same texts, and the producer and dates of the document information. */
export function writeXmp({ title, author, subject, keywords }: Metadata, info: string): string {
  const text = (name: string) => readLiteral(new RegExp(`/${name} \\(((?:[^()\\\\]|\\\\.)*)\\)`).exec(info)?.[1]);
  const alternatives = (name: string, value: string | undefined) =>
    element(name, value, (escaped) => `<rdf:Alt><rdf:li xml:lang="x-default">${escaped}</rdf:li></rdf:Alt>`);
  const properties = [
    alternatives('dc:title', title),
    element('dc:creator', author, (escaped) => `<rdf:Seq><rdf:li>${escaped}</rdf:li></rdf:Seq>`),
    alternatives('dc:description', subject),
    element('pdf:Keywords', keywords),
    element('pdf:Producer', text('Producer')),
    element('xmp:CreatorTool', text('Creator')),
    element('xmp:CreateDate', toIsoDate(text('CreationDate'))),
    element('xmp:ModifyDate', toIsoDate(text('ModDate'))),
  ];
  const namespaces = [
    'xmlns:dc="http://purl.org/dc/elements/1.1/"',
    'xmlns:pdf="http://ns.adobe.com/pdf/1.3/"',
    'xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
  ];
  return `<?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ${namespaces.join(' ')}>
${properties.filter((property) => property !== '').join('\n')}
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;
}

/** The characters of a literal string, of which the browser escapes parentheses, backslashes, and by octal digits what is not printable (7.3.4.2). */
function readLiteral(literal: string | undefined): string | undefined {
  return literal?.replaceAll(/\\([0-7]{1,3}|[^])/g, (_whole, code: string) =>
    /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : code,
  );
}

function element(name: string, value: string | undefined, wrap = (escaped: string) => escaped): string {
  return value === undefined ? '' : `<${name}>${wrap(escapeXml(value))}</${name}>`;
}

/** Without the characters that XML 1.0 does not have, and without lone surrogates. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** From a date of PDF (7.9.4): `D:20261128005945+00'00'`. */
function toIsoDate(date = ''): string | undefined {
  const [, ...parts] = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d\d)?'?(\d\d)?/.exec(date) ?? [];
  const [year, month, day, hour, minute, second, zone = 'Z', minutes = '00'] = parts;
  if (second === undefined) return undefined;
  return `${[year, month, day].join('-')}T${[hour, minute, second].join(':')}${zone === 'Z' ? zone : `${zone}:${minutes}`}`;
}
