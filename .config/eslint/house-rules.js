// House rules that a syntax pattern can say. Each entry is an option of `no-restricted-syntax`; its message is what the author reads.

const KNOWN_BASES = '/(Error|EventEmitter|EventTarget|Readable|Writable|Duplex|Transform)$/';

/** Everywhere, tests included. */
export const everywhere = [
  {
    selector: 'CallExpression[callee.property.name=/^tap(Async|Promise)?$/] > ObjectExpression > Property[key.name="before"]',
    message: 'No `before:` in a tap: an unknown name jumps to the front of the hook. Use a named stage.',
  },
  {
    selector: `:matches(ClassDeclaration, ClassExpression)[superClass]:not([superClass.name=${KNOWN_BASES}])`,
    message: 'No subclassing but of errors, emitters and streams: the kernel is extended by plugins and hooks.',
  },
  {
    selector: 'MemberExpression[object.name=/^(it|test|describe|suite)$/][property.name=/^(skip|only|todo)$/]',
    message: 'No skipped, lone or planned test: make it run or take it out.',
  },
];

/** In the sources of the workspaces. */
export const sources = [
  {
    selector:
      ':matches(:function, TSMethodSignature, TSFunctionType, TSDeclareFunction)[params.length>1] > Identifier[typeAnnotation.typeAnnotation.type="TSBooleanKeyword"]',
    message: 'No boolean positional parameter: the call does not say what `true` means. Take an options object.',
  },
  {
    selector: ':function[params.length>1] > AssignmentPattern[right.raw=/^(true|false)$/]',
    message: 'No boolean positional parameter: the call does not say what `true` means. Take an options object.',
  },
];

/** Where nothing may dial: everywhere in the sources but in the kernel's egress. */
export const undialled = [
  {
    selector: 'CallExpression[callee.name="fetch"], CallExpression[callee.object.name="globalThis"][callee.property.name="fetch"]',
    message: "No `fetch` beside the dialer: connections go through the kernel's egress, which judges each address.",
  },
  {
    selector: 'NewExpression[callee.name=/^(WebSocket|EventSource)$/]',
    message: "No connection beside the dialer: connections go through the kernel's egress, which judges each address.",
  },
  {
    selector:
      'CallExpression[callee.object.name=/^(http|https|http2|net|tls)$/][callee.property.name=/^(request|get|connect|createConnection)$/]',
    message: "No connection beside the dialer: connections go through the kernel's egress, which judges each address.",
  },
];

/** Files other than a package's entry. */
export const notEntry = [
  {
    selector: 'ExportAllDeclaration, ExportNamedDeclaration[source]',
    message: "No barrel but a package's index.ts: import from the file that has it.",
  },
];

/** Files other than a plugin's entry. */
export const notPlugin = [
  {
    selector: 'ExportDefaultDeclaration',
    message: "No default export but a plugin's definition in the entry of its package: a name is found by searching for it.",
  },
];

/** In tests. */
export const tests = [
  {
    selector: 'NewExpression[callee.name="Promise"] CallExpression[callee.name="setTimeout"]',
    message: 'No sleep in a test: wait for the event that the sleep hopes for.',
  },
  {
    selector: 'ImportDeclaration[source.value=/timers.promises$/]',
    message: 'No sleep in a test: wait for the event that the sleep hopes for.',
  },
];

const DIALLING = "Only the kernel's egress dials: ask it for a connection, so that each address is judged.";

/** Options of `no-restricted-imports` where nothing may dial. Listening stays allowed. */
export const undialledImports = {
  paths: [
    {
      name: 'node:http',
      importNames: ['request', 'get', 'Agent', 'globalAgent', 'ClientRequest', 'default'],
      message: DIALLING,
      allowTypeImports: true,
    },
    { name: 'node:net', importNames: ['connect', 'createConnection', 'Socket', 'default'], message: DIALLING, allowTypeImports: true },
    ...['node:https', 'node:http2', 'node:tls', 'node:dgram', 'http', 'https', 'http2', 'tls', 'net', 'dgram', 'undici'].map((name) => ({
      name,
      message: DIALLING,
      allowTypeImports: true,
    })),
  ],
};
