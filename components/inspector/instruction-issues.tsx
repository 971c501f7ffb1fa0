import type { InstructionIssue } from '@/lib/editor/instruction-issues';

/** The sentences of the checker about an instruction. */
export function InstructionIssues({ issues }: { readonly issues: readonly InstructionIssue[] }) {
  if (issues.length === 0) return null;
  return (
    <ul aria-label="Issues of the instruction" className="flex max-h-40 flex-col gap-1 overflow-auto">
      {issues.map(({ issue }) => (
        <li
          key={`${issue.line}:${issue.column}:${issue.message}`}
          className={`break-words text-xs ${issue.severity === 'error' ? 'text-bad' : 'text-warn'}`}
        >
          {issue.message}
        </li>
      ))}
    </ul>
  );
}
