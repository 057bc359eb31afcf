import { isDeepStrictEqual } from 'node:util';
import { definePlugin, PlatenError, type Logger, type RenderPlan, Stage } from '@platen/kernel';
import type {} from '@platen/server';
import { LICENSE_COMMAND } from './license-command.js';
import {
  addedFlags,
  describeUnlicensedWithStatus,
  describeUnlicensed,
  findUnlicensedFlags,
  findUnlicensedParts,
  tierOf,
} from './unlicensed-features.js';
import { createNotices } from './notices.js';
import { readValidTerms, type LicenseFlags } from './terms.js';
import { rereadTerms } from './reread-terms.js';

const NAME = 'license';

/** Keys, output types and flags by tier, where the operator has set a public key; without one nothing is locked. */
export default definePlugin({
  name: NAME,
  flags: {
    'license-key': {
      type: 'string',
      minLength: 1,
      description: 'The licence: its text, or @FILE. Goes with --license-public-key.',
      'x-secret': true,
      'x-reloads': true,
    },
    'license-public-key': {
      type: 'string',
      minLength: 1,
      description:
        "The Ed25519 public key of the licence's issuer: PEM, JWK or base64, or @FILE. With it the licence decides which keys, output types and flags may be used; without it nothing is locked.",
      'x-secret': true,
      'x-reloads': true,
      'x-enforces-tiers': true,
    },
  },
  commands: [LICENSE_COMMAND],
  serve(server, { options, log }) {
    const { hooks, kernel } = server;
    let terms = readValidTerms(options);
    const tell = sayNew(log);
    tell(warningsOf(options));
    const locked = findUnlicensedFlags(server, terms);
    if (locked.length > 0) throw new PlatenError('boot_license_required', describeUnlicensedWithStatus(locked, terms));

    const assertAllowed = (plan: RenderPlan) => {
      const parts = findUnlicensedParts(plan, kernel, terms);
      if (parts.length === 0) return;
      throw new PlatenError('license_required', `${describeUnlicensed(parts)}; this server is licensed for the tier ${tierOf(terms)}`);
    };
    // First, so that neither a cache nor a report answers what would not be rendered.
    hooks.beforeRender.tap({ name: NAME, stage: Stage.first }, ({ plan }) => {
      assertAllowed(plan);
      return undefined;
    });
    hooks.purge.tap({ name: NAME, stage: Stage.first }, (plan) => {
      if (plan !== undefined) assertAllowed(plan);
      return undefined;
    });
    const notices = createNotices(() => terms, log);
    hooks.reload.tap(NAME, (flags, commit) => {
      const { terms: next, isLost } = rereadTerms(flags, terms);
      const added = addedFlags(server, { flags, terms: next });
      if (added.length > 0) throw new PlatenError('boot_license_required', describeUnlicensedWithStatus(added, next));
      commit(() => {
        const isOther = !isDeepStrictEqual(next, terms);
        terms = next;
        const beyond = findUnlicensedFlags(server, terms);
        tell([
          ...(isLost ? [LOST_KEY] : warningsOf(flags)),
          ...(beyond.length > 0 ? [`${describeUnlicensedWithStatus(beyond, terms)}, and the next start will fail`] : []),
        ]);
        if (isOther) notices.tell();
      });
    });
    hooks.start.tap(NAME, () => {
      notices.start();
    });
    hooks.stop.tap(NAME, () => {
      notices.stop();
    });
  },
});

const LOST_KEY = '--license-public-key is no longer given: the former licence stays until a restart';

function warningsOf({ 'license-key': key, 'license-public-key': publicKey }: LicenseFlags): readonly string[] {
  if (key === undefined || publicKey !== undefined) return [];
  return ['--license-key has no effect without --license-public-key: nothing is locked'];
}

/** Logs the warnings that did not hold the last time. */
function sayNew(log: Pick<Logger, 'warn'>): (warnings: readonly string[]) => void {
  let former: readonly string[] = [];
  return (warnings) => {
    for (const warning of warnings) if (!former.includes(warning)) log.warn({}, warning);
    former = warnings;
  };
}
