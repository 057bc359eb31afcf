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

/** Words that have replaced others in prose, each with the retired ones as a regular expression. A blank also matches a line end. */
const STANDARD_WORDS = [
  ['egress proxy, outbound client', 'way out'],
  ['report, log, notify, distinguish', 'told|tells|telling apart'],
  ['check, validate', 'judge[sd]?|judging|judge?ments?'],
  ['record', 'filming'],
  ['error, hang, crash, vulnerability', 'faults?|faulty'],
  ['fix', 'mend(?:s|ed|ing)?'],
  ['comment, warning', 'remarks?'],
  ['the client, the operator, the page', 'somebody|everybody|whoever|who asks|who leaves|askers?'],
  ['is stored in, is located at', 'lies? (?:at|in|beside|behind)'],
  ['omit, skip, exclude, drop', 'left out|leav(?:e|es|ing) out'],
  ['in progress, in flight', 'under way|in the making'],
  ['active, takes effect', 'in force|into force|takes hold'],
  ['must not capture outer variables', 'closes? over nothing'],
  ['is interrupted, is incomplete', 'breaks? off|broken? off|breaking off'],
  ['takes precedence, is ignored', 'goes before|has no say'],
  ['paper size, memory limit, dependency rules', 'sheets? of paper|memory mark|laws? of arrows'],
  ['visited', 'gone through|passed on the way'],
  ['the noun', 'what (?:is asked|lies|comes|goes|others?)|becomes of|is no more'],
  ['plain words', 'by turns|troubled|in the way|can be had|first statement|handed over'],
  ['American spelling', '(?:behavi|fav|hon|neighb)our\\w*|(?:initial|normal|optim|recogn|sanit|serial|summar)is(?:e|ed|es|ing|ation)'],
  ['American spelling', 'centred?|grey|labelled|modelled|licen[c]es?|colours?'],
  ['video, recorded', 'films?|filmed'],
  ['the screenshot, an image', '(?:a|the) pictures?'],
  ['unavailable, could not be fetched', '(?:cannot|could not) be had'],
  ['retried', 'tried (?:again|once more)|filmed once more'],
  ['cross-site iframes', 'frames of other sites'],
  ['responds with', 'answers? with'],
  ['immediately, concurrently', 'at once'],
  ['no one, nothing', 'nobody'],
  ['retained, stored', 'kept'],
] as const;

const RETIRED_WORDS = STANDARD_WORDS.map(([standard, words]) => {
  const pattern = words.replaceAll(' ', String.raw`\s+`);
  return { standard, pattern: new RegExp(String.raw`(?<![\w$./-])(?:${pattern})(?![\w$/-]|\.\w)`, 'gi') };
});

/** Comments, strings and templates. A quote in a regular expression may begin one that is none. */
const TEXTS = /\/\*[^]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[^])*`/g;

/** Not prose: code in backticks, targets of links, expressions in templates, and the asterisks of comments. */
const CODE = /^```[^]*?^```|(?!^)`[^`\n]*`|\]\([^)\n]*\)|\$\{[^{}`]*[}`]|^\s*\*/gm;

/** The prose of a document, or of the comments and texts of a source. A string without a blank is a name. */
function proseOf(file: string, text: string): string {
  if (file.endsWith('.md')) return text.replace(CODE, '_');
  const texts = (text.match(TEXTS) ?? []).filter((part) => part.includes(' '));
  return texts.map((part) => part.replace(/^\/\//, '').replace(CODE, (code) => (/[`$]/.test(code) ? '_' : ''))).join('\n');
}

/** What the repository holds or would hold, binary files aside, by file. */
const FILES = new Map(listTexts().map((file) => [file, read(file)]));

function listTexts(): readonly string[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');
  return files.filter((file) => !/\.(png|jpe?g|webp|gif|woff2?|ico|pdf)$/.test(file));
}

/** A file that was deleted and not yet committed is still listed. */
function read(file: string): string {
  try {
    return readFileSync(join(ROOT, file), 'utf8');
  } catch {
    return '';
  }
}

it('no file speaks of the place where it was written', () => {
  expect(FILES.size).toBeGreaterThan(50);
  const found = [...FILES].flatMap(([file, text]) => FORBIDDEN.filter((word) => text.includes(word)).map((word) => `${file}: ${word}`));
  expect(found).toEqual([]);
});

it('no file uses a retired name', () => {
  const retired = new RegExp(`(?<![\\w$])(?:${RETIRED.join('|')})(?![\\w$])`, 'g');
  const files = [...FILES].filter(([file]) => !['CHANGELOG.md', 'test/architecture/wording.test.ts'].includes(file));
  const found = files.flatMap(([file, text]) => (text.match(retired) ?? []).map((name) => `${file}: ${name}`));
  expect(found).toEqual([]);
});

it('prose uses standard words', () => {
  const files = [...FILES].filter(([file]) => /(?:^|\/)src\/.*\.ts$|^(?!.*\/fixtures\/).*\.md$/.test(file));
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap(([file, text]) => {
    const prose = proseOf(file, text);
    return RETIRED_WORDS.flatMap(({ standard, pattern }) =>
      (prose.match(pattern) ?? []).map((words) => `${file}: "${words}", use ${standard}`),
    );
  });
  expect(found).toEqual([]);
});
