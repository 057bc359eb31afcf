import { parseDocument } from 'htmlparser2';
import { listItems } from './list-marker.js';
import { readTable } from './read-table.js';
import { alignTable } from './align-table.js';
import { childElements, type ElementNode, type HtmlNode, isElement, isText, textOf } from './html-nodes.js';

/** White space that HTML collapses: a no-break space is not included. */
const WHITE = /[ \t\n\r\f]+/g;

/** Elements with an empty line before and after. */
const APART = new Set('p h1 h2 h3 h4 h5 h6 ul ol dl table pre blockquote figure fieldset details hr'.split(' '));
/** Elements that only begin and end a line. */
const LINES = new Set('div section article header footer nav main aside address figcaption summary dt dd legend li caption tr'.split(' '));
/** Elements without readable text. */
const SILENT = new Set('annotation annotation-xml rp col colgroup'.split(' '));

const RULE = '-'.repeat(20);

/** The readable text of clean HTML, as lines; one line break at the end, empty without text. */
export function formatText(html: string): string {
  const { childNodes } = parseDocument(html, { decodeEntities: true });
  const lines = flowOf(childNodes, { list: false });
  const text = lines.join('\n').replaceAll('\u00a0', ' ').replaceAll('\u00ad', '');
  return text === '' ? '' : `${text}\n`;
}

interface Place {
  /** Within a list: nested lists follow without an empty line. */
  readonly list: boolean;
}

function flowOf(nodes: readonly HtmlNode[], place: Place): readonly string[] {
  const flow = createFlow();
  writeNodes(nodes, flow, place);
  return flow.lines();
}

function writeNodes(nodes: readonly HtmlNode[], flow: Flow, place: Place): void {
  for (const node of nodes) {
    if (isText(node)) flow.write(node.data);
    else if (isElement(node)) writeElement(node, flow, place);
  }
}

function writeElement(element: ElementNode, flow: Flow, place: Place): void {
  const { name, childNodes } = element;
  const whole = wholeLines(element, place);
  const breaks = APART.has(name) && !(place.list && (name === 'ul' || name === 'ol')) ? 2 : 1;
  if (whole !== null) flow.add(whole, breaks);
  else if (APART.has(name) || LINES.has(name)) {
    flow.separate(breaks);
    writeNodes(childNodes, flow, place);
    flow.separate(breaks);
  } else if (name === 'br') flow.breakLine();
  else if (!SILENT.has(name)) writeInline(element, flow, place);
}

/** Elements with special formatting; null for all others. */
function wholeLines(element: ElementNode, place: Place): readonly string[] | null {
  const { name, childNodes } = element;
  switch (name) {
    case 'hr':
      return [RULE];
    case 'pre':
      return listing(textOf(element));
    case 'ul':
    case 'ol':
      return listItems(element).flatMap(({ marker, nodes }) => hang(flowOf(nodes, { list: true }), marker));
    case 'dd':
      return prefix(flowOf(childNodes, place), '    ');
    case 'blockquote':
      return prefix(flowOf(childNodes, { list: false }), '> ');
    case 'table':
      return tableLines(element);
    default:
      return null;
  }
}

function writeInline({ name, attribs, childNodes }: ElementNode, flow: Flow, place: Place): void {
  switch (name) {
    case 'img':
      if ((attribs['alt'] ?? '').trim() !== '') flow.write(`[${(attribs['alt'] ?? '').trim()}]`);
      break;
    case 'input':
      flow.write(boxOf(attribs));
      break;
    case 'math':
      if (attribs['data-linear'] === undefined) writeNodes(childNodes, flow, place);
      else flow.write(attribs['data-linear']);
      break;
    case 'rt':
      wrap(['(', ')'], { nodes: childNodes, flow, place });
      break;
    case 'q':
      wrap(['“', '”'], { nodes: childNodes, flow, place });
      break;
    default:
      writeNodes(childNodes, flow, place);
  }
}

function wrap(
  [open, close]: readonly [string, string],
  { nodes, flow, place }: { nodes: readonly HtmlNode[]; flow: Flow; place: Place },
): void {
  flow.write(open);
  writeNodes(nodes, flow, place);
  flow.write(close);
}

function boxOf({ type, checked }: ElementNode['attribs']): string {
  const mark = checked === undefined ? ' ' : 'x';
  return type === 'radio' ? `(${mark})` : `[${mark}]`;
}

/** Preformatted, without empty lines around it. */
function listing(text: string): readonly string[] {
  const lines = text.split('\n').map(trimLine);
  const first = lines.findIndex((line) => line !== '');
  const last = lines.findLastIndex((line) => line !== '');
  return first < 0 ? [] : lines.slice(first, last + 1);
}

function prefix(lines: readonly string[], before: string): readonly string[] {
  return lines.map((line) => trimLine(before + line));
}

/** The marker before the first line, the other lines indented to its text. An item without text is its marker. */
function hang(lines: readonly string[], marker: string): readonly string[] {
  const [first = '', ...rest] = lines;
  return [trimLine(marker + first), ...prefix(rest, ' '.repeat(marker.length))];
}

function tableLines(table: ElementNode): readonly string[] {
  const captions = childElements(table, 'caption').flatMap(({ childNodes }) => flowOf(childNodes, { list: false }));
  const cells = readTable(table).map((cell) => ({ ...cell, lines: flowOf(cell.nodes, { list: false }) }));
  return [...captions, ...alignTable(cells)];
}

/** Builds lines of text: collects inline text until something begins a new line. */
interface Flow {
  /** Text whose white space collapses. */
  write(text: string): void;
  /** Preformatted text; only the preceding word may need a separator. */
  breakLine(): void;
  /** Ends the line; the next line comes after this many line breaks, including the one that ends this line. */
  separate(breaks: 1 | 2): void;
  /** Whole lines, separated like `separate`. */
  add(lines: readonly string[], breaks: 1 | 2): void;
  /** Ends the text. */
  lines(): readonly string[];
}

function createFlow(): Flow {
  const done: string[] = [];
  let line = '';
  let gap = 0;

  const begin = () => {
    if (done.length > 0 && gap > 1 && done.at(-1) !== '') done.push('');
    gap = 0;
  };
  const end = () => {
    const text = trimLine(line);
    line = '';
    if (text !== '') done.push(text);
  };

  return {
    write(text) {
      const collapsed = text.replaceAll(WHITE, ' ');
      const joined = line === '' || line.endsWith(' ') ? collapsed.replace(/^ /, '') : collapsed;
      if (joined === '') return;
      if (line === '') begin();
      line += joined;
    },
    breakLine() {
      if (line.trim() !== '') end();
      // Collapses several empty lines into one.
      else if (done.length > 0 && done.at(-1) !== '') gap = 2;
    },
    separate(breaks) {
      end();
      gap = Math.max(gap, breaks);
    },
    add(lines, breaks) {
      end();
      gap = Math.max(gap, breaks);
      if (lines.length > 0) {
        begin();
        for (const whole of lines) done.push(whole);
      }
      gap = Math.max(gap, breaks);
    },
    lines() {
      end();
      return done;
    },
  };
}

/** Trims the end of a line: a no-break space there is as invisible as any other. */
function trimLine(text: string): string {
  return text.replace(/(?<![ \t\u00a0])[ \t\u00a0]+$/, '');
}
