import { definePlugin, PlatenError } from '@platen/kernel';
import type {} from '@platen/server';
import { isUrl } from '@platen/lib-sources';
import { parseRange } from './address.js';
import { acceptCertificates } from './insecure-hosts.js';
import { loadList } from './load-list.js';
import { createPolicy, type Settings } from './policy.js';
import { reportRefusals } from './report.js';
import { createUpdates, warnOfRemovedRules } from './updates.js';

const LISTS = 'ip-blocklist';
const INTERVAL = 'server-update-blocklist-interval';

/** Restricts the addresses that pages and the server itself may connect to. */
export default definePlugin({
  name: 'egress',
  flags: {
    'block-private-ips': {
      type: 'boolean',
      description:
        'Refuse connections to addresses outside the public Internet: loopback, private, link-local, shared, multicast, reserved.',
      default: false,
      'x-reloads': true,
    },
    'allow-ip-range': {
      type: 'array',
      items: { type: 'string', minLength: 2 },
      'x-single': true,
      description:
        'Exception from --block-private-ips, --ip-blocklist and the blocking of cloud metadata addresses: an address, a block (10.1.0.0/16) or FIRST-LAST. May be repeated.',
      examples: ['10.1.0.0/16'],
      'x-reloads': true,
    },
    [LISTS]: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      'x-single': true,
      description: 'Blocklist: a file or http(s) URL with one address, block or range per line. May be repeated.',
      examples: ['https://www.spamhaus.org/drop/drop.txt'],
      'x-reloads': true,
    },
    'egress-insecure-host': {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      'x-single': true,
      description:
        'Host whose certificates are not verified, as a glob of its name, with or without a port. May be repeated. Certificates of all other hosts are verified.',
      examples: [['staging.example.com', '*.internal:8443']],
    },
    [INTERVAL]: {
      type: 'integer',
      description: 'Interval in seconds at which a server reloads every --ip-blocklist. Without it they are read at startup and on SIGHUP.',
      minimum: 1,
      maximum: 31_536_000,
      'x-reloads': true,
      'x-tier': 'enterprise',
    },
  },
  apply({ hooks, options, log, outbound }) {
    const policy = createPolicy({ settings: toSettings(options), log, outbound });
    outbound.addAllowRule(policy.isAllowed);
    outbound.addAddressFilter(policy.filterAddress);
    outbound.addHostFilter(policy.filterHost);
    hooks.additionalAssets.tap('egress', reportRefusals);
    const insecure = options['egress-insecure-host'] ?? [];
    if (insecure.length > 0) acceptCertificates(insecure, { hooks, outbound });
    return policy;
  },
  async prepare({ options }, policy) {
    const apply = await policy.read(toSettings(options));
    apply();
  },
  serve({ hooks, flags: given }, { options, log, outbound }, policy) {
    const updates = createUpdates(policy.read, log);
    let settings = toSettings(options);
    const follow = (flags: Readonly<Record<string, unknown>>) => {
      const seconds = secondsOf(flags);
      if (seconds !== undefined && settings.lists.length === 0) log.warn({}, `--${INTERVAL} has no effect without --${LISTS}`);
      updates.follow(settings, seconds);
    };
    hooks.check.tapPromise('egress', async () => {
      await Promise.all(settings.lists.filter((source) => !isUrl(source)).map((source) => loadList(source, outbound)));
    });
    hooks.start.tap('egress', () => {
      if (options['block-private-ips'] !== true && isForOthers(given['server-bind-address'])) {
        log.warn({}, 'other machines can reach this server, and its pages can reach private addresses: --block-private-ips blocks them');
      }
      follow(options);
    });
    hooks.reload.tapPromise('egress', async (flags, commit) => {
      const next = toSettings(flags);
      const apply = await policy.read(next, 'reload');
      commit(() => {
        const former = settings;
        settings = next;
        apply();
        warnOfRemovedRules(former, next, log);
        follow(flags);
        // Known URLs are reloaded after the reload, which does not wait for slow hosts.
        if (next.lists.some((source) => isUrl(source) && former.lists.includes(source))) updates.refresh();
      });
    });
    hooks.digests.tap('egress', (digests) => ({ ...digests, egress: policy.digest }));
    hooks.stop.tap('egress', () => {
      updates.stop();
    });
  },
});

/** @throws PlatenError `boot_invalid_flag` for an exception that is not a range: ignoring it would block needed addresses. */
function toSettings(flags: Readonly<Record<string, unknown>>): Settings {
  const allowed = listOf(flags['allow-ip-range']);
  const wrong = allowed.find((text) => parseRange(text) === undefined);
  if (wrong !== undefined) {
    throw new PlatenError(
      'boot_invalid_flag',
      `--allow-ip-range "${wrong}" is not an address, a block (10.1.0.0/16) or a range (10.1.0.1-10.1.0.9)`,
    );
  }
  return { blockPrivate: flags['block-private-ips'] === true, allowed, lists: [...new Set(listOf(flags[LISTS]))] };
}

/** Whether other machines can connect: not the loopback (the default) or a Unix socket. */
function isForOthers(address: unknown): boolean {
  return typeof address === 'string' && !/\/|^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(address);
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function secondsOf({ [INTERVAL]: seconds }: Readonly<Record<string, unknown>>): number | undefined {
  return typeof seconds === 'number' ? seconds : undefined;
}
