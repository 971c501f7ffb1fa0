/** The smallest scale at which names can be read. */
const readable = 0.75;
/** The height of the panel of a stacked page, in CSS pixels. */
const stackedPx = 384;

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface GraphScale {
  readonly scale: number;
  /** True if the graph has no room at a scale at which names can be read, so that it is scrolled or seen whole. */
  readonly isLarge: boolean;
}

/**
 * Returns the scale of a graph in a panel. It is at most 1. On a stacked page the panel is as high as its graph, up to a limit, so that only
 * the width has to fit unless the graph is seen whole.
 */
export function graphScale(
  graph: Size,
  panel: Size,
  { isWhole, isStacked }: { readonly isWhole: boolean; readonly isStacked: boolean },
): GraphScale {
  if (panel.width === 0) return { scale: 1, isLarge: false };
  const byWidth = panel.width / graph.width;
  const whole = Math.min(1, byWidth, (isStacked ? stackedPx : panel.height) / graph.height);
  const wanted = isStacked ? Math.min(1, byWidth) : whole;
  return { scale: isWhole ? whole : Math.max(readable, wanted), isLarge: whole < readable };
}
