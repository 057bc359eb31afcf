export { captureView, type ViewCapture, type ViewOptions, type ViewScreenshot } from './capture-view.js';
export { drawLabels, type LabelOptions } from './draw-labels.js';
export { findAgain } from './actionable.js';
export { createRefTable, type ElementKey, type ElementLabel, type KnownElement, type RefTable } from './ref-table.js';
export { writeSnapshot, type RefBox, type Snapshot, type SnapshotOptions } from './write-snapshot.js';
