import { describe, expect, it } from 'vitest';
import { embeddedIPv4, blockMetadataServices } from '../../../kernel/src/egress/policy.js';

const check = (address: string) => blockMetadataServices({ address, port: 80, host: 'some.test' });

describe('blockMetadataServices', () => {
  it.each([
    ...['169.254.169.254', '169.254.170.2', '169.254.0.1', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254'],
    ...['fd00:ec2::23', 'FD00:0EC2:0:0:0:0:0:254', 'fd20:ce::254', 'fe80::a9fe:a9fe', 'fe80::1%eth0', '::ffff:169.254.169.254'],
    ...['::ffff:a9fe:a9fe', '::169.254.169.254', '::ffff:0:a9fe:a9fe', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a9fe:a9fe'],
    ...['64:ff9b:1:a9fe:a9:fe00::', '64:ff9b:1:a9:fe:a9fe::', '64:ff9b:1:0:a9:fea9:fe00:0', '64:ff9b:1:ffff:64:6464:c800:0'],
    ...['64:ff9b:1:ffff:ff64:6464:c8ff:ffff', '64:ff9b:1:ffff:ffff:ffff:169.254.169.254', '2002:a9fe:a9fe::1', '2001:0:a9fe:a9fe::1'],
    ...['2001:0:0808:0808:0:0:5601:5601', '2001:db8::5efe:169.254.169.254', '2001:db8::200:5efe:a9fe:a9fe'],
  ])('refuses %s', (address) => {
    expect(check(address)).toBe('cloud metadata address');
  });

  it.each([
    ...['127.0.0.1', '::1', '::', '0.0.0.0', '10.0.0.1', '192.168.1.1', '169.253.255.255', '169.255.0.0', '8.8.8.8'],
    ...['2001:4860:4860::8888', '::ffff:8.8.8.8', '2002:808:808::1', '64:ff9b::808:808', 'fd00:ec3::254'],
  ])('lets %s pass', (address) => {
    expect(check(address)).toBeUndefined();
  });

  it('fails closed on what is no address', () => {
    expect(check('metadata')).toBe('not an IP address');
  });
});

describe('embeddedIPv4', () => {
  it('finds nothing in an ordinary address', () => {
    expect(embeddedIPv4('2606:4700:4700::1111')).toEqual([]);
  });
  // The examples of RFC 6052, section 2.4, within the local-use prefix of RFC 8215.
  it.each([
    [48, '64:ff9b:1:c000:2:2100::'],
    [56, '64:ff9b:1:3c0:0:221::'],
    [64, '64:ff9b:1:344:c0:2:2100::'],
    [96, '64:ff9b:1:344::192.0.2.33'],
  ])('reads NAT64 behind a local-use prefix of %i bits', (_bits, address) => {
    expect(embeddedIPv4(address)).toContain('192.0.2.33');
  });
  it('reads mapped, 6to4 and Teredo', () => {
    expect(embeddedIPv4('::ffff:192.0.2.33')).toEqual(['192.0.2.33']);
    expect(embeddedIPv4('2002:c000:0221::')).toEqual(['192.0.2.33']);
    expect(embeddedIPv4('2001:0:4136:e378:8000:63bf:3fff:fdd2')).toEqual(['65.54.227.120', '192.0.2.45']);
  });
});
