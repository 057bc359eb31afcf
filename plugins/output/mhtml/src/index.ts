import { definePlugin, type Page, type RenderContext } from '@platen/kernel';
import { waitForStablePage } from '@platen/lib-page-layout';
import { addMissing, watchLoads } from './add-missing.js';
import { fixIds } from './fix-ids.js';
import { inlineSprites } from './inline-sprites.js';
import { quoted, SOFT } from './quoted.js';
import { keepSheetsInFrame, openChangesInFrame, settleInFrame, takeBackInFrame } from './settle-in-frame.js';
import { linkWrittenFrames, markWrittenFrame } from './written-frames.js';

export default definePlugin({
  name: 'mhtml',
  captures: [{ kind: 'mhtml', combines: 'reading' }],
  // The file's own header declares the boundary and the type of the first part.
  outputs: [{ type: 'mhtml', from: 'mhtml', contentType: 'multipart/related', extension: 'mhtml', endings: ['mht'] }],
  apply({ hooks }) {
    hooks.beforeNavigate.tap({ name: 'mhtml', for: { capture: 'mhtml' } }, watchLoads);
    hooks.capture.for('mhtml').tapPromise('mhtml', captureMhtml);
    hooks.encode.for('mhtml').tapPromise('mhtml', ({ data }) => Promise.resolve({ body: data }));
  },
});

/** The page and all its resources: one MIME document (RFC 2557). */
export interface MhtmlCapture {
  readonly data: Buffer;
}

declare module '@platen/kernel' {
  interface CaptureKinds {
    mhtml: MhtmlCapture;
  }
}

/** Timeout: large pages take long to be written. */
const SNAPSHOT_MS = 120_000;

/** The loaded page with all its iframes, including cross-site ones, as the browser writes it (Page.captureSnapshot). */
async function captureMhtml(context: RenderContext): Promise<MhtmlCapture> {
  context.setWaitReason('images and fonts');
  const bare = (mhtml: string) => dropUserinfo(mhtml, context.plan.url);
  const data = bare(await addMissing(context, bare(linkWrittenFrames(await captureSettled(context)))));
  const title = await context.page.evaluate(() => document.title);
  // Its parts are quoted-printable and base64: the whole text is ASCII.
  const named = nameSubject(nameBlobs(nameCharsets(data)), title);
  const { isFrozen, now } = context.clock;
  return { data: Buffer.from(isFrozen ? fixIds(named, now()) : named, 'latin1') };
}

/** Assets that are made of the page afterwards must find it unchanged. */
async function captureSettled(context: RenderContext): Promise<string> {
  const { page } = context;
  const takeBack = await settleState(page);
  try {
    await waitForStablePage(page);
    context.setWaitReason('the snapshot');
    const { data } = await page.send('Page.captureSnapshot', { format: 'mhtml' }, { timeoutMs: SNAPSHOT_MS });
    return data;
  } finally {
    await takeBack();
  }
}

/**
 * Writes state that the browser's snapshot omits into attributes and elements that it preserves: adopted style sheets and those of shadow
 * trees, the selected candidates of responsive images, typed values. The page looks the same; the returned function reverts all changes,
 * for code that reads the page after the snapshot. It never fails: removed elements need no change.
 */
async function settleState(page: Page): Promise<() => Promise<void>> {
  const settled = await page.inEveryFrame(async (world, frame) => {
    // Sent concurrently: the page processes them in this order.
    await Promise.all([openChangesInFrame, settleInFrame, keepSheetsInFrame].map((part) => world.evaluate(part)));
    await Promise.all([world.evaluate(markWrittenFrame, frame.id), world.evaluate(inlineSprites)]);
    return world;
  });
  return async () => {
    await Promise.all(settled.map((frame) => frame.evaluate(takeBackInFrame).catch(() => undefined)));
  };
}

/**
 * Removes the user and password of the target's URL from everything that a snapshot resolved against it: its own URL, the URLs of its parts
 * and its links. Userinfo that a page itself writes into a link stays.
 */
