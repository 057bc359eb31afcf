import { definePlugin, Stage } from '@platen/kernel';
import { captureFrames, startFrameControl } from './capture-frames.js';
import { FRAME_PARAMS, FRAME_RULES } from './params.js';
import { checkVideo, planVideo } from './plan-video.js';

export type { FrameCrop, FramesCapture, FramesCaptureOptions } from './frames-capture.js';

export default definePlugin({
  name: 'frames',
  requires: ['screenshot'],
  captures: [{ kind: 'frames', streaming: true, pausesVirtualTime: true, spansDocuments: true }],
  params: FRAME_PARAMS,
  rules: FRAME_RULES,
  planFor: { capture: 'frames', param: 'image_duration' },
  plan: planVideo,
  validatePlan: checkVideo,
  apply({ hooks }) {
    // A recorded page draws nothing before this, so no other tap may wait for a frame earlier.
    hooks.beforeNavigate.tap({ name: 'frames', stage: Stage.first, for: { capture: 'frames' } }, startFrameControl);
    hooks.capture.for('frames').tapPromise('frames', captureFrames);
  },
});
