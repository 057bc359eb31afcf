/**
 * A page that makes a request of every kind to one host, and says in `data-done` when it has. Each path names its kind.
 * @param {string} canary an authority: `169.254.169.254`, `[::1]:8080`
 */
export function everyRequest(canary) {
  const at = (/** @type {string} */ kind) => `http://${canary}/${kind}`;
  return `<!doctype html><title>Every request</title>
<link rel="stylesheet" href="${at('stylesheet')}">
<link rel="preload" as="image" href="${at('preload')}"><link rel="modulepreload" href="${at('modulepreload')}">
<link rel="prefetch" href="${at('prefetch')}"><link rel="preconnect" href="http://${canary}:8080/"><link rel="dns-prefetch" href="//prefetched.test/">
<link rel="icon" href="${at('icon')}"><link rel="manifest" href="${at('manifest')}">
<style>
@import url("${at('import')}");
@font-face { font-family: remote; src: url("${at('font')}"); }
body { font-family: remote; background: url("${at('background')}"); cursor: url("${at('cursor')}"), auto; }
</style>
<body>text in the font
<img src="${at('img')}"><img srcset="${at('srcset')} 1x"><picture><source srcset="${at('picture')}"><img></picture>
<svg><image href="${at('svg-image')}"/></svg><input type="image" src="${at('input')}">
<iframe src="${at('iframe')}"></iframe><object data="${at('object')}"></object><embed src="${at('embed')}">
<video src="${at('video')}" poster="${at('poster')}" autoplay muted></video><audio src="${at('audio')}" autoplay></audio>
<script src="${at('script')}"></script><script type="module" src="${at('module')}"></script>
<form action="${at('form')}" method="post" target="named"></form><iframe name="named"></iframe>
<script type="speculationrules">{ "prefetch": [{ "urls": ["${at('speculation')}"] }], "prerender": [{ "urls": ["${at('prerender')}"] }] }</script>
<script>${scriptOf(canary)}</script>`;
}

/** What is asked for by script. @param {string} canary */
function scriptOf(canary) {
  return `
const at = (kind) => 'http://${canary}/' + kind;
const settled = (promise) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 3000))]).catch(() => undefined);
const blob = (code) => URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
const once = (target, ...names) => new Promise((resolve) => names.forEach((name) => target.addEventListener(name, resolve)));
const asking = (kind) => 'fetch(' + JSON.stringify(at(kind)) + ', { mode: "no-cors" })';
document.forms[0].submit();
open(at('popup'));
navigator.sendBeacon(at('beacon'), 'x');
const request = new XMLHttpRequest();
request.open('GET', at('xhr'));
request.send();
const events = new EventSource(at('events'));
const socket = new WebSocket('ws://${canary}/websocket');
const worker = new Worker(blob(asking('worker') + '.catch(() => 0).then(() => postMessage(0))'));
const importing = new Worker(blob('try { importScripts(' + JSON.stringify(at('import-scripts')) + ') } catch {} postMessage(0)'));
const shared = new SharedWorker(blob('onconnect = ({ ports: [port] }) => ' + asking('shared-worker') + '.catch(() => 0).then(() => port.postMessage(0))'));
shared.port.start();
const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${canary}:3478' }, { urls: 'turn:${canary}:3478', username: 'u', credential: 'c' }] });
peer.createDataChannel('x');
peer.createOffer().then((offer) => peer.setLocalDescription(offer));
const transport = new WebTransport('https://${canary}:443/webtransport');
Promise.all([
  settled(fetch(at('fetch'), { mode: 'no-cors' })),
  settled(fetch(at('keepalive'), { mode: 'no-cors', keepalive: true, method: 'POST', body: 'x' })),
  settled(once(request, 'loadend')), settled(once(events, 'error')), settled(once(socket, 'error', 'open')),
  settled(once(worker, 'message')), settled(once(importing, 'message')), settled(once(shared.port, 'message')),
  settled(transport.ready), settled(new Promise((resolve) => { peer.onicecandidate = ({ candidate }) => candidate ?? resolve(); })),
  settled(navigator.serviceWorker.register('/service-worker.js?canary=${canary}').then(() => navigator.serviceWorker.ready)),
  settled(once(window, 'load')),
]).then(() => { document.documentElement.dataset.done = 'yes'; });
`;
}
