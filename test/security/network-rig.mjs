// Runs inside a network and mount namespace of its own, where every address is this machine's: a name server that changes its answers,
// sites, canaries that count what reaches them, and one capture by the command line. Prints a report as JSON.
import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { everyRequest } from './every-request.mjs';

const CLI = fileURLToPath(new URL('../../server/dist/cli.js', import.meta.url));
/** Of the public Internet everywhere else, and so no special address here. */
const PUBLIC = '9.9.9.10';
const OTHER_PUBLIC = '9.9.9.11';
const PRIVATE = '10.9.9.9';
const METADATA = '169.254.169.254';

/** Names, and the addresses that they answer with: the first, the second and so on, the last again and again. */
const NAMES = {
  'page.test': [PUBLIC],
  'rebind-to-metadata.test': [PUBLIC, METADATA],
  'rebind-to-private.test': [PUBLIC, PRIVATE],
  'mixed.test': [[PUBLIC, PRIVATE]],
  'private.test': [PRIVATE],
  'robots.test': [PUBLIC],
};

const TYPES = {
  stylesheet: 'text/css',
  import: 'text/css',
  script: 'text/javascript',
  module: 'text/javascript',
  'import-scripts': 'text/javascript',
};

const hits = [];
const asked = [];
const folder = mkdtempSync(join(tmpdir(), 'platen-rig-'));
const ip = (...args) => execFileSync('ip', args);

ip('link', 'set', 'lo', 'up');
for (const address of [PUBLIC, OTHER_PUBLIC, PRIVATE, METADATA]) ip('addr', 'add', `${address}/32`, 'dev', 'lo');
writeFileSync(join(folder, 'resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
execFileSync('mount', ['--bind', join(folder, 'resolv.conf'), '/etc/resolv.conf']);

await openNameResolver();
await Promise.all([80, 8080, 443].flatMap((port) => [OTHER_PUBLIC, PRIVATE, METADATA].map((address) => openCanary(address, port))));
await Promise.all([3478, 443].flatMap((port) => [OTHER_PUBLIC, PRIVATE, METADATA].map((address) => openPackets(address, port))));
await Promise.all([openSite(PUBLIC), openSite('127.0.0.1')]);

const [url, ...flags] = process.argv.slice(2);
const child = spawn(process.execPath, [CLI, url, '-', '--output-type', 'html', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
const [body, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
rmSync(folder, { recursive: true });
process.stdout.write(JSON.stringify({ code, body, errors, hits, asked }), () => process.exit());

/** A name server (RFC 1035) that answers A, and knows no AAAA. */
async function openNameResolver() {
  const socket = createSocket('udp4');
  const counts = new Map();
  socket.on('message', (query, { port, address }) => {
    const labels = [];
    let at = 12;
    for (; query[at] !== 0; at += query[at] + 1) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]));
    const end = at + 5;
    const type = query.readUInt16BE(at + 1);
    const name = labels.join('.').toLowerCase();
    asked.push(name);
    const known = NAMES[name];
    const count = counts.get(name) ?? 0;
    if (type === 1) counts.set(name, count + 1);
    const found = type === 1 && known ? [known[Math.min(count, known.length - 1)]].flat() : [];
    const head = Buffer.from(query.subarray(0, end));
    head.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(found.length, 6);
    head.writeUInt32BE(0, 8);
    // A pointer to the question's name, type A, class IN, a lifetime of 0, four bytes.
    const answers = found.map((each) => Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...each.split('.').map(Number)]));
    socket.send(Buffer.concat([head, ...answers]), port, address);
  });
  socket.bind(53, '127.0.0.1');
  await once(socket, 'listening');
}

async function openCanary(address, port) {
  const server = createServer((request, response) => {
    const kind = request.url.slice(1);
    hits.push(`${address} ${kind}`);
    response.writeHead(200, { 'content-type': TYPES[kind] ?? 'text/html', 'access-control-allow-origin': '*', connection: 'close' });
    response.end('SECRET');
  });
  server.on('upgrade', (request, socket) => {
    hits.push(`${address} ${request.url.slice(1)}`);
    socket.destroy();
  });
  // Whoever connects and says nothing has reached it all the same.
  server.on('connection', () => hits.push(`${address}:${port} connection`));
  server.listen(port, address);
  await once(server, 'listening');
}

async function openPackets(address, port) {
  const socket = createSocket('udp4', () => hits.push(`${address}:${port} packet`));
  socket.bind(port, address);
  await once(socket, 'listening');
}

async function openSite(address) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://site');
    const canary = searchParams.get('canary');
    response.setHeader('connection', 'close');
    response.setHeader('content-type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html');
    if (pathname === '/robots.txt' && request.headers.host === 'robots.test') {
      response.writeHead(302, { location: `http://${METADATA}/robots.txt` });
      response.end();
    } else if (pathname === '/every') response.end(everyRequest(canary));
    else if (pathname === '/service-worker.js')
      response.end(`oninstall = (event) => event.waitUntil(fetch('http://${canary}/service-worker', { mode: 'no-cors' }).catch(() => 0))`);
    else if (pathname === '/again')
      response.end(`<script>fetch('/secret').then((answer) => answer.text(), String).then((text) => {
        document.body.textContent = 'second answer: ' + text; document.documentElement.dataset.done = 'yes'; })</script><body>`);
    else if (pathname === '/secret') response.end('public');
    else {
      response.statusCode = 404;
      response.end();
    }
  });
  server.listen(80, address);
  await once(server, 'listening');
}
