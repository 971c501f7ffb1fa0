/** Normalises a name as fast-agent's loader does: trims it and replaces spaces by `_`. */
export function normaliseName(name: string): string {
  return name.trim().replaceAll(' ', '_');
}
