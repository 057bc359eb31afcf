import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { addFile, type Resource, streamZip } from '../../../../plugins/output/wacz/src/zip-stream.js';
import { openWacz } from '../../../../plugins/output/wacz/src/write-wacz.js';
import { openCheckedFile, runChecker } from '../../../helpers/checkers.js';
import { parseCdx, readMember } from '../../../helpers/wacz-file.js';
import { fakeWalk, generatePages } from './fake-walk.js';

const BLOCK = randomBytes(2 ** 20);
const BLOCKS = 4200;

/** Only what no file of 4 GiB has to exist for: the central directory, and the files that come last. */
const LIST = `
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
print(json.dumps([[one.filename, one.file_size, one.compress_size, one.header_offset > 2 ** 32] for one in archive.infolist()]))
`;

it('over 4 GiB is a ZIP64 file that others read, and takes little memory', async () => {
  const resources: Resource[] = [];
  const zip = streamZip(async (writer) => {
    const blocks = (function* () {
      for (let at = 0; at < BLOCKS; at += 1) yield BLOCK;
    })();
    resources.push(await addFile(writer, 'archive/data.warc.gz', blocks));
    resources.push(await addFile(writer, 'datapackage.json', [Buffer.from('{"last":true}')]));
  });
  await using file = await openCheckedFile(Buffer.alloc(0), 'wacz');
  const before = process.memoryUsage.rss();
  let [total, peak] = [0, 0];
  let tail = Buffer.alloc(0);
  for await (const bytes of zip as AsyncIterable<Buffer>) {
    total += bytes.length;
    tail = Buffer.concat([tail, bytes]).subarray(-100_000);
    peak = Math.max(peak, process.memoryUsage.rss() - before);
  }
  expect(total).toBeGreaterThan(2 ** 32);
  expect(resources[0]?.bytes).toBe(BLOCKS * BLOCK.length);
  expect(peak).toBeLessThan(150 * 2 ** 20);
  // With a hole where the WARC was.
  await using written = await open(file.path, 'r+');
  await written.truncate(total - tail.length);
  await written.write(tail, 0, tail.length, total - tail.length);
  const bytes = BLOCKS * BLOCK.length;
  expect(JSON.parse((await runChecker('python3', ['-c', LIST, file.path])).toString())).toEqual([
    ['archive/data.warc.gz', bytes, bytes, false],
    ['datapackage.json', 13, expect.any(Number), true],
  ]);
  expect((await readMember(file.path, 'datapackage.json')).toString()).toBe('{"last":true}');
  expect((await runChecker('unzip', ['-Z1', file.path])).toString().trim().split('\n')).toEqual([
    'archive/data.warc.gz',
    'datapackage.json',
  ]);
}, 180_000);

setFlagsFromString('--expose-gc');
/** What is held is told from what has not been collected yet. */
const collectGarbage = runInNewContext('gc') as () => void;
const held = () => {
  collectGarbage();
  const { external, heapUsed } = process.memoryUsage();
  return external + heapUsed;
};

it('of 20,000 small pages takes no more memory than of some', async () => {
  const count = 20_000;
  let [before, last] = [0, 0];
  const watched = generatePages(count, (at) => {
    if (at === 2500) before = held();
    if (at === count - 1) last = held();
    return randomBytes(4000);
  });
  await using file = await openCheckedFile(Buffer.alloc(0), 'wacz');
  await pipeline(openWacz(fakeWalk(watched)), createWriteStream(file.path));
  // Of 80 MB: the digests of 17,500 pages take 14 MB, the lines that are not sorted yet at most 8 MB.
  expect(last - before).toBeLessThan(48 * 2 ** 20);
  const lines = parseCdx((await readMember(file.path, 'indexes/index.cdx')).toString());
  expect(lines.filter(({ fields }) => !fields.url.startsWith('urn:'))).toHaveLength(count);
  expect((await readMember(file.path, 'pages/extraPages.jsonl')).toString().trimEnd().split('\n')).toHaveLength(count);
}, 180_000);
