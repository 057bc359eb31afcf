import { addSourceUrl, type Page, type TargetSession } from '@platen/kernel';

interface Found {
  readonly target: TargetSession;
  readonly id: string;
}

/** Animations and transitions of all documents, in closed shadow trees too. They stand at their start until they are finished. */
export class Animations {
  #found: Found[] = [];

  constructor(page: Page) {
    page.targets.configure((target) => {
      if (!target.hasDocuments) return [];
      target.on('Animation.animationCreated', ({ id }) => this.#found.push({ target, id }));
      return [target.send('Animation.enable'), target.send('Animation.setPlaybackRate', { playbackRate: 0 })];
    });
  }

  /** Finishes those that have an end, and cancels the others. Returns whether any had an end: its event may have started something. */
  async finish(): Promise<boolean> {
    let hasFinished = false;
    // One after another: the browser forgets the last one with each that it looks up.
    for (const found of this.#found.splice(0)) if (await finishOne(found)) hasFinished = true;
    return hasFinished;
  }
}

async function finishOne({ target, id: animationId }: Found): Promise<boolean> {
  try {
    const { remoteObject } = await target.send('Animation.resolveAnimation', { animationId });
    const { objectId } = remoteObject;
    if (objectId === undefined) return false;
    const functionDeclaration = addSourceUrl(end.toString());
    const { result } = await target.send('Runtime.callFunctionOn', { objectId, functionDeclaration, returnByValue: true });
    return result.value === true;
  } catch {
    // It is over, or its document is gone.
    return false;
  }
}

/** Runs in the page. Those of a scroll position, and those that the page has paused, stay. */
function end(this: Animation): boolean {
  if (!(this.timeline instanceof DocumentTimeline) || this.playState !== 'running') return false;
  const { endTime } = this.effect?.getComputedTiming() ?? {};
  const hasEnd = Number.isFinite(endTime) && this.playbackRate > 0;
  if (hasEnd) this.finish();
  else this.cancel();
  return hasEnd;
}
