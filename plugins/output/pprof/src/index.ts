import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { definePlugin, Stage, type AssetCollector } from '@platen/kernel';
import { describeCpu, describeMemory, type CpuRecording, type MemoryRecording } from './describe-profile.js';
import { encodePprof, type PprofProfile } from './encode-pprof.js';
import { PPROF_PARAMS, type PprofParams } from './params.js';
import { startProfilers, stopCpu, stopMemory } from './recorders.js';

export type { CpuRecording, MemoryRecording } from './describe-profile.js';
export type { Segment } from './record-profile.js';
export type { CpuProfile, MemoryProfile } from './stack.js';

declare module '@platen/kernel' {
  interface CaptureKinds {
    cpu_profile: CpuRecording;
    memory_profile: MemoryRecording;
  }
}

const PACKED = { contentType: 'application/gzip', noGzipKey: 'pprof_no_gzip' } as const;

const OUTPUTS = ['pprof_cpu', 'pprof_memory'];
const ASSETS = ['with_pprof_cpu', 'with_pprof_memory'];

export default definePlugin({
  name: 'pprof',
  captures: [
    { kind: 'cpu_profile', spansDocuments: true },
    { kind: 'memory_profile', spansDocuments: true },
  ],
  outputs: [
    { type: 'pprof_cpu', from: 'cpu_profile', extension: 'cpu.pb.gz', endings: ['cpu.pb'], ...PACKED },
    { type: 'pprof_memory', from: 'memory_profile', extension: 'memory.pb.gz', endings: ['memory.pb'], ...PACKED },
  ],
  assets: [
    { key: 'with_pprof_cpu', name: 'pprof_cpu' },
    { key: 'with_pprof_memory', name: 'pprof_memory' },
  ],
  params: PPROF_PARAMS,
  apply({ hooks }) {
    hooks.beforeNavigate.tap({ name: 'pprof', for: { output: OUTPUTS, asset: ASSETS } }, startProfilers);
    hooks.capture.for('cpu_profile').tapPromise('pprof', stopCpu);
    hooks.capture.for('memory_profile').tapPromise('pprof', stopMemory);
    hooks.additionalAssets.tapPromise({ name: 'pprof', stage: Stage.early, for: { asset: ASSETS } }, async (context, assets) => {
      const { params } = context;
      // In this order: the garbage collection before a heap is read is not the page's work.
      if (params.with_pprof_cpu === true) {
        const profile = stopCpu(context).then((recording) => describeCpu(recording, params));
        await addAsset(assets, { name: 'pprof_cpu', kind: 'cpu', profile, params });
      }
      if (params.with_pprof_memory === true) {
        const profile = stopMemory(context).then((recording) => describeMemory(recording, params));
        await addAsset(assets, { name: 'pprof_memory', kind: 'memory', profile, params });
      }
    });
    hooks.encode.for('pprof_cpu').tapPromise('pprof', (recording, { params }) => toFile('cpu', describeCpu(recording, params), params));
    hooks.encode
      .for('pprof_memory')
      .tapPromise('pprof', (recording, { params }) => toFile('memory', describeMemory(recording, params), params));
  },
});

const pack = promisify(gzip);

type Kind = 'cpu' | 'memory';

async function toFile(kind: Kind, profile: PprofProfile, params: PprofParams) {
  return { ...formOf(kind, params), body: await bytesOf(profile, params) };
}

interface AssetParts {
  readonly name: string;
  readonly kind: Kind;
  readonly profile: Promise<PprofProfile>;
  readonly params: PprofParams;
}

/** Waits for the profile, which needs the page, and defers the encoding, which does not. If one profile fails, only that one is missing. */
async function addAsset(assets: AssetCollector, { name, kind, profile, params }: AssetParts): Promise<void> {
  await profile.catch(() => undefined);
  await assets.add({ name, ...formOf(kind, params), forViewers: true, body: async () => bytesOf(await profile, params) });
}

/** Distinct names, because both profiles of a page may be stored in one directory. */
function formOf(kind: Kind, { pprof_no_gzip }: PprofParams) {
  return pprof_no_gzip === true
    ? { contentType: 'application/vnd.google.protobuf', extension: `${kind}.pb` }
    : { contentType: 'application/gzip', extension: `${kind}.pb.gz` };
}

function bytesOf(profile: PprofProfile, { pprof_no_gzip }: PprofParams): Promise<Buffer> {
  const bytes = encodePprof(profile);
  return pprof_no_gzip === true ? Promise.resolve(bytes) : pack(bytes);
}
