import { type Page, type ProtocolSession, type TargetSession, withTimeout } from '@platen/kernel';

/** A font that draws text of the page. */
export interface UsedFont {
  readonly family: string;
  /** PostScript name, which distinguishes the styles of a family. */
  readonly name: string;
  /** `page`: loaded by the page itself. `system`: installed on the host of the browser. */
  readonly source: 'page' | 'system';
}

/** Elements with text that are asked for their fonts. */
const MAX_ELEMENTS = 2_000;
/** Milliseconds: the fonts are not worth more. */
const READ_MS = 3_000;

/** The fonts of the page and its frames, sorted; null if the page does not respond in time. */
export async function readFonts(page: Pick<Page, 'frameTargets'>): Promise<readonly UsedFont[] | null> {
  const reading = Promise.all(page.frameTargets().map(readTarget));
  const fonts = await withTimeout(reading, READ_MS).catch(() => undefined);
  if (fonts === undefined) return null;
  const unique = new Map(fonts.flat().map((font) => [[font.family, font.name, font.source].join('\n'), font]));
  return [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, font]) => font);
}

async function readTarget(target: TargetSession): Promise<readonly UsedFont[]> {
  // Of its own: a node is known by other ids in each session.
  const session = await target.openSession();
  const elements = await listElements(session);
  await Promise.all([session.send('DOM.enable'), session.send('CSS.enable')]);
  await session.send('DOM.getDocument', { depth: 0 });
  const { nodeIds } = await session.send('DOM.pushNodesByBackendIdsToFrontend', { backendNodeIds: [...elements] });
  const answers = await Promise.all(
    nodeIds.map((nodeId) => session.send('CSS.getPlatformFontsForNode', { nodeId }).catch(() => undefined)),
  );
  return answers
    .flatMap((answer) => answer?.fonts ?? [])
    .map(({ familyName, postScriptName, isCustomFont }) => ({
      family: familyName,
      name: postScriptName,
      source: isCustomFont ? 'page' : 'system',
    }));
}

/** The elements around text that is laid out, with those of shadow trees and of frames in the same process. */
async function listElements({ send }: ProtocolSession): Promise<ReadonlySet<number>> {
  const { documents, strings } = await send('DOMSnapshot.captureSnapshot', { computedStyles: [] });
  const found = documents.flatMap(({ nodes, layout }) =>
    layout.nodeIndex.flatMap((node, at) => {
      const hasText = (strings[layout.text[at] ?? -1] ?? '').trim() !== '';
      const element = nodes.backendNodeId?.[nodes.parentIndex?.[node] ?? -1];
      return hasText && element !== undefined ? [element] : [];
    }),
  );
  return new Set([...new Set(found)].slice(0, MAX_ELEMENTS));
}
