/** Fixes for missing parts: commands, or a sentence if a decision is needed. */
export interface Fixes {
  readonly browser: string;
  readonly ffmpeg: string;
  readonly packages: string;
}

/** In a clone, whose setup installs most parts. */
export const CLONE_FIXES: Fixes = {
  browser: 'npm run setup',
  ffmpeg: 'npm run setup -- --with-ffmpeg',
  packages: 'npm ci',
};

/** In a trimmed build, which has neither npm nor a setup. */
export const TRIMMED_FIXES: Fixes = {
  browser: 'apt-get install chromium-headless-shell',
  ffmpeg: 'apt-get install ffmpeg',
  packages: 'rebuild the trimmed build on a machine of this platform',
};

/** If npm installed Platen from its packages. */
export const INSTALLED_FIXES: Fixes = { ...TRIMMED_FIXES, packages: 'npm install' };
