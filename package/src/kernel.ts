// For authors of plugins and for programs that render without a server: the kernel, with the types that Platen's own plugins and its server add.
export type {} from '@platen/plugin-accessibility';
export type {} from '@platen/plugin-dom';
export type {} from '@platen/plugin-frames';
export type {} from '@platen/plugin-network';
export type {} from '@platen/plugin-print';
export type {} from '@platen/plugin-screenshot';
export type {} from '@platen/server';

export * from '@platen/kernel';
