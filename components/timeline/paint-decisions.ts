import type { MarkShape } from './decision-look';
import { type DecisionMark, markPx, tickPx } from './decision-marks';
import type { Palette } from './palette';
import type { Pen } from './pen';

/** Paints the mark of one or several decisions: ticks at their times, a box with a sign, and a word or their number. */
export function paintDecision(pen: Pen, mark: DecisionMark, { css }: Palette): void {
  const { left, top, width, look, word } = mark;
  const colour = css[look.paint];
  pen.fillStyle = colour;
  for (const x of mark.ticks) pen.fillRect(Math.round(x), top - tickPx, 1, tickPx);
  pen.fillStyle = css.ground;
  pen.fillRect(left, top, width, markPx);
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.strokeRect(left + 0.5, top + 0.5, width - 1, markPx - 1);
  pen.fillStyle = colour;
  signs[look.shape](pen, left + markPx / 2, top + markPx / 2);
  if (word === '') return;
  pen.fillStyle = css.ink;
  pen.fillText(word, mark.spans.length > 1 ? left + markPx : left + width + 5, top + markPx / 2 + 0.5);
}

/** Outlines the mark that holds a selected or hovered decision. */
export function outlineDecision(pen: Pen, { left, top, width }: DecisionMark, colour: string, line: number): void {
  pen.strokeStyle = colour;
  pen.lineWidth = line;
  pen.strokeRect(left - 1, top - 1, width + 2, markPx + 2);
}

/** Each sign is about 8 px wide, with its centre at the given point, in the present fill colour. */
const signs: Readonly<Record<MarkShape, (pen: Pen, x: number, y: number) => void>> = {
  diamond(pen, x, y) {
    polygon(pen, [x, y - 4.5, x + 4.5, y, x, y + 4.5, x - 4.5, y]);
  },
  star(pen, x, y) {
    const corners = Array.from({ length: 10 }, (_, i) => {
      const angle = (i * Math.PI) / 5 - Math.PI / 2;
      const reach = i % 2 === 0 ? 5 : 2.1;
      return [x + Math.cos(angle) * reach, y + Math.sin(angle) * reach];
    });
    polygon(pen, corners.flat());
  },
  list(pen, x, y) {
    for (const line of [-3.5, -0.5, 2.5]) {
      pen.fillRect(x - 3.5, y + line, 1, 1);
      pen.fillRect(x - 1.5, y + line, 5, 1);
    }
  },
  flag(pen, x, y) {
    pen.fillRect(x - 3.5, y - 4.5, 1, 9);
    polygon(pen, [x - 2.5, y - 4, x + 4, y - 1.5, x - 2.5, y + 1]);
  },
  dot(pen, x, y) {
    pen.beginPath();
    pen.arc(x, y, 3, 0, Math.PI * 2);
    pen.fill();
  },
  barred(pen, x, y) {
    polygon(pen, [x - 4, y - 3, x - 3, y - 4, x + 4, y + 3, x + 3, y + 4]);
    polygon(pen, [x + 3, y - 4, x + 4, y - 3, x - 3, y + 4, x - 4, y + 3]);
  },
  columns(pen, x, y) {
    pen.fillRect(x - 3.5, y, 2, 4);
    pen.fillRect(x - 0.5, y - 4, 2, 8);
    pen.fillRect(x + 2.5, y + 1.5, 2, 2.5);
  },
  globe(pen, x, y) {
    pen.strokeStyle = pen.fillStyle;
    pen.beginPath();
    pen.arc(x, y, 4, 0, Math.PI * 2);
    pen.stroke();
    pen.fillRect(x - 4, y - 0.5, 8, 1);
    pen.fillRect(x - 0.5, y - 4, 1, 8);
  },
};

/** Fills a polygon of corners given as x, y, x, y, …. */
function polygon(pen: Pen, corners: readonly number[]): void {
  pen.beginPath();
  for (let i = 0; i + 1 < corners.length; i += 2) {
    const [x = 0, y = 0] = [corners[i], corners[i + 1]];
    if (i === 0) pen.moveTo(x, y);
    else pen.lineTo(x, y);
  }
  pen.closePath();
  pen.fill();
}
