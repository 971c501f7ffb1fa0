/** What the palette drags, as the browser's drag and drop names it. */
export const paletteType = 'application/x-callboard';
