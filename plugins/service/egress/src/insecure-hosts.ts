import { matchesGlob, type Outbound, type PluginHooks, readHost, type TargetInitializer } from '@platen/kernel';

interface Parts {
  readonly hooks: Pick<PluginHooks<object>, 'beforeNavigate'>;
  readonly outbound: Pick<Outbound, 'addInsecureHosts'>;
}

/** Accepts any certificate of hosts that match a glob, in pages and in the server's own requests; those of all others are verified. */
export function acceptCertificates(globs: readonly string[], { hooks, outbound }: Parts): void {
  const isInsecure = (host: string, port: number): boolean =>
    globs.some((glob) => [host, `${host}:${String(port)}`].some((name) => matchesGlob(glob.toLowerCase(), name)));
  outbound.addInsecureHosts(isInsecure);
  hooks.beforeNavigate.tap('egress', ({ page }) => {
    page.targets.configure(decideBy(isInsecure));
  });
}

/** The browser asks about each certificate that it does not trust, of pages, their frames and workers. */
function decideBy(isInsecure: (host: string, port: number) => boolean): TargetInitializer {
  return (target) => {
    if (target.kind !== 'page') return [];
    target.on('Security.certificateError', ({ eventId, requestURL }) => {
      const asked = readHost(requestURL);
      const action = asked !== undefined && isInsecure(asked.host, asked.port) ? 'continue' : 'cancel';
      // A closed page has no request to decide about.
      target.send('Security.handleCertificateError', { eventId, action }).catch(() => undefined);
    });
    return [target.send('Security.enable'), target.send('Security.setOverrideCertificateErrors', { override: true })];
  };
}
