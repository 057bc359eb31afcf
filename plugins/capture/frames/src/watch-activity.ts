import { enableNetwork, type Page } from '@platen/kernel';

/** Activity in a page that follows real time and can be neither accelerated nor stopped. */
export interface Activity {
  /** A video or audio plays. The browser reports it up to a second late. */
  readonly playing: boolean;
  /** Media plays, a resource is loading, or a worker runs. */
  readonly realTime: boolean;
}

/** Tracks media players, requests and sockets of the page and its frames, and its workers. */
export function watchActivity(page: Page): Activity {
  const players = new Set<string>();
  const requests = new Set<string>();
  const done = ({ requestId }: { readonly requestId: string }): void => void requests.delete(requestId);

  page.targets.configure((target) => {
    if (!target.hasDocuments) return [];
    target.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (!request.url.startsWith('data:')) requests.add(requestId);
    });
    target.on('Network.webSocketCreated', ({ requestId }) => void requests.add(requestId));
    target.on('Network.loadingFinished', done);
    target.on('Network.loadingFailed', done);
    target.on('Network.webSocketClosed', done);
    target.on('Media.playerEventsAdded', ({ playerId, events }) => {
      for (const { value } of events) {
        const plays = playsAfter(value);
        if (plays === true) players.add(playerId);
        else if (plays === false) players.delete(playerId);
      }
    });
    return [enableNetwork(target), target.send('Media.enable')];
  });
  page.on('Page.frameNavigated', ({ frame }) => {
    // The players of the old document are gone, and no event reports that.
    if (frame.parentId === undefined) players.clear();
  });

  return {
    get playing() {
      return players.size > 0;
    },
    get realTime() {
      return players.size > 0 || requests.size > 0 || page.targets.all.some(({ kind }) => kind === 'worker' || kind === 'shared_worker');
    },
  };
}

const PLAY = ['kPlay'];
const STOP = ['kPause', 'kEnded', 'kWebMediaPlayerDestroyed'];

/** Whether a player plays after this entry of its log (Chromium's MediaLogEvent, as JSON); undefined if the entry does not change that. */
function playsAfter(value: string): boolean | undefined {
  const [, event = ''] = /"event":"(\w+)"/.exec(value) ?? [];
  if (PLAY.includes(event)) return true;
  return STOP.includes(event) ? false : undefined;
}
