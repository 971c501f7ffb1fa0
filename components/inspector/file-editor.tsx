'use client';

import { FileText } from 'lucide-react';
import { useMemo } from 'react';
import { CodeEditor } from '@/components/code-editor/code-editor';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { EmptyState } from '@/components/ui/empty-state';
import { textFile } from '@/lib/editor/document';
import { problemWords, worstProblem } from '@/lib/editor/problem-groups';

const inks = { error: 'text-bad', warning: 'text-warn', info: 'text-busy' } as const;

/** Shows the open file as text. Typing here redraws the canvas. */
export function FileEditor() {
  const file = useProject((state) => state.openFile);
  const content = useProject((state) => (file === undefined ? undefined : state.document.folder.get(file)));
  const issues = useProject((state) => state.picture.parsed.issues);
  const goTo = useProject((state) => (state.goTo?.file === file ? state.goTo : undefined));
  const actions = useActions();
  const own = useMemo(() => issues.filter((issue) => issue.file === file), [issues, file]);
  const worst = worstProblem(own);
  if (file === undefined || content === undefined) {
    return (
      <EmptyState icon={<FileText aria-hidden />} title="No file open">
        Select an agent to see its card, or open a file under Files.
      </EmptyState>
    );
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-7 shrink-0 items-center gap-2 border-b bg-ground px-3 text-xs text-muted">
        <span className="min-w-0 flex-1 truncate font-mono" title={file}>
          {file}
        </span>
        {worst !== undefined ? (
          <button
            type="button"
            className={`shrink-0 cursor-pointer hover:underline ${inks[worst.severity]}`}
            onClick={() => actions.openFile(file, worst)}
          >
            {problemWords(own)}
          </button>
        ) : null}
      </div>
      {content.kind === 'text' ? (
        <div className="min-h-0 flex-1">
          <CodeEditor
            key={file}
            file={file}
            text={content.text}
            issues={own}
            goTo={goTo}
            onChange={(text) =>
              actions.type(new Map([[file, textFile(text)]]), { label: `Type in ${file}`, burst: `type:${file}` })
            }
            onUndo={actions.undo}
            onRedo={actions.redo}
          />
        </div>
      ) : (
        <p className="p-3 text-sm text-muted">This file is not text. It is kept as it is.</p>
      )}
    </div>
  );
}
