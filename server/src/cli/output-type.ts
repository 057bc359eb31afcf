import { extname } from 'node:path';
import type { OutputDeclaration } from '@platen/kernel';
import type { AbsentPart } from '@platen/schema';
import { UsageError } from './usage-error.js';

/** The output type that a file's ending stands for. */
export function outputTypeOf(file: string, outputs: readonly OutputDeclaration[], absent: readonly AbsentPart[] = []): string {
  const ending = extname(file).slice(1).toLowerCase();
  const named = outputs.find(({ type, aliases = [], endings = [] }) => [type, ...aliases, ...endings].includes(ending));
  if (named !== undefined) return named.type;
  // A media type's own word is an ending, too: image/jpeg.
  const fitting = outputs
    .filter(({ extension, contentType }) => extension === ending || contentType.split(/[/;]/)[1] === ending)
    .map(({ type }) => type);
  const [found, other] = fitting;
  if (found !== undefined && other === undefined) return found;
  if (other !== undefined) throw new UsageError(`".${ending}" may be ${fitting.join(' or ')}`, 'choose with --output-type');
  const owner = absent.find((part) => part.outputs.includes(ending));
  if (owner !== undefined)
    throw new UsageError(`".${ending}" needs the plugin "${owner.plugin}", which is not enabled`, 'see --plugins and --disable-plugins');
  const known = [...new Set(outputs.flatMap(({ extension, endings = [] }) => [extension, ...endings]))].sort();
  throw new UsageError(
    ending === '' ? `"${file}" has no ending that would say the format` : `no enabled plugin makes ".${ending}" files`,
    `known endings: ${known.join(', ')}; or choose with --output-type`,
  );
}
