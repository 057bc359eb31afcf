import { make } from './dom.js';

/** An image or a video with its size, and a zoom. */
export function showMedia(media: HTMLImageElement | HTMLVideoElement, onUnsupported: () => HTMLElement): HTMLElement {
  const size = make('span', { class: 'help' });
  const zoom = make(
    'select',
    { 'aria-label': 'Zoom' },
    make('option', { value: '' }, 'Fit'),
    ...[25, 50, 100, 200, 400].map((percent) => make('option', { value: percent }, `${String(percent)} %`)),
  );
  const stage = make('div', { class: 'stage', tabindex: 0, role: 'region', 'aria-label': 'Preview' }, media);
  const view = make('div', {}, make('div', { class: 'tools' }, size, zoom), stage);
  const widthOf = () => (media instanceof HTMLImageElement ? media.naturalWidth : media.videoWidth);
  media.addEventListener(media instanceof HTMLImageElement ? 'load' : 'loadedmetadata', () => {
    const height = media instanceof HTMLImageElement ? media.naturalHeight : media.videoHeight;
    const seconds = media instanceof HTMLVideoElement && Number.isFinite(media.duration) ? `, ${media.duration.toFixed(1)} s` : '';
    size.textContent = `${String(widthOf())} × ${String(height)} px${seconds}`;
  });
  media.addEventListener('error', () => {
    view.replaceWith(onUnsupported());
  });
  zoom.addEventListener('change', (event) => {
    // It is not a part of the request.
    event.stopPropagation();
    const isFit = zoom.value === '';
    // Pixels of the image as pixels of the screen.
    media.style.width = isFit ? '' : `${String((widthOf() * Number(zoom.value)) / 100 / devicePixelRatio)}px`;
    media.style.maxWidth = isFit ? '' : 'none';
  });
  return view;
}
