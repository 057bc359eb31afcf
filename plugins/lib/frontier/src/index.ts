export interface Offer { readonly url: string; readonly depth: number; readonly isFile?: boolean; readonly lastModified?: string }
export interface Claim extends Offer { readonly id: string; readonly tries: number }
export interface Frontier extends AsyncDisposable {
  offer(offers: readonly Offer[]): Promise<number>;
  claim(now: number): Promise<Claim | number | undefined>;
  done(claim: Claim): Promise<void>;
  fail(claim: Claim, after?: number): Promise<void>;
  setDelay(host: string, ms: number): void;
  pause(host: string, until: number): void;
  readonly counts: { readonly queued: number; readonly claimed: number; readonly done: number; readonly failed: number };
}
export function keyOfUrl(url: string): string { const u = new URL(url); u.hash = ''; u.searchParams.sort(); return u.href; }
export function openFrontier({ delayMs }: { readonly folder: string; readonly delayMs: number; readonly keyOf?: (url: string) => string }): Promise<Frontier> {
  const queue: (Claim & { notBefore: number })[] = [];
  const seen = new Set<string>(); const delays = new Map<string, number>(); const next = new Map<string, number>();
  let claimed = 0, done = 0, failed = 0;
  return Promise.resolve({
    offer(offers) { let n = 0; for (const o of offers) { const k = keyOfUrl(o.url); if (seen.has(k)) continue; seen.add(k); n++; queue.push({ ...o, id: k, tries: 0, notBefore: 0 }); } queue.sort((a, b) => a.depth - b.depth); return Promise.resolve(n); },
    claim(now) {
      if (queue.length === 0) return Promise.resolve(undefined);
      const at = (c: Claim & { notBefore: number }) => Math.max(c.notBefore, next.get(new URL(c.url).host) ?? 0);
      const i = queue.findIndex((c) => at(c) <= now);
      if (i < 0) return Promise.resolve(Math.min(...queue.map(at)) - now);
      const [c] = queue.splice(i, 1); const { host } = new URL(c!.url); next.set(host, now + (delays.get(host) ?? delayMs)); claimed++;
      return Promise.resolve(c!);
    },
    done() { claimed--; done++; return Promise.resolve(); },
    fail(c, after) { claimed--; if (after === undefined) failed++; else queue.push({ ...c, tries: c.tries + 1, notBefore: after }); return Promise.resolve(); },
    setDelay(h, ms) { delays.set(h, ms); }, pause(h, u) { next.set(h, u); },
    get counts() { return { queued: queue.length, claimed, done, failed }; },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}
