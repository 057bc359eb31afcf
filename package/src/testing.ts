// Kernels with given plugins, for tests of a plugin.
export * from '@platen/kernel/testing';
