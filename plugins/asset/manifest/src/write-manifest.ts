import { type EgressEntry, type MadeFile, type MadeFiles, type RenderContext, replayedArchive } from '@platen/kernel';
import type { UsedFont } from './read-fonts.js';

/** What is known before the output is complete. */
export interface ManifestFacts {
  readonly time: Date | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly versions: Readonly<Record<string, unknown>>;
  readonly fonts: readonly UsedFont[] | null;
}

/** JSON: the facts, the connections of the page, the archive that was replayed, and the files. The output of a failed render is null. */
export function writeManifest(facts: ManifestFacts, { egress, get }: Pick<RenderContext, 'egress' | 'get'>, made: MadeFiles): Buffer {
  const archive = get(replayedArchive);
  const manifest = {
    ...facts,
    egress: listConnections(egress.entries),
    ...(archive === undefined ? {} : { archive: { sha256: archive.sha256 } }),
    output: made.output === undefined ? null : describeFile(made.output),
    assets: made.assets.map(({ name, ...file }) => ({ name, ...describeFile(file) })),
  };
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
}

function describeFile({ contentType: type, bytes: size, sha256 }: MadeFile) {
  return { type, size, sha256 };
}

interface Connection {
  readonly host: string;
  readonly port: number;
  readonly address: string | null;
  /** Bytes of the connections, with TLS. */
  readonly sent: number;
  readonly received: number;
}

/** Of the page: one for each host, port and address that was reached. */
function listConnections(entries: readonly EgressEntry[]): readonly Connection[] {
  return entries
    .filter(({ outcome }) => outcome === 'allowed')
    .map(({ host, port, address, bytesOut, bytesIn }) => ({ host, port, address: address ?? null, sent: bytesOut, received: bytesIn }));
}
