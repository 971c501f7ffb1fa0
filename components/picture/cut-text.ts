/** Returns the text, cut to a width with an ellipsis. */
export function cutText(text: string, widthPx: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= widthPx) return text;
  let [fits, beyond] = [0, text.length];
  while (beyond - fits > 1) {
    const middle = (fits + beyond) >>> 1;
    if (widthOf(`${text.slice(0, middle)}…`) <= widthPx) fits = middle;
    else beyond = middle;
  }
  return `${text.slice(0, fits)}…`;
}
