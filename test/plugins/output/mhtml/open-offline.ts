import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { findBrowsers } from '@platen/kernel';
import puppeteer, { type Page } from 'puppeteer';
import { openCheckedFile } from '../../../helpers/checkers.js';

/** Opens the file in a browser that has no network. */
export async function openOffline<T>(saved: Buffer, look: (page: Page) => Promise<T>): Promise<T> {
  await using file = await openCheckedFile(saved, 'mhtml');
  await writeFile(file.path, saved);
  const { full } = await findBrowsers();
  if (full === undefined) throw new Error('a full Chromium or Chrome is needed: apt-get install chromium');
  // As root there is no sandbox to be had for a browser that is started so; its proxy is nobody.
  const browser = await puppeteer.launch({
    executablePath: full.path,
    args: ['--no-sandbox', '--proxy-server=127.0.0.1:1', '--proxy-bypass-list=<-loopback>'],
  });
  try {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(file.path).href);
    return await look(page);
  } finally {
    await browser.close();
  }
}
