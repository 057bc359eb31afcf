import { SetupError } from './setup-error.mjs';

/** The range of `engines` in package.json, which a test compares: 20.19, 22.12, or 24 and later. */
export function checkNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24;
  if (fits) return;
  throw new SetupError(
    `Platen runs on Node 20.19, 22.12, 24 and later; this is Node ${version}`,
    'Install one of them (https://nodejs.org/, "nvm install 22") and start again.',
  );
}
