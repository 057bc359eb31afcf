import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Tab } from '../../../kernel/src/browser/page/tab.js';

/** Every context sends what it sees as the one request of its own. */
const REPORT = `
async function report(who) {
  const { userAgent, appVersion, platform, language, languages, userAgentData: data } = navigator;
  const seen = {
    userAgent, appVersion, platform, language, languages: languages.join(),
    brands: data ? data.brands.map(({ brand, version }) => brand + ' ' + version).sort().join() : null,
    mobile: data ? data.mobile : null,
    system: data ? data.platform : null,
    hints: ['userAgentData' in navigator, 'NavigatorUAData' in self],
    screen: self.screen ? [screen.width, screen.height, screen.availWidth, screen.availHeight, devicePixelRatio, screen.orientation.type] : null,
    outer: self.screen ? [outerWidth, outerHeight] : null,
  };
  await fetch((self.base || '') + '/report?who=' + who, { method: 'POST', body: JSON.stringify(seen) });
}`;

const script = (text: string) => ({ type: 'text/javascript', body: `${REPORT};${text}` });
const page = (text: string) => ({ type: 'text/html', body: `<!doctype html><meta charset=utf-8><script>${REPORT};${text}</script>` });

/** A document of no origin, written into its frame; its worker has no address but a blob. */
const SANDBOXED = `<script>${REPORT}
  report('sandboxed');
  const source = 'self.base = ' + JSON.stringify(new URL(document.baseURI).origin) + ';' + report + ';report("sandboxed-worker")';
  new Worker(URL.createObjectURL(new Blob([source])));
</script>`;

const FILES: Readonly<Record<string, { type: string; body: string }>> = {
  '/page': page(`
    report('page');
    new Worker('/worker.js');
    new SharedWorker('/shared.js');
    navigator.serviceWorker.register('/service.js');
    new AudioContext().audioWorklet.addModule('/worklet.js').then(() => fetch('/report?who=worklet', { method: 'POST', body: 'null' }));
    const frame = document.createElement('iframe');
    frame.src = 'http://localhost:' + location.port + '/frame';
    document.documentElement.append(frame);
    for (const [place, value] of [['srcdoc', ${JSON.stringify(SANDBOXED).replace('</', '<\\/')}], ['src', '/boxed']]) {
      const sandboxed = document.createElement('iframe');
      sandboxed.sandbox = 'allow-scripts';
      sandboxed[place] = value;
      document.documentElement.append(sandboxed);
    }
  `),
  '/boxed': page(`report('boxed')`),
  '/frame': page(`report('frame'); new Worker('/frame-worker.js')`),
  '/popup': page(`report('popup')`),
  '/popup-noopener': page(`report('popup-noopener')`),
  '/popup-cross': page(`report('popup-cross')`),
  '/worker.js': script(`report('worker'); new Worker('/nested.js')`),
  '/worklet.js': { type: 'text/javascript', body: 'registerProcessor("none", class extends AudioWorkletProcessor {})' },
  '/nested.js': script(`report('nested')`),
  '/frame-worker.js': script(`report('frame-worker')`),
  '/shared.js': script(`report('shared'); onconnect = () => {}`),
  '/service.js': script(`importScripts('/service-import.js'); report('service')`),
  '/service-import.js': { type: 'text/javascript', body: '' },
};

export const DOCUMENTS = ['page', 'frame', 'sandboxed', 'boxed', 'popup', 'popup-noopener', 'popup-cross'];
export const WORKERS = ['worker', 'nested', 'frame-worker', 'shared', 'service'];
/** The audio worklet has no `navigator`: it counts as reported once it is loaded. */
const WHO = [...DOCUMENTS, ...WORKERS, 'sandboxed-worker', 'worklet'];

/** Paths of the documents and scripts that the browser itself asks for. */
export const PATHS = Object.keys(FILES).filter((path) => path !== '/page');

export interface Gate extends AsyncDisposable {
  readonly base: string;
  readonly reports: ReadonlyMap<string, Readonly<Record<string, unknown>> | null>;
  /** The first request for each URL: a service worker's script is asked for again later, for its update. */
  readonly requests: ReadonlyMap<string, IncomingHttpHeaders>;
  /** Loads the page in the tab, opens its popups and resolves when all contexts have reported. */
  visit(tab: Pick<Tab, 'page'>): Promise<void>;
}

/** A site whose page has every kind of target; each reports what it sees. */
export async function openGate(): Promise<Gate> {
  const reports = new Map<string, Readonly<Record<string, unknown>> | null>();
  const requests = new Map<string, IncomingHttpHeaders>();
  let finish = () => {};
  const complete = new Promise<void>((resolve) => (finish = resolve));
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://gate');
    const path = url.pathname + url.search;
    if (!requests.has(path)) requests.set(path, request.headers);
    const who = url.searchParams.get('who');
    if (who !== null) {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        reports.set(who, JSON.parse(body) as Readonly<Record<string, unknown>> | null); // what REPORT sends
        response.end();
        if (WHO.every((name) => reports.has(name))) finish();
      });
      return;
    }
    const file = FILES[url.pathname];
    response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' }).end(file?.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    base,
    reports,
    requests,
    async visit({ page: visitor }) {
      await visitor.goto(`${base}/page`);
      await visitor.lifecycle.reached('load');
      await visitor.evaluateInMainWorld(`void (window.kept = open('/popup'))`);
      await visitor.evaluateInMainWorld(`void open('/popup-noopener', '', 'noopener')`);
      await visitor.evaluateInMainWorld(`void open('http://localhost:' + location.port + '/popup-cross', '', 'noopener')`);
      await complete;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
