import { invalidParameter, type DeviceProfile } from '@platen/kernel';
import { KnownDevices } from 'puppeteer-core';
import { describe, expect, it } from 'vitest';
import { describeDevices, findDevice } from '../../../../plugins/page/target/src/devices.js';
import { parseAcceptLanguage, planProfile } from '../../../../plugins/page/target/src/plan-profile.js';
import { parseHeaders } from '../../../../plugins/page/target/src/target-headers.js';

type Draft = Parameters<typeof planProfile>[0];

function plan(params: Draft['params'], headers: readonly string[] = []) {
  const draft = {
    params,
    preset: {} as Partial<DeviceProfile>,
    profile: {} as Partial<DeviceProfile>,
    refuse: (parameter: string, detail: string): never => {
      throw invalidParameter(parameter, detail);
    },
  };
  planProfile(draft as unknown as Draft, parseHeaders(headers, new URL('https://a.test/')));
  return { ...draft.preset, ...draft.profile };
}

describe('device', () => {
  it.each(Object.keys(KnownDevices))('knows %s as puppeteer does', (name) => {
    const known = Object.entries(KnownDevices).find(([key]) => key === name)?.[1];
    expect(findDevice(name)).toMatchObject({
      device: { width: known?.viewport.width, userAgent: known?.userAgent, mobile: true, touchPoints: 5 },
    });
  });

  it('finds a name in any case and spacing', () => {
    expect(findDevice(' iphone  15 PRO-max')).toEqual(findDevice('iPhone 15 Pro Max'));
    expect(findDevice('iPhone15')).toEqual(findDevice('iPhone 15'));
    expect(findDevice('pixel9LANDSCAPE')).toEqual(findDevice('Pixel 9 landscape'));
  });

  it('tells every preset from every other without their blanks', () => {
    for (const name of Object.keys(describeDevices())) expect(findDevice(name.replaceAll(' ', ''))).toMatchObject({ name });
  });

  it('knows newer devices, and lays them on their side', () => {
    expect(findDevice('Pixel 9 landscape')).toMatchObject({ device: { width: 924, height: 412, platform: 'Linux armv81' } });
  });

  it('gives the platform that goes with the user agent', () => {
    expect(plan({ device: 'iPhone 15' })).toMatchObject({ platform: 'iPhone', deviceScaleFactor: 3 });
    expect(plan({ device: 'iPad Mini' })).toMatchObject({ platform: 'iPad' });
    expect(plan({ device: 'Nokia Lumia 520' })).toMatchObject({ platform: 'Win32' });
  });

  it('yields to what the request says itself', () => {
    expect(
      plan({ device: 'iPhone 15', browser_width: 300, device_scale_factor: 1.5, user_agent: ' Mine/1 ', platform: 'Win32' }),
    ).toMatchObject({
      width: 300,
      height: 659,
      deviceScaleFactor: 1.5,
      userAgent: 'Mine/1',
      platform: 'Win32',
      mobile: true,
    });
  });

  it('tells of every preset by the name that it takes', () => {
    const told = describeDevices();
    expect(told).toMatchObject({ 'iPhone 15': '393x659@3', 'Pixel 9 landscape': '924x412@2.625' });
    expect(Object.keys(told)).toEqual(expect.arrayContaining(Object.keys(KnownDevices)));
    for (const name of Object.keys(told)) expect(findDevice(name), name).toHaveProperty('device');
  });

  it('names near matches for an unknown name, and where the list is, where there are any', () => {
    expect(() => plan({ device: 'iphon15pro' })).toThrow(/: did you mean "iPhone 15 Pro".*\? .*`platen help device` lists all presets$/);
    expect(() => plan({ device: 'zzzz' })).toThrow(/^"device" is not the name of a preset: .*"iPhone 16".*"Pixel 9"/);
  });

  it('names the newest where a newer one is asked for', () => {
    expect(findDevice('iPhone 99')).toEqual({ near: ['iPhone 16', 'iPhone 15', 'iPhone 14'] });
    expect(findDevice('Pixel 12')).toHaveProperty('near.0', 'Pixel 9');
    expect(findDevice('iphone')).toHaveProperty('near.0', 'iPhone 16');
  });
});

