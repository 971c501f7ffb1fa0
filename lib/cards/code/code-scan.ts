import type { CodeScan } from './definition';
import { scanJavaScript } from './scan-javascript';
import { scanPython } from './scan-python';

export type Language = 'python' | 'javascript';

export function languageOf(path: string): Language | undefined {
  if (/\.py$/i.test(path)) return 'python';
  return /\.[cm]?[jt]s$/i.test(path) ? 'javascript' : undefined;
}

export function scanCode(language: Language, text: string): CodeScan {
  return language === 'python' ? scanPython(text) : scanJavaScript(text);
}
