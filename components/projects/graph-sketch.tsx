import type { Sketch } from '@/lib/graph/thumbnail';

type Box = Sketch['boxes'][number];
type Line = Sketch['lines'][number];

const looks = [
  { kind: 'agent', className: 'fill-agent-soft stroke-agent' },
  { kind: 'server', className: 'fill-server-soft stroke-server' },
  { kind: 'function', className: 'fill-function-soft stroke-function' },
  { kind: 'builtin', className: 'fill-builtin-soft stroke-builtin' },
] as const;

/** The graph in miniature, one path per colour. Decoration: the card says the same in words. */
export function GraphSketch({ sketch }: { readonly sketch: Sketch }) {
  if (sketch.boxes.length === 0) {
    return <p className="flex h-full items-center justify-center text-muted text-xs">No agents yet</p>;
  }
  // A small graph is not blown up to fill the picture.
  const width = Math.max(sketch.width + 24, 760);
  const height = Math.max(sketch.height + 24, 240);
  return (
    <svg
      aria-hidden="true"
      viewBox={`${(sketch.width - width) / 2} ${(sketch.height - height) / 2} ${width} ${height}`}
      className="size-full"
    >
      <path
        d={sketch.lines.map(wire).join('')}
        className="fill-none stroke-line-strong"
        strokeWidth={1.25}
        vectorEffect="non-scaling-stroke"
      />
      {looks.map(({ kind, className }) => (
        <path
          key={kind}
          d={sketch.boxes
            .filter((box) => box.kind === kind)
            .map(outline)
            .join('')}
          className={className}
          strokeWidth={1}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
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
