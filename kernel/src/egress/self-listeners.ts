import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { embeddedIPv4, type AddressFilter } from './policy.js';

/** A listener of this process: a port and an address, which may be the unspecified one. */
export interface SelfListener {
  readonly address: string;
  readonly port: number;
}

/** Platen's own listeners: a page that reached them could render itself endlessly, or use another render's egress proxy. */
export interface SelfListeners {
  readonly filterAddress: AddressFilter;
  add(listener: SelfListener): void;
  delete(listener: SelfListener): void;
}

const REASON = "its address is one of this server's own";

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
const unspecified = new BlockList();
unspecified.addSubnet('0.0.0.0', 8, 'ipv4');
unspecified.addAddress('::', 'ipv6');

export function createSelfListeners(): SelfListeners {
  const listeners = new Set<SelfListener>();
  return {
    filterAddress({ address, port }) {
      for (const listener of listeners) {
        if (listener.port === port && formsOf(address).some((form) => reaches(form, listener.address))) return REASON;
      }
      return undefined;
    },
    add(listener) {
      listeners.add(listener);
    },
    delete(listener) {
      listeners.delete(listener);
    },
  };
}

/** Whether a connection to the address reaches a bound listener. Connections to an unspecified address reach the loopback. */
function reaches(address: string, bound: string): boolean {
  if (address === bound) return true;
  if (isIn(unspecified, bound)) return isIn(unspecified, address) || isIn(loopback, address) || isOfThisHost(address);
  return isIn(unspecified, address) && isIn(loopback, bound);
}

function isOfThisHost(address: string): boolean {
  return Object.values(networkInterfaces()).some((each) => each?.some((own) => own.address === address) === true);
}

/** The address in the spelling of `getsockname`, and the IPv4 addresses that it represents. */
function formsOf(address: string): readonly string[] {
  const [bare = address] = address.split('%', 1);
  if (isIP(bare) !== 6) return [bare];
  return [new URL(`http://[${bare}]`).hostname.slice(1, -1), ...embeddedIPv4(bare)];
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