describe('header', () => {
  it('names the user agent as "user_agent" does, and not beside it', () => {
    expect(plan({ platform: 'Win32' }, ['user-agent:  Mine/1'])).toEqual({ userAgent: 'Mine/1', platform: 'Win32' });
    expect(() => plan({ user_agent: 'Mine/1' }, ['User-Agent: Other/1'])).toThrow(
      /^"header" must not contain "User-Agent" if "user_agent" is set/,
    );
    expect(() => plan({}, ['User-Agent: Mïne/1'])).toThrow('the "User-Agent" of "header" must be printable ASCII');
  });
});

describe('user_agent', () => {
  const PHONE = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Mobile Safari/537.36';

  it('of a phone makes the client hints those of a phone, unless a device says what it is', () => {
    expect(plan({ user_agent: PHONE })).toMatchObject({ hintsMobile: true });
    expect(plan({}, [`User-Agent: ${PHONE}`])).toMatchObject({ hintsMobile: true });
    expect(plan({ user_agent: PHONE.replace(' Mobile', '') })).not.toHaveProperty('hintsMobile');
    expect(plan({ user_agent: PHONE, device: 'Nexus 10' })).not.toHaveProperty('hintsMobile');
  });
});

describe('Accept-Language', () => {
  it('is given once: by "accept_language" or by "header", in whatever case', () => {
    expect(plan({ accept_language: 'de' }, ['X-Accept-Language: fr'])).toMatchObject({ acceptLanguage: 'de' });
    expect(plan({}, ['Accept-Language: fr'])).toEqual({});
    expect(() => plan({ accept_language: 'de' }, ['accept-language: fr'])).toThrow(
      '"header" must not contain "Accept-Language" if "accept_language" is set: use one of them',
    );
  });
});

describe('platform', () => {
  it('is what client hints go by, unless the request has a user agent of its own', () => {
    expect(plan({ device: 'Pixel 9', platform: 'Win32' })).toMatchObject({ platform: 'Win32', hintsPlatform: 'Win32' });
    expect(plan({ device: 'Pixel 9', platform: 'Win32', user_agent: 'Mine/1' })).not.toHaveProperty('hintsPlatform');
    expect(plan({ device: 'Pixel 9' })).not.toHaveProperty('hintsPlatform');
  });
});

describe('accept_language', () => {
  it.each([
    ['fr-CH, fr;q=0.9', 'fr-CH,fr', 'fr-CH,fr;q=0.9'],
    ['en;q=0.5, de', 'de,en', 'en;q=0.5,de'],
    ['de ; q=1.000 , en-US-x-a;q=0.123,*;q=0.1', 'de,en-US-x-a', 'de;q=1.000,en-US-x-a;q=0.123,*;q=0.1'],
    ['de;q=0, en', 'en', 'de;q=0,en'],
    ['*', undefined, '*'],
    ['de,\n*', 'de', 'de,*'],
  ])('%j is sent as it is, its languages are a plain list', (value, languages, header) => {
    expect(parseAcceptLanguage(value)).toEqual({ languages, header });
  });

  it.each([
    ['de', 'de'],
    ['de,fr , de', 'de,fr'],
  ])('%j leaves the weights to the browser', (value, languages) => {
    expect(parseAcceptLanguage(value)).toEqual({ languages, header: undefined });
  });

  it.each(['', 'de,', 'de;q=2', 'de\r\nX: y', 'd_e', 'de;q=0', '*;q=0'])('%j is none', (value) => {
    expect(parseAcceptLanguage(value)).toBeUndefined();
  });

  it('is refused by its name', () => {
    expect(() => plan({ accept_language: 'de\nX: y' })).toThrow('"accept_language" must be');
  });
});

it.each(['user_agent', 'platform'] as const)('%s takes printable ASCII alone', (key) => {
  for (const value of ['a\r\nX: y', 'a\0', '   ', 'caf\u00e9', 'a\tb'])
    expect(() => plan({ [key]: value })).toThrow(`"${key}" must be printable`);
});
