import type { Fragments } from '@platen/kernel';

export const PARAMS = {
  emulate_dark_mode: {
    type: 'boolean',
    description: 'Prefer dark colours (`prefers-color-scheme`); otherwise the page is told to prefer light ones.',
    default: false,
  },
  emulate_disable_bluetooth: { type: 'boolean', description: 'Leave the Web Bluetooth API undefined.', default: false },
  emulate_disable_serial: { type: 'boolean', description: 'Leave the Web Serial API undefined.', default: false },
  emulate_disable_usb: { type: 'boolean', description: 'Leave the WebUSB API undefined.', default: false },
  emulate_geolocation: {
    type: 'string',
    description:
      'Where the device is, and permission for pages to ask: a geo URI (RFC 5870), `geo:<latitude>,<longitude>[,<altitude>][;u=<uncertainty>]`, in degrees and metres.',
    minLength: 1,
    maxLength: 256,
    examples: ['geo:46.948,7.4474', 'geo:48.2010,16.3695,183;u=40'],
  },
  emulate_gpu_renderer: {
    type: 'string',
    description: 'What WebGL names as its unmasked renderer.',
    minLength: 1,
    maxLength: 512,
    examples: ['ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)'],
  },
  emulate_gpu_vendor: {
    type: 'string',
    description: 'What WebGL names as its unmasked vendor.',
    minLength: 1,
    maxLength: 512,
    examples: ['Google Inc. (Intel)'],
  },
  emulate_hardware_concurrency: {
    type: 'integer',
    format: 'uint32',
    description: 'Number of processors: `navigator.hardwareConcurrency`.',
    minimum: 1,
    maximum: 65_536,
    examples: [8],
  },
  emulate_media: {
    type: 'string',
    description: 'CSS media type.',
    minLength: 1,
    maxLength: 64,
    examples: ['screen', 'print'],
  },
  emulate_memory: {
    type: 'integer',
    format: 'uint32',
    description: 'Gigabytes of memory: `navigator.deviceMemory`, which browsers have in secure contexts alone. 0 leaves it undefined.',
    minimum: 0,
    maximum: 4_294_967_295,
    examples: [8, 0],
  },
  emulate_mobile: {
    type: 'boolean',
    description:
      'Be a mobile browser: viewport meta tag, overlay scroll bars, user agent data, and touch unless `emulate_touch_points` says otherwise.',
    examples: [true],
  },
  emulate_timezone: {
    type: 'string',
    description: 'Time zone, by its IANA name.',
    minLength: 1,
    maxLength: 64,
    examples: ['Europe/Zurich', 'UTC'],
  },
  emulate_touch_points: {
    type: 'integer',
    format: 'uint32',
    description: 'Have a touch screen for so many fingers: `navigator.maxTouchPoints`, and touch events.',
    minimum: 1,
    maximum: 16,
    examples: [5],
  },
  emulate_vision_deficiency: {
    type: 'string',
    enum: ['blurredVision', 'reducedContrast', 'achromatopsia', 'deuteranopia', 'protanopia', 'tritanopia'],
    description: 'Show the page as somebody with this vision deficiency sees it. Left out: normal vision.',
    nullable: false,
    examples: ['deuteranopia'],
  },
} as const satisfies Fragments;
