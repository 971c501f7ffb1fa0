import { type Box, boundsOf } from '@/lib/graph/group-frames';
import type { Size } from '@/lib/graph/size';
import type { CanvasNode } from './annotation-model';

/** A node or a note as the overview shows it. */
export interface OverviewMark {
  readonly box: Box;
  /** The token of its colour. */
  readonly colour: string;
}

/** Returns the marks of what is on the canvas. Frames of groups and hidden members have none. */
export function overviewMarks(nodes: readonly CanvasNode[]): readonly OverviewMark[] {
  return nodes.flatMap((node): readonly OverviewMark[] => {
    if (node.hidden || node.type === 'frame') return [];
    const { width = 0, height = 0 } = node.measured ?? node;
    return [{ box: { ...node.position, width, height }, colour: colourOf(node.id) }];
  });
}

function colourOf(id: string): string {
  const kind = id.slice(0, id.indexOf(':'));
  switch (kind) {
    case 'server':
    case 'function':
    case 'builtin':
      return `--${kind}`;
    case 'note':
      return '--muted';
    default:
      return '--agent';
  }
}

/** How the overview shows the canvas: a place of the overview = a place of the canvas × scale + (x, y). */
export interface OverviewScale {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** The free border of the overview in pixels. */
const borderPx = 5;

/** Returns the largest scale at which all marks and the view fit into an overview. */
export function overviewScale(marks: Box | undefined, view: Box, overview: Size): OverviewScale {
  const all = boundsOf(marks === undefined ? [view] : [marks, view]) ?? view;
  const room = { width: overview.width - 2 * borderPx, height: overview.height - 2 * borderPx };
  const scale = Math.min(room.width / Math.max(all.width, 1), room.height / Math.max(all.height, 1));
  return {
    x: overview.width / 2 - (all.x + all.width / 2) * scale,
    y: overview.height / 2 - (all.y + all.height / 2) * scale,
    scale,
  };
}

/** Returns the part of the canvas that is in view. */
export function boxOfView(width: number, height: number, [x, y, zoom]: readonly [number, number, number]): Box {
  return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
}
