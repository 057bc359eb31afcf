import { isDeepStrictEqual } from 'node:util';
import { definePlugin, type Logger, PlatenError, type RenderPlan, Stage } from '@platen/kernel';
import type {} from '@platen/server';
import { LICENSE_COMMAND } from './license-command.js';
import {
  addedFlags,
  createNotices,
  describeUnlicensed,
  describeUnlicensedWithStatus,
  findUnlicensedFlags,
  findUnlicensedParts,
  type LicenseFlags,
  readTerms,
  type Terms,
  tierOf,
} from './license-terms.js';

const NAME = 'license';

/** Restricts parameters, output types and flags by tier if a public key is configured. */
export default definePlugin({
  name: NAME,
  flags: {
    'license-key': {
      type: 'string',
      minLength: 1,
      description: 'License: its text, or @FILE. Requires --license-public-key.',
      'x-secret': true,
      'x-reloads': true,
    },
    'license-public-key': {
      type: 'string',
      minLength: 1,
      description:
        'Ed25519 public key of the license issuer: PEM, JWK or base64, or @FILE. With it, the license decides which parameters, output types and flags are available; without it, all are.',
      'x-secret': true,
      'x-reloads': true,
      'x-enforces-tiers': true,
    },
  },
  commands: [LICENSE_COMMAND],
  serve(server, { options, log }) {
    const { hooks, kernel } = server;
    let terms = readTerms(options);
    const tell = sayNew(log);
    tell(warningsOf(options));
    const locked = findUnlicensedFlags(server, terms);
    if (locked.length > 0) throw new PlatenError('boot_license_required', describeUnlicensedWithStatus(locked, terms));

    const assertAllowed = (plan: RenderPlan) => {
      const parts = findUnlicensedParts(plan, kernel, terms);
      if (parts.length === 0) return;
      throw new PlatenError('license_required', `${describeUnlicensed(parts)}; this server is licensed for the tier ${tierOf(terms)}`);
    };
    // First, so that no cache or report responds to a request that may not be rendered.
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

const LOST_KEY = '--license-public-key is no longer given: the previous license stays active until a restart';

function warningsOf({ 'license-key': key, 'license-public-key': publicKey }: LicenseFlags): readonly string[] {
  if (key === undefined || publicKey !== undefined) return [];
  return ['--license-key has no effect without --license-public-key: nothing is locked'];
}

/** Logs the warnings that are new since the last call. */
function sayNew(log: Pick<Logger, 'warn'>): (warnings: readonly string[]) => void {
  let former: readonly string[] = [];
  return (warnings) => {
    for (const warning of warnings) if (!former.includes(warning)) log.warn({}, warning);
    former = warnings;
  };
}

interface RereadTerms {
  readonly terms: Terms | undefined;
  /** The public key is missing: the previous terms stay active, since everything would be unlocked otherwise. */
  readonly isLost: boolean;
}

/**
 * The terms after a reload.
 *
 * @throws PlatenError `boot_invalid_flag` if the license or key is not valid.
 */
function rereadTerms(flags: LicenseFlags, former: Terms | undefined): RereadTerms {
  const terms = readTerms(flags);
  return terms === undefined && former !== undefined ? { terms: former, isLost: true } : { terms, isLost: false };
}
