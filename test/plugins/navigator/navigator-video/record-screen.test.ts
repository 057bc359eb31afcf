import { silentLogger, type TargetSession } from '@platen/kernel';
import { createSpool } from '@platen/lib-spool';
import { expect, it } from 'vitest';
import { ScreenRecorder } from '../../../../plugins/navigator/navigator-video/src/record-screen.js';

const MINUTE = 60_000;

interface Tab {
  readonly target: TargetSession;
  /** A frame that was drawn this many milliseconds after the beginning. */
  draw(elapsedMs: number, content: string): void;
  readonly sent: readonly string[];
}

function openTab(targetId: string, start: number): Tab {
  const sent: string[] = [];
  let listener: (frame: object) => void = () => undefined;
  const session = {
    send(method: string) {
      sent.push(method);
      return Promise.resolve({});
    },
    on: (_event: string, added: typeof listener) => (listener = added),
  };
  return {
    // The members that a recorder uses.
    target: { targetId, openSession: () => Promise.resolve(session) } as unknown as TargetSession,
    sent,
    draw(elapsedMs, content) {
      const metadata = { timestamp: (start + elapsedMs) / 1000, deviceWidth: 800, deviceHeight: 600, pageScaleFactor: 1, offsetTop: 0 };
      listener({ data: Buffer.from(content).toString('base64'), metadata, sessionId: 1 });
    },
  };
}

/** @param minutes that have passed since the beginning: frames are not newer than their arrival */
async function record(work: (recorder: ScreenRecorder, one: Tab, other: Tab) => void, minutes = 1) {
  await using spool = createSpool();
  const recorder = new ScreenRecorder({ size: { width: 800, height: 600 }, spool, log: silentLogger });
  const start = Date.now() - minutes * MINUTE;
  const [one, other] = [openTab('one', start), openTab('other', start)];
  await recorder.follow(one.target);
  await recorder.follow(one.target);
  await recorder.follow(other.target);
  recorder.show('one');
  work(recorder, one, other);
  recorder.stop();
  const [first] = recorder.frames;
  const frames = recorder.frames.map(async ({ at, read }) => [Math.round(at - (first?.at ?? 0)), String(await read())]);
  return { frames: await Promise.all(frames), isTruncated: recorder.isTruncated, sent: one.sent };
}

it('frames are recorded with the time at which they were drawn', async () => {
  const { frames, sent } = await record((_recorder, one) => {
    one.draw(0, 'a');
    one.draw(500, 'b');
  });
  expect(frames).toEqual([
    [0, 'a'],
    [500, 'b'],
  ]);
  expect(sent).toEqual(['Page.startScreencast', 'Page.screencastFrameAck', 'Page.screencastFrameAck', 'Page.stopScreencast']);
});

it('at most 30 a second, and always the last one', async () => {
  const { frames } = await record((_recorder, one) => {
    for (let index = 0; index <= 61; index++) one.draw(index * 16, String(index));
  });
  expect(frames.length).toBeGreaterThan(15);
  expect(frames.length).toBeLessThanOrEqual(31);
  expect(frames.at(-1)).toEqual([976, '61']);
});

it('a marked frame is recorded, although another one follows', async () => {
  const { frames } = await record((recorder, one) => {
    one.draw(0, 'a');
    one.draw(100, 'b');
    one.draw(110, 'c');
    recorder.mark();
    one.draw(120, 'd');
  });
  expect(frames.map(([, content]) => content)).toEqual(['a', 'b', 'c', 'd']);
});

it('another tab is shown with its newest frame, and not before', async () => {
  const { frames } = await record((recorder, one, other) => {
    one.draw(0, 'a');
    other.draw(100, 'A');
    other.draw(200, 'B');
    one.draw(300, 'b');
    recorder.show('other');
    one.draw(400, 'c');
  });
  expect(frames.map(([, content]) => content)).toEqual(['a', 'b', 'B']);
});

it('frames of the empty tab are discarded', async () => {
  const { frames } = await record((recorder, one) => {
    one.draw(0, 'empty');
    one.draw(100, 'empty');
    recorder.restart();
    one.draw(200, 'a');
  });
  expect(frames).toEqual([[0, 'a']]);
});

it('it ends after 15 minutes', async () => {
  const { frames, isTruncated, sent } = await record((_recorder, one) => {
    for (const minute of [0, 14, 16, 17, 18]) one.draw(minute * MINUTE, String(minute));
  }, 20);
  expect(frames.map(([, content]) => content)).toEqual(['0', '14']);
  expect(isTruncated).toBe(true);
  expect(sent.filter((method) => method === 'Page.stopScreencast')).toHaveLength(1);
});

it('a page that cannot be recorded does no harm', async () => {
  await using spool = createSpool();
  const recorder = new ScreenRecorder({ size: { width: 800, height: 600 }, spool, log: silentLogger });
  const target = { targetId: 'gone', openSession: () => Promise.reject(new Error('the target is gone')) };
  // The members that a recorder uses.
  await recorder.follow(target as unknown as TargetSession);
  recorder.stop();
  expect(recorder.frames).toEqual([]);
});
