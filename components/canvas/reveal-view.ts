import type { Size } from '@/lib/graph/size';
import type { View } from './home-view';

interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

/** The room that is left beside a revealed node, in screen pixels. */
const margin = 32;
/** A node that is nearer to the frame's edge than this, in screen pixels, is moved too. */
const edge = 8;
/** Below this zoom a name cannot be read, so the node is centred and enlarged. */
const readable = 0.5;

/**
 * Returns the view that shows a new node together with its parent. It zooms out if there is no room for both. Returns
 * `undefined` if both are in view already.
 */
export function revealBeside(view: View, box: Box, parent: Box, frame: Size): View | undefined {
  const x = Math.min(box.x, parent.x);
  const y = Math.min(box.y, parent.y);
  const width = Math.max(box.x + box.width, parent.x + parent.width) - x;
  const height = Math.max(box.y + box.height, parent.y + parent.height) - y;
  const room = { width: frame.width - 2 * margin, height: frame.height - 2 * margin };
  const zoom = Math.min(view.zoom, room.width / width, room.height / height);
  if (zoom === view.zoom) return revealView(view, { x, y, width, height }, frame);
  return { x: frame.width / 2 - (x + width / 2) * zoom, y: frame.height / 2 - (y + height / 2) * zoom, zoom };
}

/** Returns the view that shows all of `box`, moved no more than needed, or `undefined` if `box` is in view already. */
export function revealView(view: View, box: Box, frame: Size): View | undefined {
  const { zoom } = view;
  const left = view.x + box.x * zoom;
  const top = view.y + box.y * zoom;
  const [width, height] = [box.width * zoom, box.height * zoom];
  const inside = (start: number, end: number, room: number) => start >= edge && end <= room - edge;
  if (inside(left, left + width, frame.width) && inside(top, top + height, frame.height)) return undefined;
  if (zoom < readable) return centredView(view, box, frame);
  return { x: view.x + shift(left, width, frame.width), y: view.y + shift(top, height, frame.height), zoom };
}

/** Returns the view with `box` in the middle. It is enlarged if its name could not be read. */
export function centredView({ zoom }: View, box: Box, frame: Size): View {
  const scale = Math.max(zoom, readable);
  return {
    x: frame.width / 2 - (box.x + box.width / 2) * scale,
    y: frame.height / 2 - (box.y + box.height / 2) * scale,
    zoom: scale,
  };
}

/** Returns how far an interval must move to lie within `room`. If the interval is longer, its start is aligned. */
function shift(start: number, length: number, room: number): number {
  if (start + length > room - margin) return Math.max(room - margin - length, margin) - start;
  return start < margin ? margin - start : 0;
}
