import { expect, it } from 'vitest';
import { MODEL } from '../../../../plugins/page/modals/src/in-page/model.js';

const weights = (group: Readonly<Partial<Record<string, number>>>) => Object.values(group).filter((weight) => weight !== undefined);

it('nothing is a modal because of where it lies', () => {
  expect(MODEL.most).toBeLessThan(MODEL.threshold);
  expect(weights(MODEL.own).every((weight) => weight < 0)).toBe(true);
});

it.each(MODEL.kinds)('$kind: no word makes one by itself', ({ core, against }) => {
  const { frameConsent, frameWall, framePromotion, ...own } = core;
  expect(weights(own).every((weight) => weight > 0 && weight < MODEL.threshold)).toBe(true);
  // What a frame holds was told by all of the features, within it.
  expect(weights({ frameConsent, frameWall, framePromotion }).every((weight) => weight >= MODEL.threshold)).toBe(true);
  expect(weights(against).every((weight) => weight < 0)).toBe(true);
});
