import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './workspaces.js';

/** Words of the place where this was made, which mean nothing to who reads it. In parts, so that this file holds none of them. */
const FORBIDDEN = [
  ['/wo', 'rk/'],
  ['../sha', 'red/'],
  ['.libr', 'ary/'],
  ['/tmp/br', 'ief'],
  ['suba', 'gent'],
  ['before-', 'stop'],
].map((parts) => parts.join(''));

/** Identifiers that other names have replaced. */
const RETIRED = `
  AT_LEISURE AbsentPart AnswerableCall AssetTray BrowserNeeds DocumentEdges DocumentPrograms EarlyHangup FILM_LIMITS
  FleetOptions FrameBook FrameWorld FrameWorldOptions GivenFlags GrowingBody GrowingBodyOptions HostLaunch KeptEngine KeptEntry
  KeptResult LEAST_PATIENCE_MS LEAST_SIDE LaunchedHost LeftOutPlugin ListKeeper LiveFilm ManagedSession NameFiles NameJudge
  NodeMotion NodeReach NodeSight NodeTurn OpenContext OpenExchanges OwedAnswers OwnListeners OwnTime PageVisit PixelCapture
  PixelCaptureOptions RefererMemory RenderAnswer RequestVerdict RestingWorkers RobotsVerdict SessionKeeper ShapedPlan
  StartedBinaries StatusWatch TrayParts VirtualCamera VirtualFilm WorkLog X-Capture-Frames-Left-Out X-Print-Frames-Left-Out
  absentError askProgram askTool askWorker bareLinks callConfigurator capturePixels choosePrivileges completeName
  createAssetTray createCoverTest createDesk createDialler createExchange createFlight createFlights createGaps
  createListKeeper createNavigator createOpenContext createOpenExchanges createOwnListeners createRefererMemory
  createRestingWorkers createSessionKeeper createStatusWatch createTapFacade createWorkLog describeBeyond describeLeftOut
  describeLocked earlyHangup encodeFilm endTake endingNote evaluateAtLeisure exchangesKey explainAbsent explainUnread
  filmFolder filmFrom filmLive filmOf filmVirtual findVisits firstRequestOf fixPaper followAnswers followStanding followVisits
  foreseeFrames holdsTime identifyUntold isAbandonedPart isKeepable isOverdue isSpoken isUnchanged judgeFilm judgeShown
  judgeUrl judgeVisibility judgeVisited keepAnchored keepFrames keepOrigin launchHost leaveElement leaveOutNativePackages
  leaveOutUnused letShellsIn loadAgain lockedFlags lockedParts lookUntilFound measureStripShift nameAnswer nameJudges
  nameOwnScript namesLanguages noteAnchored notePlaces onFirstAnswer onLeftOut oneAtATime openFrameBook openFrameWorld
  openLateTray openNameFiles openNames openStudio openVirtualCamera ownScale paintBeyond paintDeferred patienceMs planPatience
  planThrift readExpectation refusalOfBoxed refuseCredential refuseLoneFlags refuseMetadata releaseAnchored reportLeftOut
  seeDocument seeFrames sendIdentity settleElement settlePage showDeferred showDeferredInFrames startOwnTime startTour
  strayError straysFromView takesDownloads toPartName valuesInForce verdictOf waitingFor walkPage warnOfLoosened watchPauses
  withPacking
`
  .trim()
  .split(/\s+/);

/** What the repository holds or would hold, binary files aside. */
function listTexts(): readonly string[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');
  return files.filter((file) => !/\.(png|jpe?g|webp|gif|woff2?|ico|pdf)$/.test(file));
}

it('no file speaks of the place where it was written', () => {
  const texts = listTexts();
  expect(texts.length).toBeGreaterThan(50);
  const found = texts.flatMap((file) => {
    const text = read(file);
    return FORBIDDEN.filter((word) => text.includes(word)).map((word) => `${file}: ${word}`);
  });
  expect(found).toEqual([]);
});

it('no file uses a retired name', () => {
  const retired = new RegExp(`(?<![\\w$])(?:${RETIRED.join('|')})(?![\\w$])`, 'g');
  const texts = listTexts().filter((file) => !['CHANGELOG.md', 'test/architecture/wording.test.ts'].includes(file));
  const found = texts.flatMap((file) => (read(file).match(retired) ?? []).map((name) => `${file}: ${name}`));
  expect(found).toEqual([]);
});

/** A file that was deleted and not yet committed is still listed. */
function read(file: string): string {
  try {
    return readFileSync(join(ROOT, file), 'utf8');
  } catch {
    return '';
  }
}
