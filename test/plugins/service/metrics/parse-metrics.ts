/** One sample of a scrape. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A scrape, read by no code of the plugin's. */
export interface Scrape {
  /** Types by the families' names. */
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
  /** The value of the one sample of that name whose labels hold these; undefined where there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,|$)/y;
const SUFFIXES: Readonly<Record<string, RegExp>> = { histogram: /_(?:bucket|sum|count)$/, counter: /_total$/, gauge: /$^/ };

/** Strict: throws at a line of no known form, a sample outside its family, a family or a series that comes twice. */
export function parseMetrics(text: string): Scrape {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  const seen = new Set<string>();
  let family = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (word === 'TYPE') {
      if (types.has(name)) throw new Error(`the family ${name} comes twice`);
      types.set(name, rest);
      family = name;
    }
    if (word !== undefined || line === '# EOF') continue;
    const sample = parseSample(line);
    const base = sample.name.replace(SUFFIXES[types.get(family) ?? ''] ?? /$^/, '');
    if (![base, sample.name].includes(family)) throw new Error(`${sample.name} is not of the family ${family}`);
    const key = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
    if (seen.has(key)) throw new Error(`the series comes twice: ${line}`);
    seen.add(key);
    samples.push(sample);
  }
  return { types, samples, value: (name, labels = {}) => valueOf(samples, name, labels) };
}

function parseSample(line: string): Sample {
  const [, name, inner = '', value] = SAMPLE.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  for (let at = 0; at < inner.length; at = LABEL.lastIndex) {
    const [, label, text] = LABEL.exec(inner) ?? [];
    if (label === undefined || text === undefined || label in labels) throw new Error(`no labels: ${line}`);
    labels[label] = text;
  }
  const number = Number(value.replace('Inf', 'Infinity'));
  if (Number.isNaN(number)) throw new Error(`no number: ${line}`);
  return { name, labels, value: number };
}

function valueOf(samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>>): number | undefined {
  const fitting = samples.filter(
    (sample) => sample.name === name && Object.entries(labels).every(([key, text]) => sample.labels[key] === text),
  );
  if (fitting.length > 1) throw new Error(`${name} has ${String(fitting.length)} samples with ${JSON.stringify(labels)}`);
  return fitting[0]?.value;
}
