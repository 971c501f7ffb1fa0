export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const marginPx = 12;
const gapPx = 8;

/**
 * Returns the distance from the lower edge of a window at which a box covers none of `kept`. It is as small as possible; where no such
 * place is, it is the usual margin.
 */
export function uncoveredBottom(box: Box, kept: readonly Box[], windowHeight: number): number {
  const height = box.bottom - box.top;
  const beside = kept.filter(({ left, right }) => left < box.right && right > box.left);
  let place = marginPx;
  for (let tries = beside.length; tries >= 0; tries -= 1) {
    const top = windowHeight - place - height;
    if (top < 0) return marginPx;
    const covered = beside.filter((one) => one.bottom > top && one.top < windowHeight - place);
    if (covered.length === 0) return place;
    place = windowHeight - Math.min(...covered.map((one) => one.top)) + gapPx;
  }
  return place;
}
