/** Where the panels remember themselves, and their first size in pixels. */
export const panels = {
  left: { key: 'editor.outline', size: 232 },
  right: { key: 'editor.inspector', size: 360 },
  dock: { key: 'editor.dock', size: 264 },
} as const;
