/** State between the two functions, in our isolated world. */
interface WatchWorld {
  platenWatch?: { readonly observer: MutationObserver; readonly place: string; changed: boolean };
}

/** Watches for changes of the document and of its scroll position. Runs in the page; must not capture outer variables. */
export function startWatch(): void {
  // The world is our own: nothing else has this member.
  const world = globalThis as typeof globalThis & WatchWorld;
  world.platenWatch?.observer.disconnect();
  const observer = new MutationObserver(() => {
    if (world.platenWatch !== undefined) world.platenWatch.changed = true;
  });
  // Scripts and styles come and go in the head unseen; a document of another kind has no body.
  observer.observe(document.querySelector('body') ?? document, { subtree: true, childList: true, attributes: true, characterData: true });
  world.platenWatch = { observer, place: [scrollX, scrollY, innerWidth, innerHeight].join(), changed: false };
}

/** Ends the watch. Runs in the page; must not capture outer variables. */
export function hasChanged(): boolean {
  // See above.
  const world = globalThis as typeof globalThis & WatchWorld;
  const watch = world.platenWatch;
  // The document was replaced.
  if (watch === undefined) return true;
  const changed = watch.changed || watch.observer.takeRecords().length > 0;
  watch.observer.disconnect();
  delete world.platenWatch;
  return changed || watch.place !== [scrollX, scrollY, innerWidth, innerHeight].join();
}
