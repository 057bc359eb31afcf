// Pixels of a captured picture, for plugins that encode it.
export * from '@platen/lib-raster';
