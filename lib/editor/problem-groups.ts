import type { Issue } from '@/lib/base/issue';

/** The one word for each severity, from worst to least: in Problems, in the gutter, in marks and in docs/issues.md. */
export const severityWords = { error: 'Error', warning: 'Warning', info: 'Info' } as const;

const severities = ['error', 'warning', 'info'] as const;

export interface ProblemGroup {
  readonly file: string;
  readonly issues: readonly Issue[];
}

/** Sorts issues by file: files with errors first, then by path, and within a file by line. */
export function groupProblems(issues: readonly Issue[]): readonly ProblemGroup[] {
  const byFile = new Map<string, Issue[]>();
  for (const issue of issues) {
    const list = byFile.get(issue.file);
    if (list === undefined) byFile.set(issue.file, [issue]);
    else list.push(issue);
  }
  const hasError = (group: ProblemGroup) => group.issues.some((issue) => issue.severity === 'error');
  return [...byFile]
    .map(([file, list]) => ({ file, issues: list.sort((a, b) => a.line - b.line || a.column - b.column) }))
    .sort((a, b) => Number(hasError(b)) - Number(hasError(a)) || (a.file < b.file ? -1 : 1));
}

export function countProblems(issues: readonly Issue[]): { readonly errors: number; readonly warnings: number } {
  return {
    errors: issues.filter((issue) => issue.severity === 'error').length,
    warnings: issues.filter((issue) => issue.severity === 'warning').length,
  };
}

/** Returns the worst issue, or `undefined` if there are none. It gives a summary its colour, and a click goes to it. */
export function worstProblem(issues: readonly Issue[]): Issue | undefined {
  return severities.map((severity) => issues.find((issue) => issue.severity === severity)).find(Boolean);
}

/** Returns a summary such as `2 errors, 1 info`. */
export function problemWords(issues: readonly Issue[]): string {
  return severities
    .map((severity) => [issues.filter((issue) => issue.severity === severity).length, severity] as const)
    .filter(([count]) => count > 0)
    .map(([count, severity]) => `${count} ${severity}${count === 1 || severity === 'info' ? '' : 's'}`)
    .join(', ');
}
