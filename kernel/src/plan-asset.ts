import type { RenderParams } from '@platen/schema';
import type { OutputDeclaration, OwnedAsset } from './output.js';
import type { Registry } from './registry.js';
import { isSwitchedOn } from './scope.js';

interface Asked extends Pick<Registry, 'combining'> {
  readonly params: RenderParams;
  readonly output: OutputDeclaration;
}

/** What a request asks of a declared asset: nothing, the asset, or one for each further output that its key names. */
export function planAsset(asset: OwnedAsset, { params, output: main, combining }: Asked): readonly OwnedAsset[] {
  const value = params[asset.key];
  if (!isSwitchedOn(value)) return [];
  if (asset.outputs !== true) return [asset];
  // Its plugin refuses other names.
  const chosen = combining.filter(({ output: { type, aliases = [] } }) => [type, ...aliases].some((name) => [value].flat().includes(name)));
  return chosen.map((further) => {
    const { type: name, extension, endings = [] } = further.output;
    // The files of a page need different names: of an extension that several types have, the longer form is used.
    const form = endings.find((ending) => ending.endsWith(`.${extension}`)) ?? extension;
    return { ...asset, name, from: further.capture.kind, further, extension: form === main.extension ? `${name}.${form}` : form };
  });
}
