export { captureView, type ViewCapture, type ViewOptions, type ViewScreenshot } from './capture-view.js';
export { drawLabels } from './draw-labels.js';
export { createRefTable, type ElementKey, type RefTable } from './ref-table.js';
export { writeSnapshot, type RefBox, type Snapshot, type SnapshotOptions } from './write-snapshot.js';
