const most = 50;
const pattern = /(?<![\p{L}\p{N}_@.])@([\p{L}\p{N}][\p{L}\p{N}._+-]*(?:@[\p{L}\p{N}][\p{L}\p{N}.-]*)?)/gu;

/** Returns whom a text mentions: `@ann` or `@ann@example.org`, each once and without the sign. */
export function mentionsIn(text: string): readonly string[] {
  const found = [...text.matchAll(pattern)].map(([, name = '']) => name.replace(/[.-]+$/, ''));
  return [...new Set(found)].slice(0, most);
}
