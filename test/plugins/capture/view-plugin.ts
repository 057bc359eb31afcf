import { definePlugin } from '@platen/kernel';

/** Viewport and scale as parameters of a test, without the plugins that own the real keys. */
export default definePlugin({
  name: 'test-view',
  params: {
    view_width: { type: 'integer', description: 'Viewport width in CSS pixels.' },
    view_height: { type: 'integer', description: 'Viewport height in CSS pixels.' },
    view_scale: { type: 'number', description: 'Device scale factor.' },
    view_mobile: { type: 'boolean', description: 'Mobile layout.' },
  },
  plan({ params, profile }) {
    const { view_width: width, view_height: height, view_scale: scale, view_mobile: mobile } = params;
    if (width !== undefined) profile.width = width;
    if (height !== undefined) profile.height = height;
    if (scale !== undefined) profile.deviceScaleFactor = scale;
    if (mobile !== undefined) profile.mobile = mobile;
  },
});
