/**
 * Describes a page to a language model: a compact snapshot of its accessibility tree with refs, and a screenshot with labels.
 *
 * The format of the snapshot is stable: a line for each element with role, name, `[ref=e1]`, states, `url`, `value`, `placeholder` and
 * `options`, children indented by one space; the viewport first, then the rest up to `maxTokens` (four characters a token). Text that
 * users cannot see is omitted, since it is the usual way to inject instructions. With the same `createRefTable()`, elements retain their
 * refs over several captures; `findAgain` finds an element that the page has rendered anew. `redact` and `allowsUrl` withhold secrets and
 * links.
 *
 * Limits: changes in frames and shadow trees between tree and screenshot are not noticed; labels may cover neighboring text; text in the
 * color of its background, or under a canvas, counts as visible; a secret spread over several elements is not redacted.
 *
 * @packageDocumentation
 */

export { captureRedacted, type RedactedOptions } from './capture-redacted.js';
export { captureView, type ViewCapture, type ViewOptions, type ViewScreenshot } from './capture-view.js';
export { drawLabels, type LabelOptions } from './draw-labels.js';
export { findAgain } from './actionable.js';
export { createRefTable, type ElementKey, type ElementLabel, type KnownElement, type RefTable } from './ref-table.js';
export { writeSnapshot, type RefBox, type Snapshot, type SnapshotOptions } from './write-snapshot.js';
