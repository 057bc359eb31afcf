// The plugins that capture a page, for tests of a plugin that builds on one.
export { default as accessibility } from '@platen/plugin-accessibility';
export { default as dom } from '@platen/plugin-dom';
export { default as frames } from '@platen/plugin-frames';
export { default as network } from '@platen/plugin-network';
export { default as print } from '@platen/plugin-print';
export { default as screenshot } from '@platen/plugin-screenshot';
