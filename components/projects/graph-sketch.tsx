import type { Sketch } from '@/lib/graph/thumbnail';

const fills: Record<Sketch['boxes'][number]['kind'], string> = {
  agent: 'fill-agent-soft stroke-agent',
  server: 'fill-server-soft stroke-server',
  function: 'fill-function-soft stroke-function',
  builtin: 'fill-builtin-soft stroke-builtin',
};

/** The graph in miniature. Decoration: the card says the same in words. */
export function GraphSketch({ sketch }: { readonly sketch: Sketch }) {
  if (sketch.boxes.length === 0) {
    return <p className="flex h-full items-center justify-center text-faint text-xs">No agents yet</p>;
  }
  const pad = 12;
  return (
    <svg
      aria-hidden="true"
      viewBox={`${-pad} ${-pad} ${sketch.width + 2 * pad} ${sketch.height + 2 * pad}`}
      preserveAspectRatio="xMidYMid meet"
      className="size-full"
    >
      {sketch.lines.map((line) => {
        const middle = (line.x1 + line.x2) / 2;
        return (
          <path
            key={`${line.x1},${line.y1},${line.x2},${line.y2}`}
            d={`M${line.x1} ${line.y1}C${middle} ${line.y1} ${middle} ${line.y2} ${line.x2} ${line.y2}`}
            className="fill-none stroke-line-strong"
            strokeWidth={1.25}
            vectorEffect="non-scaling-stroke"
          />
        );
      })}
      {sketch.boxes.map((box) => (
        <rect
          key={`${box.x},${box.y}`}
          x={box.x}
          y={box.y}
          width={box.width}
          height={box.height}
          rx={Math.min(box.height / 4, 10)}
          className={fills[box.kind]}
          strokeWidth={1}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}
