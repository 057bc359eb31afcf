/** A device that puppeteer's list does not contain. Sizes in CSS pixels, portrait; for phones without the browser's toolbars. */
export interface NewerDevice {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly userAgent: string;
}

const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${SAFARI}`;
const IPAD = `Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) ${SAFARI}`;

function android(model: string): string {
  return `Mozilla/5.0 (Linux; Android 14; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36`;
}

export const NEWER_DEVICES: readonly NewerDevice[] = [
  { name: 'iPhone 16', width: 393, height: 659, scale: 3, userAgent: IPHONE },
  { name: 'iPhone 16e', width: 390, height: 664, scale: 3, userAgent: IPHONE },
  { name: 'iPhone 16 Plus', width: 430, height: 739, scale: 3, userAgent: IPHONE },
  { name: 'iPhone 16 Pro', width: 402, height: 681, scale: 3, userAgent: IPHONE },
  { name: 'iPhone 16 Pro Max', width: 440, height: 763, scale: 3, userAgent: IPHONE },
  { name: 'iPad Pro 13', width: 1032, height: 1376, scale: 2, userAgent: IPAD },
  { name: 'Pixel 6', width: 412, height: 915, scale: 2.625, userAgent: android('Pixel 6') },
  { name: 'Pixel 7', width: 412, height: 915, scale: 2.625, userAgent: android('Pixel 7') },
  { name: 'Pixel 8', width: 412, height: 915, scale: 2.625, userAgent: android('Pixel 8') },
  { name: 'Pixel 9', width: 412, height: 924, scale: 2.625, userAgent: android('Pixel 9') },
  { name: 'Galaxy S20 Ultra', width: 412, height: 915, scale: 3.5, userAgent: android('SM-G988B') },
  { name: 'Galaxy S23', width: 360, height: 780, scale: 3, userAgent: android('SM-S911B') },
  { name: 'Galaxy S24', width: 360, height: 780, scale: 3, userAgent: android('SM-S921B') },
];
