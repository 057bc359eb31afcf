import { dialogHelper, requestHelper } from './source-text.js';

const UNTYPED = { page: '', answers: '', result: '', dialog: '', requests: '' };

/** Functions of scripts for Puppeteer, by name. Playwright has methods for the others. */
export const HELPERS: Readonly<Record<string, string>> = {
  answerDialogs: dialogHelper(UNTYPED),
  rest: requestHelper(UNTYPED),
  frameOf: `
/** The document in an iframe. */
async function frameOf(parent, selector) {
  const element = await parent.waitForSelector(selector);
  return element.contentFrame();
}`,
  waitForUrl: `
/** Waits until the page has loaded a URL that matches. */
async function waitForUrl(page, { source }) {
  const matches = (pattern) => new RegExp(pattern).test(location.href) && document.readyState === 'complete';
  await page.waitForFunction(matches, {}, source);
}`,
  setChecked: `
/** Checks or unchecks a checkbox, radio button or switch, or that of a label. */
async function setChecked(locator, on) {
  const element = await locator.waitHandle();
  const isOn = await element.evaluate((one) => (one.control ?? one).checked ?? one.ariaChecked === 'true');
  if (isOn !== on) await locator.click();
}`,
  selectOptions: `
/** Selects options by their labels or values. */
async function selectOptions(locator, wanted) {
  const list = await locator.waitHandle();
  const find = (select, texts) => texts.map((text) => [...select.options].find((one) => one.label.trim() === text)?.value ?? text);
  await list.select(...(await list.evaluate(find, wanted)));
}`,
  drag: `
/** Drags one element to another with the mouse. */
async function drag(page, from, to) {
  const target = await to.waitHandle();
  await from.hover();
  await page.mouse.down();
  const { x, y } = await target.clickablePoint();
  await page.mouse.move(x, y, { steps: 5 });
  await page.mouse.up();
}`,
  upload: `
/** Gives files to a file input. */
async function upload(locator, files) {
  const input = await locator.waitHandle();
  await input.uploadFile(...files);
}`,
  holding: `
/** Holds keys meanwhile. */
async function holding(page, keys, act) {
  for (const key of keys) await page.keyboard.down(key);
  await act();
  for (const key of [...keys].reverse()) await page.keyboard.up(key);
}`,
};
