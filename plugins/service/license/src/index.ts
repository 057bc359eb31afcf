import { definePlugin, PlatenError, type RenderPlan, Stage } from '@platen/kernel';
import type {} from '@platen/server';
import { LICENSE_COMMAND } from './license-command.js';
import { describeLocked, lockedFlags, lockedParts } from './locked.js';
import { startNotices } from './notices.js';
import { standingOf } from './standing.js';
import { readValidTerms, type Terms } from './terms.js';
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
    },
  },
  commands: [LICENSE_COMMAND],
  serve(server, { options, log }) {
    const { hooks, kernel } = server;
    const first = readValidTerms(options);
    if (first === undefined) {
      if (options['license-key'] !== undefined) log.warn({}, '--license-key has no effect without --license-public-key: nothing is locked');
      return;
    }
    let terms: Terms = first;
    const standing = () => standingOf(terms.license, Date.now());
    const locked = lockedFlags(server, standing());
    if (locked.length > 0) throw new PlatenError('boot_license_required', `${describeLocked(locked)}: ${standing().words}`);

    const assertAllowed = (plan: RenderPlan) => {
      const parts = lockedParts(plan, kernel, standing());
      if (parts.length === 0) return;
      throw new PlatenError('license_required', `${describeLocked(parts)}; this server is licensed for the tier ${standing().tier}`);
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
    hooks.reload.tap(NAME, (flags, commit) => {
      const next = rereadTerms(flags, { former: terms, log });
      commit(() => {
        terms = next;
        const beyond = lockedFlags(server, standing());
        if (beyond.length > 0) log.warn({}, `${describeLocked(beyond)}: ${standing().words}, and the next start will fail`);
      });
    });
    let notices: Disposable | undefined;
    hooks.start.tap(NAME, () => {
      notices = startNotices(() => terms, log);
    });
    hooks.stop.tap(NAME, () => {
      notices?.[Symbol.dispose]();
    });
  },
});
