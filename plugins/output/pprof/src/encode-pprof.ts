import { Function as ProfileFunction, Label, Line, Location, Mapping, Profile, Sample, StringTable, ValueType } from 'pprof-format';
import type { Frame, Stack } from './stack.js';

/** Stacks of one target. */
export interface Part {
  /** page, popup, iframe, worker, shared_worker, service_worker. */
  readonly target: string;
  readonly url: string;
  readonly stacks: readonly Stack[];
}

export interface Measure {
  readonly type: string;
  readonly unit: string;
}

/** A profile, in the terms of profile.proto. */
export interface PprofProfile {
  /** Name and unit of a stack's two values. */
  readonly sampleTypes: readonly [Measure, Measure];
  readonly periodType: Measure;
  readonly period: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** The page. */
  readonly url: string;
  readonly parts: readonly Part[];
}

const ONLY_MAPPING = 1;
const NANOSECONDS_A_MS = 1e6;

/** Encodes a profile (github.com/google/pprof, proto/profile.proto) without compression. */
export function encodePprof({ sampleTypes, periodType, period, startedAt, durationMs, url, parts }: PprofProfile): Buffer {
  const strings = new StringTable();
  const places = createPlaces(strings);
  const measure = ({ type, unit }: Measure) => new ValueType({ type: strings.dedup(type), unit: strings.dedup(unit) });
  const label = (key: string, text: string) => new Label({ key: strings.dedup(key), str: strings.dedup(text) });
  const sample = parts.flatMap(({ target, url: targetUrl, stacks }) => {
    const labels = [label('target', target), label('url', formatUrl(targetUrl))];
    return stacks.map(({ frames, values }) => new Sample({ locationId: frames.map(places.locate), value: [...values], label: labels }));
  });
  const profile = new Profile({
    sampleType: sampleTypes.map(measure),
    sample,
    mapping: [
      new Mapping({
        id: ONLY_MAPPING,
        filename: strings.dedup(originOf(url)),
        hasFunctions: true,
        hasFilenames: true,
        hasLineNumbers: true,
      }),
    ],
    location: places.locations,
    function: places.functions,
    timeNanos: BigInt(startedAt.getTime()) * BigInt(NANOSECONDS_A_MS),
    durationNanos: Math.round(durationMs * NANOSECONDS_A_MS),
    periodType: measure(periodType),
    period,
    defaultSampleType: strings.dedup(sampleTypes[1].type),
    stringTable: strings,
  });
  return Buffer.from(profile.encode());
}

interface Places {
  readonly locations: Location[];
  readonly functions: ProfileFunction[];
  /** The location's id, unique per code position. */
  readonly locate: (frame: Frame) => number;
}

function createPlaces(strings: StringTable): Places {
  const locations: Location[] = [];
  const functions: ProfileFunction[] = [];
  const functionId = numberByKey(({ name, url, startLine }: Frame, id) => {
    const called = strings.dedup(name);
    functions.push(new ProfileFunction({ id, name: called, systemName: called, filename: strings.dedup(formatUrl(url)), startLine }));
  });
  const locationId = numberByKey((frame: Frame, id) => {
    const { line, column } = frame;
    const start = functionId(frame, [frame.name, frame.url, frame.startLine, frame.startColumn]);
    locations.push(new Location({ id, mappingId: ONLY_MAPPING, line: [new Line({ functionId: start, line, column })] }));
  });
  const locate = (frame: Frame) => locationId(frame, [frame.name, frame.url, frame.startLine, frame.startColumn, frame.line, frame.column]);
  return { locations, functions, locate };
}

/** Numbers values from 1, one number per key; `make` is called for each new key. */
function numberByKey<T>(make: (value: T, id: number) => void): (value: T, key: readonly (string | number)[]) => number {
  const ids = new Map<string, number>();
  return (value, key) => {
    const text = key.join('\0');
    const known = ids.get(text);
    if (known !== undefined) return known;
    const id = ids.size + 1;
    ids.set(text, id);
    make(value, id);
    return id;
  };
}

/** A data URL is content instead of a name; credentials are not part of a name either. */
function formatUrl(url: string): string {
  return url.startsWith('data:') ? `${url.slice(0, url.indexOf(','))},…` : url.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1');
}

function originOf(url: string): string {
  const { origin, protocol } = new URL(url);
  return origin === 'null' ? protocol : origin;
}