function dropUserinfo(mhtml: string, target: string): string {
  const { username, password } = new URL(target);
  if (username === '' && password === '') return mhtml;
  const userinfo = `//${username}${password === '' ? '' : `:${password}`}@`;
  return mhtml.replace(quoted(userinfo), (found) => (found.includes(SOFT) ? `//${SOFT}` : '//'));
}

/**
 * Gives the parts at `blob:` URLs, except frames, which have one, a Content-ID (RFC 2392) and replaces the references to them: a browser looks for a `blob:` in its own
 * memory, never in the file. No line exceeds the maximum length.
 */
function nameBlobs(mhtml: string): string {
  const urls = [...mhtml.matchAll(/(?<!^Content-ID: .*\r\n.*\r\n)^Content-Location: (blob:[^\r\n]+\/([\w-]+))\r\n/gm)];
  return urls.reduce((text, [line = '', url = '', id = '']) => {
    const name = `${id}@blob`;
    const named = text.replace(line, `Content-ID: <${name}>\r\nContent-Location: cid:${name}\r\n`);
    return named.replace(quoted(url), (found) => (found.includes(SOFT) ? `${SOFT}cid:${name}${SOFT}` : `cid:${name}`));
  }, mhtml);
}

/** The charset that the browser declares at the start of a document or style sheet: the part's own, or the page's. */
const CHARSET_DECLARATION = {
  html: /^[^]{0,4096}?<meta http-equiv=3D"Content-Type" content=3D"text\/html; charset=3D([\w.:-]+)"/,
  css: /^@charset "([\w.:-]+)";/,
} as const;

/**
 * Declares the charset of text parts in their headers, too, if the parts declare it themselves (RFC 2045, 5.1): mail parsers read only the
 * headers.
 */
function nameCharsets(mhtml: string): string {
  const boundary = /^Content-Type: multipart\/related;[^]*?boundary="([\w-]+)"/m.exec(mhtml)?.[1];
  if (boundary === undefined) return mhtml;
  const header = new RegExp(`^--${boundary}\\r\\nContent-Type: text/(html|css)(?=(\\r\\n(?:[\\w-]+: [^\\r\\n]*\\r\\n)+\\r\\n))`, 'gm');
  let written = '';
  let done = 0;
  for (const { 0: start, 1: kind, 2: rest = '', index } of mhtml.matchAll(header)) {
    const end = index + start.length;
    const text = mhtml.slice(end + rest.length, end + rest.length + 8192).replaceAll('=\r\n', '');
    const charset = (kind === 'html' ? CHARSET_DECLARATION.html : CHARSET_DECLARATION.css).exec(text)?.[1];
    written += mhtml.slice(done, end) + (charset === undefined ? '' : `; charset=${charset}`);
    done = end;
  }
  return written + mhtml.slice(done);
}

/** A line has at most 998 characters (RFC 5322, 2.1.1). */
const MOST_PLAIN = 900;

/**
 * Rewrites the title in the file's header if it is not plain ASCII: the browser writes raw question marks into encoded words, which ends
 * them early in other programs.
 */
function nameSubject(mhtml: string, title: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(title) && !title.includes('=?') && title.length <= MOST_PLAIN;
  if (isPlain) return mhtml;
  const head = mhtml.slice(0, mhtml.indexOf('\r\n\r\n') + 2);
  const subject = encodedWords(title).join('\r\n ');
  return head.replace(/^Subject: .*\r\n(?:[ \t].*\r\n)*/m, () => `Subject: ${subject}\r\n`) + mhtml.slice(head.length);
}

/** Bytes of UTF-8 in one encoded word: with `Subject: ` before it, its line has less than 76 characters (RFC 2047, 2). */
const MOST_BYTES = 39;

/** Characters are not split. */
function encodedWords(text: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (const character of text) {
    if (Buffer.byteLength(part + character) > MOST_BYTES) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  return [...parts, part].map((each) => `=?utf-8?B?${Buffer.from(each).toString('base64')}?=`);
}
