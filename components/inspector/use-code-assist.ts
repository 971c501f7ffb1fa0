import { useMemo } from 'react';
import type { CodeAssist, OfferedFix } from '@/components/code-editor/code-assist';
import { useActions, useReadProject } from '@/components/editor-state/project-context';
import { useServers } from '@/components/editor-state/servers-context';
import { useCommands } from '@/components/editor-state/use-commands';
import type { Issue } from '@/lib/base/issue';
import { completionsAt } from '@/lib/editor/code-completion';
import { fixCalled, fixesOf } from '@/lib/editor/code-fixes';
import { definitionAt, helpAt } from '@/lib/editor/code-help';
import type { CodeProject } from '@/lib/editor/code-project';

/** Answers the editor's questions about a file from the open project, as it is at the time of the question. */
export function useCodeAssist(file: string): CodeAssist & { fixesOf(issue: Issue): readonly OfferedFix[] } {
  const read = useReadProject();
  const actions = useActions();
  const commands = useCommands();
  const known = useServers((state) => state.known);
  return useMemo(() => {
    const project = (): CodeProject => ({ folder: read().document.folder, drawn: read().picture.drawn, known });
    return {
      completions: (text, offset) => completionsAt(project(), file, text, offset),
      help: (text, offset) => helpAt(project(), file, text, offset),
      openDefinition(text, offset) {
        const target = definitionAt(project(), file, text, offset);
        if (target === undefined) return false;
        actions.openFile(target.file, target);
        return true;
      },
      fixesOf: (issue) =>
        fixesOf(project(), issue).map(({ label }) => ({
          label,
          apply: () => commands.fix(label, fixCalled(issue, label)),
        })),
    };
  }, [file, read, actions, commands, known]);
}
