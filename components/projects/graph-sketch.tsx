import type { Sketch } from '@/lib/graph/thumbnail';

type Box = Sketch['boxes'][number];
type Line = Sketch['lines'][number];

const looks = [
  { kind: 'agent', box: 'fill-agent-soft stroke-agent', bar: 'fill-agent' },
  { kind: 'server', box: 'fill-server-soft stroke-server', bar: 'fill-server' },
  { kind: 'function', box: 'fill-function-soft stroke-function', bar: 'fill-function' },
  { kind: 'builtin', box: 'fill-builtin-soft stroke-builtin', bar: 'fill-builtin' },
] as const;

/** Width divided by height of the picture, about the shape of its place on a card. */
const aspect = 2.6;
/**
 * In a graph higher than this, in the graph's units, a box is only a few pixels high, so it is filled and has no outline.
 */
const dense = 1_800;

/** Draws the graph in miniature, one path per colour. It is decoration, because the card says the same in words. */
export function GraphSketch({ sketch }: { readonly sketch: Sketch }) {
  if (sketch.boxes.length === 0) {
    return <p className="flex h-full items-center justify-center text-muted text-xs">No agents yet</p>;
  }
  // A small graph is not enlarged to fill the picture. A tall one is stretched sideways, so that it is more than a thin line.
  const height = Math.max(sketch.height + 24, 240);
  const pull = Math.max(1, (height * aspect - 24) / Math.max(sketch.width, 760));
  const drawn = { width: sketch.width * pull, boxes: sketch.boxes.map((box) => pulled(box, pull)) };
  const width = Math.max(drawn.width + 24, 760);
  return (
    <svg
      aria-hidden="true"
      viewBox={`${(drawn.width - width) / 2} ${(sketch.height - height) / 2} ${width} ${height}`}
      className="size-full"
    >
      <path
        d={sketch.lines.map((line) => wire({ ...line, x1: line.x1 * pull, x2: line.x2 * pull })).join('')}
        className="fill-none stroke-line-strong"
        strokeWidth={1.25}
        vectorEffect="non-scaling-stroke"
      />
      {looks.map(({ kind, box: look, bar }) => (
        <path
          key={kind}
          d={drawn.boxes
            .filter((box) => box.kind === kind)
            .map(outline)
            .join('')}
          className={sketch.height > dense ? bar : look}
          strokeWidth={1}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}

function pulled(box: Box, pull: number): Box {
  return { ...box, x: box.x * pull, width: box.width * pull };
}

function wire({ x1, y1, x2, y2 }: Line): string {
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}

function outline({ x, y, width, height }: Box): string {
  const r = 10;
  const [w, h] = [width - 2 * r, height - 2 * r];
  return `M${x + r} ${y}h${w}a${r} ${r} 0 0 1 ${r} ${r}v${h}a${r} ${r} 0 0 1-${r} ${r}h${-w}a${r} ${r} 0 0 1-${r}-${r}v${-h}a${r} ${r} 0 0 1 ${r}-${r}z`;
}
