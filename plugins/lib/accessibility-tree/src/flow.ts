/** Computed style properties that determine on which sides content overflows its box. */
export interface FlowStyle {
  readonly writingMode: string;
  readonly direction: string;
  readonly display: string;
  readonly flexDirection: string;
  readonly flexWrap: string;
}

/**
 * The sides on which content overflows and can be scrolled to: CSS Writing Modes 4 defines where lines and blocks end, CSS Flexible Box
 * Layout where items do. Must not capture outer variables.
 */
export function flowOf({ writingMode, direction, display, flexDirection, flexWrap }: FlowStyle): {
  readonly left: boolean;
  readonly up: boolean;
} {
  const rtl = direction === 'rtl';
  const flex = /\bflex\b/.test(display);
  const column = flexDirection.startsWith('column');
  const across = flex && flexWrap === 'wrap-reverse';
  const lines = column ? across : flex && flexDirection === 'row-reverse';
  const blocks = column ? flex && flexDirection === 'column-reverse' : across;
  if (writingMode === 'horizontal-tb' || writingMode === '') return { left: rtl !== lines, up: blocks };
  const up = writingMode === 'sideways-lr' ? !rtl : rtl;
  return { left: writingMode.endsWith('-rl') !== blocks, up: up !== lines };
}
