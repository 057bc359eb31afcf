import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTraceSplitter, type TracePart } from '../../../../plugins/output/trace/src/split-trace.js';

function split(text: string, cuts: readonly number[] = []): { parts: TracePart[]; complete: boolean } {
  const splitter = createTraceSplitter();
  const ends = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  const pieces = [...ends, text.length].map((end, index, all) => text.slice(index === 0 ? 0 : all[index - 1], end));
  return { parts: pieces.flatMap((piece) => splitter.push(piece)), complete: splitter.complete };
}

describe('a trace is cut into its members', () => {
  it('whatever is in the events, and wherever the pieces end', () => {
    const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { noNullPrototype: true });
    const cuts = fc.array(fc.nat(10_000), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(object), object, cuts, fc.constantFrom(undefined, 1, '\t'), (traceEvents, metadata, at, indent) => {
        const text = JSON.stringify({ before: { traceEvents: [{ a: 1 }] }, traceEvents, metadata, after: [{}] }, null, indent);
        const { parts, complete } = split(text, at);
        expect(complete).toBe(true);
        expect(parts.map(({ kind, text: member }) => [kind, JSON.parse(member)])).toEqual([
          ...traceEvents.map((event) => ['event', JSON.parse(JSON.stringify(event))]),
          ['metadata', JSON.parse(JSON.stringify(metadata))],
        ]);
      }),
    );
  });

  it('strings with quotes, backslashes and brackets in them end where they end', () => {
    const events = [{ name: 'a"]}\\' }, { name: '\\\\"{[' }, { name: '"traceEvents":[{' }];
    for (let cut = 0; cut < 120; cut++) {
      const { parts } = split(JSON.stringify({ traceEvents: events }), [cut]);
      expect(parts.map(({ text }) => JSON.parse(text))).toEqual(events);
    }
  });

  it('one that breaks off is not complete', () => {
    const text = '{"traceEvents":[{"name":"a"},{"name":"b"}';
    expect(split(text)).toMatchObject({ complete: false, parts: [{ text: '{"name":"a"}' }, { text: '{"name":"b"}' }] });
    expect(split(`${text}]`).complete).toBe(false);
    expect(split(`${text}]}`).complete).toBe(true);
  });
});
