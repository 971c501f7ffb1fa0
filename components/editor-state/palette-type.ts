/** The type under which the browser's drag and drop carries an item of the palette. */
export const paletteType = 'application/x-callboard';
