/**
 * Runs in pages and workers before their scripts; must not capture outer variables. A matching WebSocket fails like one whose host cannot be
 * reached, and nothing of it is sent: request interception does not see WebSockets, and the egress proxy cannot read those over TLS.
 */
export function blockSockets(globs: readonly string[], matches: (glob: string, text: string) => boolean): void {
  const { WebSocket: Native, URL: Parser, Reflect: mirror, Object: objects } = globalThis;
  // Worklets have none.
  if (typeof Native !== 'function') return;
  const read = (text: string): string | undefined => {
    try {
      const { href } = new Parser(text, typeof document === 'undefined' ? location.href : document.baseURI);
      return href.replace(/^http/, 'ws').replace(/#.*/s, '');
    } catch {
      return undefined;
    }
  };
  const Blocking = new Proxy(Native, {
    construct(native, given: unknown[], newTarget): object {
      // Converted once: an object could be another URL the next time.
      const [text, ...rest] = [String(given[0]), ...given.slice(1)];
      const url = read(text);
      const isBlocked = url !== undefined && globs.some((glob) => matches(glob, url));
      // A constructor returns an object.
      if (!isBlocked) return mirror.construct(native, given.length === 0 ? [] : [text, ...rest], newTarget) as object;
      // Browsers never connect to this port, and report it like a failed connection.
      const socket = mirror.construct(native, ['wss://127.0.0.1:9/', ...rest], newTarget) as object;
      return objects.defineProperty(socket, 'url', { value: url, configurable: true, enumerable: true });
    },
  });
  Native.prototype.constructor = Blocking;
  globalThis.WebSocket = Blocking;
}
