import type { CommandDeclaration } from '@platen/kernel';

/** `platen compare OLD NEW`: two folders of images. */
export const COMPARE_COMMAND: CommandDeclaration = {
  name: 'compare',
  usage: 'OLD NEW [--out report.html]',
  description: 'Compare two folders of images, and write a report as one HTML file.',
  help: `Compares the images of two folders by their names, subfolders included: png, jpg, webp, avif, tiff, gif. Exit code 0: equal, or within the
limits; 3: beyond them; 1: an image or a folder is missing or unreadable; 2: wrong usage.

  --out FILE                 writes the report: old, new and difference of each image that differs
  --compare-threshold N      distance of colors from which a pixel counts, 0 to 1 (default: 0.1)
  --compare-antialiasing     also counts pixels of smoothed edges
  --compare-max-pixels N     pixels of an image that may differ (default, without a ratio: 0)
  --compare-max-ratio N      part of an image that may differ, 0 to 1

Examples
  platen compare baseline/ current/
  platen compare baseline/ current/ --out report.html --compare-max-ratio 0.001`,
  async run(args, io) {
    const { compareFolders, readOptions } = await import('./compare-folders.js');
    return await compareFolders(readOptions(args, io.cwd), io);
  },
};
