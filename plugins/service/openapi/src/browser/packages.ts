// Packages for the pages: the build replaces the compiled module by a bundle, since browsers resolve no package names.
/* eslint-disable no-restricted-syntax -- the entry of a bundle */
export { Gunzip, unzipSync } from 'fflate';
export { lexer } from 'marked';
