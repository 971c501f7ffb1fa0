import type { ReplayData, ReplayMoment, ReplaySpan } from './replay-data';

/**
 * Draws the names of the instances, the axis and the bars up to the play-head. The canvas is as high as the view and not as the
 * run, because browsers limit the size of a canvas.
 * Longer than 80 lines because a function that is written into a page has to hold all it needs.
 */
export function replayBars(data: ReplayData, into: HTMLElement, select: (span: number) => void) {
  const axis = 24;
  const last = data.lanes.at(-1);
  const whole = axis + (last === undefined ? 0 : last.y + last.height);
  const canvas = document.createElement('canvas');
  const spacer = document.createElement('div');
  spacer.className = 'spacer';
  spacer.style.height = `${whole}px`;
  canvas.role = 'img';
  canvas.ariaLabel = `Bars of ${data.spans.length} steps. The list below has them as text.`;
  spacer.append(canvas);
  into.append(spacer);
  let shown: ReplayMoment = { moment: data.end, selected: -1 };
  const namesPx = () => (into.clientWidth < 640 ? 112 : 220);
  const scale = () => Math.max(1, into.clientWidth - namesPx() - 14) / Math.max(1, data.end);
  // Short calls are in front of model calls and delegations, which are long.
  const inOrder = data.spans.toSorted((a, b) => depthOf(a) - depthOf(b));
  const barOf = (span: ReplaySpan) => ({
    x: namesPx() + span.start * scale(),
    y: axis + span.y - into.scrollTop,
    width: Math.max(2, (Math.min(span.end, shown.moment) - span.start) * scale()),
  });

  const draw = () => {
    const style = getComputedStyle(document.documentElement);
    const ink = (name: string) => style.getPropertyValue(`--${name}`);
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [into.clientWidth, into.clientHeight];
    const names = namesPx();
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
    pen.scale(ratio, ratio);
    pen.textBaseline = 'middle';
    const box = (x: number, y: number, w: number, h: number, colour: string) => {
      pen.fillStyle = colour;
      pen.fillRect(x, y, w, h);
    };
    const begun = new Set<number>();
    for (const { lane, start } of data.spans) if (start <= shown.moment) begun.add(lane);
    const tick = tickOf(96 / scale());
    for (let at = 0; at <= data.end; at += tick)
      box(Math.floor(names + at * scale()), axis, 1, Math.min(height, whole - into.scrollTop) - axis, ink('line'));
    pen.font = '12px system-ui, sans-serif';
    for (const [row, lane] of data.lanes.entries()) {
      const top = axis + lane.y - into.scrollTop;
      if (top + lane.height < axis || top > height) continue;
      box(0, top + lane.height - 1, width, 1, ink('band'));
      if (!begun.has(row)) continue;
      pen.fillStyle = ink('ink');
      const left = 16 + (into.clientWidth < 640 ? 6 : 12) * Math.min(lane.depth, 8);
      // The index stays when a name is cut, because the names of siblings differ by it alone.
      const index = /\[\d+\]$/.exec(lane.name)?.[0] ?? '';
      const name = cut(
        pen,
        lane.name.slice(0, lane.name.length - index.length),
        names - left - 8 - pen.measureText(index).width,
      );
      pen.fillText(name + index, left, top + Math.min(lane.height, 26) / 2);
    }
    pen.font = '11px system-ui, sans-serif';
    const selected = data.spans[shown.selected];
    for (const span of inOrder) if (span.start <= shown.moment) drawSpan(pen, span, ink);
    if (selected !== undefined && selected.start <= shown.moment) {
      const { x, y, width: wide } = barOf(selected);
      pen.strokeStyle = ink('ink');
      pen.lineWidth = 2;
      pen.strokeRect(x - 1, y - 1, wide + 2, selected.height + 2);
    }
    box(0, 0, width, axis, ink('surface'));
    box(0, axis - 1, width, 1, ink('line'));
    box(names - 1, 0, 1, Math.min(height, whole - into.scrollTop), ink('line'));
    pen.fillStyle = ink('muted');
    pen.fillText(`${data.lanes.length} ${data.lanes.length === 1 ? 'instance' : 'instances'}`, 16, axis / 2);
    for (let at = 0; at <= data.end; at += tick) {
      const text =
        at === 0 ? '0' : tick < 1e5 ? `${Math.round(at / 1e3)} ms` : `${(at / 1e6).toFixed(tick < 1e6 ? 1 : 0)} s`;
      const x = names + at * scale() + 4;
      if (x + pen.measureText(text).width < width) pen.fillText(text, x, axis / 2);
    }
    box(names + shown.moment * scale() - 0.75, 0, 1.5, Math.min(height, whole - into.scrollTop), ink('accent'));
  };

  function drawSpan(pen: CanvasRenderingContext2D, span: ReplaySpan, ink: (name: string) => string): void {
    const box = (x: number, y: number, w: number, h: number, colour: string) => {
      pen.fillStyle = colour;
      pen.fillRect(x, y, w, h);
    };
    const { x, y, width: wide } = barOf(span);
    if (y + span.height < axis || y > into.clientHeight) return;
    const isOver = span.end <= shown.moment;
    const isBad = isOver && (span.status === 'error' || span.status === 'timeout');
    if (span.kind === 'queued') {
      for (let dash = 0; dash < wide; dash += 8)
        box(x + dash, y + span.height / 2, Math.min(4, wide - dash), 1, ink('queued'));
    } else box(x, y, wide, span.height, ink(span.kind === 'instance' && isBad ? 'bad-soft' : span.ink));
    if (span.kind === 'instance') box(x, y, 2, span.height, ink(isBad ? 'bad' : 'agent'));
    else if (isBad) box(x, y + span.height - 2, wide, 2, ink('bad'));
    if (!isOver) box(x + wide - 2, y, 2, span.height, ink('busy'));
    if (wide < 34 || span.height < 9 || span.kind === 'instance' || span.kind === 'queued') return;
    pen.fillStyle = ink('on-bar');
    pen.fillText(cut(pen, span.name, wide - 10), x + 5, y + span.height / 2 + 0.5);
  }
  function cut(pen: CanvasRenderingContext2D, text: string, room: number): string {
    if (pen.measureText(text).width <= room) return text;
    let end = text.length;
    while (end > 0 && pen.measureText(`${text.slice(0, end)}…`).width > room) end--;
    return end === 0 ? '' : `${text.slice(0, end)}…`;
  }
  function depthOf({ kind, ink }: ReplaySpan): number {
    if (kind === 'instance') return 0;
    return kind === 'queued' || ink === 'agent' ? 1 : kind === 'model' ? 2 : 3;
  }
  function tickOf(least: number): number {
    const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
    return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least) ?? power * 10;
  }

  canvas.onclick = ({ offsetX, offsetY }) => {
    let best = -1;
    let smallest = Number.POSITIVE_INFINITY;
    for (const [index, span] of data.spans.entries()) {
      if (span.start > shown.moment) continue;
      const { x, y, width } = barOf(span);
      const isHit = offsetX >= x - 3 && offsetX <= x + width + 3 && offsetY >= y - 1 && offsetY <= y + span.height + 1;
      // An instance is behind its steps.
      const size = span.kind === 'instance' ? Number.MAX_VALUE : width * span.height;
      if (isHit && offsetY > axis && size <= smallest) [best, smallest] = [index, size];
    }
    if (best !== -1) select(best);
  };
  into.onscroll = draw;
  new ResizeObserver(draw).observe(into);
  return {
    draw(at: ReplayMoment) {
      shown = at;
      draw();
    },
  };
}
