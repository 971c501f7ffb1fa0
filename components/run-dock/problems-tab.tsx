'use client';

import { CircleAlert, CircleCheck, CircleDashed, Info, TriangleAlert } from 'lucide-react';
import { useDeferredValue, useMemo } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { useProblems } from '@/components/editor-state/use-problems';
import { MissingKey } from '@/components/keys/set-key';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import type { Issue } from '@/lib/base/issue';
import { fixCalled, fixesOf } from '@/lib/editor/code-fixes';
import type { CodeProject } from '@/lib/editor/code-project';
import type { ShownIssue } from '@/lib/editor/newborn';
import { groupProblems, severityWords } from '@/lib/editor/problem-groups';

const hintLook = { Icon: CircleDashed, ink: 'text-muted' } as const;

const looks = {
  error: { Icon: CircleAlert, ink: 'text-bad' },
  warning: { Icon: TriangleAlert, ink: 'text-warn' },
  info: { Icon: Info, ink: 'text-busy' },
} as const;

/** Lists every problem of the project and of its last run by file. Choosing one goes to its node and line. */
export function ProblemsTab() {
  const issues = useProblems();
  const actions = useActions();
  const groups = useMemo(() => groupProblems(issues), [issues]);
  const folder = useProject((state) => state.document.folder);
  const drawn = useProject((state) => state.picture.drawn);
  const now = useMemo(() => ({ folder, drawn }), [folder, drawn]);
  // Fixes are worked out after the list is shown, row by row, so that neither opening the tab nor a key waits for them.
  const project = useDeferredValue<CodeProject | undefined>(now, undefined);
  if (groups.length === 0) {
    return <EmptyState icon={<CircleCheck aria-hidden />} title="No problems" />;
  }
  return (
    <div className="py-1">
      {groups.map((group) => (
        <section key={group.file} aria-label={`Problems of ${group.file}`}>
          <h3 className="flex items-center gap-2 px-3 pt-1.5 pb-0.5 text-xs text-muted">
            <span className="truncate font-mono text-ink">{group.file}</span>
            <span className="rounded-sm bg-sunken px-1 tabular">{group.issues.length}</span>
          </h3>
          <ul>
            {group.issues.map((issue) => (
              <ProblemRow
                key={`${issue.line}:${issue.column}:${issue.code}:${issue.message}`}
                issue={issue}
                project={project}
                onGo={() => actions.openFile(issue.file, issue)}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function ProblemRow(props: {
  readonly issue: ShownIssue;
  readonly project: CodeProject | undefined;
  readonly onGo: () => void;
}) {
  const { issue } = props;
  const { Icon, ink } = issue.isHint ? hintLook : looks[issue.severity];
  return (
    <li className="hover:bg-hover">
      <button
        type="button"
        className="flex w-full cursor-pointer items-start gap-2 py-1 pr-3 pl-5 text-left text-sm focus-visible:-outline-offset-2"
        onClick={props.onGo}
      >
        <span className={`flex w-20 shrink-0 items-center gap-1 text-xs leading-5 ${ink}`}>
          <Icon size={13} aria-hidden />
          {issue.isHint ? 'To fill in' : severityWords[issue.severity]}
        </span>
        <span className="min-w-0 flex-1 break-words text-ink">{issue.message}</span>
        <span className="hidden shrink-0 font-mono text-2xs leading-5 text-faint sm:inline">{issue.code}</span>
        <span className="shrink-0 text-xs leading-5 text-muted tabular">
          {issue.line}:{issue.column}
        </span>
      </button>
      <Fixes issue={issue} project={props.project} />
      <div className="pr-3 pb-1.5 pl-27 empty:hidden max-sm:pl-5">
        <MissingKey text={issue.message} />
      </div>
    </li>
  );
}

/** Offers the changes that correct a problem. */
function Fixes({ issue, project }: { readonly issue: Issue; readonly project: CodeProject | undefined }) {
  const commands = useCommands();
  const mayEdit = useProject((state) => state.mayEdit);
  const fixes = useMemo(() => (project === undefined ? [] : fixesOf(project, issue)), [project, issue]);
  if (fixes.length === 0 || !mayEdit) return null;
  return (
    <div className="flex flex-wrap gap-1.5 pr-3 pb-1.5 pl-27 max-sm:pl-5">
      {fixes.map(({ label }) => (
        <Button key={label} size="sm" className="h-6 px-2" onClick={() => commands.fix(label, fixCalled(issue, label))}>
          {label}
        </Button>
      ))}
    </div>
  );
}
