import png from '@platen/plugin-png';
import pprof from '@platen/plugin-pprof';
import trace from '@platen/plugin-trace';
import { describe, expect, it } from 'vitest';
import { withCompression } from '../../../server/src/boot/output-type.js';

const outputs = [...(trace.outputs ?? []), ...(pprof.outputs ?? []), ...(png.outputs ?? [])];
const pack = (file: string, raw: Readonly<Record<string, unknown>>) => withCompression(raw, file, outputs);

describe('the ending of a file says whether what is in it is gzip', () => {
  it.each([
    ['b.trace.json', 'trace', { trace_no_gzip: true }],
    ['b.JSON', 'trace', { trace_no_gzip: true }],
    ['b.trace.json.gz', 'trace', { trace_no_gzip: false }],
    ['b.gz', 'trace', { trace_no_gzip: false }],
    ['b.trace', 'trace', {}],
    ['b', 'trace', {}],
    ['b.cpu.pb', 'pprof_cpu', { pprof_no_gzip: true }],
    ['b.pb.gz', 'pprof_memory', { pprof_no_gzip: false }],
    ['b.json', 'pprof_memory', {}],
    ['b.png.gz', 'png', {}],
  ])('%s with %s', (file, type, expected) => {
    expect(pack(file, { output_type: type })).toEqual({ output_type: type, ...expected });
  });

  it('a switch that says the same stays, one that says otherwise is refused', () => {
    const raw = { output_type: 'trace', trace_no_gzip: true };
    expect(pack('b.json', raw)).toEqual(raw);
    expect(() => pack('b.json.gz', raw)).toThrow('"b.json.gz" has the extension of a gzip file, but --trace-no-gzip disables gzip');
    expect(() => pack('b.json', { ...raw, trace_no_gzip: false })).toThrow('has the extension of a plain file, but --trace-no-gzip=false');
    expect(pack('b.data', raw)).toEqual(raw);
  });

  it('what is no value of the switch is left to be refused', () => {
    const raw = { output_type: 'trace', trace_no_gzip: 'maybe' };
    expect(pack('b.json', raw)).toEqual(raw);
  });
});
