import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';

/** What the server says of a name: addresses, an alias, an error by its number (RFC 1035, 4.1.1), or nothing at all. */
export type Said = readonly string[] | { readonly alias: string } | { readonly error: number } | 'nothing';

export interface NameServer extends AsyncDisposable {
  /** `127.0.0.1:PORT` */
  readonly address: string;
  /** The names that it was asked for, with their type, in order. */
  readonly asked: readonly string[];
}

const A = 1;
const AAAA = 28;
const CNAME = 5;
const TYPES: Readonly<Record<number, string>> = { [A]: 'A', [AAAA]: 'AAAA' };

/** A name server on a port of its own. What it does not know, is not there (NXDOMAIN). */
export async function openNameServer(says: (name: string, type: string) => Said): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const name = nameOf(query);
    const end = 12 + name.length + 2;
    const type = query.readUInt16BE(end);
    asked.push(`${name} ${TYPES[type] ?? String(type)}`);
    const records: Buffer[] = [];
    let error = 0;
    let current = name;
    for (let said = says(current, TYPES[type] ?? ''); ; said = says(current, TYPES[type] ?? '')) {
      if (said === 'nothing') return;
      if ('alias' in said) {
        records.push(record(current, CNAME, encodeName(said.alias)));
        current = said.alias;
        continue;
      }
      if ('error' in said) error = said.error;
      else for (const each of said) if ((isIP(each) === 6 ? AAAA : A) === type) records.push(record(current, type, encodeAddress(each)));
      break;
    }
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 + error, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, query.subarray(12, end + 4), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${String(socket.address().port)}`,
    asked,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function nameOf(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12, size = query.readUInt8(at); size > 0; at += size + 1, size = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size));
  }
  return labels.join('.');
}

function encodeName(name: string): Buffer {
  return Buffer.concat([...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.from([0])]);
}

function encodeAddress(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [front = '', back = ''] = address.split('::');
  const words = (text: string): string[] => text.split(':').filter(Boolean);
  const zeros = Array<string>(8 - words(front).length - words(back).length).fill('0');
  return Buffer.from([...words(front), ...zeros, ...words(back)].map((word) => word.padStart(4, '0')).join(''), 'hex');
}

/** Of class IN, with a lifetime of nothing. */
function record(name: string, type: number, data: Buffer): Buffer {
  const head = Buffer.from([0, type, 0, 1, 0, 0, 0, 0, data.length >> 8, data.length & 255]);
  return Buffer.concat([encodeName(name), head, data]);
}
