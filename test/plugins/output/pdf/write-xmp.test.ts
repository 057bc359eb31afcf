import { expect, it } from 'vitest';
import { writeXmp } from '../../../../plugins/capture/print/src/metadata.js';

it('texts of the browser are without the escapes of PDF', () => {
  const info = String.raw`/Creator (Mozilla/5.0 \(X11; a\\b\) \351)/Producer (Skia/PDF m156)`;
  const xmp = writeXmp({ title: 'T' }, info);
  expect(xmp).toContain('<xmp:CreatorTool>Mozilla/5.0 (X11; a\\b) é</xmp:CreatorTool>');
  expect(xmp).toContain('<pdf:Producer>Skia/PDF m156</pdf:Producer>');
});
